/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where in the user's source a construct is, and a call of the runtime.
 */
#ifndef INSPECT_CONSTRUCT_H
#define INSPECT_CONSTRUCT_H

#include "inspect/frames/places.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The place of a construct: SOURCE (the address of clang's ident string) is the best witness, then the line
 * of its function FUNCTION, then that of the call that returns to CODEPTR. Each may be 0. */
void construct_place(struct places *p, uint64_t function, uint64_t codeptr, uint64_t source,
                     struct mdl_place *ret);
/** The place of the call that returns to CODEPTR; nothing when it was a jump. */
void construct_call(struct places *p, uint64_t codeptr, struct mdl_place *ret);
/** Whether a call of the user's that returns to CODEPTR was a jump: one that is the last of its function is
 * in optimised code, and when that function is the body of a construct, the call returns to the runtime, at
 * no line of the user's. */
bool construct_is_jump(struct places *p, uint64_t codeptr);
/** Whether the code at ADDR is the body of a construct that does not say whose it is. */
bool construct_is_nameless(struct places *p, uint64_t addr);

#ifdef __cplusplus
}
#endif
#endif
