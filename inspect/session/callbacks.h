/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OMPD callback table: libompd's view of the host.
 */
#ifndef INSPECT_CALLBACKS_H
#define INSPECT_CALLBACKS_H

#include "inspect/session/session.h"

const ompd_callbacks_t *callbacks_table(void);
/** print_string has no context: messages go to the host of this session (NULL: nowhere). */
void callbacks_set_speaker(insp_session *s);

#endif
