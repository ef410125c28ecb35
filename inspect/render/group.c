/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/group.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/model/phrases.h"

static bool has_a_row(const struct mdl_thread *t)
{
    /* Of a running thread nothing is known but that it runs. */
    return t->openmp || t->running || t->activity.kind != MDL_ACTIVITY_UNKNOWN;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = hash_mix(hash, (uint8_t)*text);
    return hash;
}

/* One idle worker of a pool is like the other, wherever in its loop it sleeps. */
static bool is_idle_in_pool(const struct mdl_thread *t)
{
    return t->activity.pool && !t->wait.kind;
}

/* What many threads sleep for alike, each for an object of its own, which nobody holds. */
static bool may_differ(const struct mdl_activity *a)
{
    return a->asleep && a->object && (a->owner == MDL_OWNER_NONE || a->owner == MDL_OWNER_UNKNOWN) &&
           mdl_activity_names(a->kind);
}

static uint64_t hash_thread(const struct mdl_thread *t, unsigned how)
{
    uint64_t hash = hash_mix((uint64_t)t->runtime, t->region);

    if (is_idle_in_pool(t))
        return hash_text(hash, t->activity.pool);
    hash = hash_mix(hash, t->wait.id);
    if (!may_differ(&t->activity))
        hash = hash_mix(hash, t->activity.object);
    for (int i = 0; i < t->frame_count; i++) {
        hash = hash_mix(hash, t->frames[i].pc);
        for (int k = 0; how & GROUP_LOCALS && k < t->frames[i].local_count; k++)
            hash = hash_text(hash, t->frames[i].locals[k].value);
    }
    return hash;
}

static bool same_place(const struct mdl_place *a, const struct mdl_place *b)
{
    return mdl_same(a->file, b->file) && a->line == b->line && mdl_same(a->function, b->function);
}

static bool same_wait(const struct mdl_wait *a, const struct mdl_wait *b)
{
    return a->kind == b->kind && a->id == b->id && a->owner == b->owner && a->owner_lwp == b->owner_lwp &&
           a->barrier == b->barrier && same_place(&a->at, &b->at) && same_place(&a->caller, &b->caller) &&
           a->taken_at.line == b->taken_at.line && (a->kind != MDL_WAIT_TASKWAIT || a->object == b->object);
}

static bool same_activity(const struct mdl_activity *a, const struct mdl_activity *b)
{
    return a->kind == b->kind && a->asleep == b->asleep && mdl_same(a->call, b->call) &&
           (a->object == b->object || (may_differ(a) && may_differ(b))) && a->owner == b->owner &&
           a->owner_lwp == b->owner_lwp && a->owner_pid == b->owner_pid && a->descriptor == b->descriptor &&
           (a->kind == MDL_ACTIVITY_SLEEP || a->timeout_ns == b->timeout_ns) && a->child == b->child &&
           same_place(&a->at, &b->at) && mdl_same(a->why, b->why);
}

static bool same_locals(const struct mdl_frame *a, const struct mdl_frame *b)
{
    if (a->local_count != b->local_count)
        return false;
    for (int i = 0; i < a->local_count; i++)
        if (!mdl_same(a->locals[i].name, b->locals[i].name) ||
            !mdl_same(a->locals[i].value, b->locals[i].value) ||
            !mdl_same(a->locals[i].why, b->locals[i].why))
            return false;
    return true;
}

static bool alike(const struct mdl_thread *a, const struct mdl_thread *b, unsigned how)
{
    if (is_idle_in_pool(a) && is_idle_in_pool(b))
        return a->runtime == b->runtime && a->region == b->region && a->openmp == b->openmp && !a->current &&
               !b->current && !strcmp(a->activity.pool, b->activity.pool);
    if (a->runtime != b->runtime || a->region != b->region || a->level != b->level ||
        a->team_size != b->team_size || a->openmp != b->openmp || a->running != b->running || a->current ||
        b->current || !mdl_same_state(a, b) || !same_wait(&a->wait, &b->wait) ||
        a->frame_count != b->frame_count || !same_activity(&a->activity, &b->activity))
        return false;
    /* Nor has one that left out a barrier arrived where the others have. */
    if (mdl_misses_itself(a) != mdl_misses_itself(b))
        return false;
    /* One that holds what it waits for itself is a finding of its own. */
    if (a->wait.owner_lwp && (a->wait.owner_lwp == a->lwp || b->wait.owner_lwp == b->lwp))
        return false;
    if (a->activity.owner_lwp && (a->activity.owner_lwp == a->lwp || b->activity.owner_lwp == b->lwp))
        return false;
    for (int i = 0; i < a->frame_count; i++)
        if (a->frames[i].pc != b->frames[i].pc ||
            (how & GROUP_LOCALS && !same_locals(&a->frames[i], &b->frames[i])))
            return false;
    return true;
}

