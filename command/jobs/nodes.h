/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The nodes of a job while they are asked: who has answered, who is lost, and why.
 */
#ifndef COMMAND_NODES_H
#define COMMAND_NODES_H

#include <stdbool.h>
#include <stddef.h>

#include "inspect/jobs/jobs.h"
#include "nodeset.h"

struct node_state {
    bool answered; /**< its answer has come to the end */
    bool begun;    /**< some of its answer has come */
    bool named;    /**< a launch has said something of it */
    bool lost;     /**< it is of no use to ask it */
    char *why;     /**< what was said of it, NULL nothing */
};

struct nodes {
    struct nodeset set; /**< empty: nobody knows which there are */
    struct node_state *state;
    struct nodeset strangers; /**< who has answered by a name that is none of these */
};

/** Takes SET over. False: out of memory, and SET stays the caller's. */
bool nodes_make(struct nodeset *set, struct nodes *ret);
void nodes_free(struct nodes *n);

/** NODE is lost, and WHY; the first reason counts. */
void nodes_lose(struct nodes *n, const char *node, const char *why);
/** Takes a line of what a launch has written to stdout: does an answer end with it? False: there is no memory
 *  to remember from whom, so that it may later seem as if nothing had come. */
bool nodes_take_answer(struct nodes *n, const char *line, size_t length) __attribute__((warn_unused_result));
/** Takes a line of its stderr, which may tell of a node: "n1: no route to host". */
void nodes_take_message(struct nodes *n, const char *line, size_t length);
/** Not all of the answer of NODE has come, and WHY that is known. False: it is none of these. */
bool nodes_cut(struct nodes *n, const char *node, const char *why);
/** After a launch that has failed: of whom it spoke is lost. Are there others who may have been cut off with
 *  those? Not when nothing at all has come, nor when answers have names that are none of these. */
bool nodes_cut_off(struct nodes *n);
/** Those that have not answered and are not lost. */
bool nodes_open(const struct nodes *n, struct nodeset *ret);
size_t nodes_answered(const struct nodes *n);
size_t nodes_lost(const struct nodes *n);
/** Each that has not answered becomes a failure of JOBS, with WHY where nothing was said of it itself. */
void nodes_tell(const struct nodes *n, struct jobs *jobs, const char *why);

#endif
