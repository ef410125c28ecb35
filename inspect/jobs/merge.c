/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Of each process the greatest of its samples is kept, in an order that all samples have: by time, then by
 * what they say. So neither the order nor the grouping of what is added can change the result.
 */
#include "inspect/jobs/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "inspect/jobs/cut.h"
#include "inspect/jobs/ranges.h"

/* Clocks of two machines may differ by so much, in nanoseconds. */
#define SKEW (INT64_C(86400) * 1000000000)

struct jobs *jobs_new(void)
{
    struct jobs *j = calloc(1, sizeof(struct jobs));

    if (j)
        j->latest = (int64_t)time(NULL) * 1000000000 + SKEW;
    return j;
}

void jobs_free(struct jobs *j)
{
    if (!j)
        return;
    for (size_t i = 0; i < j->state_count; i++) {
        json_decref(j->states[i].state);
        free(j->states[i].text);
    }
    for (size_t i = 0; i < j->section_count; i++) {
        json_decref(j->sections[i].again);
        free(j->sections[i].more);
    }
    hash_free(&j->strings);
    hash_free(&j->by_failure);
    hash_free(&j->by_section);
    hash_free(&j->by_identity);
    hash_free(&j->by_state);
    free(j->sections);
    free(j->states);
    free(j->members);
    free(j->failures);
    arena_free(&j->arena);
    free(j);
}

const char *jobs_string(struct jobs *j, const char *text)
{
    uint64_t *at = text ? hash_find(&j->strings, 0, text) : NULL;
    char *copy;

    if (!text || at)
        return text ? (const char *)(uintptr_t)*at : NULL;
    copy = arena_str(&j->arena, text);
    at = copy ? hash_add(&j->strings, 0, copy) : NULL;
    if (!at)
        j->oom = true;
    else
        *at = (uint64_t)(uintptr_t)copy;
    return copy;
}

const char *jobs_name(struct jobs *j, const char *text)
{
    struct arena arena = {0};
    const char *name = jobs_string(j, cut_text(&arena, text, CUT_NAME));

    j->oom |= text && !name;
    arena_free(&arena);
    return name;
}

/* The entry of a key in MAP, 0 when it is new; NULL out of memory. */
static uint64_t *entry(struct jobs *j, struct hash *map, const char *key)
{
    uint64_t *at = key ? hash_add(map, 0, key) : NULL;

    j->oom |= !at;
    return at;
}

int jobs_section(struct jobs *j, const char *job, const char *step, const char *name_space)
{
    const char *key =
        arena_printf(&j->arena, "%s%s\n%s%s\n%s%s", job ? "+" : "", job ? job : "", step ? "+" : "",
                     step ? step : "", name_space ? "+" : "", name_space ? name_space : "");
    uint64_t *at = entry(j, &j->by_section, key);
    struct section *rows;

    if (at && *at)
        return (int)*at - 1;
    rows = at ? array_grow(j->sections, j->section_count, sizeof(*rows)) : NULL;
    j->oom |= !rows;
    if (!rows)
        return -1;
    j->sections = rows;
    rows[j->section_count] = (struct section){.job = jobs_string(j, job),
                                              .step = jobs_string(j, step),
                                              .name_space = jobs_string(j, name_space),
                                              .again = json_array()};
    *at = ++j->section_count;
    return (int)*at - 1;
}

