/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_lone.h"

#include <string.h>

#include "runtimes/gomp/gomp_call.h"

/** A stack with more is not followed. */
#define FRAMES_MAX 128u

/** Calls that wait for a mutex of the program's and that need no record. */
static bool takes_mutex(const struct gomp_call *call)
{
    static const char *const names[] = {"omp_set_lock", "omp_set_lock_", "GOMP_critical_start",
                                        "GOMP_critical_name_start", "GOMP_atomic_start"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (call->how == GOMP_CALL_NAMED && strcmp(call->name, names[i]) == 0)
            return true;
    return false;
}

/**
 * Was the whole stack seen, to libc's code that starts threads and programs, and is the library on it only
 * innermost? A thread in a region has it further out too, as what has called the region's code. Outside of
 * libc's code there may be one frame more, the program's first one.
 */
static ompd_rc_t follow_stack(struct gomp *gomp, struct gomp_native *native)
{
    uint32_t last_system = 0, count = 0;
    bool left = false;
    for (; count < FRAMES_MAX; count++) {
        ompdx_frame_t frame;
        ompd_rc_t rc = stock_frame(gomp->aspace, native->stock, count, &frame);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok)
            break;
        const bool inside = stock_inside(gomp->aspace->stock, frame.pc - (frame.exact ? 0 : 1));
        if (inside && left)
            return ompd_rc_ok;
        left = left || !inside;
        if (!inside && frame.code == ompdx_code_system)
            last_system = count + 1;
    }
    native->lone = last_system != 0 && count <= last_system + 1 && count < FRAMES_MAX ? GOMP_LONE_YES
                                                                                      : GOMP_LONE_PERHAPS;
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_lone(struct gomp *gomp, struct gomp_native *native)
{
    struct gomp_call call;
    const bool waits = native->place == GOMP_SLEEPING || native->place == GOMP_SPINNING || native->strange;
    if (native->record.team != 0 || !waits)
        return ompd_rc_ok;
    TRY(gomp_find_call(gomp, native, true, &call));
    return takes_mutex(&call) ? follow_stack(gomp, native) : ompd_rc_ok;
}
