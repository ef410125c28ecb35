/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: what a task has of a taskloop construct.
 */
#include "runtimes/kmp_loops.h"

ompd_rc_t kmp_taskloop_part(struct kmp *kmp, const struct world_task *task, ompdx_loop_info_t *ret)
{
    (void)kmp;
    (void)task;
    (void)ret;
    return ompd_rc_unavailable;
}
