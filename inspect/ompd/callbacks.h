/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OMPD callback table: libompd's view of the host.
 */
#ifndef INSPECT_CALLBACKS_H
#define INSPECT_CALLBACKS_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

const ompd_callbacks_t *callbacks_table(void);
/**
 * Makes S the session for which the library is called, until callbacks_restore gets what this returned: the
 * callback print_string has no context, so its messages go to the host of the active session, and nowhere
 * when there is none. They nest: a host may use a second session while the first asks it something.
 */
insp_session *callbacks_activate(insp_session *s) INSP_WARN_UNUSED;
void callbacks_restore(insp_session *before);

#ifdef __cplusplus
}
#endif
#endif
