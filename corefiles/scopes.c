/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The functions, inlined functions and blocks around an address. gcc describes the body of an OpenMP construct as a
 * function within the one that has the construct, whose own addresses are others; dwarf_getscopes of libdw looks only
 * where the addresses of what is outside cover it.
 */
#include "internal.h"

#include <dwarf.h>
#include <stdlib.h>

enum { NESTING_MAX = 256 };

/* A function that holds PC, somewhere below PARENT; where it can be, within functions, blocks, classes, namespaces. */
static bool find_function(Dwarf_Die *parent, Dwarf_Addr pc, int depth, Dwarf_Die *ret)
{
    Dwarf_Die child;

    if (depth > NESTING_MAX || dwarf_child(parent, &child))
        return false;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
            if (dwarf_haspc(&child, pc) > 0) {
                *ret = child;
                return true;
            }
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_class_type:
        case DW_TAG_structure_type:
            break;
        default:
            continue;
        }
        if (find_function(&child, pc, depth + 1, ret))
            return true;
    } while (!dwarf_siblingof(&child, &child));
    return false;
}

/* The innermost block or inlined function in FUNCTION that holds PC; FUNCTION itself if there is none. */
static Dwarf_Die innermost(Dwarf_Die function, Dwarf_Addr pc)
{
    Dwarf_Die at = function, child;

    for (int depth = 0; depth < NESTING_MAX; depth++) {
        bool inside = false;

        if (dwarf_child(&at, &child))
            break;
        do {
            int tag = dwarf_tag(&child);

            inside = (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) &&
                     dwarf_haspc(&child, pc) > 0;
        } while (!inside && !dwarf_siblingof(&child, &child));
        if (!inside)
            break;
        at = child;
    }
    return at;
}

static bool in_function(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);

    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block;
}

int cf_scopes_at(Dwarf_Die *cu, Dwarf_Addr pc, Dwarf_Die **ret)
{
    Dwarf_Die *found = NULL, inner;
    int count = dwarf_getscopes(cu, pc, &found);
    bool known = count > 0 && in_function(&found[0]);

    if (known) {
        inner = found[0];
    } else if (find_function(cu, pc, 0, &inner)) {
        inner = innermost(inner, pc);
        known = true;
    }
    free(found);
    /* dwarf_getscopes goes on from an inlined function to where that was written; wanted is where it stands. */
    count = known ? dwarf_getscopes_die(&inner, ret) : 0;
    return count > 0 ? count : 0;
}
