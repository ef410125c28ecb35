/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The fingerprint (fingerprint.h) of a runtime in the target, whose exported functions are found through
 * its dynamic section. A core often lacks both the section's tables and the code: then there is none.
 */
#ifndef OMPD_CODE_PRINT_H
#define OMPD_CODE_PRINT_H

#include "providers/fingerprint.h"
#include "target.h"

/**
 * The text of MODULE's fingerprint, and which family it is of by what it exports. Codes: ok; unavailable:
 * it is no OpenMP runtime, or what is needed cannot be read; nomem.
 */
WARN_UNUSED ompd_rc_t code_print(const struct tgt *tgt, const ompdx_module_t *module,
                                 char ret[FINGERPRINT_TEXT], const char **family);

#endif
