/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A recorded snapshot without anything that the program or its user has named.
 */
#ifndef COMMAND_HARMLESS_H
#define COMMAND_HARMLESS_H

#include <jansson.h>

#include "own_text.h"

/**
 * What is left of DOCUMENT, of insp_record: what a list of keys allows, and constant texts of ompd's own.
 * Every other text is "text N", every address a number of its own, the same for the same; other numbers, and
 * loops, are left out. It is a recorded snapshot again, and its verdict's sentence is made of what it has.
 * NULL: out of memory.
 */
json_t *harmless(const json_t *document, const struct own_text *own);

#endif
