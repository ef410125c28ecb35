/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/render/text.h"

#include "inspect/graph/graph.h"
#include "inspect/model/phrases.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int text_indent(const struct text_view *v, int columns)
{
    int most = v->options->width / 3;

    return v->options->width > 0 && columns > most ? most : columns;
}

void text_paragraph(const struct text_view *v, int indent, const char *text)
{
    size_t blanks = text ? strspn(text, " ") : 0;
    int lead = text_indent(v, (int)blanks);

    sbuf_pad(v->out, ' ', (size_t)lead);
    text_continue(v, lead, indent, text ? text + blanks : NULL);
}

void text_continue(const struct text_view *v, int begun, int indent, const char *text)
{
    size_t width = v->options->width > 0 ? (size_t)v->options->width : SIZE_MAX;
    size_t column = (size_t)begun;
    bool first = true;

    indent = text_indent(v, indent);
    while (text && *text) {
        size_t n = strcspn(text, " "), columns = 0;

        for (size_t i = 0; i < n; i++)
            columns += ((unsigned char)text[i] & 0xc0) != 0x80;
        if (!first && column > (size_t)indent && column + 1 + columns > width) {
            sbuf_add(v->out, "\n");
            sbuf_pad(v->out, ' ', (size_t)indent);
            column = (size_t)indent;
        } else if (!first) {
            sbuf_add(v->out, " ");
            column++;
        }
        first = false;
        sbuf_add_n(v->out, text, n);
        column += columns;
        text += n + strspn(text + n, " ");
    }
    sbuf_add(v->out, "\n");
}

void text_problems(const struct text_view *v)
{
    for (int i = 0; i < v->snap->problem_count; i++) {
        const struct mdl_problem *p = &v->snap->problems[i];
        const char *remedy = p->remedy ? p->remedy : "";
        char *text = arena_printf(v->arena, "%s: %s.%s%s", p->what ? p->what : "?", p->why ? p->why : "?",
                                  *remedy ? " " : "", remedy);

        if (!text)
            continue;
        text[0] = (char)toupper((unsigned char)text[0]);
        text_paragraph(v, 2, text);
    }
}

bool text_no_runtime(const struct text_view *v)
{
    if (v->snap->runtime_count)
        return false;
    if (!v->snap->problem_count)
        sbuf_add(v->out, "No OpenMP runtime was found.\n");
    return true;
}

const char *text_state(const struct mdl_thread *t)
{
    if (t->running)
        return "running";
    if (t->state == MDL_STATE_UNKNOWN)
        return "?";
    if (t->wait.kind || mdl_state_waits(t->state))
        return "waiting";
    switch (t->state) {
    case MDL_STATE_WORK_SERIAL:
        return "serial";
    case MDL_STATE_WORK_PARALLEL:
        return "working";
    case MDL_STATE_WORK_REDUCTION:
        return "reducing";
    case MDL_STATE_OVERHEAD:
        return "in runtime";
    case MDL_STATE_OTHER:
        return t->other_state;
    default:
        return mdl_word(&mdl_state_words, (int)t->state);
    }
}

const char *text_task_kind(const struct mdl_task *task)
{
    const char *word = mdl_word(&mdl_task_words, (int)task->kind);

    return word ? word : "";
}

int text_by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

const char *text_ranges(const struct text_view *v, const int64_t *numbers, int count)
{
    struct sbuf text = {0};
    const char *result;

    for (int i = 0; i < count;) {
        int end = i;

        while (end + 1 < count && numbers[end + 1] == numbers[end] + 1)
            end++;
        sbuf_printf(&text, "%s%" PRId64, i ? ", " : "", numbers[i]);
        if (end > i)
            sbuf_printf(&text, "%s%" PRId64, end == i + 1 ? ", " : "-", numbers[end]);
        i = end + 1;
    }
    result = text.text ? arena_str(v->arena, text.text) : "";
    sbuf_free(&text);
    return result ? result : "";
}

const char *text_short_ranges(const struct text_view *v, const int64_t *numbers, int count, size_t room)
{
    static const char more[] = ", ...";
    const char *text = text_ranges(v, numbers, count);
    size_t cut = room > sizeof(more) ? room - sizeof(more) + 1 : 0;

    if (strlen(text) <= room)
        return text;
    while (cut > 0 && text[cut] != ',')
        cut--;
    if (!cut)
        cut = strcspn(text, ",");
    if (!text[cut])
        return text;
    text = arena_printf(v->arena, "%.*s%s", (int)cut, text, more);
    return text ? text : "?";
}

/* Characters of thread numbers that one row shows. */
enum { MISSING_MAX = 60 };

/* The threads that have not arrived; NULL: hundreds of numbers in each waiting thread's row hide the
 * table, and JSON has them all. */
static const char *missing_text(const struct text_view *v, const struct mdl_wait *w)
{
    int64_t *missing = arena_alloc(v->arena, ((size_t)w->missing_count + 1) * sizeof(*missing));
    const char *list;

    if (w->missing_count == 1 && mdl_thread_by_lwp(v->snap, w->missing_lwp[0]))
        return mdl_thread_name(v->arena, v->snap, w->missing_lwp[0]);
    for (int i = 0; missing && i < w->missing_count; i++)
        missing[i] = w->missing[i];
    list = missing ? text_ranges(v, missing, w->missing_count) : NULL;
    if (!list || strlen(list) > MISSING_MAX)
        return NULL;
    return arena_printf(v->arena, w->missing_count == 1 ? "OpenMP thread %s" : "OpenMP threads %s", list);
}

