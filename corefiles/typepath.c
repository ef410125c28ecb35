/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From an offset in a variable to the part of it, as its own language writes it: grid.locks[17], grid%locks(18).
 */
#include "typepath.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/** EMPTY_MAX: bases of bases without data; a limit, as damaged information can have each twice. */
enum { DEPTH_MAX = 64, EMPTY_MAX = 8 };

bool cf_type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
    Dwarf_Attribute attr;

    return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

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

/* libgomp's locks are structures without a tag; where a template has taken the typedef away g++ notes it: 10omp_lock_t. */
static bool is_lock(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    Dwarf_Attribute attr;

    if (!name && dwarf_tag(type) == DW_TAG_structure_type && dwarf_attr(type, DW_AT_linkage_name, &attr))
        name = dwarf_formstring(&attr);
    return is_lock_name(name);
}

static bool number(Dwarf_Die *die, unsigned which, int64_t *ret)
{
    Dwarf_Attribute attr;
    Dwarf_Sword value;
    Dwarf_Word bits;

    if (!dwarf_attr_integrate(die, which, &attr))
        return false;
    switch (dwarf_whatform(&attr)) {
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
        /* Compilers give negative numbers another form; libdw's signed reading takes 200 in one byte for -56. */
        if (dwarf_formudata(&attr, &bits))
            return false;
        *ret = (int64_t)bits;
        return true;
    default:
        if (dwarf_formsdata(&attr, &value))
            return false;
        *ret = value;
        return true;
    }
}

bool cf_type_strip(Dwarf_Die *type)
{
    for (int i = 0; i < DEPTH_MAX; i++) {
        if (is_lock(type))
            return true;
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_atomic_type:
        case DW_TAG_restrict_type:
            if (cf_type_of(type, type))
                continue;
            break;
        default:
            break;
        }
        break;
    }
    return false;
}

bool cf_is_fortran(Dwarf_Die *die)
{
    Dwarf_Die cu;

    if (!dwarf_diecu(die, &cu, NULL, NULL))
        return false;
    switch (dwarf_srclang(&cu)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
        return true;
    default:
        return false;
    }
}

bool cf_is_descriptor(Dwarf_Die *type)
{
    return dwarf_tag(type) == DW_TAG_array_type && dwarf_hasattr(type, DW_AT_data_location);
}

int cf_dimensions(Dwarf_Die *array, bool fortran, int64_t lower[], int64_t count[])
{
    Dwarf_Die child;
    int n = 0;

    if (dwarf_child(array, &child))
        return 0;
    do {
        int64_t upper;

        if (dwarf_tag(&child) != DW_TAG_subrange_type || n == CF_DIMENSIONS)
            continue;
        if (!number(&child, DW_AT_lower_bound, &lower[n]))
            lower[n] = fortran ? 1 : 0;
        count[n] = 0;
        if (!number(&child, DW_AT_count, &count[n]) && number(&child, DW_AT_upper_bound, &upper) &&
            upper >= lower[n])
            count[n] = upper - lower[n] + 1;
        n++;
    } while (!dwarf_siblingof(&child, &child));
    return n;
}

uint64_t cf_type_size(Dwarf_Die *type)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    Dwarf_Die at = *type;
    uint64_t times = 1;

    for (int i = 0; i < DEPTH_MAX; i++) {
        int size = dwarf_bytesize(&at);

        if (size >= 0)
            return times > UINT64_MAX / ((uint64_t)size + 1) ? 0 : times * (uint64_t)size;
        if (dwarf_tag(&at) == DW_TAG_pointer_type || dwarf_tag(&at) == DW_TAG_reference_type)
            return times * 8;
        if (dwarf_tag(&at) == DW_TAG_array_type) {
            int n = cf_dimensions(&at, false, lower, count);

            for (int k = 0; k < n; k++)
                if (__builtin_mul_overflow(times, (uint64_t)count[k], &times))
                    return 0;
        }
        if (!cf_type_of(&at, &at))
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
static bool element(Dwarf_Die *type, bool fortran, uint64_t *offset, FILE *out)
{
    int64_t lower[CF_DIMENSIONS], count[CF_DIMENSIONS];
    int n = cf_dimensions(type, fortran, lower, count);
    uint64_t size;
    Dwarf_Die of;

    if (!n || !cf_type_of(type, &of) || !(size = cf_type_size(&of)) ||
        !cf_write_index(n, fortran, lower, count, *offset / size, out))
        return false;
    *offset %= size;
    *type = of;
    return true;
}

bool cf_member_offset(Dwarf_Die *member, uint64_t *ret)
{
    int64_t start = 0;

    if (dwarf_hasattr(member, DW_AT_external) || dwarf_hasattr(member, DW_AT_declaration) ||
        (dwarf_hasattr(member, DW_AT_data_member_location) &&
         !number(member, DW_AT_data_member_location, &start)) ||
        start < 0)
        return false;
    *ret = (uint64_t)start;
    return true;
}

/* A class without data takes a byte in theory, and none where it is a base: nothing lies in it. */
static bool is_empty(Dwarf_Die type, int depth)
{
    Dwarf_Die child, of;
    int tag;

    (void)cf_type_strip(&type);
    tag = dwarf_tag(&type);
    if ((tag != DW_TAG_structure_type && tag != DW_TAG_class_type) || depth > EMPTY_MAX)
        return false;
    if (dwarf_child(&type, &child))
        return true;
    do {
        uint64_t at;

        tag = dwarf_tag(&child);
        if ((tag == DW_TAG_member || tag == DW_TAG_inheritance) && cf_member_offset(&child, &at) &&
            cf_type_of(&child, &of) && !is_empty(of, depth + 1))
            return false;
    } while (!dwarf_siblingof(&child, &child));
    return true;
}

/* Goes to the member in which *OFFSET lies; a base class and an anonymous member have no name of their own. */
static bool member(Dwarf_Die *type, bool fortran, uint64_t *offset, FILE *out)
{
    Dwarf_Die child, of;

    if (dwarf_child(type, &child))
        return false;
    do {
        int tag = dwarf_tag(&child);
        uint64_t start;
        const char *name;

        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !cf_type_of(&child, &of) ||
            !cf_member_offset(&child, &start) || *offset < start || is_empty(of, 0))
            continue;
        /* A descriptor has no size of its own: it begins there. */
        if (cf_is_descriptor(&of) ? *offset != start : *offset - start >= cf_type_size(&of))
            continue;
        name = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;
        if (name)
            fprintf(out, "%c%s", fortran ? '%' : '.', name);
        *offset -= start;
        *type = of;
        return true;
    } while (!dwarf_siblingof(&child, &child));
    return false;
}

int cf_type_path(Dwarf_Die *variable_type, bool fortran, uint64_t offset, FILE *out, struct cf_part *ret)
{
    struct cf_part part = {0};
    Dwarf_Die type = *variable_type;

    for (int i = 0; i < DEPTH_MAX; i++) {
        const char *name = dwarf_diename(&type);

        if (is_lock(&type)) {
            part.lock = true;
            break;
        }
        switch (dwarf_tag(&type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_atomic_type:
        case DW_TAG_restrict_type:
            if (!part.type_name && name)
                part.type_name = name;
            if (!cf_type_of(&type, &type))
                return 1;
            continue;
        case DW_TAG_array_type:
            if (cf_is_descriptor(&type))
                break;
            part.type_name = NULL;
            part.element = true;
            if (!element(&type, fortran, &offset, out))
                return 1;
            continue;
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
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
        part.type_name = dwarf_diename(&type);
    part.type = type;
    *ret = part;
    return 0;
}
