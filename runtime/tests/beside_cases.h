/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file What beside_cases.c offers to beside_test.cc: where workers begin, on processors that are not here.
 */
#ifndef BESIDE_CASES_H
#define BESIDE_CASES_H

#include <stdint.h>

/** Sets of processors below 64, a bit for each. */
struct beside {
    int processors;      /**< of the process, as it has counted them at its start */
    uint64_t mask;       /**< every thread's until it says otherwise */
    uint64_t refused;    /**< of these the kernel accepts no set */
    int creator, worker; /**< where they are: what sched_getcpu says; -1 it says nothing */
    int binding;         /**< threads are bound to places */
    /* What has happened: */
    int asked, bound; /**< calls of workers that ask for a mask, and set one, before any code of the region */
    uint64_t narrow;  /**< what one was set to first */
    int wrong;        /**< members that entered the region's code with another mask */
    int members;      /**< of the region */
};
/** A region of so many threads, its workers new. */
void beside_region(struct beside *beside, int threads);

/** On the real processors: members of a region whose mask is not its primary's. */
int beside_others(int threads);

#endif
