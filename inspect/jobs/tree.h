/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The stacks of all threads of a job as one tree, the outermost function first. At the end of each branch is
 * what the threads do there.
 */
#ifndef INSPECT_JOB_TREE_H
#define INSPECT_JOB_TREE_H

#include "inspect/jobs/section.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A place, or what is done there. Indices are of job_tree.nodes; -1 none. */
struct tree_node {
    const char *text;
    int parent, child, next; /**< the first child, and the next of the same parent */
    size_t threads, processes;
    int rank;       /**< 0 all are of proved states, 1 or of suspected ones, 2 there are others */
    int first;      /**< the same of the one that is worst: 0 there is a proved one */
    bool leaf, mpi; /**< what is done; a call of MPI */
    int *variants;  /**< those that have threads in it, ascending */
    size_t variant_count;
};

struct job_tree {
    struct tree_node *nodes; /**< of the arena */
    size_t count;
    int first; /**< of those without a parent */
};

/** Its texts and nodes live as long as V's arena. Children with a proved state come first, then those of
 *  fewest processes. */
struct job_tree tree_make(struct job_view *v, const struct job_section *s);
/** The last one of the chain that begins at NODE, in which each has one child with all threads. */
int tree_chain_end(const struct job_tree *t, int node);
/** "main, a.c:3 > work, a.c:7" from FIRST to LAST of a chain. */
const char *tree_chain_text(struct job_view *v, const struct job_tree *t, int first, int last);
/** The ranks that have threads in NODE, as a cell. */
const char *tree_which(struct job_view *v, const struct job_section *s, const struct tree_node *node);

#ifdef __cplusplus
}
#endif
#endif
