/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The end of idle workers.
 */
#ifndef RT_PAUSE_H
#define RT_PAUSE_H

#include "thread.h"

/** omp_pause_resource: idle workers end. 0; or -1 inside a region, where nothing can be paused. */
int rt_pause_resources(struct rt_thread *th);

/** Ends the idle workers, those of th (or NULL) too, and waits until they have reported it. */
void rt_workers_dismiss(struct rt_thread *th);

#endif
