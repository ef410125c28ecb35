/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where a thread's stack begins and ends. Nothing of glibc's layout is taken for granted.
 */
#ifndef INSPECT_STACK_BOUNDS_H
#define INSPECT_STACK_BOUNDS_H

#include "inspect/model/model.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stack_bounds {
    uint64_t low, high; /**< what may be used */
    uint64_t guard;     /**< the guard pages are [guard, low); low: there are none, or they are not known */
    bool exact;         /**< the thread's descriptor says so; else it is the mapping, which may be larger */
    bool initial;       /**< of the first thread: the kernel makes it grow */
};

/** False: not known. */
bool stack_bounds_of(insp_session *s, const insp_snapshot *snap, const struct mdl_thread *t,
                     struct stack_bounds *ret);

/** The thread in whose guard pages ADDR is, NULL none. *ret: its bounds. */
const struct mdl_thread *stack_guard_at(insp_session *s, const insp_snapshot *snap, uint64_t addr,
                                        struct stack_bounds *ret);

#ifdef __cplusplus
}
#endif
#endif
