/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Who holds the mutexes of which the runtime does not record it: the threads whose code is between taking and
 * giving back.
 */
#ifndef INSPECT_OWNER_HOLDERS_H
#define INSPECT_OWNER_HOLDERS_H

#include "inspect/frames/places.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Fills the owner, or the candidates, of each wait for a mutex that has none. Of a critical region it is a
 * fact where exactly one thread is inside on all ways through its code, be it one that waits to enter it once
 * more; a lock may be given back anywhere, so its owner is at most probable.
 */
void holders_find(insp_session *session, insp_snapshot *snap, struct places *places);
/**
 * The thread that runs the initialiser of the static variable which the guard at GUARD belongs to, and for
 * which others wait; 0: not known. As the variable was never initialised, whoever is in the function behind
 * where it asks for the guard, and has not given it back, has got it.
 */
int64_t holders_of_guard(insp_session *session, insp_snapshot *snap, uint64_t guard);

#ifdef __cplusplus
}
#endif
#endif
