/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Asking the nodes of a job: one launch of an engine or one for each node, again without those that it has
 * lost, until all have answered or the time is over.
 */
#ifndef COMMAND_ASK_H
#define COMMAND_ASK_H

#include <stdbool.h>

#include "command/cmd.h"
#include "engines.h"
#include "inspect/jobs/jobs.h"
#include "nodes.h"

struct ask {
    const struct cmd_args *args;
    const struct engine *engine;
    const char *job; /**< JOB or JOB.STEP, NULL any */
};

/** What COMMAND of the engine prints, malloc'ed; NODES NULL: not known. NULL with *error, malloc'ed. */
char *ask_command(const struct ask *ask, const char *command, const struct nodeset *nodes, char **error);
/** Adds all answers to JOBS, and why there are no others. False with *error, malloc'ed: nobody was asked. */
bool ask_nodes(const struct ask *ask, struct nodes *nodes, struct jobs *jobs, char **error);

#endif
