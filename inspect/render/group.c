/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/group.h"

#include <string.h>

#include "inspect/base/hash.h"

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

static uint64_t hash_thread(const struct mdl_thread *t, unsigned how)
{
    uint64_t hash = hash_mix((uint64_t)t->runtime, t->region);

    hash = hash_mix(hash, t->wait.id);
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
           a->object == b->object && a->owner == b->owner && a->owner_lwp == b->owner_lwp &&
           a->owner_pid == b->owner_pid && a->descriptor == b->descriptor &&
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
