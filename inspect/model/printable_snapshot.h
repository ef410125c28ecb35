/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A snapshot as it may be shown: printable.h for all of its strings at once.
 */
#ifndef INSPECT_PRINTABLE_SNAPSHOT_H
#define INSPECT_PRINTABLE_SNAPSHOT_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The snapshot to print: S itself, or a copy in A (with S's numbers) in which each string may be shown. NULL
 *  out of memory. */
const insp_snapshot *printable_snapshot(struct arena *a, const insp_snapshot *s) INSP_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
