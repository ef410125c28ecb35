/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the readers share.
 */
#ifndef COREFILES_DEBUGINFO_SOURCE_NAME_H
#define COREFILES_DEBUGINFO_SOURCE_NAME_H

/** NAME of a source file as the compiler was given it, as debuggers show it: both libraries put the directory
 *  of the compilation before it. UNIT, DIR: the unit's DW_AT_name and DW_AT_comp_dir, NULL none. */
const char *source_name(const char *unit, const char *dir, const char *name);

#endif
