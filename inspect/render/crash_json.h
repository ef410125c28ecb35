/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * process.crash in JSON.
 */
#ifndef INSPECT_CRASH_JSON_H
#define INSPECT_CRASH_JSON_H

#include <jansson.h>

#include "inspect/model/model.h"

/** null where there is no signal, or nobody has asked for it. */
json_t *crash_json(const insp_snapshot *s);

#endif
