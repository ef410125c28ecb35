/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * JSON, schema 1.
 */
#ifndef INSPECT_JSON_H
#define INSPECT_JSON_H

#include <jansson.h>

#include "inspect/model/model.h"

/** One document. NULL out of memory. */
char *render_json(const insp_snapshot *snap, const struct insp_render_options *options) INSP_WARN_UNUSED;
/** The same, for a printer that adds to it. */
json_t *json_document(const insp_snapshot *snap, const struct insp_render_options *options) INSP_WARN_UNUSED;

#endif
