/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions.
 */
#ifndef RT_REGION_H
#define RT_REGION_H

#include "dock.h"
#include "region_serial.h"

/** Runs a whole region; returns the number of threads that it had. */
int rt_fork(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
/**
 * The same in two parts: on return of the first the caller is thread 0 inside the region and runs the code
 * itself.
 */
int rt_fork_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
void rt_fork_end(struct rt_thread *th);
/** What a worker does for its team, until it is undocked. */
void rt_team_serve(struct rt_thread *th, struct rt_docking docking);

#endif
