/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Versions of what a report on a defect depends on.
 */
#ifndef COMMAND_VERSIONS_H
#define COMMAND_VERSIONS_H

#include <jansson.h>

#include "command/cmd.h"

/** An object; null of what cannot be known. DOCUMENT: what insp_record wrote of the process. */
json_t *versions(const struct cmd_args *args, const json_t *document);

#endif
