/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Control variables as text, for ompd_get_icv_string_from_scope and for ompd_get_display_control_vars.
 */
#ifndef OMPD_ICV_TEXT_H
#define OMPD_ICV_TEXT_H

#include "api/api.h"

/**
 * Adds the value as the ICV's environment variable would be spelled. REF and SCOPE as for rtm_ops.icv. Codes:
 * ok; those of rtm_ops.icv. What the text lacks is said by TEXT itself.
 */
WARN_UNUSED ompd_rc_t icv_text(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref,
                               ompd_scope_t scope, struct grown *text);

#endif
