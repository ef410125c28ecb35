/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/motion.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/base/printable.h"
#include "inspect/frames/stacks.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/render/json_put.h"
#include "inspect/render/text_view.h"

/* The words of JSON. */
static const char *motion_word(enum motion m)
{
    static const char *const words[] = {"new",   "ended",  "moves",   "waits", "works",
                                        "spins", "stands", "unknown", "idle"};

    return words[m];
}

static const char *motion_text(enum motion m)
{
    static const char *const texts[] = {"new",        "ended",      "moved",   "still waits", "works here",
                                        "spins here", "same place", "unknown", "idle"};

    return texts[m];
}

static const struct mdl_thread *thread_of(const struct motion_row *row)
{
    return row->after ? row->after : row->before;
}

/* Do the threads of the verdict wait for what they waited for? */
static bool verdict_stands(const insp_snapshot *after, const struct motions *w)
{
    for (int i = 0; i < after->verdict.edge_count; i++)
        for (int k = 0; k < w->count; k++)
            if (w->rows[k].after && w->rows[k].after->lwp == after->edges[after->verdict.edges[i]].from.lwp &&
                w->rows[k].motion != MOTION_WAITS)
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
    return t->frame_count && t->state != MDL_STATE_IDLE ? stack_doing(v->arena, t) : text_state(t);
}

/* "3 moved, 61 wait for the same as before": threads of each motion that there is. */
static const char *motions(const struct text_view *v, const struct motions *w)
{
    static const struct {
        enum motion motion;
        const char *one, *more;
    } phrases[] = {
        {MOTION_MOVES, "moved", "moved"},
        {MOTION_NEW, "is new", "are new"},
        {MOTION_ENDED, "has ended", "have ended"},
        {MOTION_WAITS, "waits for the same as before", "wait for the same as before"},
        {MOTION_WORKS, "has run and is at the same place", "have run and are at the same place"},
        {MOTION_SPINS, "has run and has changed nothing", "have run and have changed nothing"},
        {MOTION_STANDS, "is at the same place", "are at the same place"},
        {MOTION_IDLE, "is idle", "are idle"},
        {MOTION_UNKNOWN, "is unknown", "are unknown"},
    };
    const char *text = "";

    for (size_t i = 0; text && i < sizeof(phrases) / sizeof(*phrases); i++) {
        int n = 0;

        for (int k = 0; k < w->count; k++)
            n += w->rows[k].motion == phrases[i].motion;
        if (n)
            text = arena_printf(v->arena, "%s%s%d%s %s", text, *text ? ", " : "", n,
                                *text    ? ""
                                : n == 1 ? " thread"
                                         : " threads",
                                n == 1 ? phrases[i].one : phrases[i].more);
    }
    return text && *text ? text : "there are no threads";
}

/* Rows that differ in nothing but the thread. */
struct alike {
    const char *before, *now;
    enum motion motion;
    int first, last, count; /* indices of watch.rows; the others by `next` */
};

/* The same text has the same number, not 0; 0 out of memory. */
static uint64_t text_number(struct hash *texts, const char *text)
{
    uint64_t *at = hash_add(texts, 0, text ? text : "?");

    if (at && !*at)
        *at = texts->count;
    return at ? *at : 0;
}

/* Puts rows together; next[] chains those of one group. Number of groups, negative out of memory. */
static int put_together(const struct text_view *then, const struct text_view *now, const struct motions *w,
                        struct alike *ret, int *next)
{
    struct hash map = {.arena = now->arena}, texts = map;
    int count = 0;

    for (int i = 0; i < w->count; i++) {
        const struct motion_row *row = &w->rows[i];
        const bool both = row->motion == MOTION_MOVES || !row->after;
        struct alike one = {
            both ? doing(then, row->before) : "", doing(now, row->after), row->motion, i, i, 1};
        const uint64_t before = text_number(&texts, one.before), after = text_number(&texts, one.now);
        uint64_t *at, key = hash_mix(hash_mix(before, after), (uint64_t)row->motion);

        /* Who is alone need not pass all the others. */
        if (now->options->expand)
            key = hash_mix(key, (uint64_t)i);
        /* The next number where two different rows have one. */
        do {
            at = hash_add(&map, key++, NULL);
        } while (at && *at &&
                 (now->options->expand || ret[*at - 1].motion != one.motion ||
                  !mdl_same(ret[*at - 1].before, one.before) || !mdl_same(ret[*at - 1].now, one.now)));
        if (!at || !before || !after)
            return -1;
        next[i] = -1;
        if (*at) {
            next[ret[*at - 1].last] = i;
            ret[*at - 1].last = i;
            ret[*at - 1].count++;
        } else {
            ret[count++] = one;
            *at = (uint64_t)count;
        }
    }
    return count;
}

