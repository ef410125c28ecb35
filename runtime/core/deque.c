/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A member's queue of ready tasks. The owner works at the tail (the newest task, whose data is warm), thieves
 * at the head. A short lock rather than a lock-free deque: the task scheduling constraint (OpenMP 5.2 section
 * 12.9) may ask for a task from the middle.
 */
#include <string.h>

#include "deque.h"
#include "slab.h"

#define FIRST_SIZE 64

struct rt_deque *rt_deque_create(void)
{
    struct rt_deque *deque = rt_arena_take(sizeof *deque + FIRST_SIZE * sizeof *deque->ring);
    deque->size = FIRST_SIZE;
    deque->ring = (struct rt_task **)(deque + 1);
    return deque;
}

/** Doubles the ring; the old one stays with the arena, all together less than the new one. */
static void grow(struct rt_deque *deque)
{
    struct rt_task **ring = rt_arena_take(2UL * deque->size * sizeof *ring);
    for (uint32_t i = 0; i < deque->size; i++)
        ring[i] = deque->ring[(deque->head + i) & (deque->size - 1)];
    deque->ring = ring;
    deque->head = 0;
    deque->size *= 2;
}

uint32_t rt_deque_push(struct rt_deque *deque, struct rt_task *task)
{
    rt_spin_lock(&deque->lock);
    uint32_t count = rt_load(deque->count);
    if (unlikely(count == deque->size))
        grow(deque);
    deque->ring[(deque->head + count) & (deque->size - 1)] = task;
    rt_store(deque->count, count + 1);
    rt_spin_unlock_rmw(&deque->lock);
    return count + 1;
}

uint32_t rt_deque_insert(struct rt_deque *deque, struct rt_task *task)
{
    rt_spin_lock(&deque->lock);
    uint32_t count = rt_load(deque->count);
    if (unlikely(count == deque->size))
        grow(deque);
    uint32_t mask = deque->size - 1, at = count;
    for (; at > 0 && deque->ring[(deque->head + at - 1) & mask]->priority < task->priority; at--)
        deque->ring[(deque->head + at) & mask] = deque->ring[(deque->head + at - 1) & mask];
    deque->ring[(deque->head + at) & mask] = task;
    rt_store(deque->count, count + 1);
    rt_spin_unlock_rmw(&deque->lock);
    return count + 1;
}

struct rt_deque *rt_deque_at(struct rt_deque *_Atomic *place)
{
    struct rt_deque *deque = rt_acquire(*place), *none = NULL;
    if (likely(deque != NULL))
        return deque;
    deque = rt_deque_create();
    /* A second one that comes too late is a few hundred bytes of the arena, once. */
    return atomic_compare_exchange_strong_explicit(place, &none, deque, memory_order_acq_rel,
                                                   memory_order_acquire)
               ? deque
               : none;
}

static int allowed(const struct rt_task *task, uint64_t team_serial, const struct rt_task *ancestor)
{
    if (task->team_serial != team_serial)
        return 0;
    if (ancestor == NULL)
        return 1;
    const struct rt_task *up = task;
    while (up->depth > ancestor->depth)
        up = up->parent;
    return up == ancestor;
}

struct rt_task *rt_deque_take(struct rt_deque *deque, uint64_t team_serial, const struct rt_task *ancestor,
                              int thief)
{
    struct rt_task *task = NULL;
    rt_spin_lock(&deque->lock);
    uint32_t count = rt_load(deque->count), mask = deque->size - 1;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = thief ? k : count - 1 - k;
        struct rt_task *candidate = deque->ring[(deque->head + at) & mask];
        if (!allowed(candidate, team_serial, ancestor))
            continue;
        task = candidate;
        if (at == 0)
            deque->head = (deque->head + 1) & mask;
        else
            for (; at < count - 1; at++)
                deque->ring[(deque->head + at) & mask] = deque->ring[(deque->head + at + 1) & mask];
        rt_store(deque->count, count - 1);
        break;
    }
    rt_spin_unlock(&deque->lock);
    return task;
}

uint32_t rt_deque_take_some(struct rt_deque *deque, uint64_t team_serial, struct rt_task **tasks,
                            uint32_t most, uint64_t *seen)
{
    uint32_t taken = 0;
    rt_spin_lock(&deque->lock);
    uint32_t count = rt_load(deque->count), mask = deque->size - 1;
    if (count == 1 && seen != NULL) {
        uint64_t serial = rt_load(deque->ring[deque->head & mask]->serial);
        if (serial != *seen) {
            *seen = serial;
            most = 0;
        }
    }
    if (most > (count + 1) / 2)
        most = (count + 1) / 2;
    /* Tasks of another region than this (a region that is being left) end the run. */
    while (taken < most && deque->ring[(deque->head + taken) & mask]->team_serial == team_serial) {
        tasks[taken] = deque->ring[(deque->head + taken) & mask];
        taken++;
    }
    if (taken > 0) {
        deque->head = (deque->head + taken) & mask;
        rt_store(deque->count, count - taken);
    }
    rt_spin_unlock(&deque->lock);
    return taken;
}
