/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Finds a stock OpenMP runtime that is linked into the program statically, by texts that only that runtime
 * has: they are there in a stripped program too. Such a runtime is named and not explained, because where its
 * structures and functions lie in the program is not known.
 */
#ifndef INSPECT_EMBEDDED_H
#define INSPECT_EMBEDDED_H

#include "inspect/target/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Looks through the read-only memory of the process' program, once for each program. EXE: its path, NULL not
 * known. *RET is the program, and its `embedded` says what was found; NULL: no file is the program.
 */
void embedded_look(insp_session *s, const char *exe, const struct insp_known_module **ret);
/** "libgomp" or "libomp". */
const char *embedded_name(enum insp_embedded embedded);

#ifdef __cplusplus
}
#endif
#endif
