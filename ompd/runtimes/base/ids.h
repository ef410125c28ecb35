/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A list of ids as the tool gets it.
 */
#ifndef OMPD_IDS_H
#define OMPD_IDS_H

#include "handles.h"

/** Each key of FOUND once, in order: *ret is tgt_alloc memory, NULL if *count is 0. FOUND is sorted by it. */
WARN_UNUSED ompd_rc_t ids_of(struct index *found, uint64_t **ret, int *count);

#endif
