/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program of `ompd run`: can it be given a runtime, and what has it started?
 */
#ifndef COREFILES_COMMAND_PROGRAM_H
#define COREFILES_COMMAND_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

/** True when program NAME, found as execvp finds it, takes no library of ours; *why: malloc'ed sentence. */
bool program_cannot_be_served(const char *name, char **why);

/* family.c */
/** PID, or the first of those that it has started which has Companion mapped; else one that has another
 *  OpenMP runtime, by its name. */
pid_t program_with_runtime(pid_t pid);
/** Kills PID and all that it has started; we must be their reaper. */
void program_kill(pid_t pid);

#endif
