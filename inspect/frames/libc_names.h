/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Names of libc's functions, which in a static program are all that tells its code from the program's.
 */
#ifndef INSPECT_LIBC_NAMES_H
#define INSPECT_LIBC_NAMES_H

#include <stdbool.h>

/** Whether FUNCTION, the whole name of the linker's symbol, is one of libc's in which a thread is likely to
 * be found. */
bool libc_has(const char *function);

#endif
