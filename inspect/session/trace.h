/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The file of the call trace (insp_trace): one for the process, as OMPD libraries are.
 */
#ifndef INSPECT_TRACE_H
#define INSPECT_TRACE_H

#include <stdbool.h>

/** A line that a library gave to print_string. False: no trace is wanted, so it is none. */
bool trace_line(const char *line);
/** Says of which library the lines are; DONE is false when it cannot trace. */
void trace_begin_library(const char *path, bool done);

#endif
