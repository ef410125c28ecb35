/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/render/group.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t n)
{
    return (hash ^ n) * UINT64_C(0x9e3779b97f4a7c15) >> 7 ^ hash << 13;
}

static uint64_t hash_thread(const struct mdl_thread *t)
{
    uint64_t hash = mix((uint64_t)t->runtime, t->region);

    hash = mix(hash, t->wait.id);
    for (int i = 0; i < t->frame_count; i++)
        hash = mix(hash, t->frames[i].pc);
    return hash;
}

static bool same_wait(const struct mdl_wait *a, const struct mdl_wait *b)
{
    return mdl_same(a->kind, b->kind) && a->id == b->id && a->owner == b->owner &&
           a->owner_lwp == b->owner_lwp && mdl_same(a->barrier, b->barrier) &&
           mdl_same(a->at.file, b->at.file) && a->at.line == b->at.line &&
           mdl_same(a->at.function, b->at.function) && a->taken_at.line == b->taken_at.line &&
           (!mdl_same(a->kind, "taskwait") || a->object == b->object);
}

static bool alike(const struct mdl_thread *a, const struct mdl_thread *b)
{
    if (a->runtime != b->runtime || a->region != b->region || a->level != b->level ||
        a->team_size != b->team_size || a->running != b->running || a->current || b->current ||
        !mdl_same(a->state, b->state) || !same_wait(&a->wait, &b->wait) || a->frame_count != b->frame_count)
        return false;
    /* Nor has one that left out a barrier arrived where the others have. */
    if (mdl_misses_itself(a) != mdl_misses_itself(b))
        return false;
    /* One that holds what it waits for itself is a story of its own. */
    if (a->wait.owner_lwp && (a->wait.owner_lwp == a->lwp || b->wait.owner_lwp == b->lwp))
        return false;
    for (int i = 0; i < a->frame_count; i++)
        if (a->frames[i].pc != b->frames[i].pc)
            return false;
    return true;
}

bool group_threads(const insp_snapshot *s, bool expand, struct arena *a, struct groups *ret)
{
    size_t n = (size_t)s->thread_count + 1, slots = 16;
    struct groups g = {0};
    int *table, *last;

    while (slots < 2 * n)
        slots *= 2;
    g.first = arena_alloc(a, n * sizeof(int));
    g.next = arena_alloc(a, n * sizeof(int));
    g.of = arena_alloc(a, n * sizeof(int));
    g.size = arena_alloc(a, n * sizeof(int));
    last = arena_alloc(a, n * sizeof(int));
    table = arena_alloc(a, slots * sizeof(int)); /* open addressing: group + 1 */
    if (!g.first || !g.next || !g.of || !g.size || !last || !table)
        return false;
    for (int i = 0; i < s->thread_count; i++) {
        const struct mdl_thread *t = &s->threads[i];
        /* A group of its own needs no search, and one that is alike nobody would be met by all the others. */
        size_t at =
            (expand || t->wait.owner_lwp == t->lwp ? mix(hash_thread(t), (uint64_t)i) : hash_thread(t)) &
            (slots - 1);

        g.next[i] = g.of[i] = -1;
        /* What a running thread is cannot be told, only that it runs. */
        if (!t->openmp && !t->running)
            continue;
        while (table[at] && (expand || !alike(&s->threads[g.first[table[at] - 1]], t)))
            at = (at + 1) & (slots - 1);
        if (table[at]) {
            g.of[i] = table[at] - 1;
            g.next[last[g.of[i]]] = i;
        } else {
            g.of[i] = g.count++;
            table[at] = g.count;
            g.first[g.of[i]] = i;
        }
        last[g.of[i]] = i;
        g.size[g.of[i]]++;
    }
    *ret = g;
    return true;
}
