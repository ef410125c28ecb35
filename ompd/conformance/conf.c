/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Counted assertions, and what a return code is in the version of the API that is asked.
 */
#include <stdarg.h>
#include <stdio.h>

#include "conf.h"

ompd_word_t version;
struct tally tally;
bool truth_only;
static const char *title_target = "library";
static long title_version;
enum { MOST_SHOWN = 100 };

void set_title(const char *target, long api_version)
{
    title_target = target;
    title_version = api_version;
}

bool check(bool holds, const char *format, ...)
{
    tally.assertions++;
    if (holds || tally.failures++ >= MOST_SHOWN)
        return holds;
    va_list list;
    va_start(list, format);
    printf("FAILED %s, %ld: ", title_target, title_version);
    vprintf(format, list);
    putchar('\n');
    va_end(list);
    return false;
}

ompd_rc_t in_version(ompd_rc_t rc)
{
    if (version == 0) /* not initialised: no version is known yet */
        return rc;
    if (rc == ompd_rc_incompatible_handle && version < VERSION_60)
        return ompd_rc_stale_handle;
    if (rc == ompd_rc_incomplete && version < VERSION_51)
        return ompd_rc_ok;
    if (rc == ompd_rc_callback_error && version < VERSION_51)
        return ompd_rc_error;
    return rc;
}

const char *rc_name(ompd_rc_t rc)
{
    static const char *const names[] = {
        "ok",          "unavailable",          "stale_handle",   "bad_input",          "error",
        "unsupported", "needs_state_tracking", "incompatible",   "device_read_error",  "device_write_error",
        "nomem",       "incomplete",           "callback_error", "incompatible_handle"};
    return (unsigned)rc < sizeof names / sizeof *names ? names[rc] : "no code";
}

bool check_rc(ompd_rc_t rc, ompd_rc_t wanted, const char *what)
{
    /* What the library must say differs with the version; callers name 6.0's code. */
    return check(rc == in_version(wanted), "%s: %s, not %s", what, rc_name(rc), rc_name(in_version(wanted)));
}
