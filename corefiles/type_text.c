/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/type_text.h"

#include <inttypes.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "inspect/base/mem.h"

/* NESTING_MAX: types of types; more is damage. NAME_MAX_BYTES: templates have names of kilobytes. */
enum { NESTING_MAX = 32, NAME_MAX_BYTES = 200, DIMENSIONS_MAX = 16 };

bool cf_type_is_fortran(const struct die *type)
{
    switch (die_language(type)) {
    case LANGUAGE_Fortran77:
    case LANGUAGE_Fortran90:
    case LANGUAGE_Fortran95:
    case LANGUAGE_Fortran03:
    case LANGUAGE_Fortran08:
        return true;
    default:
        return false;
    }
}

bool cf_type_plain(const struct die *type, struct die *ret)
{
    struct die at = *type;

    for (int i = 0; i < NESTING_MAX; i++) {
        switch (die_tag(&at)) {
        case TAG_typedef:
        case TAG_const_type:
        case TAG_volatile_type:
        case TAG_restrict_type:
        case TAG_atomic_type:
            if (die_type(&at, &at))
                return false;
            break;
        case 0:
            return false;
        default:
            *ret = at;
            return true;
        }
    }
    return false;
}

static void add_name(struct sbuf *out, const struct die *type, const char *none)
{
    const char *name = die_name(type);
    const size_t length = name ? strnlen(name, NAME_MAX_BYTES) : 0;

    if (length)
        sbuf_add_n(out, name, length);
    else
        sbuf_add(out, none);
    if (length == NAME_MAX_BYTES)
        sbuf_add(out, "...");
}

/* How many a dimension has, where the type says it as a number; of others nothing is between the brackets. */
static void add_dimension(struct sbuf *out, const struct die *range, bool fortran)
{
    int64_t lower = fortran ? 1 : 0, upper, count;

    if (!die_number(range, ATTR_lower_bound, &lower) && fortran && lower != 1) {
        sbuf_printf(out, "%" PRId64 ":", lower);
        if (!die_number(range, ATTR_upper_bound, &upper))
            sbuf_printf(out, "%" PRId64, upper);
        return;
    }
    if (!die_number(range, ATTR_count, &count))
        sbuf_printf(out, "%" PRId64, count);
    else if (!die_number(range, ATTR_upper_bound, &upper) && upper < INT64_MAX && upper - lower + 1 >= 0)
        sbuf_printf(out, "%" PRId64, upper - lower + 1);
    else if (fortran)
        sbuf_add(out, ":");
}

static void add_dimensions(struct sbuf *out, const struct die *array)
{
    const bool fortran = cf_type_is_fortran(array);
    struct die child;
    uint64_t last = 0;
    int count = 0;

    if (die_child(array, &child))
        return;
    do {
        if (die_tag(&child) != TAG_subrange_type)
            continue;
        sbuf_add(out, !fortran ? count ? "[" : " [" : count ? "," : " (");
        add_dimension(out, &child, fortran);
        sbuf_add(out, fortran ? "" : "]");
    } while (++count < DIMENSIONS_MAX && !die_sibling(&child, &child) && die_is_ahead(&child, &last));
    sbuf_add(out, fortran && count ? ")" : "");
}

static void add_type(struct sbuf *out, const struct die *type, int depth);

static void add_target(struct sbuf *out, const struct die *type, const char *none, int depth)
{
    struct die of;

    if (die_type(type, &of))
        sbuf_add(out, none);
    else
        add_type(out, &of, depth + 1);
}

static void add_pointer(struct sbuf *out, const struct die *type, const char *mark, int depth)
{
    struct die of;
    const bool fortran = cf_type_is_fortran(type), known = !die_type(type, &of);

    if (known && die_tag(&of) == TAG_subroutine_type) {
        sbuf_add(out, "(function) *");
        return;
    }
    add_target(out, type, "void", depth);
    if (fortran) /* its references are written as what they refer to */
        return;
    if (!out->len || out->text[out->len - 1] != '*')
        sbuf_add(out, " ");
    sbuf_add(out, mark);
}

/* "const" stands before what is no pointer, behind what is one. */
static void add_qualified(struct sbuf *out, const struct die *type, const char *word, int depth)
{
    struct die of;

    if (!die_type(type, &of) && die_tag(&of) == TAG_pointer_type) {
        add_type(out, &of, depth + 1);
        sbuf_add(out, word);
        return;
    }
    if (!cf_type_is_fortran(type))
        sbuf_printf(out, "%s ", word);
    add_target(out, type, "void", depth);
}

static void add_type(struct sbuf *out, const struct die *type, int depth)
{
    if (depth == NESTING_MAX) {
        sbuf_add(out, "...");
        return;
    }
    switch (die_tag(type)) {
    case TAG_pointer_type:
        add_pointer(out, type, "*", depth);
        break;
    case TAG_reference_type:
        add_pointer(out, type, "&", depth);
        break;
    case TAG_rvalue_reference_type:
        add_pointer(out, type, "&&", depth);
        break;
    case TAG_const_type:
        add_qualified(out, type, "const", depth);
        break;
    case TAG_volatile_type:
        add_qualified(out, type, "volatile", depth);
        break;
    case TAG_restrict_type:
        add_target(out, type, "void", depth);
        break;
    case TAG_atomic_type:
        add_qualified(out, type, "_Atomic", depth);
        break;
    case TAG_array_type:
        add_target(out, type, "?", depth);
        add_dimensions(out, type);
        break;
    case TAG_structure_type:
        add_name(out, type, "struct {...}");
        break;
    case TAG_class_type:
        add_name(out, type, "class {...}");
        break;
    case TAG_union_type:
        add_name(out, type, "union {...}");
        break;
    case TAG_enumeration_type:
        add_name(out, type, "enum {...}");
        break;
    case TAG_string_type:
        add_name(out, type, "character");
        break;
    case TAG_subroutine_type:
        sbuf_add(out, "(function)");
        break;
    default:
        add_name(out, type, "?");
    }
}

char *cf_type_text(const struct die *type)
{
    struct sbuf out = {0};

    add_type(&out, type, 0);
    return sbuf_take(&out);
}
