/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The first signal, where a handler of the program's has raised it again: the kernel has put what it knows of
 * it on the thread's stack. (gfortran's runtime has such a handler for all fatal signals.)
 */
#ifndef INSPECT_SIGNAL_FRAME_H
#define INSPECT_SIGNAL_FRAME_H

#include "inspect/model/model.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

struct signal_frame {
    int code;
    uint64_t address;
    uint64_t pc, sp; /**< of the code that the signal has interrupted */
};

/** Do signal handlers return to PC? */
bool signal_frame_ends_handler(insp_session *s, uint64_t pc);
/** False: T neither is in a handler of SIGNAL that the kernel has called for a fault, nor has just left
 *  one. */
bool signal_frame_find(insp_session *s, const struct mdl_thread *t, int signal, struct signal_frame *ret);

#ifdef __cplusplus
}
#endif
#endif
