/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a thread wants of the kernel: from the registers at a stop to the call, and whether it sleeps in it.
 */
#ifndef INSPECT_SYSTEM_CALL_H
#define INSPECT_SYSTEM_CALL_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a call is told how long it may take. */
enum system_call_timeout {
    SYSTEM_CALL_FOR_EVER,
    SYSTEM_CALL_MILLISECONDS, /**< an int; a negative one is for ever */
    SYSTEM_CALL_TIMESPEC,     /**< a pointer to a length of time; NULL is for ever */
    SYSTEM_CALL_TIMEVAL,
    SYSTEM_CALL_MOMENT /**< a pointer to when it ends; NULL is never */
};

/** A call of the kernel that waits. */
struct system_call_kind {
    const char *name;
    int x86_64, aarch64; /**< numbers; -1: there is none */
    enum mdl_activity_kind kind;
    int descriptor; /**< which argument is the descriptor that it waits for, -1 none */
    enum system_call_timeout timeout;
    int timeout_arg;
    bool interrupted; /**< a stop ends it with EINTR, and the kernel does not begin it again */
};

/** The call of one stopped thread. */
struct system_call {
    bool known;  /**< whether it is in one */
    bool inside; /**< it is: until the stop it slept there, or worked in the kernel */
    bool left;   /**< it had just come out of one: number and arguments are of that */
    int machine;
    int64_t number;
    uint64_t arg[6];
    bool first_lost; /**< aarch64 has the result where the first argument was, which is not known then */
    const struct system_call_kind *kind; /**< NULL: of a number that is not in the table */
};

/** Asks the host about a thread. */
void system_call_of(insp_session *s, int64_t lwp, struct system_call *ret);
/** Is it restart_syscall, which goes on with a call that a stop has interrupted? */
bool system_call_goes_on(const struct system_call *call);
/** After that: the call is the one NAME; false: there is no such call, nothing is changed. */
bool system_call_is(struct system_call *call, const char *name);
/** The same by the instructions before PC, which load the number of the call: one read. */
bool system_call_by_code(insp_session *s, struct system_call *call, uint64_t pc);
/** The kernel's name of it: "read"; "system call 318" in A for one that is not in the table. */
const char *system_call_name(const struct system_call *call, struct arena *a);
/** Is it the call of that name? */
bool system_call_named(const struct system_call *call, const char *name);
/** What the call's arguments alone say: kind, descriptor, child, and the address of a futex. */
void system_call_tell(const struct system_call *call, struct mdl_activity *ret);

/** Operations of the futex call, from linux/futex.h; flags are or-ed to them. */
enum {
    FUTEX_OP_WAIT = 0,
    FUTEX_OP_LOCK_PI = 6,
    FUTEX_OP_WAIT_BITSET = 9,
    FUTEX_OP_WAIT_REQUEUE_PI = 11,
    FUTEX_OP_LOCK_PI2 = 13,
    FUTEX_OP_PRIVATE = 128,
    FUTEX_OP_REALTIME = 256,
    FUTEX_OP_MASK = 127
};
/** Parts of a futex call. */
int futex_op(const struct system_call *call);
bool futex_is_private(const struct system_call *call);
/** FUTEX_WAIT of a lock as lll_lock of glibc has it: on the value 2, without a time. */
bool futex_is_plain_lock(const struct system_call *call);
/** FUTEX_LOCK_PI and FUTEX_LOCK_PI2: the kernel knows the owner. */
bool futex_is_pi(const struct system_call *call);

#ifdef __cplusplus
}
#endif
#endif
