/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks in a team of two whose second member comes for none: counts of what their creator ran at once.
 */
#ifndef RUNTIME_TESTS_STEAL_CASES_H
#define RUNTIME_TESTS_STEAL_CASES_H

#include <stdint.h>

/** Of so many tasks those that had run when they had all been created. By gcc's or clang's entry points. */
struct steal_run {
    int tasks;
    int by_clang;
    uint32_t enough;      /**< with so many a queue is full; 0: as without a setting */
    int ran_at_once, ran; /**< out: the latter behind the region */
};
void steal_flat(struct steal_run *run);
/**
 * With a full queue a chain: each task creates the next. Returns the bytes of stack between the region's code
 * and the deepest task, and in *RAN how many have run behind the region.
 */
long steal_chain(int tasks, int by_clang, int *ran);
/**
 * So many short tasks, from which thieves learn to stay away, and then two that end only beside each other.
 * Returns how many of the short ones have run.
 */
int steal_meeting(int tasks);
/**
 * One thread creates so many tasks that wait for each other. Returns how many had run when all were created,
 * -1 if not all have run behind them.
 */
int steal_waiting(int tasks);

#endif
