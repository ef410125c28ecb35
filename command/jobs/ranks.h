/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which processes of this node are ranks of a job.
 */
#ifndef COMMAND_RANKS_H
#define COMMAND_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rank {
    pid_t pid;
    uint64_t start; /**< as process_stat has it */
    int64_t rank;   /**< -1: it has none */
};

/**
 * The ranks on this node, by rank, malloc'ed: those of JOB, which may be JOB.STEP; NULL: any of this user,
 * of root all.
 * A launcher or a shell that has started a rank has its environment too, and is left out; so is what belongs
 * to another node that this machine plays (SLURMD_NODENAME). Returns how many.
 */
size_t ranks_here(const char *job, struct rank **ret);
/** Of process PID. False: there is none. */
bool ranks_of(pid_t pid, struct rank *ret);
/** What this node is called: as the batch system does, else the host's name. */
const char *ranks_node(void);

#endif
