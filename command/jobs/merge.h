/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What `ompd merge`, `ompd node` and `ompd job` share: how answers come in, and how they are shown.
 */
#ifndef COMMAND_MERGE_H
#define COMMAND_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "command/cmd.h"
#include "inspect/jobs/jobs.h"

/** Adds the document that has come from HOST to the jobs ARG, or why it cannot be used (a frames_sink's). */
void merge_document(void *arg, const char *host, const char *text, size_t size);
/** Writes JOBS as ARGS ask for it. CMD_ALL, or a status, having said why. */
int merge_show(const struct cmd_args *args, struct jobs *jobs);
/** Writes what differs between two samples. CMD_PARTLY: something does, or is missing. */
int merge_compare(const struct cmd_args *args, struct jobs *before, struct jobs *after);

#endif
