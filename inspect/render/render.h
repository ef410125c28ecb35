/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the text and the JSON printer share.
 */
#ifndef INSPECT_RENDER_H
#define INSPECT_RENDER_H

#include "inspect/model/model.h"

/** True when the options' filter and scope let ICV pass. */
bool render_icv_wanted(const struct insp_render_options *options, const struct mdl_icv *icv);
/** Schema 1. NULL out of memory. */
char *render_json(const insp_snapshot *snap, const struct insp_render_options *options);

#endif
