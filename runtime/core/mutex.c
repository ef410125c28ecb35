/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Locks and criticals, slow path. A mutex is four bytes in the user's own word: the lock number of the thread
 * that took it, shifted left, and a bit that says "somebody may sleep". So a debugger can tell the owner of
 * every mutex, also when that thread has ended, until numbers are used again (numbers.c). Nestable locks of
 * untied tasks have the task's number (abi/nest_lock.h).
 */

#include <string.h>

#include "futex.h"
#include "membarrier.h"
#include "mutex.h"
#include "notify.h"
#include "numbers.h"

/**
 * More pauses than one before a look: none at first, one more each time. A look takes the word's line away
 * from the thread that holds the mutex, and so makes it slower.
 */
#define PAUSES_MOST 3

/** ns; of a thread whose bit may be lost, so that it must look by itself. */
#define NAP 1000000

/* ---- quiet and contended ------------------------------------------------------------------------------- */

_Atomic uint8_t rt_mutex_uses[1 << RT_MUTEX_HASH_BITS];

static void begin_change(_Atomic uint8_t *use)
{
    uint8_t quiet = RT_MUTEX_QUIET;
    atomic_compare_exchange_strong_explicit(use, &quiet, RT_MUTEX_CHANGING, memory_order_relaxed,
                                            memory_order_relaxed);
}

void rt_mutex_start(void)
{
    if (rt_membarrier_works)
        return;
    memset((void *)rt_mutex_uses, RT_MUTEX_CONTENDED, sizeof rt_mutex_uses);
    rt_mutex_not_all_quiet();
}

void rt_mutex_share(void)
{
    for (size_t i = 0; i < sizeof rt_mutex_uses; i++)
        begin_change(&rt_mutex_uses[i]);
    rt_mutex_not_all_quiet();
    if (!rt_membarrier())
        return; /* each sleeper tries again */
    for (size_t i = 0; i < sizeof rt_mutex_uses; i++)
        rt_publish(rt_mutex_uses[i], RT_MUTEX_CONTENDED);
}

void rt_mutex_wake_unless_quiet(_Atomic uint32_t *word)
{
    if (rt_load(*rt_mutex_use_of(word)) != RT_MUTEX_QUIET)
        rt_futex_wake(word, 1);
}

void rt_mutex_unlock_slow(_Atomic uint32_t *word)
{
    if (likely(rt_load(*rt_mutex_use_of(word)) == RT_MUTEX_QUIET)) {
        rt_publish(*word, 0);
        atomic_signal_fence(memory_order_seq_cst);
        rt_mutex_wake_unless_quiet(word);
    } else if (atomic_exchange_explicit(word, 0, memory_order_release) & 1) {
        rt_futex_wake(word, 1);
    }
}

/**
 * Whether nobody releases a mutex of that hash by a store any more; makes it so if need be. Who reads
 * "contended" knows what the thread knew that stored it: each store by a thread that saw no "changing" behind
 * it (litmus: mutex_contended).
 */
static int is_contended(_Atomic uint8_t *use)
{
    if (likely(rt_acquire(*use) == RT_MUTEX_CONTENDED))
        return 1;
    begin_change(use);
    rt_mutex_not_all_quiet();
    if (!rt_membarrier())
        return 0;
    rt_publish(*use, RT_MUTEX_CONTENDED);
    return 1;
}

/* ---- waiting ------------------------------------------------------------------------------------------- */

/**
 * In the child of a fork() the word of a reduction, or of the runtime's one mutex for atomic updates, may be
 * held by a thread that is not there. The program's own locks are its own business; of these it knows
 * nothing.
 */
static int is_of_the_gone(uint32_t now, struct rt_wait_as as)
{
    int ours = as.kind == RT_WAIT_REDUCTION || as.kind == RT_WAIT_ATOMIC;
    return rt_root.forked_at != 0 && ours && rt_lock_number_is_gone(now >> RT_MUTEX_SHIFT);
}

