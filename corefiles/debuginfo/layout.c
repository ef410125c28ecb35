/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/debuginfo/layout.h"

#include <inttypes.h>
#include <string.h>

enum { NESTING_MAX = 64, TYPEDEFS_MAX = 64, DIMENSIONS_MAX = 16 };

static bool is_class(const struct die *die)
{
    unsigned tag = die_tag(die);

    return tag == TAG_structure_type || tag == TAG_class_type || tag == TAG_union_type;
}

/* Without typedefs and qualifiers. */
static struct die plain(const struct die *type)
{
    struct die at = *type, next;

    for (int i = 0; i < TYPEDEFS_MAX; i++) {
        switch (die_tag(&at)) {
        case TAG_typedef:
        case TAG_const_type:
        case TAG_volatile_type:
        case TAG_restrict_type:
        case TAG_atomic_type:
            if (!die_type(&at, &next)) {
                at = next;
                continue;
            }
            break;
        default:
            break;
        }
        break;
    }
    return at;
}

/* A definition of NAME below PARENT. */
static bool find(const struct die *parent, const char *name, int depth, uint64_t *last, struct die *ret)
{
    struct die child, type;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, last))
        return false;
    do {
        unsigned tag = die_tag(&child);
        const char *own = die_name(&child);

        if (own && !strcmp(own, name) && (is_class(&child) || tag == TAG_typedef)) {
            type = plain(&child);
            if (is_class(&type) && !die_has(&type, ATTR_declaration)) {
                *ret = type;
                return true;
            }
        }
        if ((tag == TAG_namespace || tag == TAG_module || is_class(&child)) &&
            find(&child, name, depth + 1, last, ret))
            return true;
    } while (!die_sibling(&child, &child) && die_is_ahead(&child, last));
    return false;
}

/* The number of elements of an array; -1 unknown. */
static int64_t elements(const struct die *array)
{
    int64_t all = 1, lower, upper, count;
    struct die child;

    if (die_child(array, &child))
        return -1;
    do {
        if (die_tag(&child) != TAG_subrange_type)
            continue;
        if (die_number(&child, ATTR_lower_bound, &lower))
            lower = 0;
        if (die_number(&child, ATTR_count, &count)) {
            if (die_number(&child, ATTR_upper_bound, &upper) ||
                __builtin_sub_overflow(upper, lower, &count) || __builtin_add_overflow(count, 1, &count))
                return -1;
        }
        if (count < 0 || __builtin_mul_overflow(all, count, &all))
            return -1;
    } while (!die_sibling(&child, &child));
    return all;
}

static int64_t size_of(const struct die *type)
{
    struct die at = plain(type), of;
    int64_t size = 1, own;

    for (int i = 0; i < DIMENSIONS_MAX; i++) {
        own = die_size(&at);
        if (own >= 0 || die_tag(&at) != TAG_array_type)
            return own < 0 || __builtin_mul_overflow(size, own, &size) ? -1 : size;
        own = elements(&at);
        if (own < 0 || die_type(&at, &of) || __builtin_mul_overflow(size, own, &size))
            return -1;
        at = plain(&of);
    }
    return -1;
}

static void print_size(int64_t size, FILE *out)
{
    if (size < 0)
        fprintf(out, "?");
    else
        fprintf(out, "%" PRId64, size);
}

static void print_member(const struct die *member, bool in_union, FILE *out)
{
    const char *name = die_name(member), *type_name = NULL;
    int64_t offset = 0, size = -1;
    struct die type;

    if (die_tag(member) != TAG_member && die_tag(member) != TAG_inheritance)
        return;
    /* A static member and a virtual base have none. */
    if (die_number(member, ATTR_data_member_location, &offset) && !in_union)
        return;
    if (!die_type(member, &type)) {
        type_name = die_name(&type);
        size = size_of(&type);
    }
    fprintf(out, "  %" PRId64 " ", offset);
    print_size(size, out);
    fprintf(out, " %s %s\n", name ? name : "-", type_name ? type_name : "-");
}

int debuginfo_layout(struct debuginfo *of, const char *name, FILE *out)
{
    struct die unit, type, child;
    uint64_t at = 0, last;
    bool found = false;

    while (!found && !debuginfo_next_unit(of, &at, &unit)) {
        last = unit.offset;
        found = find(&unit, name, 0, &last, &type);
    }
    if (!found)
        return 1;
    fprintf(out, "%s ", name);
    print_size(die_size(&type), out);
    fprintf(out, "\n");
    if (!die_child(&type, &child))
        do
            print_member(&child, die_tag(&type) == TAG_union_type, out);
        while (!die_sibling(&child, &child));
    return 0;
}
