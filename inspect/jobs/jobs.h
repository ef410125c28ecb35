/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Many processes, such as the ranks of an MPI program: which of them are in the same state, and which few
 * are in another one.
 *
 *   jobs_new -> jobs_add (for each document, in any order) -> jobs_text or jobs_json -> jobs_free
 *
 * The result does not depend on the order: it is the same whether documents come one by one, or merged
 * before in whatever groups, or several times.
 */
#ifndef INSPECT_JOBS_H
#define INSPECT_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct jobs;

struct jobs *jobs_new(void);
void jobs_free(struct jobs *jobs);

/**
 * Adds what the JSON documents of TEXT say, one behind the other: reports, recorded snapshots, and what
 * jobs_json has written. TEXT is not trusted. False with *error, insp_string_free: from some place on it is
 * none of these; what came before is added.
 */
bool jobs_add(struct jobs *jobs, const char *text, size_t size, char **error);

/** Adds that there is no answer of HOST, NULL not known whose, and why. */
void jobs_failed(struct jobs *jobs, const char *host, const char *why);

struct jobs_options {
    int zoom;        /**< 1 coarse to 3 exact; 0: the finest that is short */
    int width;       /**< columns, 0 unlimited */
    bool colour;     /**< SGR sequences */
    int64_t rank;    /**< only the state of this rank; -1 all */
    const char *svg; /**< jobs_html: the picture that insp_svg makes of jobs_dot, or NULL */
};
/** The screen; malloc'ed as the others, NULL out of memory. */
char *jobs_text(struct jobs *jobs, const struct jobs_options *options);
/** The stacks of all threads as a tree. */
char *jobs_tree(struct jobs *jobs, const struct jobs_options *options);
/** The same for Graphviz. */
char *jobs_dot(struct jobs *jobs, const struct jobs_options *options);
/** One page with everything. */
char *jobs_html(struct jobs *jobs, const struct jobs_options *options);
/** Which processes of BEFORE and AFTER, samples of the same jobs, are in another state, as text. *ret: are
 *  the processes of both the same? */
char *jobs_diff(struct jobs *before, struct jobs *after, const struct jobs_options *options, bool *ret);
/** The same as JSON, which has all rows. */
char *jobs_diff_json(struct jobs *before, struct jobs *after, bool *ret);
/** All that is known as a document that jobs_add takes. */
char *jobs_json(struct jobs *jobs);

/** How many processes are known, and how many answers are not. */
size_t jobs_count(const struct jobs *jobs);
size_t jobs_failures(const struct jobs *jobs);
/** Have all ranks answered that the jobs have, and is no other answer missing? */
bool jobs_complete(struct jobs *jobs);
/** Is a deadlock proved in one of them? */
bool jobs_deadlock(const struct jobs *jobs);
/** Is there a rank of this number? */
bool jobs_has_rank(const struct jobs *jobs, int64_t rank);

#ifdef __cplusplus
}
#endif
#endif
