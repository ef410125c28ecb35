/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/call_memory.h"

#include <string.h>

#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

/* ---- how long ---------------------------------------------------------------- */

enum { SLEEP_UNTIL = 1 }; /* time.h's TIMER_ABSTIME */
enum { REALTIME = 0, MONOTONIC = 1 };
/* linux/io_uring.h's flags of io_uring_enter. */
enum { RING_HAS_TIME = 8, RING_IS_REGISTERED = 16, RING_UNTIL = 32, RING_TIME_ELSEWHERE = 64 };

/* The length of time at ADDR, of which the second part counts UNITS of a nanosecond. */
static int64_t length_at(insp_session *s, uint64_t addr, int64_t units)
{
    const int64_t second = 1000000000;
    int64_t time[2];

    if (!addr)
        return MDL_TIMEOUT_NONE;
    if (still_read(s, addr, time, sizeof(time)) || time[0] < 0 || time[0] > INT64_MAX / second - 1 ||
        time[1] < 0 || time[1] >= second / units)
        return MDL_TIMEOUT_SOME;
    return time[0] * second + time[1] * units;
}

/* How long it is until the moment at ADDR of a clock. */
static int64_t until(insp_session *s, const struct clocks *now, uint64_t addr, uint64_t clock)
{
    const int64_t today = clock == REALTIME ? now->realtime : clock == MONOTONIC ? now->monotonic : 0;
    const int64_t moment = addr && today > 0 ? length_at(s, addr, 1) : MDL_TIMEOUT_SOME;

    if (!addr)
        return MDL_TIMEOUT_NONE;
    return moment > today ? moment - today : MDL_TIMEOUT_SOME;
}

/* FUTEX_WAIT alone has a length of time; the others have a moment of a clock. */
static int64_t futex_timeout(insp_session *s, const struct clocks *now, const struct system_call *call)
{
    const int clock = call->arg[1] & FUTEX_OP_REALTIME ? REALTIME : MONOTONIC;

    switch (futex_op(call)) {
    case FUTEX_OP_WAIT:
        return length_at(s, call->arg[3], 1);
    case FUTEX_OP_LOCK_PI:
        return until(s, now, call->arg[3], REALTIME);
    case FUTEX_OP_WAIT_BITSET:
    case FUTEX_OP_LOCK_PI2:
    case FUTEX_OP_WAIT_REQUEUE_PI:
        return until(s, now, call->arg[3], (uint64_t)clock);
    default:
        return MDL_TIMEOUT_NONE;
    }
}

/* struct io_uring_getevents_arg: a mask of signals, its size, and the address of a time. */
static int64_t ring_timeout(insp_session *s, const struct system_call *call)
{
    uint64_t argument[3];

    if (!(call->arg[3] & RING_HAS_TIME))
        return MDL_TIMEOUT_NONE;
    if (call->arg[3] & RING_TIME_ELSEWHERE || still_read(s, call->arg[4], argument, sizeof(argument)))
        return MDL_TIMEOUT_SOME;
    if (argument[2] && call->arg[3] & RING_UNTIL)
        return MDL_TIMEOUT_SOME;
    return length_at(s, argument[2], 1);
}

static int64_t timeout_of(insp_session *s, const struct clocks *now, const struct system_call *call)
{
    const struct system_call_kind *kind = call->kind;
    const uint64_t arg = call->arg[kind->timeout_arg];

    if (system_call_named(call, "futex"))
        return futex_timeout(s, now, call);
    if (system_call_named(call, "io_uring_enter"))
        return ring_timeout(s, call);
    if (system_call_named(call, "clock_nanosleep") && call->arg[1] & SLEEP_UNTIL)
        return call->first_lost ? MDL_TIMEOUT_SOME : until(s, now, call->arg[2], call->arg[0]);
    if (kind->timeout != SYSTEM_CALL_FOR_EVER && !kind->timeout_arg && call->first_lost)
        return MDL_TIMEOUT_SOME;
    switch (kind->timeout) {
    case SYSTEM_CALL_TIMESPEC:
        return length_at(s, arg, 1);
    case SYSTEM_CALL_TIMEVAL:
        return length_at(s, arg, 1000);
    case SYSTEM_CALL_MOMENT:
        return until(s, now, arg, kind->descriptor < 0 ? call->arg[kind->timeout_arg + 1] : REALTIME);
    case SYSTEM_CALL_MILLISECONDS:
        return (int32_t)arg < 0 ? MDL_TIMEOUT_NONE : (int32_t)arg * INT64_C(1000000);
    default:
        return MDL_TIMEOUT_NONE;
    }
}

/* ---- which descriptor ---------------------------------------------------------------- */

/* More of them are not read: there would hardly be one alone. */
enum { DESCRIPTORS_MAX = 16, SET_WORDS = 16, SETS = 3 };

/* poll.h's struct pollfd. */
struct polled {
    int32_t descriptor;
    int16_t wanted, found;
};

/* The only one of poll's list that counts, -1: there are more, or none. */
static int polled_alone(insp_session *s, const struct system_call *call)
{
    struct polled list[DESCRIPTORS_MAX];
    const uint64_t count = call->arg[1];
    int found = -1;

    if (!count || count > DESCRIPTORS_MAX || call->first_lost ||
        still_read(s, call->arg[0], list, count * sizeof(*list)))
        return -1;
    for (uint64_t i = 0; i < count; i++) {
        if (list[i].descriptor < 0 || list[i].descriptor == found)
            continue;
        if (found >= 0)
            return -1;
        found = list[i].descriptor;
    }
    return found;
}

/* The same of select's sets: the first NFDS bits of each. Two sets are two reads, which leaves one for the
   time; of more sets none is read. */
static int selected_alone(insp_session *s, const struct system_call *call)
{
    const uint64_t bits = 64, count = (call->arg[0] + bits - 1) / bits;
    uint64_t all[SET_WORDS] = {0}, set[SET_WORDS];
    int sets = 0, found = -1;

    for (int i = 1; i <= SETS; i++)
        sets += call->arg[i] != 0;
    if (call->first_lost || !count || count > SET_WORDS || sets >= SETS)
        return -1;
    for (int i = 1; i <= SETS; i++) {
        if (call->arg[i] && still_read(s, call->arg[i], set, count * sizeof(*set)))
            return -1;
        for (uint64_t k = 0; call->arg[i] && k < count; k++)
            all[k] |= set[k];
    }
    for (uint64_t i = 0; i < call->arg[0]; i++) {
        if (!(all[i / bits] >> i % bits & 1))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

void call_memory_tell(insp_session *s, struct arena *a, const struct clocks *now,
                      const struct system_call *call, struct mdl_activity *ret)
{
    const char *file = NULL;

    if (!call->kind)
        return;
    ret->timeout_ns = timeout_of(s, now, call);
    if (ret->kind == MDL_ACTIVITY_SLEEP && ret->timeout_ns == MDL_TIMEOUT_NONE)
        ret->timeout_ns = MDL_TIMEOUT_SOME; /* every sleep has an end */
    if (system_call_named(call, "poll") || system_call_named(call, "ppoll"))
        ret->descriptor = polled_alone(s, call);
    else if (system_call_named(call, "select") || system_call_named(call, "pselect6"))
        ret->descriptor = selected_alone(s, call);
    else if (system_call_named(call, "io_uring_enter") && call->arg[3] & RING_IS_REGISTERED)
        ret->descriptor = -1; /* a number of the ring's own list */
    if (ret->descriptor >= 0 && !host_descriptor(s, ret->descriptor, &file))
        ret->file = arena_str(a, file);
}
