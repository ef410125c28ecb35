/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/watch.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/frames/stacks.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/render/json_put.h"
#include "inspect/render/text.h"

static bool same_wait(const struct mdl_wait *a, const struct mdl_wait *b)
{
    return a->kind == b->kind && a->id == b->id && a->object == b->object && a->at.line == b->at.line &&
           mdl_same(a->at.file, b->at.file) && mdl_same(a->at.function, b->at.function);
}

static bool same_stack(const struct mdl_thread *a, const struct mdl_thread *b)
{
    for (int i = 0; i < a->frame_count && a->frame_count == b->frame_count; i++)
        if (a->frames[i].pc != b->frames[i].pc)
            return false;
    return a->frame_count == b->frame_count;
}

static enum watch_motion motion(const struct mdl_thread *a, const struct mdl_thread *b)
{
    bool idle = !b->openmp || b->state == MDL_STATE_IDLE;

    if (a->openmp != b->openmp || (a->serial && b->serial && a->serial != b->serial) ||
        a->runtime != b->runtime || a->region != b->region || a->task != b->task || !mdl_same_state(a, b) ||
        !same_wait(&a->wait, &b->wait))
        return WATCH_MOVES;
    if (b->wait.kind)
        return WATCH_WAITS;
    if (!a->frame_count || !b->frame_count)
        return idle ? WATCH_IDLE : WATCH_UNKNOWN;
    if (!same_stack(a, b))
        return WATCH_MOVES;
    return idle ? WATCH_IDLE : WATCH_STANDS;
}

bool watch_compare(const insp_snapshot *before, const insp_snapshot *after, struct arena *a,
                   struct watch *ret)
{
    struct watch w = {0};

    w.rows =
        arena_alloc(a, ((size_t)before->thread_count + (size_t)after->thread_count + 1) * sizeof(*w.rows));
    if (!w.rows)
        return false;
    for (int i = 0; i < after->thread_count; i++) {
        const struct mdl_thread *t = &after->threads[i], *was = mdl_thread_by_lwp(before, t->lwp);

        w.rows[w.count++] = (struct watch_row){was, t, was ? motion(was, t) : WATCH_NEW};
    }
    for (int i = 0; i < before->thread_count; i++)
        if (!mdl_thread_by_lwp(after, before->threads[i].lwp))
            w.rows[w.count++] = (struct watch_row){&before->threads[i], NULL, WATCH_ENDED};
    for (int i = 0; i < after->task_count; i++)
        w.tasks_same += mdl_task_by_id(before, after->tasks[i].runtime, after->tasks[i].id) != NULL;
    for (int i = 0; i < after->region_count; i++)
        w.regions_same += mdl_region_by_id(before, after->regions[i].runtime, after->regions[i].id) != NULL;
    w.tasks_new = after->task_count - w.tasks_same;
    w.tasks_ended = before->task_count - w.tasks_same;
    w.regions_new = after->region_count - w.regions_same;
    w.regions_ended = before->region_count - w.regions_same;
    *ret = w;
    return true;
}

/* The words of JSON. */
static const char *motion_word(enum watch_motion m)
{
    static const char *const words[] = {"new", "ended", "moves", "waits", "stands", "works", "idle"};

    return words[m];
}

static const char *motion_text(enum watch_motion m)
{
    static const char *const texts[] = {"new",        "ended", "moved", "still waits",
                                        "same place", "works", "idle"};

    return texts[m];
}

static int count_of(const struct watch *w, enum watch_motion m)
{
    int n = 0;

    for (int i = 0; i < w->count; i++)
        n += w->rows[i].motion == m && (w->rows[i].after ? w->rows[i].after : w->rows[i].before)->openmp;
    return n;
}

/* Do the threads of the verdict wait for what they waited for? */
static bool verdict_stands(const insp_snapshot *after, const struct watch *w)
{
    for (int i = 0; i < after->verdict.edge_count; i++)
        for (int k = 0; k < w->count; k++)
            if (w->rows[k].after && w->rows[k].after->lwp == after->edges[after->verdict.edges[i]].from.lwp &&
                w->rows[k].motion != WATCH_WAITS)
                return false;
    return after->verdict.edge_count > 0;
}

static const char *doing(const struct text_view *v, const struct mdl_thread *t)
{
    const char *wait = t ? text_wait(v, t) : "";

    if (!t)
        return "";
    if (*wait)
        return wait;
    return t->frame_count && t->openmp && t->state != MDL_STATE_IDLE ? stack_doing(v->arena, t)
                                                                     : text_state(t);
}

