/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Debug information (DWARF) as the rest of the tree sees it, whichever library reads it: libdw (libdw.c) or
 * libdwarf (libdwarf/). Only these include a header of theirs that knows DIEs; a program links one of them
 * (docs/debuginfo.md).
 *
 * Offsets and addresses are those of the file: the caller adds the module's bias. A function that can fail
 * returns 0, 1 ("there is none") or a negative number ("damaged, or not supported"), its outputs untouched
 * unless 0. Strings live as long as the debug information that they come from. Neither reader opens a file by
 * name.
 */
#ifndef COREFILES_DEBUGINFO_DEBUGINFO_H
#define COREFILES_DEBUGINFO_DEBUGINFO_H

#include <stdbool.h>
#include <stdint.h>

#include "corefiles/debuginfo/dwarf5.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DEBUGINFO_WARN_UNUSED __attribute__((warn_unused_result))

/** The debug information of one file. */
struct debuginfo;

/** A debugging information entry: a value, which stays good as long as its file is open. */
struct die {
    struct debuginfo *of;
    uint64_t
        offset; /**< in .debug_info, or from DIE_IN_TYPES in .debug_types; with `of` what tells DIEs apart */
    const void *own[3]; /**< the reader's */
};
#define DIE_IN_TYPES (UINT64_C(1) << 63)

static inline bool die_same(const struct die *a, const struct die *b)
{
    return a->of == b->of && a->offset == b->offset;
}

/** An operation of a location or of another expression; an address that is given by its index is OP_addr
 *  here. */
struct die_operation {
    uint8_t code;             /**< enum dwarf_operation */
    uint64_t number, number2; /**< operands, a signed one sign-extended */
};

/** The PC of die_operations: only what is so at every one. */
#define DIE_EVERYWHERE UINT64_MAX

/* Files */

/** Reads FD, an ELF file, which stays the caller's and open until debuginfo_close. ALT, the alternate file
 *  (DWARF 5, 7.3.6: supplementary object file) or NULL, is closed after it. Returns NULL when that fails, and
 *  *why, which must not be freed, says why. */
struct debuginfo *debuginfo_open(int fd, struct debuginfo *alt, const char **why) DEBUGINFO_WARN_UNUSED;
/** OF may be NULL. */
void debuginfo_close(struct debuginfo *of);
/** The next compilation, partial or type unit: of .debug_info, then of .debug_types. *AT is 0 before the
 *  first. */
int debuginfo_next_unit(struct debuginfo *of, uint64_t *at, struct die *ret) DEBUGINFO_WARN_UNUSED;
/** The DIE at an offset as in struct die. */
int debuginfo_die(struct debuginfo *of, uint64_t offset, struct die *ret) DEBUGINFO_WARN_UNUSED;

/* The tree. RET may be DIE itself. */

unsigned die_tag(const struct die *die); /**< enum dwarf_tag; 0 damaged */
int die_child(const struct die *die, struct die *ret) DEBUGINFO_WARN_UNUSED;
int die_sibling(const struct die *die, struct die *ret) DEBUGINFO_WARN_UNUSED;
/** The root of its unit. */
int die_unit(const struct die *die, struct die *ret) DEBUGINFO_WARN_UNUSED;

/** For a walk through a tree, which asks it of each DIE: true, and *LAST (0 before the first) moved on, if
 *  DIE lies behind all that was seen. A damaged DW_AT_sibling leads back among children: each level would
 *  double the DIEs that are seen. */
static inline bool die_is_ahead(const struct die *die, uint64_t *last)
{
    if (die->offset <= *last)
        return false;
    *last = die->offset;
    return true;
}

/* Attributes (enum dwarf_attribute). But for die_has they are also taken from the declaration
   (DW_AT_specification) and from the abstract instance (DW_AT_abstract_origin). */

bool die_has(const struct die *die, unsigned attribute);
const char *die_name(const struct die *die); /**< NULL none */
const char *die_string(const struct die *die, unsigned attribute);
/** A constant. Fixed-size ones of up to 4 bytes are read as unsigned: compilers give negative ones another
 *  form. */
int die_number(const struct die *die, unsigned attribute, int64_t *ret) DEBUGINFO_WARN_UNUSED;
/** What a reference leads to, also in another unit, a type unit or the alternate file. */
int die_reference(const struct die *die, unsigned attribute, struct die *ret) DEBUGINFO_WARN_UNUSED;
/** DW_AT_type; the definition where that is in a type unit. */
int die_type(const struct die *die, struct die *ret) DEBUGINFO_WARN_UNUSED;
/** DW_AT_byte_size, negative when there is none. */
int64_t die_size(const struct die *die);
/** DW_AT_language of its unit, enum dwarf_language; 0 unknown. */
unsigned die_language(const struct die *die);

/* Code */

/** The expression of an attribute where the pc is PC: *count of at most MAX operations. */
int die_operations(const struct die *die, unsigned attribute, uint64_t pc, struct die_operation *ret, int max,
                   int *count) DEBUGINFO_WARN_UNUSED;
/** Calls EACH for the ranges [start, end) of a unit, function or block, until it is not 0. */
void die_each_range(const struct die *die, int (*each)(uint64_t start, uint64_t end, void *arg), void *arg);
bool die_holds(const struct die *die, uint64_t pc);
/** The source file that ATTRIBUTE gives the number of, as the compiler was given its name; NULL none. */
const char *die_file(const struct die *die, unsigned attribute);
/** The source line of PC, by the line table of UNIT. Of several lines at one address it is the last that
 *  begins a statement, or with FIRST, if they begin at PC, the first of these: at a function's entry that is
 *  the function's own, the others are of what is inlined there, or of the function before. *LINE is 0 at the
 *  entry of a function that the compiler has made and only the file is known. */
int unit_line(const struct die *unit, uint64_t pc, bool first, const char **file,
              int *line) DEBUGINFO_WARN_UNUSED;
/** The last line from START to PC that is in the file IN, or, with NULL, in that of START's first one; lines
 *  at which no instruction begins count too. 1: there is none. */
int unit_own_line(const struct die *unit, uint64_t start, uint64_t pc, const char *in, const char **file,
                  int *line) DEBUGINFO_WARN_UNUSED;

#ifdef __cplusplus
}
#endif
#endif
