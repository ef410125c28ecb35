/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The process that makes the reports of `ompd run`: one that hangs or crashes is lost with it, and nothing
 * else. As a rule it is a sibling of the program, which is the first child of `ompd run`. Where the kernel
 * leaves tracing to ancestors (Yama's ptrace_scope), it stands between the two and starts the program; lost,
 * it leaves the program to `ompd run`.
 */
#ifndef COMMAND_KEEPER_H
#define COMMAND_KEEPER_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "program.h"

struct cmd_args;
struct terminal;

struct keeper {
    pid_t pid; /**< 0: it has been lost */
    int socket;
};

enum keeper_kind {
    KEEPER_STARTED, /**< value: the program's process id */
    KEEPER_FAILED,  /**< value: errno of what did not start */
    KEEPER_STOPPED, /**< value: the signal that has stopped the program */
    KEEPER_ENDED,   /**< value: the program's status, as a shell has it */
    KEEPER_SHOWN,   /**< of a report: one process is done */
    KEEPER_REPORTED /**< value: the report's status */
};

struct keeper_news {
    enum keeper_kind kind;
    int value;
};

/** Starts the program of ARGS, with MASK for its signals. 0, and *program; or an errno. WITHIN: that of the
 *  keeper, not of the program. */
int keeper_start(struct keeper *k, struct cmd_args *args, struct terminal *terminal, const sigset_t *mask,
                 struct program *program, bool *within);
/** What it has said next; false: nothing now. */
bool keeper_hear(struct keeper *k, struct keeper_news *ret);
/** Asks for a report; HOLD: the processes stay stopped. It answers KEEPER_REPORTED. */
void keeper_ask(struct keeper *k, bool hold);
/** Ends it; returns its status of waitpid(2), 0 if it had been lost before. */
int keeper_end(struct keeper *k);
/** Status of waitpid(2) as a shell has it. */
int keeper_shell_status(int status);

#endif
