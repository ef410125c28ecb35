/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/ompd/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inspect/base/printable.h"

static FILE *file;

bool trace_line(const char *line)
{
    if (!file || !line)
        return false;
    fputs(line, file);
    return true;
}

void trace_begin_library(const char *path, bool done)
{
    fprintf(file, done ? "# calls of %s\n" : "# %s has no call trace\n", path);
    fflush(file);
}

bool trace_is_open(void)
{
    return file;
}

int trace_open(const char *path, char **error)
{
    if (error)
        *error = NULL;
    if (file)
        fclose(file);
    file = NULL;
    if (!path || !*path)
        return 0;
    file = fopen(path, "we");
    if (!file) {
        if (error)
            *error = insp_sentence("The trace cannot be written to %s: %s.", path, strerror(errno));
        return -1;
    }
    /* Each line at once: the trace is wanted most when the debugger dies. */
    setvbuf(file, NULL, _IOLBF, BUFSIZ);
    return 0;
}