/* The entry of T's group in MAP: its number + 1, 0 when T is the first of one. */
static uint64_t *group_of(struct hash *map, const insp_snapshot *s, const struct groups *g, int thread,
                          unsigned how)
{
    const struct mdl_thread *t = &s->threads[thread];
    uint64_t *at, key = hash_thread(t, how);
    bool expand = how & GROUP_EXPAND;

    /* Who is alone needs no search, nor do all the others have to pass it. */
    expand |= t->wait.owner_lwp && t->wait.owner_lwp == t->lwp;
    expand |= t->activity.owner_lwp && t->activity.owner_lwp == t->lwp;
    if (expand)
        key = hash_mix(key, (uint64_t)thread);
    do {
        at = hash_add(map, key++, NULL);
    } while (at && *at && (expand || !alike(&s->threads[g->first[*at - 1]], t, how)));
    return at;
}

bool groups_init(struct groups *g, struct arena *a, int members)
{
    const size_t size = ((size_t)members + 1) * sizeof(int);

    *g = (struct groups){.first = arena_alloc(a, size),
                         .next = arena_alloc(a, size),
                         .of = arena_alloc(a, size),
                         .size = arena_alloc(a, size),
                         .last = arena_alloc(a, size)};
    if (!g->first || !g->next || !g->of || !g->size || !g->last)
        return false;
    for (int i = 0; i < members; i++)
        g->next[i] = g->of[i] = -1;
    return true;
}

void groups_add(struct groups *g, int member, uint64_t *at)
{
    int group = *at ? (int)*at - 1 : g->count;

    if (*at) {
        g->next[g->last[group]] = member;
    } else {
        g->first[group] = member;
        *at = (uint64_t)++g->count;
    }
    g->of[member] = group;
    g->last[group] = member;
    g->size[group]++;
}

/* The number in NAME's last brackets. *before: how much of the name is before them. */
static bool index_of(const char *name, long *ret, size_t *before)
{
    const char *open = name ? strrchr(name, '[') : NULL;
    char *end;

    if (!open)
        return false;
    *ret = strtol(open + 1, &end, 10);
    *before = (size_t)(open - name);
    return end > open + 1 && !strcmp(end, "]");
}

/* "c[0] to c[3]": the names of the group's objects, if they are elements of one array that lie side by side.
   */
static const char *array_names(const insp_snapshot *s, const struct groups *g, int group, struct arena *a)
{
    const char *name = s->threads[g->first[group]].activity.name, *first = name, *last = name;
    long low = 0, high = 0, index;
    size_t before = 0, same;

    if (!index_of(name, &low, &before))
        return NULL;
    high = low;
    for (int k = g->next[g->first[group]]; k >= 0; k = g->next[k]) {
        const char *other = s->threads[k].activity.name;

        if (!index_of(other, &index, &same) || same != before || strncmp(name, other, before))
            return NULL;
        first = index < low ? other : first;
        last = index > high ? other : last;
        low = index < low ? index : low;
        high = index > high ? index : high;
    }
    return high - low == g->size[group] - 1 ? arena_printf(a, "%s to %s", first, last) : NULL;
}

const char *group_objects(const insp_snapshot *s, const struct groups *g, int thread, struct arena *a)
{
    const int group = g->of[thread];
    const struct mdl_activity *act = &s->threads[thread].activity;
    const char *names, *text;
    bool differ = false;

    if (group < 0 || g->size[group] < 2 || !may_differ(act) || s->threads[thread].wait.kind)
        return NULL;
    for (int k = g->first[group]; k >= 0; k = g->next[k])
        differ |= s->threads[k].activity.object != act->object;
    if (!differ)
        return NULL;
    names = array_names(s, g, group, a);
    text = names ? arena_printf(a, "%s %s", mdl_activity_names(act->kind), names)
                 : arena_printf(a, "different %s", mdl_activity_names(act->kind));
    return text;
}

bool group_threads(const insp_snapshot *s, unsigned how, struct arena *a, struct groups *ret)
{
    struct hash map = {.arena = a};

    if (!groups_init(ret, a, s->thread_count))
        return false;
    for (int i = 0; i < s->thread_count; i++) {
        uint64_t *at = has_a_row(&s->threads[i]) ? group_of(&map, s, ret, i, how) : NULL;

        if (at)
            groups_add(ret, i, at);
        else if (has_a_row(&s->threads[i]))
            return false;
    }
    return true;
}
