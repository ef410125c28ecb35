/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a shared library is, by its name: the one list of libraries and of system folders.
 */
#ifndef INSPECT_LIBRARY_H
#define INSPECT_LIBRARY_H

#include <stdbool.h>

#include "inspect/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whose code the library NAME holds: a file name without folders, or a DT_SONAME. INSP_CODE_UNKNOWN: not in
 * the list. */
enum insp_code library_code(const char *name);
/** True for "libx.so", "libx.so.1.2" and the like. */
bool library_named(const char *name);
/** Whether PATH is below a folder in which the system keeps its libraries: /usr/lib, but not /usr/local/lib.
 */
bool library_of_system(const char *path);

#ifdef __cplusplus
}
#endif
#endif
