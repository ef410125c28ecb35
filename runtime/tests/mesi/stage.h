/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads of which one runs at a time: at each access to memory it is decided who goes on.
 *
 * The code that is watched is compiled with -fsanitize=thread, so that each access to memory is a call of a
 * function that stands in hooks.c instead of ThreadSanitizer. Two ways to decide:
 *
 * - by time: the thread that is the earliest by the model of caches (lines.h) goes on, so that what a barrier
 *   takes can be counted; a thread that finds the same words again and again in its own cache waits until one
 *   of them is written;
 * - by lot: any thread that does not sleep, so that many orders are tried. How often one is chosen follows
 *   from the seed, since a long run of one thread and a quick change each find what the other does not.
 *   Sleeping is futex.h's, and a sleeper that nobody wakes is seen: then no thread can go on.
 */
#ifndef MESI_STAGE_H
#define MESI_STAGE_H

#include <stdint.h>

#include "runtime/tests/mesi/lines.h"

/** The calling thread becomes thread 0; those that it and others create are the next. */
void stage_begin(int cluster, uint64_t seed, int by_lot);
/** Number of the calling thread, in the order of creation. */
int stage_self(void);
/** The hook of each access. */
void stage_touch(const void *address, int write);
/**
 * Waits until `threads` threads are here. The last one calls all_here(); then they go on at time 0, in an
 * order by lot.
 */
void stage_meet(int threads, void (*all_here)(void));
/** Waits until all others only wait. Then time begins anew. By time only. */
void stage_settle(void);
/** The caller's time. */
uint64_t stage_clock(void);
/** Transfers of all threads up to now. */
struct lines_counts stage_counts(void);
/** The most transfers of one thread since the last call. */
uint64_t stage_most(void);
/** How often another thread went on. */
uint64_t stage_switches(void);
/** No access counts and no thread gives way any more: the process is about to end. */
void stage_end(void);

#endif
