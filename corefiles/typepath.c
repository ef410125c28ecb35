/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From an offset in a variable to the part of it, as its own language writes it: grid.locks[17],
 * grid%locks(18).
 */
#include "corefiles/typepath.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"

/** EMPTY_MAX: bases of bases without data; a limit, as damaged information can have each twice. */
enum { DEPTH_MAX = 64, EMPTY_MAX = 8 };

/* A user means the lock, not the words of which it consists. */
static bool is_lock_name(const char *name)
{
    static const char *const ends[] = {"omp_lock_t", "omp_nest_lock_t"};

    for (size_t i = 0; name && i < sizeof(ends) / sizeof(*ends); i++) {
        size_t n = strlen(ends[i]), length = strlen(name);

        if (length >= n && !strcmp(name + length - n, ends[i]))
            return true;
    }
    return false;
}

/* libgomp's locks are structures without a tag; where a template has taken the typedef away g++ notes it:
 * 10omp_lock_t. */
static bool is_lock(struct die *type)
{
    const char *name = die_name(type);

    if (!name && die_tag(type) == TAG_structure_type)
        name = die_string(type, ATTR_linkage_name);
    return is_lock_name(name);
}

bool cf_type_strip(struct die *type)
{
    for (int i = 0; i < DEPTH_MAX; i++) {
        if (is_lock(type))
            return true;
        switch (die_tag(type)) {
        case TAG_typedef:
        case TAG_const_type:
        case TAG_volatile_type:
        case TAG_atomic_type:
        case TAG_restrict_type:
            if (!die_type(type, type))
                continue;
            break;
        default:
            break;
        }
        break;
    }
    return false;
}

bool cf_is_fortran(struct die *die)
{
    switch (die_language(die)) {
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

bool cf_is_descriptor(struct die *type)
{
    return die_tag(type) == TAG_array_type && die_has(type, ATTR_data_location);
}

int cf_dimensions(struct die *array, bool fortran, int64_t lower[], int64_t count[])
{
    struct die child;
    int n = 0;

    if (die_child(array, &child))
        return 0;
    do {
        int64_t upper;

        if (die_tag(&child) != TAG_subrange_type || n == CF_DIMENSIONS)
            continue;
        if (die_number(&child, ATTR_lower_bound, &lower[n]))
            lower[n] = fortran ? 1 : 0;
        count[n] = 0;
        if (die_number(&child, ATTR_count, &count[n]) && !die_number(&child, ATTR_upper_bound, &upper) &&
            upper >= lower[n])
            count[n] = upper - lower[n] + 1;
        n++;
    } while (!die_sibling(&child, &child));
    return n;
}

uint64_t cf_type_size(struct die *type)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    struct die at = *type;
    uint64_t times = 1;

    for (int i = 0; i < DEPTH_MAX; i++) {
        int64_t size = die_size(&at);

        if (size >= 0)
            return times > UINT64_MAX / ((uint64_t)size + 1) ? 0 : times * (uint64_t)size;
        if (die_tag(&at) == TAG_pointer_type || die_tag(&at) == TAG_reference_type)
            return times * 8;
        if (die_tag(&at) == TAG_array_type) {
            int n = cf_dimensions(&at, false, lower, count);

            for (int k = 0; k < n; k++)
                if (__builtin_mul_overflow(times, (uint64_t)count[k], &times))
                    return 0;
        }
        if (die_type(&at, &at))
            return 0;
    }
    return 0;
}

bool cf_write_index(int n, bool fortran, const int64_t lower[], const int64_t count[], uint64_t at, FILE *out)
{
    int64_t index[CF_DIMENSIONS];

    /* C's last index runs fastest, Fortran's first. A count that is unknown can only be the slowest one's. */
    for (int i = 0; i < n; i++) {
        int k = fortran ? i : n - 1 - i;
        bool slowest = i == n - 1;

        if (!slowest && count[k] <= 0)
            return false;
        index[k] = (int64_t)((uint64_t)lower[k] + (slowest ? at : at % (uint64_t)count[k]));
        at /= slowest ? 1 : (uint64_t)count[k];
    }
    for (int i = 0; i < n; i++) {
        if (fortran)
            fprintf(out, "%s%lld", i ? "," : "(", (long long)index[i]);
        else
            fprintf(out, "[%lld]", (long long)index[i]);
    }
    if (fortran)
        fputc(')', out);
    return true;
}

/* Appends the index of the element at *OFFSET and goes to it. */
static bool element(struct die *type, bool fortran, uint64_t *offset, FILE *out)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    int n = cf_dimensions(type, fortran, lower, count);
    uint64_t size;
    struct die of;

    if (!n || die_type(type, &of) || !(size = cf_type_size(&of)) ||
        !cf_write_index(n, fortran, lower, count, *offset / size, out))
        return false;
    *offset %= size;
    *type = of;
    return true;
}

