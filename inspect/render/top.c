/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that look the same share a line, for what differs from sample to sample (stacks, tasks) is not in a
 * row.
 */
#include "inspect/render/top.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/model/printable_snapshot.h"
#include "inspect/render/group.h"
#include "inspect/render/text_view.h"

enum {
    COL_LWP,
    COL_RUNTIME,
    COL_OMP,
    COL_LEVEL,
    COL_REGION,
    COL_TIME,
    COL_PROCESSOR,
    COL_STATE,
    COL_WAIT,
    COL_AT
};

/* Width of the numbers in one cell. */
enum { NUMBERS_ROOM = 14 };

/* What is shown of a thread. */
struct row {
    const struct mdl_thread *thread;
    const struct top_usage *usage; /* NULL: it began after the times were read */
    const char *does, *wait, *at;
};

/* One line: the rows that look like FIRST. */
struct line {
    int first, count;
    int64_t tenths; /* of all of them together, -1 not known of any */
    int64_t lwp;    /* of FIRST, and what it does: for sorting */
    const char *does;
};

struct top {
    const struct text_view *v;
    const struct top_sample *sample;
    struct row *rows;
    int count;
    struct groups groups;
    struct line *lines;
};

static int by_lwp(const void *key, const void *element)
{
    const int64_t lwp = *(const int64_t *)key;
    const struct top_usage *u = element;

    return lwp < u->lwp ? -1 : lwp > u->lwp;
}

const struct top_usage *top_usage_of(const struct top_sample *s, int64_t lwp)
{
    return s->usage_count ? bsearch(&lwp, s->usage, s->usage_count, sizeof(*s->usage), by_lwp) : NULL;
}

/* Without a stop nobody can say what a thread does that is in no system call, but that it has a processor or
   waits for one. */
static const char *does(const struct text_view *v, const struct mdl_thread *t, const struct top_usage *u)
{
    const char *word = text_does(v, t);

    if (u && u->state == 'R' && !t->wait.kind && (t->running || !strcmp(word, "unknown")))
        return "runs";
    return word;
}

static bool alike(const struct row *a, const struct row *b)
{
    const struct mdl_thread *x = a->thread, *y = b->thread;

    return x->runtime == y->runtime && x->openmp == y->openmp && x->region == y->region &&
           x->level == y->level && x->team_size == y->team_size && !strcmp(a->does, b->does) &&
           !strcmp(a->wait, b->wait) && mdl_same(a->at, b->at);
}

/* Puts the rows into groups; false out of memory. */
static bool group(struct top *top)
{
    struct hash map = {.arena = top->v->arena};

    if (!groups_init(&top->groups, top->v->arena, top->count))
        return false;
    for (int i = 0; i < top->count; i++) {
        const struct row *row = &top->rows[i];
        uint64_t key = hash_mix((uint64_t)row->thread->runtime, row->thread->region), *at;

        for (const char *c = row->at ? row->at : ""; *c; c++)
            key = hash_mix(key, (unsigned char)*c);
        if (top->v->options->expand)
            key = hash_mix(key, (uint64_t)i);
        do {
            at = hash_add(&map, key++, NULL);
        } while (at && *at &&
                 (top->v->options->expand || !alike(&top->rows[top->groups.first[*at - 1]], row)));
        if (!at)
            return false;
        groups_add(&top->groups, i, at);
    }
    return true;
}

static bool fill(struct top *top)
{
    const insp_snapshot *s = top->v->snap;

    top->rows = arena_alloc(top->v->arena, ((size_t)s->thread_count + 1) * sizeof(*top->rows));
    if (!top->rows)
        return false;
    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];
        const struct top_usage *u = top_usage_of(top->sample, t->lwp);

        top->rows[top->count++] = (struct row){.thread = t,
                                               .usage = u,
                                               .does = does(top->v, t, u),
                                               .wait = text_wait(top->v, t),
                                               .at = s->moving ? NULL : text_at(top->v, t)};
    }
    return group(top);
}

