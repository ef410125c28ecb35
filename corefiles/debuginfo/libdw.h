/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Only of the reader that uses libdw: the debug information of a file that libdwfl has opened.
 */
#ifndef COREFILES_DEBUGINFO_LIBDW_H
#define COREFILES_DEBUGINFO_LIBDW_H

#include <elfutils/libdw.h>

#include "corefiles/debuginfo/debuginfo.h"

/** Reads DWARF, which stays the caller's. ALT as for debuginfo_open. NO_MEMORY, which does not return, is
 *  called when there is no more memory; NULL: libdw's own, which ends the process. NULL: out of memory. */
struct debuginfo *debuginfo_of_libdw(Dwarf *dwarf, struct debuginfo *alt,
                                     void (*no_memory)(void) __attribute__((noreturn))) DEBUGINFO_WARN_UNUSED;

#endif
