/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Switches the call trace (ompdx_trace) on and off, and what it shows.
 */
#include <stdio.h>
#include <string.h>

#include "conf.h"

void check_trace_on(void)
{
    if (!HAS(ompdx_trace))
        return;
    check_rc(CALL(ompdx_trace, 2), ompd_rc_bad_input, "ompdx_trace(2)");
    check_rc(CALL(ompdx_trace, 1), ompd_rc_ok, "ompdx_trace(1)");
    check_rc(CALL(ompdx_trace, 1), ompd_rc_ok, "ompdx_trace(1) again");
    trace_watched = true;
}

void check_trace_off(void)
{
    if (!trace_watched)
        return;
    const char *text = "";
    char shown[32];
    check_rc(CALL(ompd_get_version_string, &text), ompd_rc_ok, "ompd_get_version_string");
    snprintf(shown, sizeof shown, "string=->\"%.20s", text);
    check(strstr(trace_last, shown) != NULL, "the trace does not show a string: %s", trace_last);
    check_rc(CALL(ompd_get_version_string, NULL), ompd_rc_bad_input, "ompd_get_version_string(NULL)");
    check(strstr(trace_last, "string=NULL)"), "the trace does not show a NULL: %s", trace_last);
    trace_watched = false;
    check_rc(CALL(ompdx_trace, 0), ompd_rc_ok, "ompdx_trace(0)");
}
