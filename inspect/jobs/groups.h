/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The processes of one section as they are shown: states that are equal at a zoom form a group.
 */
#ifndef INSPECT_JOB_GROUPS_H
#define INSPECT_JOB_GROUPS_H

#include "inspect/jobs/merge.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A state, and the members FIRST to END of the sorted list, which are in it. */
struct job_variant {
    size_t first, end;
    const struct kept_state *kept;
};

/** Variants FIRST to END; the first one has most processes. */
struct job_group {
    size_t first, end, processes;
    int order; /**< what is shown first is smaller */
};

struct job_groups {
    struct job_variant *variants;
    struct job_group *groups;
    size_t variant_count, group_count;
    int zoom;
};

/** Of members FIRST to END, which are of one section. ZOOM 0: the finest that has no more than MOST groups.
 *  False out of memory. */
bool job_groups_make(const struct jobs *j, size_t first, size_t end, int zoom, size_t most,
                     struct job_groups *ret);
void job_groups_free(struct job_groups *g);

/** Ranges of the ranks of variants FIRST to END. */
json_t *job_groups_ranks(const struct jobs *j, const struct job_groups *g, size_t first, size_t end);

#ifdef __cplusplus
}
#endif
#endif
