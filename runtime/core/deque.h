/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A queue of tasks.
 */
#ifndef RT_DEQUE_H
#define RT_DEQUE_H

#include "lock.h"
#include "root.h"
#include "task.h"

/** A member's queue of ready tasks: own end is the tail, thieves take from the head. */
struct rt_deque {
    RT_ALIGNED rt_spin_t lock;
    _Atomic uint32_t count; /**< tasks inside; read without the lock as a hint */
    uint32_t head;
    uint32_t size; /**< power of two */
    struct rt_task **ring;
    const struct rt_thread
        *forking; /**< the thread that holds the lock over a fork(), or NULL; under the lock */
};

/** So deep a creator's tasks may be in each other's frames: a chain of them would use up the stack. */
#define RT_NESTED_DIRECT_MOST 64

/** Whether a new task is better run by its creator than queued there. No queue yet: it is not full. */
static inline int rt_queue_is_full(const struct rt_thread *th, const struct rt_deque *deque)
{
    return deque != NULL && rt_load(deque->count) >= rt_root.queue_enough &&
           th->nested_direct < RT_NESTED_DIRECT_MOST;
}
static inline const struct rt_deque *rt_own_deque(const struct rt_thread *th)
{
    return rt_load(th->implicit->member->deque);
}

struct rt_deque *rt_deque_create(void);
/** The deque at `place`, made on first use. */
struct rt_deque *rt_deque_at(struct rt_deque *_Atomic *place);
/** Returns how many tasks are in the queue now. */
uint32_t rt_deque_push(struct rt_deque *deque, struct rt_task *task);
/** The same behind all tasks of at least its priority. */
uint32_t rt_deque_insert(struct rt_deque *deque, struct rt_task *task);
/**
 * A task of the region `team_serial` below `ancestor` (any if NULL): from the tail, or from the head for a
 * thief.
 */
struct rt_task *rt_deque_take(struct rt_deque *deque, uint64_t team_serial, const struct rt_task *ancestor,
                              int thief);
/**
 * The oldest tasks of a region, at most half of all; returns how many. A single task that was not there at
 * the last look (*seen is its serial) is left to its owner, which may be about to wait for it; seen NULL: it
 * is taken too.
 */
uint32_t rt_deque_take_some(struct rt_deque *deque, uint64_t team_serial, struct rt_task **tasks,
                            uint32_t most, uint64_t *seen);

#endif
