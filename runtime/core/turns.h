/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting for iterations, each for one: the threads whose turn has come are woken, and no others.
 */
#ifndef RT_TURNS_H
#define RT_TURNS_H

#include "base.h"

/** Sleepers, each waiting for one iteration; only those whose iteration has come are woken. */
#define RT_TURN_WORDS 8
struct rt_turns {
    _Atomic uint32_t sleepers;
    /** futexes: an iteration has one of them, and one of its 32 bits */
    _Atomic uint32_t words[RT_TURN_WORDS];
};

/** Sleeps until an iteration's turn is passed on, or less long; not if ready(arg) by now. */
void rt_turn_sleep(struct rt_turns *turns, uint64_t iteration, int (*ready)(void *), void *arg);
void rt_turn_pass_slow(struct rt_turns *turns, uint64_t iteration);
/** Wakes those who wait for the iteration. Behind a full fence, before which stands what they look at. */
static inline void rt_turn_pass(struct rt_turns *turns, uint64_t iteration)
{
    if (unlikely(rt_load(turns->sleepers) != 0))
        rt_turn_pass_slow(turns, iteration);
}
/** Wakes all. */
void rt_turns_void(struct rt_turns *turns);

#endif