/* Some have arrived here, others at another barrier of the region: for these they are missing. */
static const char *split_text(const struct text_view *v, const struct mdl_thread *t, const char *name,
                              const struct mdl_split *split)
{
    const struct mdl_wait *w = &t->wait;
    bool end = mdl_ends_region(t);
    int elsewhere = end ? split->other_count : split->end_count, missing = elsewhere + w->missing_count;
    const struct mdl_thread *there = &v->snap->threads[end ? split->other : split->end];
    const char *who = elsewhere == 1 ? mdl_thread_name(v->arena, v->snap, there->lwp)
                                     : arena_printf(v->arena, "%d threads", elsewhere);
    const char *where = !end ? "the end of the region" : text_construct(v, "the barrier", &there->wait.at);

    return arena_printf(v->arena, "%s, where %d of %d %s not arrived: %s %s %s", name, missing,
                        w->arrived_count + w->missing_count, missing == 1 ? "has" : "have", who ? who : "?",
                        elsewhere == 1 ? "is at" : "are at", where);
}

static const char *barrier_text(const struct text_view *v, const struct mdl_thread *t, const char *name)
{
    const struct mdl_split *split = mdl_split_of(v->snap, t);
    const struct mdl_wait *w = &t->wait;
    const char *list;

    if (!w->arrivals_known)
        return name;
    if (split)
        return split_text(v, t, name, split);
    /* When no thread counts as arrived, all have been released, and this one is about to leave. */
    if (!w->missing_count || !w->arrived_count)
        return arena_printf(v->arena, "%s, where all have arrived", name);
    list = missing_text(v, w);
    return arena_printf(v->arena, "%s, where %d of %d %s not arrived%s%s", name, w->missing_count,
                        w->arrived_count + w->missing_count, w->missing_count == 1 ? "has" : "have",
                        list ? ": " : "", list ? list : "");
}

const char *text_wait(const struct text_view *v, const struct mdl_thread *t)
{
    const struct mdl_wait *w = &t->wait;
    const char *name = mdl_wait_name(v->arena, w, v->options->addresses), *text = name;

    if (!w->kind)
        return "";
    if (graph_left_out_barrier(t))
        text = arena_printf(v->arena, "%s, after skipping a barrier", name);
    else if (w->barrier)
        text = barrier_text(v, t, name);
    else if (w->owner == MDL_OWNER_ENDED)
        text = arena_printf(v->arena, "%s, held by a thread that has ended", name);
    else if (w->owner == MDL_OWNER_THREAD && w->owner_lwp == t->lwp)
        text = arena_printf(
            v->arena, w->owner_doubt ? "%s, which it perhaps already holds" : "%s, which it already holds",
            name);
    else if (w->owner == MDL_OWNER_THREAD && w->owner_lwp && w->kind == MDL_WAIT_ORDERED)
        text = arena_printf(v->arena, "%s, where it is the turn of %s", name,
                            mdl_thread_name(v->arena, v->snap, w->owner_lwp));
    else if (w->owner == MDL_OWNER_THREAD && w->owner_lwp)
        text = arena_printf(v->arena, w->owner_doubt ? "%s, perhaps held by %s" : "%s, held by %s", name,
                            mdl_thread_name(v->arena, v->snap, w->owner_lwp));
    else if (w->owner == MDL_OWNER_THREAD)
        text = arena_printf(v->arena, "%s, held by a thread that is not listed", name);
    if (text && w->taken_at.file && w->taken_at.line)
        text = arena_printf(v->arena, "%s, %s", text, text_construct(v, "taken", &w->taken_at));
    else if (text && w->taken_at.function)
        text = arena_printf(v->arena, "%s, taken in %s", text, text_name(v, w->taken_at.function));
    return text ? text : name;
}

const char *text_because(const struct text_view *v, const struct mdl_edge *e)
{
    const char *address = v->options->addresses ? NULL : strstr(e->because, " at 0x"), *text;

    if (!address)
        return e->because;
    text = arena_printf(v->arena, "%.*s", (int)(address - e->because), e->because);
    return text ? text : e->because;
}

const char *text_name(const struct text_view *v, const char *function)
{
    enum { LEAST = 24 };
    size_t most = v->options->width > 2 * LEAST ? (size_t)v->options->width / 2 : LEAST;
    struct sbuf cut = {0};
    const char *kept;

    if (!function || v->options->width <= 0 || text_width(function) <= most)
        return function;
    table_add_cut(&cut, function, most);
    kept = cut.text && !cut.oom ? arena_printf(v->arena, "%s", cut.text) : NULL;
    sbuf_free(&cut);
    return kept ? kept : function;
}

const char *text_place(const struct text_view *v, const struct mdl_place *p)
{
    if (p->function && p->file && p->line)
        return arena_printf(v->arena, "%s, %s:%d", text_name(v, p->function), mdl_base_name(p->file),
                            p->line);
    if (p->file && p->line)
        return arena_printf(v->arena, "%s:%d", mdl_base_name(p->file), p->line);
    if (!p->function && p->module)
        return arena_printf(v->arena, "in %s", mdl_base_name(p->module));
    return text_name(v, p->function);
}

const char *text_construct(const struct text_view *v, const char *kind, const struct mdl_place *p)
{
    const char *text = NULL;

    if (p->file && p->line)
        text = arena_printf(v->arena, "%s at %s:%d", kind, mdl_base_name(p->file), p->line);
    return text ? text : kind;
}
