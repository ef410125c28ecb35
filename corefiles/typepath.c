/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * From an offset in a variable to the part of it, as its own language writes it: grid.locks[17], grid%locks(18).
 */
#include "typepath.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, DIMENSIONS_MAX = 16 };

bool cf_type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
    Dwarf_Attribute attr;

    return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

/* A user means the lock, not the words of which it consists. */
static bool is_lock(const char *name)
{
    static const char *const ends[] = {"omp_lock_t", "omp_nest_lock_t"};

    for (size_t i = 0; name && i < sizeof(ends) / sizeof(*ends); i++) {
        size_t n = strlen(ends[i]), length = strlen(name);

        if (length >= n && !strcmp(name + length - n, ends[i]))
            return true;
    }
    return false;
}

static bool number(Dwarf_Die *die, unsigned which, Dwarf_Sword *ret)
{
    Dwarf_Attribute attr;

    return dwarf_attr_integrate(die, which, &attr) && !dwarf_formsdata(&attr, ret);
}

/* Lower bounds and counts of an array's dimensions; a count of 0 is unknown (a flexible array). Number of dimensions. */
static int dimensions(Dwarf_Die *array, bool fortran, Dwarf_Sword lower[], Dwarf_Sword count[])
{
    Dwarf_Die child;
    int n = 0;

    if (dwarf_child(array, &child))
        return 0;
    do {
        Dwarf_Sword upper;

        if (dwarf_tag(&child) != DW_TAG_subrange_type || n == DIMENSIONS_MAX)
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
    Dwarf_Sword lower[DIMENSIONS_MAX], count[DIMENSIONS_MAX];
    Dwarf_Die at = *type;
    uint64_t times = 1;

    for (int i = 0; i < DEPTH_MAX; i++) {
        int size = dwarf_bytesize(&at);

        if (size >= 0)
            return times > UINT64_MAX / ((uint64_t)size + 1) ? 0 : times * (uint64_t)size;
        if (dwarf_tag(&at) == DW_TAG_pointer_type || dwarf_tag(&at) == DW_TAG_reference_type)
            return times * 8;
        if (dwarf_tag(&at) == DW_TAG_array_type) {
            int n = dimensions(&at, false, lower, count);

            for (int k = 0; k < n; k++)
                if (__builtin_mul_overflow(times, (uint64_t)count[k], &times))
                    return 0;
        }
        if (!cf_type_of(&at, &at))
            return 0;
    }
    return 0;
}

/* Appends the index of the element at *OFFSET and goes to it. */
static bool element(Dwarf_Die *type, bool fortran, uint64_t *offset, FILE *out)
{
    Dwarf_Sword lower[DIMENSIONS_MAX], count[DIMENSIONS_MAX], index[DIMENSIONS_MAX];
    int n = dimensions(type, fortran, lower, count);
    uint64_t size, at;
    Dwarf_Die of;

    if (!n || !cf_type_of(type, &of) || !(size = cf_type_size(&of)))
        return false;
    at = *offset / size;
    *offset %= size;
    /* C's last index runs fastest, Fortran's first. A count that is unknown can only be the slowest one's. */
    for (int i = 0; i < n; i++) {
        int k = fortran ? i : n - 1 - i;
        bool slowest = i == n - 1;

        if (!slowest && count[k] <= 0)
            return false;
        index[k] = lower[k] + (Dwarf_Sword)(slowest ? at : at % (uint64_t)count[k]);
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
    *type = of;
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
        Dwarf_Sword start = 0;
        const char *name;

        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !cf_type_of(&child, &of))
            continue;
        if (dwarf_hasattr(&child, DW_AT_external) || dwarf_hasattr(&child, DW_AT_declaration))
            continue; /* static: not in here */
        (void)number(&child, DW_AT_data_member_location, &start);
        if (start < 0 || *offset < (uint64_t)start || *offset - (uint64_t)start >= cf_type_size(&of))
            continue;
        name = tag == DW_TAG_member ? dwarf_diename(&child) : NULL;
        if (name)
            fprintf(out, "%c%s", fortran ? '%' : '.', name);
        *offset -= (uint64_t)start;
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

        if (is_lock(name)) {
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
    *ret = part;
    return 0;
}
