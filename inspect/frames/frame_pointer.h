/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One step of a stack by the frame pointer, in code that is built with frame pointers and whose unwind table
 * is not at hand: Companion, where its file is missing.
 */
#ifndef INSPECT_FRAME_POINTER_H
#define INSPECT_FRAME_POINTER_H

#include "inspect/base/mem.h"
#include "inspect/base/call_target.h"
#include "inspect/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Registers of x86-64 that a walk by frame pointers needs. */
struct frame_step {
    uint64_t pc, sp, fp;
};

/**
 * The caller of FRAME, whose pc lies in [FROM, TO), by the memory that READ reads; false when the frame
 * pointer cannot be one. NEWEST: the thread was interrupted at its pc; else pc is a return address. X86: of
 * x86-64.
 *
 * At its beginning and at its end a function has no frame of its own, and at times in between (gcc's
 * -fshrink- wrap). Then the frame pointer is the caller's, and to follow it would leave the caller out. The
 * bytes at the pc tell that where they are at hand; else a return address at the top of the stack, if the
 * call before it goes to a function that begins shortly before the pc. A call through a register tells
 * nothing.
 */
bool frame_pointer_step(insp_read *read, void *ctx, uint64_t from, uint64_t to, bool newest, bool x86,
                        struct frame_step *frame) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
