/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What threads hold and where they run, in JSON.
 */
#ifndef INSPECT_PLACEMENT_JSON_H
#define INSPECT_PLACEMENT_JSON_H

#include <jansson.h>

#include "inspect/model/model.h"

/** `holds`, `processor` and the like of a thread's row, and what of these cannot be known. */
void put_placement(json_t *o, const insp_snapshot *s, const struct mdl_thread *t);
json_t *findings_json(const insp_snapshot *s);

#endif
