/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Two samples of jobs: each process of the one with the same of the other. That somebody is in the same state
 * as before does not say that it stood there: it may have come back.
 */
#ifndef INSPECT_PAIRS_H
#define INSPECT_PAIRS_H

#include "inspect/jobs/merge.h"

#ifdef __cplusplus
extern "C" {
#endif

enum fate { FATE_MOVED, FATE_SAME, FATE_OTHER, FATE_GONE, FATE_NEW, FATES };

/** A process of one of the two, or of both. */
struct pair {
    const struct member *before, *after; /**< NULL: it is not there */
    enum fate fate;
};

/** By jobs, within by what has become of them, then by states. */
struct pairs {
    struct jobs *before, *after;
    struct pair *pair;
    size_t count;
};

/** Sorts the members of both. False out of memory; pairs_free in any case. */
bool pairs_make(struct jobs *before, struct jobs *after, struct pairs *ret);
void pairs_free(struct pairs *p);

/** The ends of the job, and of those in the same states, that begin with FIRST. */
size_t pairs_job_end(const struct pairs *p, size_t first);
size_t pairs_row_end(const struct pairs *p, size_t first, size_t end);
/** Are the processes of both samples the same? */
bool pairs_same_processes(const struct pairs *p);

const struct section *pairs_section(const struct pairs *p, const struct pair *of);
/** The later sample, else the earlier. */
const struct member *pairs_one(const struct pair *of);
/** The states before and after, NULL: it is not there. */
const struct kept_state *pairs_before(const struct pairs *p, const struct pair *of);
const struct kept_state *pairs_after(const struct pairs *p, const struct pair *of);
/** Ranges of the ranks of pairs FIRST to END. */
json_t *pairs_ranks(const struct pairs *p, size_t first, size_t end);

#ifdef __cplusplus
}
#endif
#endif