static void text_compare(const struct text_view *then, const struct text_view *now, const struct watch *w)
{
    struct table table = {0};
    int moved = count_of(w, WATCH_MOVES) + count_of(w, WATCH_NEW), waits = count_of(w, WATCH_WAITS);
    int stands = count_of(w, WATCH_STANDS), idle = count_of(w, WATCH_IDLE);

    text_paragraph(
        now, 2,
        arena_printf(
            now->arena,
            "Between the two samples: %d OpenMP thread%s moved, %d wait%s for the same as before, %d %s at "
            "the same place, %d %s idle; %d task%s ended, %d %s new.",
            moved, moved == 1 ? "" : "s", waits, waits == 1 ? "s" : "", stands, stands == 1 ? "is" : "are",
            idle, idle == 1 ? "is" : "are", w->tasks_ended, w->tasks_ended == 1 ? "" : "s", w->tasks_new,
            w->tasks_new == 1 ? "is" : "are"));
    text_paragraph(now, 2,
                   now->snap->verdict.sentence ? now->snap->verdict.sentence : "Nothing can be said.");
    if (verdict_stands(now->snap, w))
        text_paragraph(now, 2, "It was the same in both samples.");
    table_column(&table, " ", false, false);
    table_column(&table, "Thr", true, false);
    table_column(&table, "LWP", true, false);
    table_column(&table, "", false, false);
    table_column(&table, "Before", false, true);
    table_column(&table, "Now", false, true);
    for (int i = 0; i < w->count; i++) {
        const struct watch_row *row = &w->rows[i];
        const struct mdl_thread *t = row->after ? row->after : row->before;
        const char *before = doing(then, row->before), *after = doing(now, row->after);

        if (!t->openmp)
            continue;
        table_row(&table, row->motion == WATCH_MOVES   ? TABLE_BOLD
                          : row->motion == WATCH_WAITS ? TABLE_WAIT
                                                       : TABLE_PLAIN);
        table_cell(&table, 0, row->motion == WATCH_MOVES ? ">" : "");
        if (t->gdb_num)
            table_cell(&table, 1, "%d", t->gdb_num);
        table_cell(&table, 2, "%" PRId64, t->lwp);
        table_cell(&table, 3, "%s", motion_text(row->motion));
        table_cell(&table, 4, "%s", row->motion == WATCH_MOVES || !row->after ? before : "");
        table_cell(&table, 5, "%s", after);
    }
    if (table.count)
        table_print(&table, now->options->width, now->options->colour, now->out);
    table_free(&table);
}

static char *compare_json(const struct text_view *then, const struct text_view *now, const struct watch *w)
{
    json_t *root = json_object(), *threads = json_array(), *o, *verdict = json_object();

    put(root, "schema", json_integer(1));
    put_word(verdict, "kind", &mdl_verdict_words, (int)now->snap->verdict.kind);
    put_text(verdict, "sentence", now->snap->verdict.sentence);
    put(verdict, "stands", json_boolean(verdict_stands(now->snap, w)));
    put(root, "verdict", verdict);
    for (int i = 0; i < w->count; i++) {
        const struct watch_row *row = &w->rows[i];

        o = json_object();
        put(o, "lwp", json_integer((row->after ? row->after : row->before)->lwp));
        put(o, "openmp", json_boolean((row->after ? row->after : row->before)->openmp));
        put_text(o, "motion", motion_word(row->motion));
        put_text(o, "before", row->before ? doing(then, row->before) : NULL);
        put_text(o, "now", row->after ? doing(now, row->after) : NULL);
        json_array_append_new(threads, o);
    }
    put(root, "threads", threads);
    put(root, "tasks",
        json_pack("{si si si}", "ended", w->tasks_ended, "new", w->tasks_new, "same", w->tasks_same));
    put(root, "regions",
        json_pack("{si si si}", "ended", w->regions_ended, "new", w->regions_new, "same", w->regions_same));
    return dump_document(root);
}

char *insp_compare(const insp_snapshot *before, const insp_snapshot *after,
                   const struct insp_render_options *options, char **error)
{
    struct insp_render_options o = {0};
    struct arena arena = {0};
    struct sbuf out = {0};
    struct text_view then = {.snap = before, .options = &o, .arena = &arena, .out = &out}, now = then;
    struct watch w;
    char *text = NULL, *why = NULL;

    now.snap = after;
    if (!before || !after || !options || options->size < offsetof(struct insp_render_options, width)) {
        if (error)
            *error = insp_sentence("insp_compare was called with wrong arguments.");
        return NULL;
    }
    memcpy(&o, options, options->size < sizeof(o) ? options->size : sizeof(o));
    if (o.format == INSP_TEXT) {
        then.snap = before = printable_snapshot(&arena, before);
        now.snap = after = printable_snapshot(&arena, after);
    }
    if (!before || !after)
        why = insp_sentence("Out of memory.");
    else if (o.format != INSP_TEXT && o.format != INSP_JSON)
        why = insp_sentence("Two snapshots can be compared only as text or JSON.");
    else if (before->process.pid != after->process.pid)
        why = insp_sentence("The two snapshots are of different processes.");
    if (before && after && !why && watch_compare(before, after, &arena, &w)) {
        if (o.format == INSP_JSON) {
            text = compare_json(&then, &now, &w);
        } else {
            text_compare(&then, &now, &w);
            text = arena.oom ? NULL : sbuf_take(&out);
        }
    }
    sbuf_free(&out);
    arena_free(&arena);
    if (!text && !why)
        why = insp_sentence("Out of memory.");
    if (error)
        *error = why;
    else
        free(why);
    return text;
}
