/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program of `ompd run`: can it be given a runtime, and what has it started?
 */
#ifndef COMMAND_PROGRAM_H
#define COMMAND_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** The file that execvp starts, malloc'ed; NULL: none. */
char *program_find(const char *name);
/** True when program NAME, found as execvp finds it, takes no library of ours; *why: malloc'ed sentence. */
bool program_cannot_be_served(const char *name, char **why);

/* family.c */
/** A program that was started, and ours who look after it. */
struct program {
    pid_t pid;
    pid_t reaper; /**< who gets the processes that it leaves behind (PR_SET_CHILD_SUBREAPER) */
    pid_t keeper; /**< a child of the reaper that is none of these; 0: there is none */
};

/** The program and the living processes that it has started: those that wait for no child first, of these
 *  those with an OpenMP runtime, by the names of their files, then by age. *ret: malloc'ed; returns how
 *  many, 0 out of memory. */
size_t program_family(const struct program *program, pid_t **ret);
/** SIGCONT for it and all that it has started, also before their SIGSTOP has taken effect. */
void program_continue(const struct program *program);
/** Kills it and all that it has started; we must be their reaper. */
void program_kill(const struct program *program);

#endif