/* "3, 5, 7, ... (60 threads)" */
static const char *numbers(const struct text_view *v, const struct motions *w, const struct alike *group,
                           const int *next, bool gdb)
{
    enum { ROOM = 14 };
    int64_t *list = arena_alloc(v->arena, (size_t)group->count * sizeof(*list));
    const char *text;
    int n = 0;

    for (int i = group->first; list && i >= 0; i = next[i])
        list[n++] = gdb ? thread_of(&w->rows[i])->gdb_num : thread_of(&w->rows[i])->lwp;
    if (!list)
        return "?";
    qsort(list, (size_t)n, sizeof(*list), text_by_number);
    text = text_short_ranges(v, list, n, ROOM);
    if (n > 1)
        text = arena_printf(v->arena, "%s (%d threads)", text, n);
    return text ? text : "?";
}

static void text_table(const struct text_view *then, const struct text_view *now, const struct motions *w)
{
    struct alike *groups = arena_alloc(now->arena, ((size_t)w->count + 1) * sizeof(*groups));
    int *next = arena_alloc(now->arena, ((size_t)w->count + 1) * sizeof(*next));
    const int count = groups && next ? put_together(then, now, w, groups, next) : -1;
    const bool single = count == w->count; /* numbers are aligned right, lists left */
    struct table table = {0};

    if (count < 0)
        now->arena->oom = true;
    table_column(&table, " ", false, false);
    table_column(&table, "Thr", single, false);
    table_column(&table, "LWP", single, false);
    table_column(&table, "", false, false);
    table_column(&table, "Before", false, true);
    table_column(&table, "Now", false, true);
    for (int i = 0; i < count; i++) {
        const struct alike *g = &groups[i];
        const bool gdb = thread_of(&w->rows[g->first])->gdb_num != 0;

        table_row(&table, g->motion == MOTION_MOVES   ? TABLE_BOLD
                          : g->motion == MOTION_WAITS ? TABLE_WAIT
                                                      : TABLE_PLAIN);
        table_cell(&table, 0, g->motion == MOTION_MOVES ? ">" : "");
        if (gdb)
            table_cell(&table, 1, "%s", numbers(now, w, g, next, true));
        if (!gdb || g->count == 1)
            table_cell(&table, 2, "%s", numbers(now, w, g, next, false));
        table_cell(&table, 3, "%s", motion_text(g->motion));
        table_cell(&table, 4, "%s", g->before);
        table_cell(&table, 5, "%s", g->now);
    }
    if (table.count)
        table_print(&table, now->options->width, now->options->colour, now->out);
    table_free(&table);
}

static void text_compare(const struct text_view *then, const struct text_view *now, const struct motions *w)
{
    text_paragraph(now, 2,
                   arena_printf(now->arena, "Between the two samples: %s; %d task%s ended, %d %s new.",
                                motions(now, w), w->tasks_ended, w->tasks_ended == 1 ? "" : "s", w->tasks_new,
                                w->tasks_new == 1 ? "is" : "are"));
    text_paragraph(now, 2,
                   now->snap->verdict.sentence ? now->snap->verdict.sentence : "Nothing can be said.");
    if (verdict_stands(now->snap, w))
        text_paragraph(now, 2, "It was the same in both samples.");
    text_table(then, now, w);
}

static char *compare_json(const struct text_view *then, const struct text_view *now, const struct motions *w)
{
    json_t *root = json_object(), *threads = json_array(), *o, *verdict = json_object();

    put(root, "schema", json_integer(1));
    put_word(verdict, "kind", &mdl_verdict_words, (int)now->snap->verdict.kind);
    put_text(verdict, "sentence", now->snap->verdict.sentence);
    put(verdict, "stands", json_boolean(verdict_stands(now->snap, w)));
    put(root, "verdict", verdict);
    for (int i = 0; i < w->count; i++) {
        const struct motion_row *row = &w->rows[i];

        o = json_object();
        put(o, "lwp", json_integer(thread_of(row)->lwp));
        put(o, "openmp", json_boolean(thread_of(row)->openmp));
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
    struct motions w;
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
    if (before && after && !why && motion_compare(before, after, &arena, &w)) {
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
