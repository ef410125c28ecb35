/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The compilation unit and the source line at an address.
 */
#ifndef COREFILES_UNITS_H
#define COREFILES_UNITS_H

#include "corefiles/target.h"

struct cf_units;
struct die;

/** The compilation unit whose code is at ADDR; BIAS: address minus that in DWARF. 1 none. */
int cf_unit_at(struct cf_target *t, uint64_t addr, struct die *ret, uint64_t *bias) CF_WARN_UNUSED;
/** Source line of ADDR; FIRST as for unit_line. FILE lives as long as the target. 1 none. */
int cf_line_at(struct cf_target *t, uint64_t addr, bool first, const char **file, int *line) CF_WARN_UNUSED;
/** As unit_own_line. FILE lives as long as the target. 1 none. */
int cf_own_line(struct cf_target *t, uint64_t start, uint64_t addr, const char *in, const char **file,
                int *line) CF_WARN_UNUSED;
void cf_units_free(struct cf_units *units);

#endif
