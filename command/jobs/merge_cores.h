/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * `ompd merge --cores`: the cores that the ranks of a job have left.
 */
#ifndef COMMAND_MERGE_CORES_H
#define COMMAND_MERGE_CORES_H

#include "command/cmd.h"
#include "inspect/jobs/jobs.h"

/** Adds what the cores in the folder of ARGS say, several at a time; one that cannot be read is a failure of
 *  JOBS. CMD_ALL, or a status, having said why. */
int merge_cores(const struct cmd_args *args, struct jobs *jobs);

#endif
