/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The functions, inlined functions and blocks around an address. gcc describes the body of an OpenMP
 * construct as a function within the one that has the construct, whose own addresses are others: when no
 * function at the outside has the address, all that are within functions are looked at.
 */
#include "corefiles/debuginfo/scopes.h"

#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 256 };

/* A path from the outside to the inside. */
struct path {
    struct die *dies;
    int count, size;
};

static bool add(struct path *p, const struct die *die)
{
    if (p->count == p->size) {
        int size = p->size ? 2 * p->size : 8;
        struct die *dies = realloc(p->dies, (size_t)size * sizeof(*dies));

        if (!dies)
            return false;
        p->dies = dies;
        p->size = size;
    }
    p->dies[p->count++] = *die;
    return true;
}

/* The other way round: from the inside to the outside. */
static int turned(struct path *p, struct die **ret)
{
    for (int i = 0; i < p->count / 2; i++) {
        struct die die = p->dies[i];

        p->dies[i] = p->dies[p->count - 1 - i];
        p->dies[p->count - 1 - i] = die;
    }
    if (p->count)
        *ret = p->dies;
    else
        free(p->dies);
    return p->count;
}

/* A function that holds PC below PARENT; EVERYWHERE: also within functions that do not. */
static bool find_function(const struct die *parent, uint64_t pc, bool everywhere, int depth, uint64_t *last,
                          struct die *ret)
{
    struct die child;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, last))
        return false;
    do {
        switch (die_tag(&child)) {
        case TAG_subprogram:
            if (die_holds(&child, pc)) {
                *ret = child;
                return true;
            }
            if (!everywhere)
                continue;
            break;
        case TAG_lexical_block:
        case TAG_namespace:
        case TAG_module:
        case TAG_class_type:
        case TAG_structure_type:
            break;
        default:
            continue;
        }
        if (find_function(&child, pc, everywhere, depth + 1, last, ret))
            return true;
    } while (!die_sibling(&child, &child) && die_is_ahead(&child, last));
    return false;
}

/* A function, block or inlined function directly in PARENT that holds PC. */
static bool find_inner(const struct die *parent, uint64_t pc, struct die *ret)
{
    struct die child;

    if (die_child(parent, &child))
        return false;
    do {
        switch (die_tag(&child)) {
        case TAG_subprogram:
        case TAG_inlined_subroutine:
        case TAG_lexical_block:
            if (die_holds(&child, pc)) {
                *ret = child;
                return true;
            }
            break;
        default:
            break;
        }
    } while (!die_sibling(&child, &child));
    return false;
}

int debuginfo_scopes_at(const struct die *unit, uint64_t pc, struct die **ret)
{
    struct path path = {0};
    uint64_t last = unit->offset, again = unit->offset;
    struct die at;

    if (!find_function(unit, pc, false, 0, &last, &at) && !find_function(unit, pc, true, 0, &again, &at))
        return 0;
    do {
        if (die_tag(&at) == TAG_subprogram)
            path.count = 0; /* what is around it has an address of its own */
    } while (add(&path, &at) && path.count < NESTING_MAX && find_inner(&at, pc, &at));
    return turned(&path, ret);
}

/* The child of PARENT that is DIE or has it somewhere below: the last that does not begin behind it. */
static bool find_around(const struct die *parent, const struct die *die, struct die *ret)
{
    struct die child;
    bool found = false;

    if (die_child(parent, &child))
        return false;
    while (child.offset <= die->offset) {
        *ret = child;
        found = true;
        if (die_sibling(&child, &child))
            break;
    }
    return found;
}

int debuginfo_scopes_of(const struct die *die, struct die **ret)
{
    struct path path = {0};
    struct die at;

    if (die_unit(die, &at))
        return 0;
    while (!die_same(&at, die)) {
        if (!add(&path, &at) || path.count > NESTING_MAX || !find_around(&at, die, &at)) {
            free(path.dies);
            return 0;
        }
    }
    return turned(&path, ret);
}
