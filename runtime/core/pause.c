/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Idle workers end: omp_pause_resource, and the end of the program when their ends have to be reported to a
 * tool.
 */
#include <sched.h>

#include "pause.h"
#include "region.h"

#define PAUSE_QUIET 200 /**< looks at an empty pool before a pause is over */

/** Idle workers end, th's own team too (NULL: of nobody); returns without waiting for that. */
static void dismiss(struct rt_thread *th)
{
    if (th != NULL)
        rt_initial_disband(th);
    /* A worker that ends may itself have led regions, whose threads come to the pool a little later. */
    for (int quiet = 0; quiet < PAUSE_QUIET;) {
        if (rt_dock_dismiss()) {
            quiet = 0;
        } else {
            quiet++;
            sched_yield();
        }
    }
}

void rt_workers_dismiss(struct rt_thread *th)
{
    int left;
    do {
        dismiss(th);
        /*
         * In this order: a worker that ends may send others to the pool, which are counted before it has
         * ended.
         */
        left = rt_acquire(rt_root.ended) != rt_root.dismissed;
        rt_lock(&rt_root.lock);
        left |= rt_root.pool != NULL;
        rt_unlock(&rt_root.lock);
    } while (left);
}

int rt_pause_resources(struct rt_thread *th)
{
    if (th->implicit->team->level > 0 || th->implicit->outer_implicit != NULL)
        return -1;
    dismiss(th);
    return 0;
}
