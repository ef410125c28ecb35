/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the processes of jobs are known by, and the state of each.
 */
#ifndef INSPECT_MERGE_H
#define INSPECT_MERGE_H

#include <jansson.h>

#include "inspect/base/hash.h"
#include "inspect/base/mem.h"
#include "inspect/jobs/jobs.h"
#include "inspect/jobs/state.h"
#include "inspect/jobs/state_keys.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Processes that were started together, among which the ranks count. NULL: not known. */
struct section {
    const char *job, *step, *name_space;
    int64_t size;  /**< how many there are, 0 not known */
    json_t *again; /**< ranges: ranks of which several samples were given */
    int64_t *more; /**< the same, since the members were sorted */
    size_t more_count;
    bool others; /**< that is so of processes without a rank */
};

/** A state in which a process is. */
struct kept_state {
    json_t *state;
    char *text; /**< all of it, by which equal ones are known */
    struct state_keys keys;
};

/** A process: its newest sample. */
struct member {
    int section;
    int64_t rank; /**< -1 it has none */
    const char *host, *boot_id;
    int64_t pid, start, taken; /**< 0 not known */
    int state;
};

/** An answer that has not come. */
struct failure {
    const char *host; /**< NULL: it is not known whose */
    const char *why;
};

struct jobs {
    struct arena arena;
    struct hash strings, by_failure, by_section, by_identity, by_state;
    struct section *sections;
    struct kept_state *states;
    struct member *members;
    struct failure *failures;
    size_t failure_count;
    size_t section_count, state_count, member_count;
    int64_t latest; /**< when a sample can have been taken, in nanoseconds since 1970 */
    bool oom;
};

/** A copy that is the same pointer for the same text; NULL for NULL. */
const char *jobs_string(struct jobs *j, const char *text);
/** The same of a name that somebody else has written: cut_text. */
const char *jobs_name(struct jobs *j, const char *text);
/** The index of a section, made when it is new; -1 out of memory. */
int jobs_section(struct jobs *j, const char *job, const char *step, const char *name_space);
/** The index of a state, which is taken over; -1 out of memory. */
int jobs_state(struct jobs *j, json_t *state);
/** The newest sample of a process counts, but none of the future. Strings are of jobs_string. */
void jobs_member(struct jobs *j, const struct member *m);
/** That there were several samples of a rank, or of RANK < 0 of a process without one. */
void jobs_again(struct jobs *j, int section, int64_t rank);

/** Sorts members by section, state and process. */
void jobs_sort(struct jobs *j);
/** The end of the section whose first member is FIRST; sorted. */
size_t jobs_section_end(const struct jobs *j, size_t first);
/** Ranges of the ranks that should be among members FIRST to END, a section, and are not. */
json_t *jobs_missing(const struct jobs *j, size_t first, size_t end);

#ifdef __cplusplus
}
#endif
#endif
