/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two samples of jobs: who is in another state than before. That somebody is in the same one does not say
 * that it stood there: it may have come back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/jobs/ranges.h"
#include "inspect/jobs/rows.h"
#include "inspect/jobs/section.h"
#include "inspect/render/table.h"

enum { COL_COUNT, COL_WHICH, COL_WAS, COL_NOW };
enum { DIFF_ROWS = 24, NAMES_MAX = 4 };

enum fate { FATE_MOVED, FATE_SAME, FATE_OTHER, FATE_GONE, FATE_NEW, FATES };

/** A process of one of the two, or of both. */
struct pair {
    const struct member *before, *after; /**< NULL: it is not there */
    enum fate fate;
};

struct diff {
    struct jobs *before;
    struct job_view *v; /**< of AFTER */
    struct pair *pairs;
    size_t count;
};

static const struct kept_state *state_in(const struct jobs *j, const struct member *m)
{
    return &j->states[m->state];
}

static int by_text(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static const struct section *section_in(const struct diff *d, const struct pair *p)
{
    return p->after ? &d->v->j->sections[p->after->section] : &d->before->sections[p->before->section];
}

static const struct member *one_of(const struct pair *p)
{
    return p->after ? p->after : p->before;
}

/* ---- who is who ------------------------------------------------------------------------------------ */

static char *key_of(struct arena *a, const struct jobs *j, const struct member *m)
{
    const struct section *s = &j->sections[m->section];
    const char *parts[] = {s->job, s->step, s->name_space};
    char *key = arena_printf(a, "%" PRId64, m->rank);

    for (size_t i = 0; key && i < 3; i++)
        key = arena_printf(a, "%s\n%s%s", key, parts[i] ? "+" : "", parts[i] ? parts[i] : "");
    if (key && m->rank < 0)
        key = arena_printf(a, "%s\n%s\n%s\n%" PRId64 "\n%" PRId64, key, m->host ? m->host : "",
                           m->boot_id ? m->boot_id : "", m->pid, m->start);
    return key;
}

/* The same process, not only the same rank? What is not known differs from nothing. */
static bool same_process(const struct member *a, const struct member *b)
{
    return (!a->pid || !b->pid || a->pid == b->pid) && (!a->start || !b->start || a->start == b->start) &&
           (!a->host || !b->host || !strcmp(a->host, b->host)) &&
           (!a->boot_id || !b->boot_id || !strcmp(a->boot_id, b->boot_id));
}

static enum fate fate_of(const struct diff *d, const struct pair *p)
{
    if (!p->before || !p->after)
        return p->before ? FATE_GONE : FATE_NEW;
    if (!same_process(p->before, p->after))
        return FATE_OTHER;
    return strcmp(state_in(d->before, p->before)->text, state_in(d->v->j, p->after)->text) != 0 ? FATE_MOVED
                                                                                                : FATE_SAME;
}

/* For qsort, which has no place for it. */
static const struct diff *sorted;

static int by_state(const struct diff *d, const struct pair *a, const struct pair *b)
{
    int order = !a->before || !b->before
                    ? 0
                    : strcmp(state_in(d->before, a->before)->text, state_in(d->before, b->before)->text);

    if (!order && a->after && b->after)
        order = strcmp(state_in(d->v->j, a->after)->text, state_in(d->v->j, b->after)->text);
    return order;
}

static int by_place(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    const struct section *x = section_in(sorted, a), *y = section_in(sorted, b);
    const struct member *m = one_of(a), *n = one_of(b);
    int order = by_text(x->job, y->job);

    order = order ? order : by_text(x->step, y->step);
    order = order ? order : by_text(x->name_space, y->name_space);
    order = order ? order : (int)a->fate - (int)b->fate;
    order = order ? order : by_state(sorted, a, b);
    order = order ? order : m->rank < n->rank ? -1 : m->rank > n->rank;
    order = order ? order : by_text(m->host, n->host);
    return order ? order : m->pid < n->pid ? -1 : m->pid > n->pid;
}

static bool pair_up(struct diff *d)
{
    struct arena arena = {0};
    struct hash by_key = {0};
    const struct jobs *after = d->v->j;
    bool good;

    d->pairs = calloc(d->before->member_count + after->member_count + 1, sizeof(*d->pairs));
    good = d->pairs != NULL;
    for (size_t i = 0; good && i < d->before->member_count; i++) {
        char *key = key_of(&arena, d->before, &d->before->members[i]);
        uint64_t *at = key ? hash_add(&by_key, 0, key) : NULL;

        good = at != NULL;
        if (good)
            *at = d->count + 1;
        d->pairs[d->count++].before = &d->before->members[i];
    }
    for (size_t i = 0; good && i < after->member_count; i++) {
        char *key = key_of(&arena, after, &after->members[i]);
        const uint64_t *at = key ? hash_find(&by_key, 0, key) : NULL;

        good = key != NULL;
        d->pairs[at ? *at - 1 : d->count++].after = &after->members[i];
    }
    for (size_t i = 0; good && i < d->count; i++)
        d->pairs[i].fate = fate_of(d, &d->pairs[i]);
    sorted = d;
    if (good && d->count)
        qsort(d->pairs, d->count, sizeof(*d->pairs), by_place);
    sorted = NULL;
    hash_free(&by_key);
    arena_free(&arena);
    return good;
}

/* ---- as text ------------------------------------------------------------------------------------- */

/* The ranks of pairs FIRST to END, and processes without one. */
static const char *who(struct job_view *v, const struct pair *pairs, size_t first, size_t end)
{
    int64_t *ranks = calloc(end - first + 1, sizeof(*ranks));
    size_t n = 0, named = 0;
    json_t *list;
    const char *text;

    for (size_t i = first; ranks && i < end; i++)
        if (one_of(&pairs[i])->rank >= 0)
            ranks[n++] = one_of(&pairs[i])->rank;
    list = ranges_json(ranks, n);
    text = view_ranges(v, list, VIEW_RANGES);
    for (size_t i = first; i < end && named <= NAMES_MAX; i++) {
        const struct member *m = one_of(&pairs[i]);

        if (m->rank >= 0)
            continue;
        text = named++ == NAMES_MAX ? view_printf(v, "%s,...", text)
                                    : view_printf(v, "%s%s%s:%" PRId64, text, *text ? "," : "",
                                                  m->host ? m->host : "?", m->pid);
    }
    json_decref(list);
    free(ranks);
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

static void add_row(struct diff *d, struct table *table, size_t first, size_t end)
{
    const struct pair *p = &d->pairs[first];
    const char *was = doing(d->v, state_in(d->before, p->before));
    const char *now = doing(d->v, state_in(d->v->j, p->after));

    table_row(table, TABLE_PLAIN);
    table_cell(table, COL_COUNT, "%zu", end - first);
    table_cell(table, COL_WHICH, "%s", who(d->v, d->pairs, first, end));
    table_cell(table, COL_WAS, "%s", was);
    table_cell(table, COL_NOW, "%s%s",
               p->fate == FATE_SAME    ? "the same"
               : strcmp(was, now) == 0 ? "the same there; other threads or callers differ"
                                       : now,
               p->fate == FATE_OTHER ? " (another process)" : "");
}

static void add_table(struct diff *d, size_t first, size_t end)
{
    struct table table = {0};
    size_t rows = 0, left = 0;

    table_column(&table, "Ranks", true, false);
    table_column(&table, "Which", false, true);
    table_column(&table, "Was", false, true);
    table_column(&table, "Is now", false, true);
    for (size_t i = first, next; i < end; i = next) {
        for (next = i + 1; next < end && d->pairs[next].fate == d->pairs[i].fate &&
                           !by_state(d, &d->pairs[i], &d->pairs[next]);
             next++)
            ;
        if (d->pairs[i].fate >= FATE_GONE)
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
static void add_counts(struct diff *d, size_t first, size_t end)
{
    static const char *const words[FATES] = {"in another state", "in the same state as before",
                                             "another process than before", "only in the first sample",
                                             "only in the second sample"};
    const char *between = "";

    for (enum fate fate = FATE_MOVED; fate < FATES; fate++) {
        size_t from = end, n = 0;

        for (size_t i = first; i < end; i++) {
            from = d->pairs[i].fate == fate && !n ? i : from;
            n += d->pairs[i].fate == fate;
        }
        if (!n)
            continue;
        sbuf_printf(&d->v->out, "%s%zu %s %s: %s", between, n, n == 1 ? "is" : "are", words[fate],
                    who(d->v, d->pairs, from, from + n));
        between = ".\n";
    }
    sbuf_add(&d->v->out, ".\n");
}

static void add_job(struct diff *d, size_t first, size_t end)
{
    const struct section *s = section_in(d, &d->pairs[first]);

    sbuf_printf(&d->v->out, "%s: %zu process%s in the two samples.\n", section_name(d->v, s), end - first,
                end - first == 1 ? "" : "es");
    add_counts(d, first, end);
    add_table(d, first, end);
}

char *jobs_diff(struct jobs *before, struct jobs *after, const struct jobs_options *options, bool *ret)
{
    struct job_view v = {.j = after, .options = options};
    struct diff d = {.before = before, .v = &v};
    bool good;

    jobs_sort(before);
    jobs_sort(after);
    good = pair_up(&d);
    *ret = good;
    for (size_t i = 0, next; good && i < d.count; i = next) {
        const struct section *s = section_in(&d, &d.pairs[i]);

        for (next = i; next < d.count; next++) {
            const struct section *other = section_in(&d, &d.pairs[next]);

            if (by_text(s->job, other->job) || by_text(s->step, other->step) ||
                by_text(s->name_space, other->name_space))
                break;
            *ret &= d.pairs[next].fate <= FATE_SAME;
        }
        sbuf_add(&v.out, i ? "\n" : "");
        add_job(&d, i, next);
    }
    free(d.pairs);
    v.arena.oom |= !good || before->oom;
    return view_take(&v);
}
