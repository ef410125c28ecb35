/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The call trace (ompdx_trace) against an account of our own: which function, its code, how many callbacks.
 */
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "conf.h"

static bool watching; /* the trace is on */
static char last[2048];
static unsigned long lines, lines_before, made_before;

void trace_line(const char *line)
{
    lines++;
    snprintf(last, sizeof last, "%s", line);
}

void trace_before(void)
{
    lines_before = lines;
    made_before = callbacks_made();
}

void trace_after(const char *function, ompd_rc_t rc)
{
    char start[80], code[40];
    unsigned long callbacks = 0;
    const unsigned long made = callbacks_made() - made_before, told = lines - lines_before;
    if (strcmp(function, "ompdx_trace") == 0)
        return;
    if (!watching) {
        if (told != 0)
            (void)check(false, "%s is traced, and the trace is off", function);
        return;
    }
    snprintf(start, sizeof start, "%s(", function);
    snprintf(code, sizeof code, ") = %s; callbacks: ", rc_name(rc));
    const char *at = strstr(last, code);
    char *end = NULL;
    if (at)
        callbacks = strtoul(at + strlen(code), &end, 10);
    check(told == 1 && strncmp(last, start, strlen(start)) == 0 && end && end != at + strlen(code) &&
              callbacks == made && last[strlen(last) - 1] == '\n',
          "%s gave %s after %lu callbacks; %lu lines of trace, the last: %s", function, rc_name(rc), made,
          told, last);
    /* ompd_finalize ends the trace. */
    watching = strcmp(function, "ompd_finalize") != 0 || rc != ompd_rc_ok;
}

void check_trace_on(void)
{
    if (!HAS(ompdx_trace))
        return;
    check_rc(CALL(ompdx_trace, 2), ompd_rc_bad_input, "ompdx_trace(2)");
    check_rc(CALL(ompdx_trace, 1), ompd_rc_ok, "ompdx_trace(1)");
    check_rc(CALL(ompdx_trace, 1), ompd_rc_ok, "ompdx_trace(1) again");
    watching = true;
}

void check_trace_off(void)
{
    if (!watching)
        return;
    const char *text = "";
    char shown[32];
    check_rc(CALL(ompd_get_version_string, &text), ompd_rc_ok, "ompd_get_version_string");
    snprintf(shown, sizeof shown, "string=->\"%.20s", text);
    check(strstr(last, shown) != NULL, "the trace does not show a string: %s", last);
    check_rc(CALL(ompd_get_version_string, NULL), ompd_rc_bad_input, "ompd_get_version_string(NULL)");
    check(strstr(last, "string=NULL)"), "the trace does not show a NULL: %s", last);
    watching = false;
    check_rc(CALL(ompdx_trace, 0), ompd_rc_ok, "ompdx_trace(0)");
}
