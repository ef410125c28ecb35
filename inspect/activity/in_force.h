/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Is a system call that waits still in force? A thread that the kernel has let go stands behind the same
 * instruction with the same arguments until it gets a processor; its result, and the word that the call looks
 * at, tell the two apart.
 */
#ifndef INSPECT_IN_FORCE_H
#define INSPECT_IN_FORCE_H

#include "inspect/activity/system_call.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of a futex call that waits: what the word in memory says. */
enum futex_word {
    FUTEX_WORD_UNKNOWN, /**< it cannot be read, or the call is none that waits for a word */
    FUTEX_WORD_WAITS,   /**< it is what the call waits behind: the kernel would let it sleep again */
    FUTEX_WORD_CHANGED  /**< it is not: the call returns at once, or as soon as it is begun anew */
};
/** FUTEX_WAIT and FUTEX_WAIT_BITSET, futex_wait, futex_waitv: the word is the value, of a vector every one.
 *  FUTEX_LOCK_PI: a thread is in it. FUTEX_WAIT_REQUEUE_PI: either, of its first or second word. One read for
 *  each word. */
enum futex_word futex_word_of(insp_session *s, const struct system_call *call);

/** 1: the thread LWP is asleep in a call that is in force, 0: it is not, -1: that cannot be known. */
int call_in_force(insp_session *s, int64_t lwp);

#ifdef __cplusplus
}
#endif
#endif
