/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/pairs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/jobs/ranges.h"

static int by_text(const char *a, const char *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a, b);
}

const struct section *pairs_section(const struct pairs *p, const struct pair *of)
{
    return of->after ? &p->after->sections[of->after->section] : &p->before->sections[of->before->section];
}

const struct member *pairs_one(const struct pair *of)
{
    return of->after ? of->after : of->before;
}

const struct kept_state *pairs_before(const struct pairs *p, const struct pair *of)
{
    return of->before ? &p->before->states[of->before->state] : NULL;
}

const struct kept_state *pairs_after(const struct pairs *p, const struct pair *of)
{
    return of->after ? &p->after->states[of->after->state] : NULL;
}

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

static bool same_state(const struct pairs *p, const struct pair *of)
{
    return !strcmp(pairs_before(p, of)->text, pairs_after(p, of)->text);
}

static enum fate fate_of(const struct pairs *p, const struct pair *of)
{
    if (!of->before || !of->after)
        return of->before ? FATE_GONE : FATE_NEW;
    if (!same_process(of->before, of->after))
        return FATE_OTHER;
    return same_state(p, of) ? FATE_SAME : FATE_MOVED;
}

/* ---- in order ------------------------------------------------------------------------------------------ */

/* For qsort, which has no place for it. */
static const struct pairs *sorted;

static int by_kept(const struct kept_state *a, const struct kept_state *b)
{
    return !a || !b ? (a != NULL) - (b != NULL) : strcmp(a->text, b->text);
}

static int by_state(const struct pairs *p, const struct pair *a, const struct pair *b)
{
    int order = by_kept(pairs_before(p, a), pairs_before(p, b));

    return order ? order : by_kept(pairs_after(p, a), pairs_after(p, b));
}

static int by_job(const struct section *x, const struct section *y)
{
    int order = by_text(x->job, y->job);

    order = order ? order : by_text(x->step, y->step);
    return order ? order : by_text(x->name_space, y->name_space);
}

static int by_place(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    const struct member *m = pairs_one(a), *n = pairs_one(b);
    int order = by_job(pairs_section(sorted, a), pairs_section(sorted, b));

    order = order ? order : (int)a->fate - (int)b->fate;
    order = order ? order : by_state(sorted, a, b);
    order = order ? order : m->rank < n->rank ? -1 : m->rank > n->rank;
    order = order ? order : by_text(m->host, n->host);
    order = order ? order : m->pid < n->pid ? -1 : m->pid > n->pid;
    return order ? order : m->start < n->start ? -1 : m->start > n->start;
}

static bool pair_up(struct pairs *p, struct arena *arena, struct hash *by_key)
{
    for (size_t i = 0; i < p->before->member_count; i++) {
        char *key = key_of(arena, p->before, &p->before->members[i]);
        uint64_t *at = key ? hash_add(by_key, 0, key) : NULL;

        if (!at)
            return false;
        *at = p->count + 1;
        p->pair[p->count++].before = &p->before->members[i];
    }
    for (size_t i = 0; i < p->after->member_count; i++) {
        char *key = key_of(arena, p->after, &p->after->members[i]);
        const uint64_t *at = key ? hash_find(by_key, 0, key) : NULL;

        if (!key)
            return false;
        p->pair[at ? *at - 1 : p->count++].after = &p->after->members[i];
    }
    return true;
}

bool pairs_make(struct jobs *before, struct jobs *after, struct pairs *ret)
{
    struct arena arena = {0};
    struct hash by_key = {0};
    bool good;

    jobs_sort(before);
    jobs_sort(after);
    *ret = (struct pairs){.before = before, .after = after};
    ret->pair = calloc(before->member_count + after->member_count + 1, sizeof(*ret->pair));
    good = ret->pair && pair_up(ret, &arena, &by_key) && !before->oom && !after->oom;
    for (size_t i = 0; good && i < ret->count; i++)
        ret->pair[i].fate = fate_of(ret, &ret->pair[i]);
    sorted = ret;
    if (good && ret->count)
        qsort(ret->pair, ret->count, sizeof(*ret->pair), by_place);
    sorted = NULL;
    hash_free(&by_key);
    arena_free(&arena);
    return good;
}

void pairs_free(struct pairs *p)
{
    free(p->pair);
    *p = (struct pairs){0};
}

/* ---- what is asked of them ---------------------------------------------------------------------------- */

size_t pairs_job_end(const struct pairs *p, size_t first)
{
    const struct section *s = pairs_section(p, &p->pair[first]);
    size_t end = first + 1;

    while (end < p->count && !by_job(s, pairs_section(p, &p->pair[end])))
        end++;
    return end;
}

size_t pairs_row_end(const struct pairs *p, size_t first, size_t end)
{
    size_t next = first + 1;

    while (next < end && p->pair[next].fate == p->pair[first].fate &&
           !by_state(p, &p->pair[first], &p->pair[next]))
        next++;
    return next;
}

bool pairs_same_processes(const struct pairs *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->pair[i].fate > FATE_SAME)
            return false;
    return true;
}

json_t *pairs_ranks(const struct pairs *p, size_t first, size_t end)
{
    int64_t *ranks = calloc(end - first + 1, sizeof(*ranks));
    size_t n = 0;
    json_t *list;

    for (size_t i = first; ranks && i < end; i++)
        if (pairs_one(&p->pair[i])->rank >= 0)
            ranks[n++] = pairs_one(&p->pair[i])->rank;
    list = ranks ? ranges_json(ranks, n) : NULL;
    free(ranks);
    return list;
}
