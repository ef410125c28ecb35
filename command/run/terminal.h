/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Job control for `ompd run`. At a terminal the program has a process group of its own, in the background:
 * then Ctrl-C, Ctrl-\ and Ctrl-Z come to us alone, and we decide what the program gets. As soon as it reads
 * from the terminal or changes its settings it gets the foreground, and from then on those keys come to it.
 */
#ifndef COMMAND_TERMINAL_H
#define COMMAND_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

struct terminal {
    int fd;        /**< -1: there is none, or another job has it */
    pid_t program; /**< the program's process group; 0: ours */
};

/** Is there a terminal whose foreground job we are? */
void terminal_find(struct terminal *t);
/** In the child: into a group of its own, if there is a terminal. In the parent with the child's PID too, for
 *  either may come first. */
void terminal_set_apart(struct terminal *t, pid_t pid);
/** The program has been stopped by SIG: it gets the terminal, or we stop with it as the shell expects. */
void terminal_program_stopped(struct terminal *t, int sig);
/** Ctrl-Z: the program stops, then we; both go on together. */
void terminal_suspend(struct terminal *t);
/** The program has ended: the terminal is ours again. */
void terminal_take_back(struct terminal *t);

#endif
