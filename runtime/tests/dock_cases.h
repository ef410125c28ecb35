/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file What dock_cases.c offers to dock_test.cc. All of it for the calling thread and its outermost regions.
 */
#ifndef DOCK_CASES_H
#define DOCK_CASES_H

/** A region of so many threads; one of `outer`, each of whose members leads one of `threads`. */
void dock_region(int threads);
void dock_nested(int outer, int threads);
/** Threads that count as busy: in a region of so many threads, in inner regions of an outer one, and now. */
int dock_busy_in(int threads);
int dock_busy_nested(int outer, int threads);
int dock_busy(void);
/** A thread of the program becomes an OpenMP thread. */
void dock_register(void);
/**
 * With two processors, in a region of two: how many of a hundred looks of one that waits for the other have
 * been followed by the end of its time slice because threads are too many for the processors; and in no
 * region, of one that waits for a lock.
 */
int dock_slices(void);
int dock_slices_outside(void);
/** The same of one that waits for the calling thread's next region. */
int dock_slices_between(void);
/** Calls the function in a region of so many threads, by one of them, while the others wait. */
void dock_inside(int threads, void (*what)(void *), void *data);
/** Workers in the pool; threads of the team that is kept. */
int dock_pooled(void);
int dock_threads(void);
/** The team's members, their threads and their tasks refer to each other. */
int dock_agrees(void);

#endif
