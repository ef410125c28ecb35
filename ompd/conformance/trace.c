/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Each line of the call trace against an account of our own: which function, its code, how many callbacks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

bool trace_watched;
static unsigned long lines_before, made_before;

void trace_before(void)
{
    lines_before = trace_lines;
    made_before = callbacks_made();
}

void trace_after(const char *function, ompd_rc_t rc)
{
    char start[80], code[40];
    unsigned long callbacks = 0;
    const unsigned long made = callbacks_made() - made_before, told = trace_lines - lines_before;
    if (strcmp(function, "ompdx_trace") == 0)
        return;
    if (!trace_watched) {
        if (told != 0)
            (void)check(false, "%s is traced, and the trace is off", function);
        return;
    }
    snprintf(start, sizeof start, "%s(", function);
    snprintf(code, sizeof code, ") = %s; callbacks: ", rc_name(rc));
    const char *at = strstr(trace_last, code);
    char *end = NULL;
    if (at)
        callbacks = strtoul(at + strlen(code), &end, 10);
    check(told == 1 && strncmp(trace_last, start, strlen(start)) == 0 && end && end != at + strlen(code) &&
              callbacks == made && trace_last[strlen(trace_last) - 1] == '\n',
          "%s gave %s after %lu callbacks; %lu lines of trace, the last: %s", function, rc_name(rc), made,
          told, trace_last);
    /* ompd_finalize ends the trace. */
    trace_watched = strcmp(function, "ompd_finalize") != 0 || rc != ompd_rc_ok;
}
