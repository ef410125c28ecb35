/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The program's names of the objects that threads wait for outside of OpenMP.
 */
#ifndef INSPECT_OBJECT_NAMES_H
#define INSPECT_OBJECT_NAMES_H

#include "inspect/frames/places.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Names each object once, whoever waits for it. */
void object_names(insp_snapshot *snap, struct places *places);

#ifdef __cplusplus
}
#endif
#endif
