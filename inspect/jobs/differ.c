/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two samples of jobs as text: who is in another state than before.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/jobs/pairs.h"
#include "inspect/jobs/rows.h"
#include "inspect/jobs/section.h"
#include "inspect/render/table.h"

enum { COL_COUNT, COL_WHICH, COL_WAS, COL_NOW };
enum { DIFF_ROWS = 24, NAMES_MAX = 4 };

/** What is shown, and where. */
struct diff {
    struct pairs pairs;
    struct job_view *v; /**< of the later sample */
};

/* The ranks of pairs FIRST to END, and processes without one. */
static const char *who(const struct diff *d, size_t first, size_t end)
{
    json_t *list = pairs_ranks(&d->pairs, first, end);
    const char *text = view_ranges(d->v, list, VIEW_RANGES);
    size_t named = 0;

    for (size_t i = first; i < end && named <= NAMES_MAX; i++) {
        const struct member *m = pairs_one(&d->pairs.pair[i]);

        if (m->rank >= 0)
            continue;
        text = named++ == NAMES_MAX ? view_printf(d->v, "%s,...", text)
                                    : view_printf(d->v, "%s%s%s:%" PRId64, text, *text ? "," : "",
                                                  m->host ? m->host : "?", m->pid);
    }
    json_decref(list);
    return text;
}

/* What most tells a state: its first row. */
static const char *doing(struct job_view *v, const struct kept_state *kept)
{
    size_t n;
    const json_t **rows = rows_sorted(kept->state, &n);
    const char *does = rows && n ? view_string(rows[0], "does") : NULL;
    const char *at = rows && n ? view_string(rows[0], "at") : NULL, *mark = view_mark(kept->state);

    free(rows);
    return view_printf(v, "%s%s%s%s%s", mark, *mark ? " " : "", does ? does : "?", at ? ", at " : "",
                       at ? at : "");
}

static void add_row(const struct diff *d, struct table *table, size_t first, size_t end)
{
    const struct pair *p = &d->pairs.pair[first];
    const char *was = doing(d->v, pairs_before(&d->pairs, p));
    const char *now = doing(d->v, pairs_after(&d->pairs, p));

    table_row(table, TABLE_PLAIN);
    table_cell(table, COL_COUNT, "%zu", end - first);
    table_cell(table, COL_WHICH, "%s", who(d, first, end));
    table_cell(table, COL_WAS, "%s", was);
    table_cell(table, COL_NOW, "%s%s",
               p->fate == FATE_SAME    ? "the same"
               : strcmp(was, now) == 0 ? "the same there; other threads or callers differ"
                                       : now,
               p->fate == FATE_OTHER ? " (another process)" : "");
}

static void add_table(const struct diff *d, size_t first, size_t end)
{
    struct table table = {0};
    size_t rows = 0, left = 0;

    table_column(&table, "Ranks", true, false);
    table_column(&table, "Which", false, true);
    table_column(&table, "Was", false, true);
    table_column(&table, "Is now", false, true);
    for (size_t i = first, next; i < end; i = next) {
        next = pairs_row_end(&d->pairs, i, end);
        if (d->pairs.pair[i].fate >= FATE_GONE)
            continue;
        if (rows++ < DIFF_ROWS || d->v->options->zoom)
            add_row(d, &table, i, next);
        else
            left++;
    }
    sbuf_add(&d->v->out, "\n");
    if (rows)
        table_print(&table, d->v->options->width, d->v->options->colour, &d->v->out);
    table_free(&table);
    if (left)
        sbuf_printf(&d->v->out, "(%zu more rows; --zoom 1 to 3 shows all)\n", left);
}

/* "3 ranks have moved, 5 are in the same state." */
static void add_counts(const struct diff *d, size_t first, size_t end)
{
    static const char *const words[FATES] = {"in another state", "in the same state as before",
                                             "another process than before", "only in the first sample",
                                             "only in the second sample"};
    const char *between = "";

    for (enum fate fate = FATE_MOVED; fate < FATES; fate++) {
        size_t from = end, n = 0;

        for (size_t i = first; i < end; i++) {
            from = d->pairs.pair[i].fate == fate && !n ? i : from;
            n += d->pairs.pair[i].fate == fate;
        }
        if (!n)
            continue;
        sbuf_printf(&d->v->out, "%s%zu %s %s: %s", between, n, n == 1 ? "is" : "are", words[fate],
                    who(d, from, from + n));
        between = ".\n";
    }
    sbuf_add(&d->v->out, ".\n");
}

static void add_job(const struct diff *d, size_t first, size_t end)
{
    const struct section *s = pairs_section(&d->pairs, &d->pairs.pair[first]);

    sbuf_printf(&d->v->out, "%s: %zu process%s in the two samples.\n", section_name(d->v, s), end - first,
                end - first == 1 ? "" : "es");
    add_counts(d, first, end);
    add_table(d, first, end);
}

/* Whose answer is not compared. */
static void add_failures(const struct diff *d, const struct jobs *j, const char *which)
{
    for (size_t i = 0; i < j->failure_count && i < NAMES_MAX; i++) {
        const struct failure *f = &j->failures[i];

        sbuf_printf(&d->v->out, "No answer in the %s sample: %s%s%s.\n", which, f->host ? f->host : "",
                    f->host ? ": " : "", f->why);
    }
    if (j->failure_count > NAMES_MAX)
        sbuf_printf(&d->v->out, "No answer in the %s sample: %zu more.\n", which,
                    j->failure_count - NAMES_MAX);
}

char *jobs_diff(struct jobs *before, struct jobs *after, const struct jobs_options *options, bool *ret)
{
    struct job_view v = {.j = after, .options = options};
    struct diff d = {.v = &v};
    bool good = pairs_make(before, after, &d.pairs);

    *ret = good && pairs_same_processes(&d.pairs);
    for (size_t i = 0, next; good && i < d.pairs.count; i = next) {
        next = pairs_job_end(&d.pairs, i);
        sbuf_add(&v.out, i ? "\n" : "");
        add_job(&d, i, next);
    }
    if (before->failure_count || after->failure_count)
        sbuf_add(&v.out, "\n");
    add_failures(&d, before, "first");
    add_failures(&d, after, "second");
    pairs_free(&d.pairs);
    v.arena.oom |= !good;
    return view_take(&v);
}
