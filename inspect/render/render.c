/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/model/words.h"
#include "inspect/render/dot_tree.h"
#include "inspect/render/dot_waits.h"
#include "inspect/render/html.h"
#include "inspect/render/icv_filter.h"
#include "inspect/render/json.h"
#include "inspect/render/report.h"
#include "inspect/render/status.h"
#include "inspect/render/text_icvs.h"
#include "inspect/render/text_loops.h"
#include "inspect/render/text_placement.h"
#include "inspect/render/text_regions.h"
#include "inspect/render/text_stacks.h"
#include "inspect/render/text_tasks.h"
#include "inspect/render/text_threads.h"
#include "inspect/render/text_waits.h"

/* A sentence when a filter can match nothing because it is no word at all. */
static char *bad_words(const insp_snapshot *s, const struct insp_render_options *o)
{
    bool found = false;

    if (o->view == INSP_VIEW_TASKS && o->filter && mdl_word_value(&mdl_task_state_words, o->filter) < 0)
        return insp_sentence(
            "No task state is called \"%s\": created, blocked, ready, running, suspended, completing, "
            "detached or cancelled.",
            o->filter);
    if (o->view != INSP_VIEW_ICVS)
        return NULL;
    if (o->scope && *o->scope && mdl_word_value(&mdl_scope_words, o->scope) <= MDL_SCOPE_UNKNOWN)
        return insp_sentence(
            "No scope is called \"%s\": global, address_space, thread, parallel, implicit_task, task, "
            "teams or target.",
            o->scope);
    if (!o->filter || !*o->filter || !s->icv_count)
        return NULL;
    for (int i = 0; i < s->icv_count && !found; i++) {
        struct insp_render_options by_name = *o;

        by_name.scope = NULL;
        found = icv_wanted(&by_name, &s->icvs[i]);
    }
    return found ? NULL : insp_sentence("No ICV is called \"%s\".", o->filter);
}

/* The formats that are neither text nor JSON. */
static void draw(const struct text_view *v)
{
    if (v->options->format == INSP_HTML)
        html_page(v);
    else if (v->options->format == INSP_FOLDED)
        text_folded(v);
    else if (v->options->view == INSP_VIEW_PARALLEL || v->options->view == INSP_VIEW_TASKS)
        dot_tree(v);
    else
        dot_waits(v);
}

static char *text_render(const insp_snapshot *s, const struct insp_render_options *o)
{
    struct arena arena = {0};
    struct sbuf out = {0};
    struct text_view v = {.snap = printable_snapshot(&arena, s), .options = o, .arena = &arena, .out = &out};

    if (!v.snap) {
        arena_free(&arena);
        return NULL;
    }
    if (o->format != INSP_TEXT) {
        draw(&v);
        if (arena.oom)
            out.oom = true;
        arena_free(&arena);
        return sbuf_take(&out);
    }
    switch (o->view) {
    case INSP_VIEW_THREADS:
        text_threads(&v);
        if (o->verbose)
            text_placement(&v);
        break;
    case INSP_VIEW_PARALLEL:
        text_regions(&v);
        break;
    case INSP_VIEW_TASKS:
        text_tasks(&v);
        break;
    case INSP_VIEW_ICVS:
        text_icvs(&v);
        break;
    case INSP_VIEW_STATUS:
        text_status(&v);
        break;
    case INSP_VIEW_WAITS:
        text_waits(&v);
        break;
    case INSP_VIEW_STACKS:
        text_stacks(&v);
        break;
    case INSP_VIEW_LOOPS:
        text_loops(&v);
        break;
    default:
        text_report(&v); /* shows the problems near its top */
    }
    if (o->view != INSP_VIEW_REPORT)
        text_problems(&v);
    /* Where there is a verdict, it says so. */
    if (s->moving && o->view != INSP_VIEW_REPORT && o->view != INSP_VIEW_WAITS)
        text_paragraph(&v, 2,
                       "The process kept running while it was read: each row may show another moment.");
    if (arena.oom)
        out.oom = true;
    arena_free(&arena);
    return sbuf_take(&out);
}

char *insp_render(const insp_snapshot *s, const struct insp_render_options *options, char **error)
{
    /* A caller compiled with an older header knows fewer options: the rest stays off. */
    struct insp_render_options o = {0};
    char *text = NULL, *why = NULL;

    if (error)
        *error = NULL;
    if (!s || !options || options->size < offsetof(struct insp_render_options, width)) {
        if (error)
            *error = insp_sentence("insp_render was called with wrong arguments.");
        return NULL;
    }
    memcpy(&o, options, options->size < sizeof(o) ? options->size : sizeof(o));
    /* A host that does not know of lines for many threads cannot ask for the long form. */
    if (options->size < offsetof(struct insp_render_options, expand) + sizeof(o.expand))
        o.expand = 1;
    if (o.view < INSP_VIEW_THREADS || o.view > INSP_VIEW_LOOPS || o.format < INSP_TEXT ||
        o.format > INSP_FOLDED)
        why = insp_sentence("There is no such view.");
    else
        why = bad_words(s, &o);
    if (!why) {
        text = o.format == INSP_JSON ? render_json(s, &o) : text_render(s, &o);
        if (!text)
            why = insp_sentence("Out of memory.");
    }
    if (error)
        *error = why;
    else
        free(why);
    return text;
}
