/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Types of DWARF, as far as a place in a variable needs a name.
 */
#ifndef COREFILES_TYPEPATH_H
#define COREFILES_TYPEPATH_H

#include "internal.h"

/** What stands at the end of a path. */
struct cf_part {
    const char *type_name; /**< NULL: it has none */
    bool lock;             /**< an OpenMP lock */
    bool element;          /**< of an array */
};

bool cf_type_of(Dwarf_Die *die, Dwarf_Die *ret);
/** 0: unknown. */
uint64_t cf_type_size(Dwarf_Die *type);
/** Writes ".member[index]..." of OFFSET in a variable of this type. 1: nothing begins there. */
int cf_type_path(Dwarf_Die *variable_type, bool fortran, uint64_t offset, FILE *out, struct cf_part *ret);

#endif
