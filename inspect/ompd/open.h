/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sessions, and the contexts in them: one for each runtime that the OMPD library has opened.
 */
#ifndef INSPECT_OPEN_H
#define INSPECT_OPEN_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The context of MODULE, opened if need be. Negative with a malloc'ed reason in *why; 1: it has not started
 *  yet, as the library says of a runtime without our note. */
int insp_session_context(insp_session *s, const struct insp_known_module *module,
                         ompd_address_space_context_t **ret, char **why) INSP_WARN_UNUSED;
/** Forgets the contexts whose module the last scan did not see. */
void insp_session_prune(insp_session *s);
/** Closes one context, so that the next insp_take opens it afresh. */
void insp_session_drop(insp_session *s, uint64_t base);

#ifdef __cplusplus
}
#endif
#endif
