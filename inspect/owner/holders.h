/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Who holds the mutexes of which the runtime does not record it: the threads whose code is between taking and
 * giving back.
 */
#ifndef INSPECT_OWNER_HOLDERS_H
#define INSPECT_OWNER_HOLDERS_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Fills the owner, or the candidates, of each wait for a mutex that has none. Of a critical region it is a
 * fact where exactly one thread is inside on all ways through its code; a lock may be given back anywhere, so
 * its owner is at most probable.
 */
void holders_find(insp_session *session, insp_snapshot *snap);

#ifdef __cplusplus
}
#endif
#endif
