/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/session/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inspect/inspect.h"
#include "inspect/session/ompdlib.h"

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

int insp_trace(const char *path, char **error)
{
    if (error)
        *error = NULL;
    if (file) {
        ompdlib_trace(false);
        fclose(file);
        file = NULL;
    }
    if (!path || !*path)
        return 0;
    file = fopen(path, "we");
    if (!file) {
        if (error)
            *error = insp_sentence("the trace cannot be written to %s: %s", path, strerror(errno));
        return -1;
    }
    /* Each line at once: the trace is wanted most when the debugger dies. */
    setvbuf(file, NULL, _IOLBF, BUFSIZ);
    ompdlib_trace(true);
    return 0;
}
