/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/debuginfo/class_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* STEPS_MAX: of one search among the members of a class and its bases; libomp's largest has some 300. */
enum { NESTING_MAX = 64, TYPEDEFS_MAX = 64, DIMENSIONS_MAX = 16, STEPS_MAX = 10000 };

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

/* A search for several definitions at once. */
struct search {
    struct debuginfo_wanted *wanted;
    size_t count, left;
    uint64_t last; /* of the unit: the DIE that was looked at last */
};

static void take(struct search *s, const struct die *die)
{
    const char *name = die_name(die);
    struct die type;

    for (size_t i = 0; name && i < s->count; i++) {
        if (s->wanted[i].found || strcmp(name, s->wanted[i].name) != 0)
            continue;
        type = plain(die);
        if (is_class(&type) && !die_has(&type, ATTR_declaration)) {
            s->wanted[i].class = type;
            s->wanted[i].found = true;
            s->left--;
        }
    }
}

/* Below PARENT. */
static void find(struct search *s, const struct die *parent, int depth)
{
    struct die child;

    if (depth > NESTING_MAX || die_child(parent, &child) || !die_is_ahead(&child, &s->last))
        return;
    do {
        unsigned tag = die_tag(&child);

        if (is_class(&child) || tag == TAG_typedef)
            take(s, &child);
        if (tag == TAG_namespace || tag == TAG_module || is_class(&child))
            find(s, &child, depth + 1);
    } while (s->left && !die_sibling(&child, &child) && die_is_ahead(&child, &s->last));
}

/* The number of elements of an array; -1 unknown. */
static int64_t elements(const struct die *array)
{
    int64_t all = 1, lower, upper, count;
    uint64_t last = 0;
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
    } while (!die_sibling(&child, &child) && die_is_ahead(&child, &last));
    return all;
}

/* Clang does not say how large a pointer is. */
static int64_t own_size(const struct die *type)
{
    int64_t size = die_size(type);
    unsigned tag = die_tag(type);

    return size < 0 && (tag == TAG_pointer_type || tag == TAG_reference_type) ? 8 : size;
}

static int64_t size_of(const struct die *type)
{
    struct die at = plain(type), of;
    int64_t size = 1, own;

    for (int i = 0; i < DIMENSIONS_MAX; i++) {
        own = own_size(&at);
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

void debuginfo_classes(struct debuginfo *of, struct debuginfo_wanted *wanted, size_t count)
{
    struct search s = {.wanted = wanted, .count = count, .left = count};
    struct die unit;
    uint64_t at = 0;

    while (s.left && !debuginfo_next_unit(of, &at, &unit)) {
        s.last = unit.offset;
        find(&s, &unit, 0);
    }
}

int debuginfo_layout(struct debuginfo *of, const char *name, FILE *out)
{
    struct debuginfo_wanted wanted = {.name = name};
    struct die type, child;
    uint64_t seen = 0;

    debuginfo_classes(of, &wanted, 1);
    if (!wanted.found)
        return 1;
    type = wanted.class;
    fprintf(out, "%s ", name);
    print_size(die_size(&type), out);
    fprintf(out, "\n");
    if (!die_child(&type, &child))
        do
            print_member(&child, die_tag(&type) == TAG_union_type, out);
        while (!die_sibling(&child, &child) && die_is_ahead(&child, &seen));
    return 0;
}

/* ---- one member ---------------------------------------------------------------------------------------- */

/* A member and the structure that it is in lie OFFSET bytes behind the first one. */
struct step {
    struct die member;
    uint64_t offset;
};

/* The member of CLASS with the LENGTH bytes at NAME. *LEFT: so many members may still be looked at, for a
   class that is its own base would have 2^depth of them. */
static int look_up(const struct die *class, const char *name, size_t length, int depth, int *left,
                   struct step *ret)
{
    struct die child, type;
    struct step inner;

    if (depth > NESTING_MAX || die_child(class, &child))
        return 1;
    do {
        const char *own = die_name(&child);
        int64_t offset = 0;
        if (--*left < 0)
            return DEBUGINFO_ENDLESS;
        if (die_tag(&child) != TAG_member && die_tag(&child) != TAG_inheritance)
            continue;
        if (die_number(&child, ATTR_data_member_location, &offset) || offset < 0)
            offset = 0; /* of a union, and a bit-field of DWARF 5 */
        if (own && strlen(own) == length && !memcmp(own, name, length)) {
            *ret = (struct step){child, (uint64_t)offset};
            return 0;
        }
        if ((!own || die_tag(&child) == TAG_inheritance) && !die_type(&child, &type)) {
            type = plain(&type);
            int rc = is_class(&type) ? look_up(&type, name, length, depth + 1, left, &inner) : 1;
            if (!rc)
                *ret = (struct step){inner.member, (uint64_t)offset + inner.offset};
            if (rc <= 0)
                return rc;
        }
    } while (!die_sibling(&child, &child));
    return 1;
}

/* "[3]" at the start of PATH, and what is behind it. *TYPE becomes the element. */
static int index_array(const char **path, struct die *type, uint64_t *offset)
{
    char *end;
    struct die of;
    unsigned long index = strtoul(*path + 1, &end, 10);
    int64_t size;

    if (*end != ']' || die_tag(type) != TAG_array_type || die_type(type, &of))
        return 1;
    size = size_of(&of);
    if (size <= 0 || index > INT16_MAX)
        return 1;
    *type = plain(&of);
    *offset += index * (uint64_t)size;
    *path = end + 1;
    return 0;
}

static int bits(const struct die *member, uint64_t offset, struct debuginfo_place *ret)
{
    int64_t width, bit, above;
    struct die type;

    if (die_number(member, ATTR_bit_size, &width))
        return 1;
    if (die_number(member, ATTR_data_bit_offset, &bit)) {
        /* DWARF 4, 5.5.6: bits above it, in the word of the member's own size. */
        if (die_number(member, ATTR_bit_offset, &above) || die_type(member, &type))
            return -1;
        bit = 8 * (die_size(member) > 0 ? die_size(member) : size_of(&type)) - above - width;
    }
    if (bit < 0 || width <= 0 || width > 32)
        return -1;
    offset += (uint64_t)bit / 32 * 4;
    if (bit % 32 + width > 32)
        return -1;
    *ret = (struct debuginfo_place){offset, 4, (((uint64_t)1 << width) - 1) << (bit % 32)};
    return 0;
}

int debuginfo_member(const struct die *class, const char *path, struct debuginfo_place *ret)
{
    struct die type = *class;
    struct step step = {.member = *class};
    uint64_t offset = 0;
    int left = STEPS_MAX;
    int64_t size;

    while (*path) {
        size_t length = strcspn(path, ".[");
        int rc = is_class(&type) ? look_up(&type, path, length, 0, &left, &step) : 1;
        if (rc || die_type(&step.member, &type))
            return rc ? rc : 1;
        offset += step.offset;
        type = plain(&type);
        path += length;
        if (*path == '[' && index_array(&path, &type, &offset))
            return 1;
        path += *path == '.';
    }
    if (die_has(&step.member, ATTR_bit_size))
        return bits(&step.member, offset, ret);
    size = size_of(&type);
    if (size < 0 && die_tag(&type) != TAG_array_type)
        return -1;
    *ret = (struct debuginfo_place){offset, size < 0 ? 0 : (uint64_t)size, 0};
    return 0;
}
