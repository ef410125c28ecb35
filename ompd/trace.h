/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The call trace (ompdx_trace).
 *
 * Each function of the API begins with TRACED, which names the call and its arguments. While the trace is on,
 * it makes that call once more, this time untraced, and prints a line about it. While the trace is off, it
 * costs one load and a branch that is not taken. ompd/conformance/check_trace.c checks that no function lacks
 * it.
 *
 * While the trace is on, the tool's callbacks are replaced by functions that count.
 */
#ifndef OMPD_TRACE_H
#define OMPD_TRACE_H

#include "target.h"

/** How an argument is shown. OUT: what it points to, after a call that was ok. */
enum trace_kind {
    TRACE_END,
    TRACE_POINTER,
    TRACE_NUMBER,
    TRACE_OUT_INT,
    TRACE_OUT_WORD,
    TRACE_OUT_HEX,
    TRACE_OUT_STRING,
    TRACE_OUT_ADDRESS
};
struct trace_argument {
    const char *name;
    enum trace_kind kind;
    uint64_t value; /**< or the pointer */
};

/** TRACE_INSIDE: on, and a traced call is under way; what it calls of the API is part of it. */
enum trace_state { TRACE_OFF, TRACE_ON, TRACE_INSIDE };
extern enum trace_state trace_state;

/** Before a traced call: resets the counts. */
void trace_enter(void);
/** After it: prints the line. ARGUMENTS end with a TRACE_END. */
void trace_leave(const char *function, const struct trace_argument *arguments, ompd_rc_t rc);

/** An argument for TRACED: a trace_kind without its prefix, and the parameter. */
#define ARG(kind, name) ((struct trace_argument){#name, TRACE_##kind, (uint64_t)(uintptr_t)(name)})
/** What stands in TRACED for the arguments of a function that has none. */
#define NO_ARG ((struct trace_argument){NULL, TRACE_END, 0})

/** The first line of an API function: TRACED(function(arguments), ARG(kind, argument)...). */
#define TRACED(call, ...)                                                 \
    do {                                                                  \
        if (__builtin_expect(trace_state == TRACE_ON, 0)) {               \
            const struct trace_argument traced[] = {__VA_ARGS__, NO_ARG}; \
            trace_enter();                                                \
            const ompd_rc_t traced_rc = call;                             \
            trace_leave(__func__, traced, traced_rc);                     \
            return traced_rc;                                             \
        }                                                                 \
    } while (0)

#endif
