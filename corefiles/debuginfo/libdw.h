/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Only in the reader that uses libdw: the debug information of a file that libdwfl has opened.
 */
#ifndef COREFILES_DEBUGINFO_LIBDW_H
#define COREFILES_DEBUGINFO_LIBDW_H

#include <elfutils/libdw.h>

#include "corefiles/debuginfo/debuginfo.h"

/** Reads DWARF, which stays the caller's. ALT as for debuginfo_open. libdw calls NO_MEMORY when memory runs
 *  out; it must not return. NULL stands for libdw's own, which ends the process. Returns NULL: no memory. */
struct debuginfo *debuginfo_of_libdw(Dwarf *dwarf, struct debuginfo *alt,
                                     void (*no_memory)(void) __attribute__((noreturn))) DEBUGINFO_WARN_UNUSED;

#endif
