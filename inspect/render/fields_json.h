/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The objects of fields.def in JSON.
 */
#ifndef INSPECT_FIELDS_JSON_H
#define INSPECT_FIELDS_JSON_H

#include "inspect/model/fields.h"
#include "inspect/render/json_put.h"

/** An object: what fields.def has of it, and the structure at ROW. */
json_t *object_json(const struct json_of *of, enum mdl_row object, const void *row);
/** The list that FIELD is in the structure at ROW. */
json_t *list_json(const struct json_of *of, const struct mdl_field *field, const void *row);

#endif