/**
 * What is waited for. Once numbers have been used again a word's number is no owner's name any more, and that
 * of a task is no thread's: a libompd that does not know of that is to find a kind that it does not know
 * either, and so names nobody. NOW: what the word says.
 */
static uint32_t kind_of(struct rt_wait_as as, uint32_t now)
{
    int other = rt_load(rt_root.lock_numbers_reused) != 0 || (now >> RT_MUTEX_SHIFT & RT_MUTEX_TASK) != 0;
    return unlikely(other) ? as.kind | RT_WAIT_REUSED : as.kind;
}

/** For a mutex that the thread holds itself; with this, it has not got it just now. */
static uint32_t own(uint32_t now, uint32_t mine)
{
    return unlikely(now >> RT_MUTEX_SHIFT == mine >> RT_MUTEX_SHIFT) ? RT_WAIT_OWN : 0;
}

void rt_mutex_lock_slow(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                        const void *object, uint64_t codeptr, uint32_t mine)
{
    uint32_t before = rt_load(th->state), kind = kind_of(as, rt_load(*word)) | own(rt_load(*word), mine);
    rt_enter_wait(th, (enum rt_state)as.state, kind, object, codeptr);
    if (RT_WANTS(RT_ON_WAIT))
        rt_report_wait(th, 0, as.kind, object, codeptr);
    struct rt_patience patience = {.outside = th->implicit == NULL || th->implicit->team->active_level == 0};
    for (;;) {
        uint32_t now = rt_load(*word);
        if (now == 0) {
            if (unlikely(kind & RT_WAIT_OWN)) { /* another thread has released it */
                kind &= ~RT_WAIT_OWN;
                rt_enter_wait(th, (enum rt_state)as.state, kind, object, codeptr);
            }
            if (atomic_compare_exchange_weak_explicit(word, &now, mine, memory_order_acquire,
                                                      memory_order_relaxed))
                break;
            continue;
        }
        if (unlikely(is_of_the_gone(now, as)) &&
            atomic_compare_exchange_strong_explicit(word, &now, mine, memory_order_acquire,
                                                    memory_order_relaxed))
            break;
        if (!rt_patience_spent(&patience)) {
            patience.pauses += patience.pauses < PAUSES_MOST;
            continue;
        }
        int contended = is_contended(rt_mutex_use_of(word));
        if (!(now & 1) && !atomic_compare_exchange_weak_explicit(word, &now, now | 1, memory_order_relaxed,
                                                                 memory_order_relaxed))
            continue;
        if (unlikely((kind & ~RT_WAIT_OWN) != kind_of(as, now))) {
            kind = kind_of(as, now) | (kind & RT_WAIT_OWN);
            rt_enter_wait(th, (enum rt_state)as.state, kind, object, codeptr);
        }
        if (likely(contended))
            rt_futex_wait(word, now | 1);
        else
            rt_futex_wait_bits_for(word, now | 1, UINT32_MAX, NAP);
        mine |= 1; /* others may still be asleep: a thread that has slept must assume so */
    }
    RT_TRACK(rt_store(th->state, before));
    (void)before;
    if (RT_WANTS(RT_ON_WAIT))
        rt_report_wait(th, 1, as.kind, object, codeptr);
}

void rt_mutex_lock_instrumented(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                const void *object, uint64_t codeptr, uint32_t hint)
{
    RT_EVENT(th, RT_ON_ACQUIRE, .what = as.kind, .flags = hint, .object = object, .codeptr = codeptr,
             .frame = (uint64_t)(uintptr_t)__builtin_frame_address(0));
    rt_mutex_lock_plain(th, word, as, object, codeptr);
    RT_EVENT(th, RT_ON_ACQUIRED, .what = as.kind, .object = object, .codeptr = codeptr,
             .frame = (uint64_t)(uintptr_t)__builtin_frame_address(0));
}
