/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Values of the program as text for people. Nothing of the program is executed: what a class prints of itself
 * by its own code is shown as its members.
 */
#ifndef COREFILES_VALUE_H
#define COREFILES_VALUE_H

#include "corefiles/eval.h"

struct die;

/** Elements and members that are shown of each array and structure, when nobody says otherwise; and at
 *  most. */
enum { CF_ELEMENTS = 8, CF_ELEMENTS_MAX = 200 };

/**
 * The value of TYPE at PLACE, one line, malloc'ed: "3", "0x55d0 \"text\"", "{n = 7, next = 0x0}". ELEMENTS:
 * how many are shown of an array or structure, and a bound for all else. A part that cannot be read says so
 * in its place. CONTEXT: of the frame, for arrays whose length is a variable's. NULL out of memory.
 */
char *cf_value_text(const struct cf_eval_context *context, const struct die *type,
                    const struct cf_location *place, uint32_t elements);

#endif
