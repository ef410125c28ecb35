/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What holds between the entries of any row of a family: its structures are declared in C, and the parts
 * that are read here stand in one order in all versions that are known. A row in which one offset is wrong
 * does not keep to that.
 */
#ifndef OMPD_ROW_RULES_H
#define OMPD_ROW_RULES_H

#include "layout.h"

/** The id of an entry of LAY that contradicts the others, 0: none does. */
unsigned row_contradiction(const struct lay *lay);

#endif
