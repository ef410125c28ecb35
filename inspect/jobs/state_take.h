/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The state of a process, from a snapshot of it.
 */
#ifndef INSPECT_STATE_TAKE_H
#define INSPECT_STATE_TAKE_H

#include <jansson.h>

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of SNAPSHOT, which is made stable (insp_stable). NULL out of memory. */
json_t *state_of(insp_snapshot *snapshot);

#ifdef __cplusplus
}
#endif
#endif
