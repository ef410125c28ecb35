/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Control variables as text, for icv.c and display.c.
 */
#ifndef OMPD_ICV_H
#define OMPD_ICV_H

#include "api/api.h"
#include "text.h"

/** Adds the value as the ICV's environment variable would be spelled. */
void icv_text(enum rtm_icv icv, const struct rtm_icv_value *value, struct text *text);

#endif