int jobs_state(struct jobs *j, json_t *state)
{
    char *text = state ? json_dumps(state, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
    uint64_t *at = entry(j, &j->by_state, text);
    struct kept_state *rows;

    if (at && *at) {
        free(text);
        json_decref(state);
        return (int)*at - 1;
    }
    rows = at ? array_grow(j->states, j->state_count, sizeof(*rows)) : NULL;
    j->oom |= !rows;
    if (!rows) {
        if (!at) /* else the map has the text */
            free(text);
        json_decref(state);
        return -1;
    }
    j->states = rows;
    rows[j->state_count] = (struct kept_state){.state = state, .text = text};
    state_make_keys(state, &rows[j->state_count].keys);
    *at = ++j->state_count;
    return (int)*at - 1;
}

static int by_number(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_text(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

static int by_sample(const struct jobs *j, const struct member *a, const struct member *b)
{
    int order = by_number(a->taken, b->taken);

    order = order                  ? order
            : a->state == b->state ? 0
                                   : strcmp(j->states[a->state].text, j->states[b->state].text);
    order = order ? order : by_text(a->host, b->host);
    order = order ? order : by_text(a->boot_id, b->boot_id);
    order = order ? order : by_number(a->pid, b->pid);
    return order ? order : by_number(a->start, b->start);
}

static char *identity(struct jobs *j, const struct member *m)
{
    if (m->rank >= 0)
        return arena_printf(&j->arena, "%d\n%" PRId64, m->section, m->rank);
    return arena_printf(&j->arena, "%d\n%s\n%s\n%" PRId64 "\n%" PRId64, m->section, m->host ? m->host : "",
                        m->boot_id ? m->boot_id : "", m->pid, m->start);
}

void jobs_again(struct jobs *j, int section, int64_t rank)
{
    struct section *s = &j->sections[section];
    int64_t *more;

    if (rank < 0) {
        s->others = true;
        return;
    }
    more = array_grow(s->more, s->more_count, sizeof(*more));
    j->oom |= !more;
    if (!more)
        return;
    s->more = more;
    more[s->more_count++] = rank;
}

static void collect_again(struct section *s)
{
    json_t *more = ranges_json(s->more, s->more_count), *both = ranges_union(s->again, more);

    json_decref(more);
    json_decref(s->again);
    s->again = both;
    free(s->more);
    s->more = NULL;
    s->more_count = 0;
}

/* Else whoever writes a document could have the last word for a century. */
static struct member of_its_time(struct jobs *j, const struct member *given)
{
    struct member m = *given;

    if (m.taken > j->latest) {
        m.taken = 0;
        jobs_failed(j, m.host, "a sample says that it was taken in the future, and counts as the oldest");
    }
    return m;
}

void jobs_member(struct jobs *j, const struct member *given)
{
    const struct member one = of_its_time(j, given), *m = &one;
    uint64_t *at = entry(j, &j->by_identity, identity(j, m));
    struct member *rows, *old;
    int order;

    if (!at)
        return;
    if (*at) {
        old = &j->members[*at - 1];
        order = by_sample(j, m, old);
        if (order > 0)
            *old = *m;
        if (order)
            jobs_again(j, m->section, m->rank);
        return;
    }
    rows = array_grow(j->members, j->member_count, sizeof(*rows));
    j->oom |= !rows;
    if (!rows)
        return;
    j->members = rows;
    rows[j->member_count] = *m;
    *at = ++j->member_count;
}

static int by_failure(const void *left, const void *right)
{
    const struct failure *a = left, *b = right;
    int order = by_text(a->host, b->host);

    return order ? order : by_text(a->why, b->why);
}

void jobs_failed(struct jobs *j, const char *host, const char *why)
{
    const char *name = jobs_name(j, host), *reason = jobs_name(j, why);
    uint64_t *at =
        entry(j, &j->by_failure,
              arena_printf(&j->arena, "%s%s\n%s", name ? "+" : "", name ? name : "", reason ? reason : "?"));
    struct failure *rows = at && !*at ? array_grow(j->failures, j->failure_count, sizeof(*rows)) : NULL;

    if (!at || *at)
        return;
    j->oom |= !rows;
    if (!rows)
        return;
    j->failures = rows;
    rows[j->failure_count] = (struct failure){name, reason};
    *at = ++j->failure_count;
}

/* ---- the result -------------------------------------------------------------------------------------- */

static int by_section(const struct section *a, const struct section *b)
{
    int order = by_text(a->job, b->job);

    order = order ? order : by_text(a->step, b->step);
    return order ? order : by_text(a->name_space, b->name_space);
}

/* For qsort, which has no place for them. */
static const struct jobs *sorted;

static int by_place(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int order = a->section == b->section
                    ? 0
                    : by_section(&sorted->sections[a->section], &sorted->sections[b->section]);

    if (!order && a->state != b->state)
        order = strcmp(sorted->states[a->state].text, sorted->states[b->state].text);
    order = order ? order : by_text(a->host, b->host);
    order = order ? order : by_text(a->boot_id, b->boot_id);
    order = order ? order : by_number(a->rank, b->rank);
    order = order ? order : by_number(a->pid, b->pid);
    return order ? order : by_number(a->start, b->start);
}

void jobs_sort(struct jobs *j)
{
    for (size_t i = 0; i < j->section_count; i++)
        collect_again(&j->sections[i]);
    sorted = j;
    if (j->member_count)
        qsort(j->members, j->member_count, sizeof(*j->members), by_place);
    sorted = NULL;
    if (j->failure_count)
        qsort(j->failures, j->failure_count, sizeof(*j->failures), by_failure);
    /* What was known of their places is no more: a sample that comes later finds them anew. */
    hash_free(&j->by_identity);
    j->by_identity = (struct hash){0};
    for (size_t i = 0; i < j->member_count; i++) {
        uint64_t *at = entry(j, &j->by_identity, identity(j, &j->members[i]));

        if (at)
            *at = i + 1;
    }
}

size_t jobs_section_end(const struct jobs *j, size_t first)
{
    size_t end = first;

    while (end < j->member_count && j->members[end].section == j->members[first].section)
        end++;
    return end;
}

json_t *jobs_missing(const struct jobs *j, size_t first, size_t end)
{
    int64_t *ranks = calloc(end - first + 1, sizeof(*ranks)), next = 0;
    int64_t size = j->sections[j->members[first].section].size;
    json_t *list = json_array(), *there;
    size_t n = 0;

    for (size_t i = first; ranks && i < end; i++)
        if (j->members[i].rank >= 0)
            ranks[n++] = j->members[i].rank;
    there = ranges_json(ranks, n);
    for (size_t i = 0; i < json_array_size(there); i++) {
        const json_t *range = json_array_get(there, i);
        int64_t start = json_integer_value(json_array_get(range, 0));

        if (start > next)
            json_array_append_new(list, json_pack("[I,I]", (json_int_t)next, (json_int_t)start - 1));
        next = json_integer_value(json_array_get(range, 1)) + 1;
    }
    /* Of processes without ranks none is known to be missing. */
    if (next < size && n)
        json_array_append_new(list, json_pack("[I,I]", (json_int_t)next, (json_int_t)size - 1));
    json_decref(there);
    free(ranks);
    return list;
}

size_t jobs_count(const struct jobs *j)
{
    return j->member_count;
}

size_t jobs_failures(const struct jobs *j)
{
    return j->failure_count;
}

bool jobs_complete(struct jobs *j)
{
    bool complete = !j->failure_count;

    jobs_sort(j);
    for (size_t i = 0, next; i < j->member_count; i = next) {
        json_t *missing;

        next = jobs_section_end(j, i);
        missing = jobs_missing(j, i, next);
        complete &= json_array_size(missing) == 0;
        json_decref(missing);
    }
    return complete;
}

bool jobs_deadlock(const struct jobs *j)
{
    for (size_t i = 0; i < j->member_count; i++)
        if (state_proved(j->states[j->members[i].state].state))
            return true;
    return false;
}

bool jobs_has_rank(const struct jobs *j, int64_t rank)
{
    for (size_t i = 0; i < j->member_count; i++)
        if (j->members[i].rank == rank)
            return true;
    return false;
}
