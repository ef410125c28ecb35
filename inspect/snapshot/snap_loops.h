/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which iterations of a loop each task has: what the runtime records, and what the variables say that the
 * compiler has made for the loop.
 */
#ifndef INSPECT_SNAP_LOOPS_H
#define INSPECT_SNAP_LOOPS_H

#include "inspect/snapshot/snap.h"

/** The loop that TASK is in, as the runtime has it; with INSP_LOOPS, after the task's row is filled. */
void snap_loop(struct snap_run *run, const struct mdl_task *task, ompd_task_handle_t *handle);
/** What the stacks add; once threads have their tasks, while the process stands still. */
void snap_loop_frames(insp_session *s, insp_snapshot *snap);

#endif
