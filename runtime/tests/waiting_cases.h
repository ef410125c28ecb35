/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a waiting thread knows of those that come before it, and what it makes of that. Each call of
 * rt_patience_spent and of sched_yield is seen by the test (--wrap).
 */
#ifndef RUNTIME_TESTS_WAITING_CASES_H
#define RUNTIME_TESTS_WAITING_CASES_H

#include <stdint.h>

enum { WAITING_MOST = 8 };

/**
 * With so many processors and so many busy threads: how often a waiter looks before it gives its processor
 * away, for a slice or to sleep. Given up after 100000 looks.
 */
int waiting_looks(int processors, int busy, unsigned ahead);
/**
 * By made-up clocks: of four threads on two processors one waits. Each slice it gives away ends after so many
 * microseconds, while other programs have so many hundredths of a processor. How many slices it gives away in
 * the second second; a sleeper wakes after 1000 microseconds. Later calls of anything here may find that no
 * slices are given away.
 */
int waiting_slices(int64_t slice, int others);
/**
 * A barrier of so many threads, which arrive one after the other. AHEAD: how many thread i knew to be ahead
 * when it looked the first time; the last one does not look.
 */
void waiting_barrier(int threads, unsigned ahead[WAITING_MOST]);
/** As many iterations of an ordered loop as threads: the same of iteration i. The first one does not look. */
void waiting_ordered(int threads, unsigned ahead[WAITING_MOST]);

/** Of a thread that waits for a mutex: how many pauses more than one it makes before each look. */
void waiting_mutex(unsigned pauses[WAITING_MOST]);

/**
 * Two threads, of which one makes tasks and runs them itself, and the other one has nothing to do and
 * sleeps. CALLED: how often that was called while it was asleep; while it napped because of that, until
 * seven tasks were left alone; and when that was an eighth. LEFT_TO: who ran the first of these. Returns how
 * long the nap was to be, in ns; 0: there was none.
 */
int waiting_nap(int called[3], int *left_to);

#endif
