/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What is made once for each image, while it is sound, and kept as long as the library stays initialised: an
 * address space, handles to things in it, and what is known to be true. It makes an execution cheap, and the
 * handles are those that go stale under damage.
 */
#ifndef OMPD_FUZZ_SESSION_H
#define OMPD_FUZZ_SESSION_H

#include "ompd/fuzz/call.h"

struct session {
    struct mem *mem;
    ompd_address_space_handle_t *aspace;
    ompd_thread_handle_t *thread[REGISTERS];
    ompd_parallel_handle_t *parallel[REGISTERS];
    ompd_task_handle_t *task[REGISTERS];
    uint64_t pthread[8], tid[8];
    ompd_word_t state;
    int threads;
};

/**
 * Starts an execution on image number IMAGE (of those there are); HOW 1, 2, 3 modulo 32: for an older API
 * version.
 */
void session_begin(struct calls *calls, unsigned image, uint8_t how);
/** Ends it: everything is given back and healed; nothing may be left, and the API must answer as before. */
void session_end(struct calls *calls);
/** ompd_finalize and ompd_initialize; then the target is whole and the registers are as at the beginning. */
ompd_rc_t session_restart(struct calls *calls);

const struct session *session_of(const struct mem *mem);
/** A native thread id of the sound image. */
uint64_t session_native(const struct mem *mem, unsigned i, bool lwp);
/** The scope of a control variable, by its number. */
ompd_scope_t session_scope(unsigned icv);

/** A release of a handle that the library gave must be ok. */
void call_must(ompd_rc_t rc, unsigned function);
/* Put a new handle into a register; what was there is released, unless it is the session's. */
void call_put_thread(struct calls *c, unsigned i, ompd_thread_handle_t *handle);
void call_put_parallel(struct calls *c, unsigned i, ompd_parallel_handle_t *handle);
void call_put_task(struct calls *c, unsigned i, ompd_task_handle_t *handle);

#endif
