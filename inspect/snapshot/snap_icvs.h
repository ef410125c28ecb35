/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal control variables.
 */
#ifndef INSPECT_SNAP_ICVS_H
#define INSPECT_SNAP_ICVS_H

#include "inspect/snapshot/snap.h"

struct icv_handles {
    ompd_thread_handle_t *thread;
    ompd_parallel_handle_t *region;
    ompd_task_handle_t *task;
};
/** An ICV as a number, by its name or its "ompd-" name of OpenMP 5.0. False when the library does not have
 *  it, or not for these handles. */
bool icv_number(struct snap_run *run, const char *name, const struct icv_handles *handles,
                int64_t *ret) INSP_WARN_UNUSED;
void snap_icvs(struct snap_run *run);

#endif
