/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Which ICVs are wanted.
 */
#ifndef INSPECT_ICV_FILTER_H
#define INSPECT_ICV_FILTER_H

#include "inspect/model/model.h"

/** True when the options' filter and scope let ICV pass. */
bool icv_wanted(const struct insp_render_options *options, const struct mdl_icv *icv) INSP_WARN_UNUSED;

#endif
