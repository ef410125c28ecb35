/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where the members of structures lie, as a compiler has laid them out.
 */
#ifndef COREFILES_DEBUGINFO_CLASS_LAYOUT_H
#define COREFILES_DEBUGINFO_CLASS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "corefiles/debuginfo/debuginfo.h"

/**
 * Prints the structure, class or union NAME, or the one that a typedef of that name names: "NAME SIZE", then
 * for each member that has an offset "  OFFSET SIZE MEMBER TYPE". A member without a name of its own is "-",
 * one whose type has none or cannot be read has the type "-", an unknown size is "?". Of several definitions
 * the first one counts. 1: there is none.
 */
int debuginfo_layout(struct debuginfo *of, const char *name, FILE *out) DEBUGINFO_WARN_UNUSED;

/** A structure, class or union that is looked for; zero it, and set its name. */
struct debuginfo_wanted {
    const char *name;
    struct die class;
    bool found;
};
/** Looks for COUNT of them in one pass, each as above: in a file of gigabytes one takes seconds. */
void debuginfo_classes(struct debuginfo *of, struct debuginfo_wanted *wanted, size_t count);

/** The debug information has so many members in one class that a search was given up. */
enum { DEBUGINFO_ENDLESS = -2 };

/** Where a member lies in its structure. */
struct debuginfo_place {
    uint64_t offset;
    uint64_t size; /**< 0: an array whose length the type does not say */
    uint64_t
        mask; /**< of a bit-field, in the little-endian word of `size` bytes at `offset`; 0: it is none */
};
/**
 * Follows PATH, "member.member" or "member[3].member", from the structure CLASS. A member of a structure
 * without a name is one of the structure around it. DEBUGINFO_ENDLESS is one of its codes.
 */
int debuginfo_member(const struct die *class, const char *path,
                     struct debuginfo_place *ret) DEBUGINFO_WARN_UNUSED;

#endif
