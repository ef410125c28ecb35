/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Facts on other processes, from /proc.
 */
#ifndef COMMAND_PROCESSES_H
#define COMMAND_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_stat {
    pid_t pid, parent;
    uint64_t start; /**< in ticks since the boot */
    char state;     /**< a letter, proc(5) */
};

/** False: there is no such process. */
bool process_stat(pid_t pid, struct process_stat *ret);
/** All processes, malloc'ed; how many, 0 out of memory. */
size_t process_all(struct process_stat **ret);
/** What the names of the files tell that PID has mapped; what it really is, a report says. */
enum process_libraries { PROCESS_OTHER, PROCESS_MPI, PROCESS_OPENMP };
enum process_libraries process_libraries(pid_t pid);
/** The path of an OpenMP runtime that PID has mapped and that is not Companion, by its name; malloc'ed, NULL:
 *  none. */
char *process_other_runtime(pid_t pid);

#endif
