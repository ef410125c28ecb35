/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Types by name, as the source writes them.
 */
#ifndef COREFILES_TYPE_TEXT_H
#define COREFILES_TYPE_TEXT_H

#include "corefiles/target.h"

struct die;

/** "const char *", "double [100]", "struct {...}", "real(kind=8) (:)"; malloc'ed. NULL out of memory. */
char *cf_type_text(const struct die *type);
/** The type without typedef, const and the like. False: it is void, or damaged. */
bool cf_type_plain(const struct die *type, struct die *ret);
/** Whether it is of a unit in Fortran. */
bool cf_type_is_fortran(const struct die *type);

#endif
