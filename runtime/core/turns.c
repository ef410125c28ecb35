/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting for the turn of an iteration.
 */

#include "arch.h"
#include "futex.h"
#include "turns.h"

/** By Fibonacci hashing (Knuth 6.4), which keeps neighbours apart, and what is a power of two apart. */
static uint32_t turn_of(uint64_t iteration)
{
    return (uint32_t)(iteration * 0x9e3779b97f4a7c15ULL >> 56);
}
_Static_assert(RT_TURN_WORDS * 32 == 1 << 8, "the word and the bit of an iteration");

void rt_turn_sleep(struct rt_turns *turns, uint64_t iteration, int (*ready)(void *), void *arg)
{
    uint32_t turn = turn_of(iteration);
    _Atomic uint32_t *word = &turns->words[turn / 32];
    /*
     * Whoever passes the turn on has stored what ready() looks at before it reads `sleepers`; this counts
     * itself before it looks. So it sees that, or the other one changes the word after it was read here
     * (litmus: turn_pass).
     */
    atomic_fetch_add_explicit(&turns->sleepers, 1, memory_order_seq_cst);
    rt_arch_full_after_rmw();
    uint32_t now = atomic_load_explicit(word, memory_order_seq_cst);
    if (!ready(arg))
        rt_futex_wait_bits(word, now, 1U << turn % 32);
    atomic_fetch_sub_explicit(&turns->sleepers, 1, memory_order_relaxed);
}

void rt_turn_pass_slow(struct rt_turns *turns, uint64_t iteration)
{
    uint32_t turn = turn_of(iteration);
    _Atomic uint32_t *word = &turns->words[turn / 32];
    atomic_fetch_add_explicit(word, 1, memory_order_seq_cst);
    rt_futex_wake_bits(word, INT32_MAX, 1U << turn % 32);
}

void rt_turns_void(struct rt_turns *turns)
{
    /* A thread that is about to sleep sees another number than before; one that sleeps is woken. */
    for (int i = 0; i < RT_TURN_WORDS; i++)
        atomic_fetch_add_explicit(&turns->words[i], 1, memory_order_seq_cst);
    for (int i = 0; i < RT_TURN_WORDS; i++)
        if (atomic_load_explicit(&turns->sleepers, memory_order_seq_cst) != 0)
            rt_futex_wake(&turns->words[i], INT32_MAX);
}
