/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The file of the call trace (insp_trace): the process has one, as it has one copy of each OMPD library.
 */
#ifndef INSPECT_TRACE_H
#define INSPECT_TRACE_H

#include <stdbool.h>

#include "inspect/base/mem.h"

/** Ends the trace and, unless PATH is NULL or "", begins another one in that file. Negative with *error when
 *  it cannot be opened. */
int trace_open(const char *path, char **error) INSP_WARN_UNUSED;
/** Is a trace wanted? */
bool trace_is_open(void) INSP_WARN_UNUSED;
/** Writes a line that a library gave to print_string. False: no trace is wanted. */
bool trace_line(const char *line) INSP_WARN_UNUSED;
/** Writes which library the lines are of; DONE is false when it cannot trace. While a trace is open only. */
void trace_begin_library(const char *path, bool done);

#endif
