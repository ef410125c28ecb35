/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which calls of an OpenMP runtime take a mutex, and which give it back.
 */
#ifndef INSPECT_OWNER_CALLS_H
#define INSPECT_OWNER_CALLS_H

#include "inspect/base/hash.h"
#include "inspect/model/kinds.h"
#include "inspect/owner/flow.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What has been found out of addresses that are called. {.session, .known.arena} to begin with. */
struct calls {
    insp_session *session;
    struct hash known; /**< address -> row of the table + 1; 0 none of them */
};

/** The kind of what guards the initialiser of a static variable in a function (Itanium C++ ABI, 3.3.3). */
#define CALLS_GUARD MDL_WAIT_NONE

/** What a call of the function at TARGET, or of its entry in a linkage table, does to the MUTEX of that
 *  kind. */
struct flow_call calls_effect(struct calls *c, uint64_t target, enum mdl_wait_kind kind, uint64_t mutex);

#ifdef __cplusplus
}
#endif
#endif
