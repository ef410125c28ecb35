/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Versions of what a report on a defect depends on.
 */
#ifndef COREFILES_COMMAND_VERSIONS_H
#define COREFILES_COMMAND_VERSIONS_H

#include <jansson.h>

#include "cmd.h"

/** An object; null of what cannot be known. DOCUMENT: what insp_record wrote of the process. */
json_t *versions(const struct cmd_args *args, const json_t *document);

#endif
