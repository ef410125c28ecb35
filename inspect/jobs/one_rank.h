/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * All that is known of one process, as text.
 */
#ifndef INSPECT_JOB_ONE_RANK_H
#define INSPECT_JOB_ONE_RANK_H

#include "inspect/jobs/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of each process that has this rank: several jobs have one. */
void one_rank(struct job_view *v, int64_t rank);

#ifdef __cplusplus
}
#endif
#endif
