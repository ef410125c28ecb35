/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Types of DWARF, as inspect/host.h wants them.
 */
#ifndef COREFILES_TYPES_H
#define COREFILES_TYPES_H

#include "corefiles/target.h"

struct die;

/** Bytes of an object; 0: unknown. */
uint64_t cf_type_size(const struct die *type);
/** The number by which inspect knows a type; 0 out of memory. */
uint64_t cf_type_number(struct cf_target *t, const struct die *type);
int cf_host_type(struct cf_target *t, uint64_t type, struct insp_type *ret) CF_WARN_UNUSED;
int cf_host_field(struct cf_target *t, uint64_t type, uint32_t index, struct insp_field *ret) CF_WARN_UNUSED;
int cf_host_array(struct cf_target *t, uint64_t type, uint64_t addr, struct insp_type *ret,
                  uint64_t *start) CF_WARN_UNUSED;
void cf_types_free(struct cf_types *types);

#endif
