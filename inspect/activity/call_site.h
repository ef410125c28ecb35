/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which function a call instruction calls. glibc's exported functions jump to local ones, which have no
 * name without its debug symbols: sem_wait and pthread_join leave no frame. Their caller still says what it
 * called.
 */
#ifndef INSPECT_CALL_SITE_H
#define INSPECT_CALL_SITE_H

#include "inspect/base/hash.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Each call is looked at once. Code and slots are read by pages, which the calls near by share. */
struct call_sites {
    struct arena *arena;
    struct hash by_address; /**< the symbol that is called; the address of "" where that is not known */
};

/** The linker's symbol of the function of libc's that the call before the return address PC calls, directly,
 * by the procedure linkage table or by the global offset table of x86-64. NULL: it is none of those. */
const char *call_site_symbol(insp_session *s, struct call_sites *known, uint64_t pc);

#ifdef __cplusplus
}
#endif
#endif
