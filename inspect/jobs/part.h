/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Jobs as they are written by jobs_json, and read again.
 */
#ifndef INSPECT_PART_H
#define INSPECT_PART_H

#include <stdbool.h>

#include "inspect/base/doc.h"
#include "inspect/jobs/merge.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The member `keys` of a state. */
void part_put_keys(json_t *object, const struct kept_state *kept);
/** The members by which a job is known. */
void part_put_name(json_t *object, const struct section *section);
/** The list `failed`. */
json_t *part_failed(const struct jobs *j);

/** Adds what ROOT says. False: it is no such document. */
bool part_add(struct jobs *j, const struct doc *root);

#ifdef __cplusplus
}
#endif
#endif
