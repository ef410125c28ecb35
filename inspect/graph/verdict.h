/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From the wait-for graph to the verdict.
 */
#ifndef INSPECT_VERDICT_H
#define INSPECT_VERDICT_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sets the verdict's kind and sentence. */
void verdict_give(insp_snapshot *snapshot, enum insp_verdict_kind kind, const char *sentence);
/** Fills snap->edges and snap->verdict from the rest of the snapshot. */
void verdict_make(insp_snapshot *snap);

#ifdef __cplusplus
}
#endif
#endif