static bool add_up(struct top *top)
{
    top->lines = arena_alloc(top->v->arena, ((size_t)top->groups.count + 1) * sizeof(*top->lines));
    for (int g = 0; top->lines && g < top->groups.count; g++) {
        struct line *line = &top->lines[g];

        *line = (struct line){
            .first = top->groups.first[g],
            .count = top->groups.size[g],
            .tenths = -1,
            .lwp = top->rows[top->groups.first[g]].thread->lwp,
            .does = top->rows[top->groups.first[g]].does,
        };
        for (int i = line->first; i >= 0; i = top->groups.next[i]) {
            const struct top_usage *u = top->rows[i].usage;

            if (u && u->tenths >= 0)
                line->tenths = (line->tenths < 0 ? 0 : line->tenths) + u->tenths;
        }
    }
    return top->lines;
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = ((const struct line *)a)->lwp, y = ((const struct line *)b)->lwp;

    return x < y ? -1 : x > y;
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = ((const struct line *)a)->tenths, y = ((const struct line *)b)->tenths;

    return x > y ? -1 : x < y ? 1 : by_number(a, b);
}

static int by_state(const void *a, const void *b)
{
    const int order = strcmp(((const struct line *)a)->does, ((const struct line *)b)->does);

    return order ? order : by_time(a, b);
}

/* The numbers of the threads on LINE, each once: "3-17 (15 threads)". */
static const char *numbers(const struct top *top, const struct line *line, int64_t (*of)(const struct row *),
                           bool count)
{
    int64_t *list = arena_alloc(top->v->arena, (size_t)line->count * sizeof(*list));
    const char *text;
    int n = 0, once = 0;

    for (int i = line->first; list && i >= 0; i = top->groups.next[i])
        list[n++] = of(&top->rows[i]);
    if (!list)
        return "?";
    qsort(list, (size_t)n, sizeof(*list), text_by_number);
    for (int i = 0; i < n; i++)
        if (!once || list[once - 1] != list[i])
            list[once++] = list[i];
    text = text_short_ranges(top->v, list, once, NUMBERS_ROOM);
    if (n > 1 && count)
        text = arena_printf(top->v->arena, "%s (%d threads)", text, n);
    return text ? text : "?";
}

static int64_t lwp(const struct row *row)
{
    return row->thread->lwp;
}

static int64_t thread_num(const struct row *row)
{
    return row->thread->thread_num;
}

static int64_t processor(const struct row *row)
{
    return row->usage ? row->usage->processor : -1;
}

/* What a table that is too narrow for these columns has below the row. */
static const char *below(const struct text_view *v, const struct row *row)
{
    const char *before = *row->wait && strncmp(row->wait, "for ", 4) ? "for " : "";
    const char *at = row->at && strncmp(row->at, "in ", 3) ? "in " : "";

    return arena_printf(v->arena, "%s%s%s%s%s", before, row->wait, *row->wait && row->at ? ", " : "", at,
                        row->at ? row->at : "");
}

static void add_line(const struct top *top, struct table *table, const struct line *line)
{
    const struct row *row = &top->rows[line->first];
    const struct mdl_thread *t = row->thread;
    const bool busy = line->tenths >= 10;
    bool processors = true;

    for (int i = line->first; i >= 0; i = top->groups.next[i])
        processors &= processor(&top->rows[i]) >= 0;
    table_row(table, text_is_waiting(t) ? TABLE_WAIT : busy ? TABLE_PLAIN : TABLE_DIM);
    table_cell(table, COL_LWP, "%s", numbers(top, line, lwp, true));
    if (top->v->snap->runtime_count > 1 && t->runtime > 0)
        table_cell(table, COL_RUNTIME, "%d", t->runtime);
    if (t->thread_num >= 0 && t->team_size >= 0)
        table_cell(table, COL_OMP, "%s/%d", numbers(top, line, thread_num, false), t->team_size);
    else if (t->thread_num >= 0)
        table_cell(table, COL_OMP, "%s", numbers(top, line, thread_num, false));
    if (t->level >= 0)
        table_cell(table, COL_LEVEL, "%d", t->level);
    if (t->region)
        table_cell(table, COL_REGION, "%" PRIu64, t->region);
    if (line->tenths >= 0)
        table_cell(table, COL_TIME, "%" PRId64 ".%" PRId64, line->tenths / 10, line->tenths % 10);
    if (processors)
        table_cell(table, COL_PROCESSOR, "%s", numbers(top, line, processor, false));
    table_cell(table, COL_STATE, "%s", row->does);
    table_cell(table, COL_WAIT, "%s", row->wait);
    table_cell(table, COL_AT, "%s", row->at ? row->at : "");
    table_below(table, below(top->v, row));
}

