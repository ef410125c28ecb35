/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A snapshot of a document that is read already: a recorded one, or a whole report.
 */
#ifndef INSPECT_LOAD_H
#define INSPECT_LOAD_H

#include <jansson.h>

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** NULL with *error, insp_string_free, for whatever is neither. */
insp_snapshot *load_json(const json_t *root, char **error);

#ifdef __cplusplus
}
#endif
#endif
