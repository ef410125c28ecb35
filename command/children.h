/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Work in child processes, several at a time, none of which can hold up the others or this process: what they
 * write is collected, and those that take too long are ended with all that they have started.
 */
#ifndef COMMAND_CHILDREN_H
#define COMMAND_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "corefiles/corefiles.h"

enum child_end {
    CHILD_ENDED,     /**< `status` says how */
    CHILD_TIME_OVER, /**< it was ended, as its time was over */
    CHILD_STOPPED,   /**< it was ended, as the user has asked for the end, or nobody needs the rest */
    CHILD_NOT_STARTED,
};

struct child_text {
    char *text; /**< ends with a zero; NULL nothing */
    size_t size, room;
};

struct child {
    enum child_end end;
    int status; /**< of waitpid(2) */
    struct child_text out, err;
    bool too_long; /**< it has written more than is kept */
};

struct children {
    size_t count;
    size_t parallel; /**< how many at a time */
    double seconds;  /**< that all of them may take together, 0 no limit */
    /** The work of child INDEX, in the child, with stdout and stderr to us; returns its exit status. */
    int (*work)(void *arg, size_t index);
    /** Something was written. True: nobody needs the rest, the child can be ended. May be NULL. */
    bool (*written)(void *arg, size_t index, const struct child *child);
    /** It has ended, or was not started in time; its texts live as long as the call. */
    void (*ended)(void *arg, size_t index, const struct child *child);
    void *arg;
    /** They share files (children_files), of which those that are unpacked may take so many bytes; 0: no. */
    uint64_t shared_room;
};

/** How many at a time: ASKED, or if that is 0 as many as there are processors for us, and no more than 16. */
size_t children_parallel(int asked);
/** In a child: how it gets files that it shares with the others, NULL: it shares none. */
const struct cf_shared_files *children_files(void);
/** Runs them all; ends early when the user has asked for it (cmd_cancelled). */
void children_run(const struct children *c);
/** Kills those that are there; a handler may call it. */
void children_kill(void);
/** Why there is nothing of a child that was not ended for its time, malloc'ed: that it was interrupted, what
 *  ended it, or its own last words. */
char *child_why(const struct child *child);
/** The last line of TEXT that is not empty, malloc'ed, NULL none. */
char *child_last_line(const struct child_text *text);

#endif
