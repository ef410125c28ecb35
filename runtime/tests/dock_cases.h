/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file What dock_cases.c offers to dock_test.cc. All of it for the calling thread and its outermost regions.
 */
#ifndef DOCK_CASES_H
#define DOCK_CASES_H

/** A region of so many threads; one of `outer`, each of whose members leads one of `threads`. */
void dock_region(int threads);
void dock_nested(int outer, int threads);
/** Threads that count as busy: in a region of so many threads, and now. */
int dock_busy_in(int threads);
int dock_busy(void);
/** Workers in the pool; threads of the team that is kept. */
int dock_pooled(void);
int dock_threads(void);
/** The team's members, their threads and their tasks refer to each other. */
int dock_agrees(void);

#endif