static void heading(const struct top *top)
{
    const insp_snapshot *s = top->v->snap;
    const char *exe = s->process.exe ? mdl_base_name(s->process.exe) : NULL;
    int64_t tenths = -1;
    struct sbuf text = {0};

    for (size_t i = 0; i < top->sample->usage_count; i++)
        if (top->sample->usage[i].tenths >= 0)
            tenths = (tenths < 0 ? 0 : tenths) + top->sample->usage[i].tenths;
    sbuf_printf(&text, "%s%sPID %" PRId64 "%s%s%s: %d thread%s", exe ? exe : "", exe ? " (" : "",
                s->process.pid, exe ? ")" : "", top->sample->clock ? ", " : "",
                top->sample->clock ? top->sample->clock : "", s->thread_count,
                s->thread_count == 1 ? "" : "s");
    if (tenths >= 0)
        sbuf_printf(&text, ", %" PRId64 ".%" PRId64 " processors in use", tenths / 1000, tenths / 100 % 10);
    if (s->moving)
        sbuf_add(&text, ", not stopped");
    else
        sbuf_printf(&text, ", stopped %.1f ms", (double)top->sample->stopped_ns / 1e6);
    text_paragraph(top->v, 2, text.text ? text.text : "");
    if (s->moving)
        text_paragraph(top->v, 2,
                       "The process runs on while it is read: each row may show another moment, and nothing "
                       "is proved by them.");
    sbuf_free(&text);
}

static void print(struct top *top)
{
    static int (*const orders[TOP_ORDERS])(const void *, const void *) = {by_time, by_number, by_state};
    struct table table = {0};
    bool single = true; /* single numbers are aligned right, lists left */

    if (top->groups.count)
        qsort(top->lines, (size_t)top->groups.count, sizeof(*top->lines), orders[top->sample->order]);
    for (int i = 0; i < top->groups.count; i++)
        single &= top->lines[i].count == 1;
    table_column(&table, "LWP", single, false);
    table_column(&table, "Runtime", true, false);
    table_column(&table, "OMP", single, false);
    table_column(&table, "Level", true, false);
    table_column(&table, "Region", true, false);
    table_column(&table, "%CPU", true, false);
    table_column(&table, "CPU", single, false);
    table_column(&table, "State", false, false);
    table_column(&table, "Waits for", false, true);
    table_set_down(&table);
    table_column(&table, "At", false, true);
    table_set_down(&table);
    for (int i = 0; i < top->groups.count; i++)
        add_line(top, &table, &top->lines[i]);
    table_print(&table, top->v->options->width, top->v->options->colour, top->v->out);
    table_free(&table);
}

char *top_text(const struct top_sample *sample, const struct insp_render_options *options)
{
    struct arena arena = {0};
    struct sbuf out = {0};
    struct text_view v = {.snap = printable_snapshot(&arena, sample->snapshot),
                          .options = options,
                          .arena = &arena,
                          .out = &out};
    struct top top = {.v = &v, .sample = sample};

    if (v.snap && fill(&top) && add_up(&top)) {
        heading(&top);
        print(&top);
        text_problems(&v);
    } else {
        out.oom = true;
    }
    out.oom |= arena.oom;
    arena_free(&arena);
    return sbuf_take(&out);
}
