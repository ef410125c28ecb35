/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of this folder share: a file, its units, and what libdwarf has for a DIE while one question
 * is answered.
 */
#ifndef COREFILES_DEBUGINFO_LIBDWARF_HANDLE_H
#define COREFILES_DEBUGINFO_LIBDWARF_HANDLE_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stddef.h>

#include "corefiles/debuginfo/debuginfo.h"

#ifdef DW_LIBDWARF_VERSION /* 0.x */
#define INIT(fd, dbg, e) dwarf_init_b(fd, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, e)
#define FINISH(dbg)      (void)dwarf_finish(dbg)
#define FREE_RANGES      dwarf_dealloc_ranges
#define FREE_LOCATIONS   dwarf_dealloc_loc_head_c
#else
#define INIT(fd, dbg, e) dwarf_init_b(fd, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, dbg, e)
#define FINISH(dbg)      (void)dwarf_finish(dbg, &(Dwarf_Error){NULL})
#define FREE_RANGES      dwarf_ranges_dealloc
#define FREE_LOCATIONS   dwarf_loc_head_c_dealloc
#endif

/** A record of a line table. */
struct line {
    uint64_t addr;
    uint32_t file, number, index;
    bool end; /**< end_sequence: the first address after its code */
    bool statement;
};

struct unit {
    uint64_t root; /**< as in struct die */
    uint64_t next; /**< where the next begins */
    Dwarf_Half version;
    Dwarf_Sig8 signature; /**< of a type unit */
    uint64_t type;        /**< its type, as in struct die; 0: it is no type unit */

    bool files_tried, lines_tried;
    char **files;
    Dwarf_Signed file_count;
    struct line *lines; /**< sorted */
    Dwarf_Signed line_count;
};

struct debuginfo {
    Dwarf_Debug dbg;
    struct debuginfo *alt;
    struct unit *units; /**< sorted by root: those of .debug_types come last */
    size_t count;
};

/** What libdwarf has for a DIE and one of its attributes. */
struct handle {
    struct debuginfo *of;
    Dwarf_Die die;
    Dwarf_Attribute attr;
};

/** Frees E, which may be NULL. */
void error_drop(struct debuginfo *of, Dwarf_Error e);
/** Frees what is in it. */
void handle_release(struct handle *h);
/** A DIE; false: there is none. */
bool handle_get(const struct die *die, struct handle *h);
/** The attribute of this very DIE. */
bool handle_get_own(const struct die *die, unsigned attribute, struct handle *h);
/** Also looks in its declaration or abstract instance; *at, when not NULL, is the DIE that has it. */
bool handle_get_any(const struct die *die, unsigned attribute, struct handle *h, struct die *at);
/** DW_FORM_* of the attribute, 0 none. */
int handle_form(const struct handle *h);
/** The unit with that offset in it, NULL none. */
struct unit *unit_at(const struct debuginfo *of, uint64_t offset);

#endif
