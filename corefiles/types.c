/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Types as DWARF describes them, for inspect.
 */
#include "corefiles/types.h"

#include <stdlib.h>
#include <string.h>

#include "corefiles/debuginfo/debuginfo.h"
#include "corefiles/eval.h"
#include "corefiles/strings.h"
#include "corefiles/type_text.h"
#include "inspect/base/hash.h"

enum { DEPTH_MAX = 64 };

/** Types that inspect knows by number: the index in `dies` + 1. */
struct cf_types {
    struct die *dies;
    uint32_t count;
    struct hash by_offset; /**< index + 1 by file and offset */
    /* The field that was asked for last: they are asked for one after the other. */
    uint64_t type;
    uint32_t index;
    struct die field;
};

void cf_types_free(struct cf_types *types)
{
    if (!types)
        return;
    hash_free(&types->by_offset);
    free(types->dies);
    free(types);
}

uint64_t cf_type_number(struct cf_target *t, const struct die *type)
{
    struct cf_types *types = t->types ? t->types : (t->types = calloc(1, sizeof(*types)));
    uint64_t key = hash_mix((uintptr_t)type->of, type->offset), *index;

    for (; types && (index = hash_add(&types->by_offset, key, NULL)); key++) {
        if (!*index) {
            if (!cf_grow(&types->dies, types->count, sizeof(*types->dies)))
                return 0;
            types->dies[types->count++] = *type;
            *index = types->count;
        }
        if (die_same(&types->dies[*index - 1], type))
            return *index;
    }
    return 0;
}

static bool type_die(const struct cf_target *t, uint64_t handle, struct die *ret)
{
    if (!t->types || !handle || handle > t->types->count)
        return false;
    *ret = t->types->dies[handle - 1];
    return true;
}

/* Nothing but dimensions is in an array; of a hostile one so much is looked at, as thousands of variables may
   have its type. */
enum { ARRAY_CHILDREN_MAX = 4 * INSP_DIMENSIONS };

/* Lower bounds and counts of an array's dimensions, as far as they are numbers. */
static uint32_t dimensions(const struct die *array, bool fortran, struct insp_type *ret)
{
    struct die child;
    uint64_t last = 0;
    uint32_t n = 0, looked = 0;

    if (die_child(array, &child))
        return 0;
    do {
        int64_t lower, upper, count = 0;

        if (die_tag(&child) != TAG_subrange_type)
            continue;
        if (die_number(&child, ATTR_lower_bound, &lower))
            lower = fortran ? 1 : 0;
        if (die_number(&child, ATTR_count, &count) && !die_number(&child, ATTR_upper_bound, &upper) &&
            (upper < lower || __builtin_sub_overflow(upper, lower, &count) ||
             __builtin_add_overflow(count, 1, &count)))
            count = 0;
        ret->dimension[n].lower = lower;
        ret->dimension[n++].count = count < 0 ? 0 : (uint64_t)count;
    } while (n < INSP_DIMENSIONS && ++looked < ARRAY_CHILDREN_MAX && !die_sibling(&child, &child) &&
             die_is_ahead(&child, &last));
    return n;
}

uint64_t cf_type_size(const struct die *type)
{
    struct die at = *type;
    uint64_t times = 1;
    struct insp_type array;

    for (int i = 0; i < DEPTH_MAX; i++) {
        int64_t size = die_size(&at);
        unsigned tag = die_tag(&at);

        if (size >= 0)
            return __builtin_mul_overflow(times, (uint64_t)size, &times) ? 0 : times;
        if (tag == TAG_pointer_type || tag == TAG_reference_type || tag == TAG_rvalue_reference_type)
            return times * 8;
        for (uint32_t k = tag == TAG_array_type ? dimensions(&at, false, &array) : 0; k > 0; k--)
            if (__builtin_mul_overflow(times, array.dimension[k - 1].count, &times))
                return 0;
        if (die_type(&at, &at))
            return 0;
    }
    return 0;
}

static enum insp_type_kind kind_of(const struct die *type, bool fortran)
{
    int64_t encoding;

    switch (die_tag(type)) {
    case TAG_base_type:
        return !die_number(type, ATTR_encoding, &encoding) && encoding == ENCODING_signed ? INSP_TYPE_INTEGER
                                                                                          : INSP_TYPE_OTHER;
    case TAG_typedef:
    case TAG_const_type:
    case TAG_volatile_type:
    case TAG_atomic_type:
    case TAG_restrict_type:
        return INSP_TYPE_ALIAS;
    case TAG_pointer_type:
        return fortran ? INSP_TYPE_REFERENCE : INSP_TYPE_POINTER;
    case TAG_reference_type:
    case TAG_rvalue_reference_type:
        return INSP_TYPE_REFERENCE;
    case TAG_array_type:
        return INSP_TYPE_ARRAY;
    case TAG_structure_type:
    case TAG_class_type:
        return INSP_TYPE_STRUCT;
    case TAG_union_type:
        return INSP_TYPE_UNION;
    default:
        return INSP_TYPE_OTHER;
    }
}

