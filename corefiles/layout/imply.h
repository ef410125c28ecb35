/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Members that the code does not show, but that lie between such as it does: how a member lies behind the one
 * before it is the same in all versions (ompd/providers/gomp.def, kmp.def).
 */
#ifndef COREFILES_LAYOUT_IMPLY_H
#define COREFILES_LAYOUT_IMPLY_H

#include "corefiles/layout/decode.h"

/**
 * Adds to FACTS, of which *COUNT are filled, what follows of the members of libomp if KMP, else of libgomp.
 * false: they contradict each other.
 */
bool ly_imply(bool kmp, struct ly_fact facts[LY_FACTS_MAX], size_t *count) LY_WARN_UNUSED;

/** The fact of that name that is known, NULL. */
const struct ly_fact *ly_fact(const struct ly_fact *facts, size_t count, const char *name);
/** The same, though contested. */
const struct ly_fact *ly_named(const struct ly_fact *facts, size_t count, const char *name);

#endif
