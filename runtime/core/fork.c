/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * fork(). The child has the calling thread alone, and whatever the others were in the middle of.
 *
 * No lock keeps the child waiting for a thread that it does not have: the word of a lock says in which
 * process of a line of forks it was taken (rt_lock_taken), so what was taken before the fork is free in the
 * child, wherever the word is. A lock whose data may be in pieces is held by the thread that forks; the data
 * of all others are whole after each store, or of no use to the child. runtime/tests/trust/sources_test.py
 * has the answer for each lock.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "deque.h"
#include "dock.h"
#include "env.h"
#include "fork.h"
#include "numbers.h"
#include "threadprivate.h"
#include "tid.h"
#include "tools.h"

/**
 * In this order: a lock that is taken while another one is held stands behind that. No user code runs under
 * any.
 */
static rt_lock_t *const held[] = {
    &rt_collector_lock,     &rt_units_lock,        &rt_listeners_lock,
    &rt_kept_lists_lock,    &rt_allocatables_lock, &rt_allocators_lock,
    &rt_threadprivate_lock, &rt_env.format_lock,   &rt_root.lock,
};
#define HELD (sizeof held / sizeof *held)

/* ---- queues of tasks ----------------------------------------------------------------------------------- */

static void queue_hold(struct rt_deque *deque, const struct rt_thread *self)
{
    if (deque == NULL)
        return;
    rt_spin_lock(&deque->lock);
    __atomic_store_n(&deque->forking, self, __ATOMIC_RELAXED);
}

/** Not one that was made since: only what was held is let go. */
static void queue_release(struct rt_deque *deque, const struct rt_thread *self)
{
    if (deque == NULL || __atomic_load_n(&deque->forking, __ATOMIC_RELAXED) != self)
        return;
    __atomic_store_n(&deque->forking, NULL, __ATOMIC_RELAXED);
    rt_spin_unlock(&deque->lock);
}

/** Of each region that the thread is in: those of the members, then those that the team shares. */
static void each_queue(const struct rt_thread *self,
                       void (*what)(struct rt_deque *, const struct rt_thread *))
{
    for (const struct rt_task *task = self != NULL ? self->implicit : NULL; task != NULL;
         task = task->outer_implicit) {
        for (int i = 0; i < task->team->nthreads; i++)
            what(rt_acquire(task->team->members[i].deque), self);
        what(rt_acquire(task->team->priority_queue), self);
        what(rt_acquire(task->team->device_queue), self);
    }
}

/* ---- the parent ---------------------------------------------------------------------------------------- */

static void before_fork(void)
{
    each_queue(rt_draft_self(), queue_hold);
    for (size_t i = 0; i < HELD; i++)
        rt_lock(held[i]);
}

static void after_fork_in_parent(void)
{
    for (size_t i = HELD; i-- > 0;)
        rt_unlock(held[i]);
    each_queue(rt_draft_self(), queue_release);
}

/* ---- the child ----------------------------------------------------------------------------------------- */

/** Whether a slot is the thread itself or a region that it is in. */
static int is_of(const struct rt_thread *self, const void *slot)
{
    if (slot == self)
        return 1;
    for (const struct rt_task *task = self != NULL ? self->implicit : NULL; task != NULL;
         task = task->outer_implicit)
        if (task->team == slot)
            return 1;
    return 0;
}

static void forget_others(const struct rt_thread *self, const struct rt_slab *slabs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (slabs[i].kind != RT_KIND_THREAD && slabs[i].kind != RT_KIND_TEAM)
            continue;
        for (uint32_t k = 0; k < rt_load(slabs[i].used); k++) {
            struct rt_slot *slot = (void *)((char *)slabs[i].base + (size_t)slabs[i].slot_size * k);
            if (!is_of(self, slot))
                rt_store(slot->serial, 0);
        }
    }
}

/** Others' threads and regions are over, the pool is empty. */
static void forget_all_others(const struct rt_thread *self)
{
    rt_threadprivate_after_fork(self);
    rt_numbers_after_fork(self);
    rt_generation_renew();
    rt_root.forked_at = rt_load(rt_root.next_thread_serial);
    rt_dock_after_fork();
    rt_store(rt_root.ended, rt_root.dismissed);
    rt_store(rt_root.threads, self != NULL);
    rt_store(rt_root.busy, 0);
    rt_store(rt_root.roots, self != NULL);
    forget_others(self, rt_root.slabs, rt_load(rt_root.slab_count));
    for (const struct rt_slab_block *block = rt_load(rt_root.more_slabs); block != NULL;
         block = rt_load(block->next))
        forget_others(self, block->slabs, rt_load(block->count));
}

/** The threads of the teams that it led are gone. */
static void leave_teams(struct rt_thread *self)
{
    for (struct rt_team *team = self->serial_team; team != NULL; team = team->next_serial)
        team->own_member.hot = NULL;
    for (struct rt_task *task = self->implicit; task != NULL; task = task->outer_implicit)
        if (task->member != NULL)
            task->member->hot = NULL;
}

static void after_fork(void)
{
    struct rt_thread *self = rt_draft_self();
    rt_lock_taken +=
        4; /* now no lock is held but those of before_fork(), which are let go like in the parent */
    forget_all_others(self);
    after_fork_in_parent();
    rt_stats_after_fork();
    rt_draft_after_fork(self);
    if (self == NULL)
        return;
    self->tid = rt_tid();
    rt_generation_renew(); /* again: it has another number now */
    leave_teams(self);
}

void rt_fork_start(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork);
}
