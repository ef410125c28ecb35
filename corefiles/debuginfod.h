/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Callbacks of libdwfl (Dwfl_Callbacks), for modules that cf_belongs_to has linked to ours.
 */
#ifndef COREFILES_DEBUGINFOD_H
#define COREFILES_DEBUGINFOD_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct cf_mod;

/** Has the user named servers? */
bool cf_debuginfod(void);
int cf_find_elf(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, char **file, Elf **elf);
int cf_find_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base, const char *file,
                      const char *link, GElf_Word crc, char **found);
void cf_belongs_to(Dwfl_Module *mod, struct cf_mod *m);

#endif
