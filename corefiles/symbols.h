/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Symbols of the linker.
 */
#ifndef COREFILES_SYMBOLS_H
#define COREFILES_SYMBOLS_H

#include "corefiles/target.h"

struct cf_mod;

int cf_lookup(struct cf_target *t, const char *symbol, const char *module, uint64_t *addr) CF_WARN_UNUSED;
/** A thread-local one: *offset in its module's block. */
int cf_lookup_offset(struct cf_target *t, const char *symbol, const char *module, struct cf_mod **mod,
                     uint64_t *offset) CF_WARN_UNUSED;
/** The linker's name around ADDR; 1 none. NAME lives as long as the target. */
int cf_symbol_at(struct cf_target *t, uint64_t addr, const char **name, uint64_t *offset) CF_WARN_UNUSED;
void cf_symbols_free(struct cf_symbols *symbols);

#endif
