/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What each thread holds, where it runs, and what is wrong with that.
 */
#ifndef INSPECT_PLACEMENT_H
#define INSPECT_PLACEMENT_H

#include "inspect/frames/places.h"
#include "inspect/model/model.h"
#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fills holds, processor and allowed of all threads, and findings; after activities. PLACES: for names of
 *  what is held, NULL: none. */
void placement_find(insp_session *s, insp_snapshot *snap, struct places *places);

#ifdef __cplusplus
}
#endif
#endif
