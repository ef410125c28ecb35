/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Jobs as they are read from a document that jobs_json has written.
 */
#ifndef INSPECT_PART_H
#define INSPECT_PART_H

#include <jansson.h>
#include <stdbool.h>

#include "inspect/jobs/jobs.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Adds what ROOT says. False: it is no such document. */
bool part_add(struct jobs *j, const json_t *root);

#ifdef __cplusplus
}
#endif
#endif
