/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Locks of the runtime's own: waiting, and those that fork() needs.
 */

#include <sched.h>
#include <time.h>

#include "arch.h"
#include "futex.h"
#include "keep_errno.h"
#include "lock.h"

#define SPIN_ROUNDS 200
#define SPIN_YIELDS 20
#define SPIN_SLEEP  50000 /**< ns */

uint32_t rt_lock_taken = 1;

/*
 * Held over a fork (fork.c), so that what they guard is whole in the child. They are here because the file
 * that a lock belongs to need not be in a static program.
 */
rt_lock_t rt_collector_lock;
rt_lock_t rt_units_lock;
rt_lock_t rt_listeners_lock;
rt_lock_t rt_kept_lists_lock;
rt_lock_t rt_allocatables_lock;
rt_lock_t rt_allocators_lock;
rt_lock_t rt_threadprivate_lock;

/**
 * Whether a lock can be taken: nobody has it, or somebody in another process, from which this one was forked.
 */
static int is_free(uint32_t word)
{
    return word == 0 || ((word ^ rt_lock_taken) & ~3U) != 0;
}

void rt_lock_slow(rt_lock_t *lock)
{
    uint32_t taken = rt_lock_taken, waited_for = taken + 1;
    for (int spins = 0; spins < 200; spins++) {
        uint32_t now = rt_load(lock->word);
        if (is_free(now) && atomic_compare_exchange_weak_explicit(&lock->word, &now, taken,
                                                                  memory_order_acquire, memory_order_relaxed))
            return;
        rt_pause();
    }
    /* Others may still be asleep: a thread that has slept must assume so. */
    for (;;) {
        uint32_t now = rt_load(lock->word);
        int free = is_free(now);
        if (now != waited_for &&
            !atomic_compare_exchange_weak_explicit(&lock->word, &now, waited_for, memory_order_acquire,
                                                   memory_order_relaxed))
            continue;
        if (free)
            return;
        rt_futex_wait(&lock->word, waited_for);
    }
}

/** Who holds it may have lost its processor to a caller of higher priority: so this sleeps, too. */
void rt_spin_slow(rt_spin_t *lock)
{
    RT_KEEP_ERRNO;
    for (uint32_t round = 1;; round++) {
        uint32_t now = rt_load(lock->word);
        if (is_free(now) && atomic_compare_exchange_weak_explicit(&lock->word, &now, rt_lock_taken,
                                                                  memory_order_acquire, memory_order_relaxed))
            return;
        if (round < SPIN_ROUNDS)
            rt_pause();
        else if (round < SPIN_ROUNDS + SPIN_YIELDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = SPIN_SLEEP}, NULL);
    }
}

void rt_unlock_wake(rt_lock_t *lock)
{
    rt_futex_wake(&lock->word, 1);
}
