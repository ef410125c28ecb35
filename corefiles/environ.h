/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The environment of a live process.
 */
#ifndef COREFILES_ENVIRON_H
#define COREFILES_ENVIRON_H

#include "corefiles/target.h"

/** Copies it, as far as it is not too large, before the process goes on: libc's `environ`, its list and its
 *  strings. */
void cf_environ_keep(struct cf_target *t);

#endif
