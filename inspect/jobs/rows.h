/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The rows of a state's threads, as cells of a table.
 */
#ifndef INSPECT_JOB_ROWS_H
#define INSPECT_JOB_ROWS_H

#include "inspect/jobs/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The rows of STATE, those that say most first, and how many there are; malloc'ed, NULL out of memory. */
const json_t **rows_sorted(const json_t *state, size_t *count);
/** "0,3-63/64", "3 more". */
const char *rows_threads(struct job_view *v, const json_t *row);
/** Where the threads of ROW are, and those of the group's other variants that do the same. */
const char *rows_at(struct job_view *v, const struct job_groups *g, const struct job_group *group,
                    const json_t *row);

#ifdef __cplusplus
}
#endif
#endif