bool cf_member_offset(struct die *member, uint64_t *ret)
{
    int64_t start = 0;

    if (die_has(member, ATTR_external) || die_has(member, ATTR_declaration) ||
        (die_has(member, ATTR_data_member_location) &&
         die_number(member, ATTR_data_member_location, &start)) ||
        start < 0)
        return false;
    *ret = (uint64_t)start;
    return true;
}

/* A class without data takes a byte in theory, and none where it is a base: nothing lies in it. */
static bool is_empty(struct die type, int depth)
{
    struct die child, of;
    int tag;

    (void)cf_type_strip(&type);
    tag = die_tag(&type);
    if ((tag != TAG_structure_type && tag != TAG_class_type) || depth > EMPTY_MAX)
        return false;
    if (die_child(&type, &child))
        return true;
    do {
        uint64_t at;

        tag = die_tag(&child);
        if ((tag == TAG_member || tag == TAG_inheritance) && cf_member_offset(&child, &at) &&
            !die_type(&child, &of) && !is_empty(of, depth + 1))
            return false;
    } while (!die_sibling(&child, &child));
    return true;
}

/* Goes to the member in which *OFFSET lies; a base class and an anonymous member have no name of their
 * own. */
static bool member(struct die *type, bool fortran, uint64_t *offset, FILE *out)
{
    struct die child, of;

    if (die_child(type, &child))
        return false;
    do {
        unsigned tag = die_tag(&child);
        uint64_t start;
        const char *name;

        if ((tag != TAG_member && tag != TAG_inheritance) || die_type(&child, &of) ||
            !cf_member_offset(&child, &start) || *offset < start || is_empty(of, 0))
            continue;
        /* A descriptor has no size of its own: it begins there. */
        if (cf_is_descriptor(&of) ? *offset != start : *offset - start >= cf_type_size(&of))
            continue;
        name = tag == TAG_member ? die_name(&child) : NULL;
        if (name)
            fprintf(out, "%c%s", fortran ? '%' : '.', name);
        *offset -= start;
        *type = of;
        return true;
    } while (!die_sibling(&child, &child));
    return false;
}

int cf_type_path(struct die *variable_type, bool fortran, uint64_t offset, FILE *out, struct cf_part *ret)
{
    struct cf_part part = {0};
    struct die type = *variable_type;

    for (int i = 0; i < DEPTH_MAX; i++) {
        const char *name = die_name(&type);

        if (is_lock(&type)) {
            part.lock = true;
            break;
        }
        switch (die_tag(&type)) {
        case TAG_typedef:
        case TAG_const_type:
        case TAG_volatile_type:
        case TAG_atomic_type:
        case TAG_restrict_type:
            if (!part.type_name && name)
                part.type_name = name;
            if (die_type(&type, &type))
                return 1;
            continue;
        case TAG_array_type:
            if (cf_is_descriptor(&type))
                break;
            part.type_name = NULL;
            part.element = true;
            if (!element(&type, fortran, &offset, out))
                return 1;
            continue;
        case TAG_structure_type:
        case TAG_class_type:
        case TAG_union_type:
            part.type_name = NULL;
            part.element = false;
            if (!member(&type, fortran, &offset, out))
                return 1;
            continue;
        default:
            break;
        }
        break;
    }
    if (offset)
        return 1;
    if (!part.type_name)
        part.type_name = die_name(&type);
    part.type = type;
    *ret = part;
    return 0;
}