int cf_host_type(struct cf_target *t, uint64_t handle, struct insp_type *ret)
{
    struct insp_type type = {0};
    struct die die, of;
    int64_t size;

    if (!type_die(t, handle, &die))
        return 1;
    type.fortran = cf_type_is_fortran(&die);
    type.kind = kind_of(&die, type.fortran);
    type.name = die_name(&die);
    /* Where a template has taken the typedef away g++ notes it so: 10omp_lock_t. */
    if (!type.name && type.kind == INSP_TYPE_STRUCT)
        type.name = die_string(&die, ATTR_linkage_name);
    size = die_size(&die);
    type.size = size >= 0 ? (uint64_t)size : 0;
    if (size < 0 && (type.kind == INSP_TYPE_POINTER || type.kind == INSP_TYPE_REFERENCE))
        type.size = 8;
    if (!die_type(&die, &of))
        type.target = cf_type_number(t, &of);
    if (type.kind == INSP_TYPE_ARRAY && die_has(&die, ATTR_data_location)) {
        type.described = 1;
        type.size = 0;
    } else if (type.kind == INSP_TYPE_ARRAY) {
        type.dimensions = dimensions(&die, type.fortran, &type);
    }
    *ret = type;
    return 0;
}

/* False when it has no offset that is fixed (a static member, of a virtual base). */
static bool member_offset(const struct die *member, uint64_t *ret)
{
    int64_t start = 0, bits;

    if (die_has(member, ATTR_external) || die_has(member, ATTR_declaration) ||
        (die_has(member, ATTR_data_member_location) &&
         die_number(member, ATTR_data_member_location, &start)) ||
        start < 0)
        return false;
    if (!die_number(member, ATTR_data_bit_offset, &bits) && bits > 0)
        start = bits / 8;
    *ret = (uint64_t)start;
    return true;
}

static bool is_field(struct cf_target *t, const struct die *die, struct insp_field *ret)
{
    unsigned tag = die_tag(die);
    struct insp_field field = {.base = tag == TAG_inheritance};
    int64_t bits = 0;
    struct die type;

    if ((tag != TAG_member && tag != TAG_inheritance) || !member_offset(die, &field.offset) ||
        die_type(die, &type))
        return false;
    field.name = tag == TAG_member ? die_name(die) : NULL;
    field.type = cf_type_number(t, &type);
    if (die_has(die, ATTR_bit_size))
        field.bit_size =
            !die_number(die, ATTR_bit_size, &bits) && bits > 0 && bits <= 64 ? (uint32_t)bits : 1;
    *ret = field;
    return true;
}

int cf_host_field(struct cf_target *t, uint64_t handle, uint32_t index, struct insp_field *ret)
{
    struct cf_types *types = t->types;
    struct die die, at;
    uint64_t last = 0;
    uint32_t i = 0;

    if (!type_die(t, handle, &die) || die_child(&die, &at))
        return 1;
    if (types->type == handle && types->index < index) {
        at = types->field;
        i = types->index + 1;
        last = at.offset;
        if (die_sibling(&at, &at) || !die_is_ahead(&at, &last))
            return 1;
    }
    do {
        if (!is_field(t, &at, ret) || i++ < index)
            continue;
        types = t->types; /* a type may have been added */
        types->type = handle;
        types->index = index;
        types->field = at;
        return 0;
    } while (!die_sibling(&at, &at) && die_is_ahead(&at, &last));
    return 1;
}

int cf_host_array(struct cf_target *t, uint64_t handle, uint64_t addr, struct insp_type *ret, uint64_t *start)
{
    const struct cf_eval_context context = {.t = t, .object = addr};
    struct insp_type type = {.kind = INSP_TYPE_ARRAY, .fortran = 1};
    int64_t data, upper, stride, count;
    struct die array, child, of;
    uint64_t all = 1, size, last = 0;
    uint32_t looked = 0;

    if (!type_die(t, handle, &array) || die_type(&array, &of) || !(size = cf_type_size(&of)) ||
        die_child(&array, &child) || cf_number(&context, &array, ATTR_data_location, &data) || !data)
        return 1;
    do {
        int64_t *lower = &type.dimension[type.dimensions].lower;

        if (die_tag(&child) != TAG_subrange_type)
            continue;
        if (cf_number(&context, &child, ATTR_lower_bound, lower))
            *lower = 1;
        /* gfortran gives the last index, flang the number. */
        if (cf_number(&context, &child, ATTR_count, &count) &&
            (cf_number(&context, &child, ATTR_upper_bound, &upper) ||
             __builtin_sub_overflow(upper, *lower, &count) || __builtin_add_overflow(count, 1, &count)))
            return 1;
        /* flang gives no stride. What is allocated has none; what is pointed to may be every third
           element. */
        if (count <= 0 ||
            (cf_number(&context, &child, ATTR_byte_stride, &stride) ? !die_has(&array, ATTR_allocated)
                                                                    : (uint64_t)stride != all * size))
            return 1;
        if (__builtin_mul_overflow(all, (uint64_t)count, &all))
            return 1;
        type.dimension[type.dimensions++].count = (uint64_t)count;
    } while (type.dimensions < INSP_DIMENSIONS && ++looked < ARRAY_CHILDREN_MAX &&
             !die_sibling(&child, &child) && die_is_ahead(&child, &last));
    type.target = cf_type_number(t, &of);
    if (!type.dimensions || all > UINT64_MAX / size || !type.target)
        return 1;
    *ret = type;
    *start = (uint64_t)data;
    return 0;
}
