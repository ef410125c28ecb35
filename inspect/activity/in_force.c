/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/in_force.h"

#include <string.h>

#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

/* The word of a priority-inheriting futex, below its two flags: linux/futex.h. */
#define FUTEX_OWNER UINT32_C(0x3fffffff)

/* linux/futex.h: struct futex_waitv, and how many of them one call may have. */
struct waitv {
    uint64_t value, address;
    uint32_t flags, reserved;
};
enum { WAITV_MAX = 128 };

static enum futex_word word_is(insp_session *s, uint64_t address, uint32_t value)
{
    uint32_t word;

    if (still_read(s, address, &word, sizeof(word)))
        return FUTEX_WORD_UNKNOWN;
    return word == value ? FUTEX_WORD_WAITS : FUTEX_WORD_CHANGED;
}

static enum futex_word word_is_owned(insp_session *s, uint64_t address)
{
    uint32_t word;

    if (still_read(s, address, &word, sizeof(word)))
        return FUTEX_WORD_UNKNOWN;
    return word & FUTEX_OWNER ? FUTEX_WORD_WAITS : FUTEX_WORD_CHANGED;
}

/* What is not known counts as such only where no other word has changed. */
static enum futex_word vector_is(insp_session *s, uint64_t address, uint64_t count)
{
    enum futex_word all = FUTEX_WORD_WAITS;
    struct waitv one;

    if (!count || count > WAITV_MAX)
        return FUTEX_WORD_UNKNOWN;
    for (uint64_t i = 0; i < count; i++) {
        enum futex_word word = FUTEX_WORD_UNKNOWN;

        if (!still_read(s, address + i * sizeof(one), &one, sizeof(one)))
            word = word_is(s, one.address, (uint32_t)one.value);
        if (word == FUTEX_WORD_CHANGED)
            return word;
        all = word == FUTEX_WORD_UNKNOWN ? word : all;
    }
    return all;
}

enum futex_word futex_word_of(insp_session *s, const struct system_call *call)
{
    enum futex_word word;

    if (call->first_lost)
        return FUTEX_WORD_UNKNOWN;
    if (system_call_named(call, "futex_waitv"))
        return vector_is(s, call->arg[0], call->arg[1]);
    if (system_call_named(call, "futex_wait"))
        return word_is(s, call->arg[0], (uint32_t)call->arg[1]);
    if (!system_call_named(call, "futex"))
        return FUTEX_WORD_UNKNOWN;
    switch (futex_op(call)) {
    case FUTEX_OP_WAIT:
    case FUTEX_OP_WAIT_BITSET:
        return word_is(s, call->arg[0], (uint32_t)call->arg[2]);
    case FUTEX_OP_LOCK_PI:
    case FUTEX_OP_LOCK_PI2:
        return word_is_owned(s, call->arg[0]);
    case FUTEX_OP_WAIT_REQUEUE_PI:
        word = word_is(s, call->arg[0], (uint32_t)call->arg[2]);
        return word == FUTEX_WORD_CHANGED ? word_is_owned(s, call->arg[4]) : word;
    default:
        return FUTEX_WORD_UNKNOWN;
    }
}

/* Where nobody says whether a thread is in a call: one that sleeps stands behind `syscall` (x86-64) or
   `svc #0` (aarch64). One that was let go does, too. */
static int behind_call(insp_session *s, int64_t lwp)
{
    enum { DWARF_X86_64_RIP = 16 };
    static const uint8_t syscall[] = {0x0f, 0x05}, svc[] = {0x01, 0x00, 0x00, 0xd4};
    struct insp_frame frame;
    uint8_t code[4];
    uint64_t pc = 0;

    if (!host_frame(s, lwp, 0, &frame))
        pc = frame.pc;
    else if (host_reg(s, lwp, DWARF_X86_64_RIP, &pc))
        return -1;
    if (pc < sizeof(code) || host_read(s, pc - sizeof(code), code, sizeof(code)))
        return -1;
    return !memcmp(code + 2, syscall, sizeof(syscall)) || !memcmp(code, svc, sizeof(svc));
}

int call_in_force(insp_session *s, int64_t lwp)
{
    struct system_call call;

    system_call_of(s, lwp, &call);
    if (!call.known)
        return behind_call(s, lwp);
    return call.inside && futex_word_of(s, &call) != FUTEX_WORD_CHANGED;
}
