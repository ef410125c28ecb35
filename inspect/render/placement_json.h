/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What threads hold and where they run, in JSON.
 */
#ifndef INSPECT_PLACEMENT_JSON_H
#define INSPECT_PLACEMENT_JSON_H

#include "inspect/render/json_put.h"

/** `holds`, `processor` and the like of a thread's row, and what of these cannot be known. */
void put_placement(json_t *o, const struct json_of *of, const struct mdl_thread *t);
json_t *findings_json(const insp_snapshot *s);

#endif
