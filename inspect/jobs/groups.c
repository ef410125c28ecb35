/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/jobs/groups.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/jobs/ranges.h"

static size_t size_of(const struct job_variant *v)
{
    return v->end - v->first;
}

/* For qsort, which has no place for it. */
static int zoom_now;

static int by_key(const void *left, const void *right)
{
    const struct job_variant *a = left, *b = right;
    int order = strcmp(a->kept->keys.key[zoom_now - 1], b->kept->keys.key[zoom_now - 1]);

    if (!order && size_of(a) != size_of(b))
        order = size_of(a) > size_of(b) ? -1 : 1;
    return order ? order : strcmp(a->kept->text, b->kept->text);
}

static bool same_key(const struct job_variant *a, const struct job_variant *b, int zoom)
{
    return !strcmp(a->kept->keys.key[zoom - 1], b->kept->keys.key[zoom - 1]);
}

static size_t sort_at(struct job_groups *g, int zoom)
{
    size_t count = 0;

    zoom_now = zoom;
    qsort(g->variants, g->variant_count, sizeof(*g->variants), by_key);
    for (size_t i = 0; i < g->variant_count; i++)
        count += !i || !same_key(&g->variants[i - 1], &g->variants[i], zoom);
    return count;
}

/* What is proved comes first, then what may be one, what has ended, what is not in MPI. Those that wait in
   MPI are most, and last. */
static int order_of(const json_t *state)
{
    if (state_proved(state))
        return 0;
    if (state_suspected(state))
        return 1;
    if (json_is_integer(json_object_get(state, "signal")))
        return 2;
    return state_mpi(state) ? 4 : 3;
}

static int by_order(const void *left, const void *right)
{
    const struct job_group *a = left, *b = right;

    if (a->order != b->order)
        return a->order - b->order;
    if (a->processes != b->processes)
        return a->processes < b->processes ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static void fill(struct job_groups *g)
{
    for (size_t i = 0, next; i < g->variant_count; i = next) {
        struct job_group *one = &g->groups[g->group_count++];

        *one = (struct job_group){.first = i, .order = order_of(g->variants[i].kept->state)};
        for (next = i; next < g->variant_count && same_key(&g->variants[i], &g->variants[next], g->zoom);
             next++)
            one->processes += size_of(&g->variants[next]);
        one->end = next;
    }
    qsort(g->groups, g->group_count, sizeof(*g->groups), by_order);
}

bool job_groups_make(const struct jobs *j, size_t first, size_t end, int zoom, size_t most,
                     struct job_groups *ret)
{
    *ret = (struct job_groups){.variants = calloc(end - first + 1, sizeof(*ret->variants))};
    for (size_t i = first, next; ret->variants && i < end; i = next) {
        for (next = i; next < end && j->members[next].state == j->members[i].state; next++)
            ;
        ret->variants[ret->variant_count++] = (struct job_variant){i, next, &j->states[j->members[i].state]};
    }
    ret->groups = calloc(ret->variant_count + 1, sizeof(*ret->groups));
    if (!ret->variants || !ret->groups)
        return false;
    ret->zoom = zoom ? zoom : STATE_ZOOMS;
    while (sort_at(ret, ret->zoom) > most && !zoom && ret->zoom > 1)
        ret->zoom--;
    fill(ret);
    return true;
}

void job_groups_free(struct job_groups *g)
{
    free(g->variants);
    free(g->groups);
    *g = (struct job_groups){0};
}

json_t *job_groups_ranks(const struct jobs *j, const struct job_groups *g, size_t first, size_t end)
{
    size_t n = 0, most = 0;
    int64_t *ranks;
    json_t *list;

    for (size_t i = first; i < end; i++)
        most += size_of(&g->variants[i]);
    ranks = calloc(most + 1, sizeof(*ranks));
    for (size_t i = first; ranks && i < end; i++)
        for (size_t k = g->variants[i].first; k < g->variants[i].end; k++)
            if (j->members[k].rank >= 0)
                ranks[n++] = j->members[k].rank;
    list = ranges_json(ranks, n);
    free(ranks);
    return list;
}
