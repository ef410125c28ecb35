/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/names/types.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/target/hostcall.h"

static bool is_one_of(const char *name, const char *const names[], size_t count)
{
    size_t digits = name ? strspn(name, "0123456789") : 0;

    for (size_t i = 0; name && i < count; i++)
        if (!strcmp(name + digits, names[i]))
            return true;
    return false;
}

/* A user means the lock, not the words of which it consists. In C++ libgomp's have a name only where a
   template made it: 10omp_lock_t. */
static bool is_lock_name(const char *name)
{
    static const char *const names[] = {"omp_lock_t", "omp_nest_lock_t"};

    return is_one_of(name, names, sizeof(names) / sizeof(*names));
}

/* What POSIX and C have; the classes of C++ are made of them. */
static bool is_sync_name(const char *name)
{
    static const char *const names[] = {"pthread_mutex_t",
                                        "pthread_cond_t",
                                        "pthread_rwlock_t",
                                        "pthread_barrier_t",
                                        "pthread_spinlock_t",
                                        "pthread_once_t",
                                        "sem_t",
                                        "mtx_t",
                                        "cnd_t",
                                        "once_flag"};

    return is_one_of(name, names, sizeof(names) / sizeof(*names));
}

/* A copy; NULL: it is too long, or there is too much of them. */
static const char *keep(struct name_types *types, const char *name)
{
    size_t length = strnlen(name, NAMES_NAME);

    if (length == NAMES_NAME || length > NAMES_TEXT - types->text)
        return NULL;
    types->text += length;
    return arena_str(&types->arena, name);
}

bool type_dimensions(struct name_types *types, const struct insp_type *array,
                     const struct name_dimension **ret)
{
    struct name_dimension *list;

    if (!array->dimensions || array->dimensions > INSP_DIMENSIONS)
        return false;
    list = arena_alloc(&types->arena, array->dimensions * sizeof(*list));
    if (!list)
        return false;
    for (uint32_t i = 0; i < array->dimensions; i++)
        list[i] = (struct name_dimension){array->dimension[i].lower, array->dimension[i].count};
    *ret = list;
    return true;
}

/* Puts TYPE behind the others. Each has memory of its own: many are held while more are asked for. */
static bool append(struct name_types *types, const struct name_type *type)
{
    struct name_type *copy = arena_alloc(&types->arena, sizeof(*copy)),
                     **grown = copy ? array_grow(types->list, types->count, sizeof(*grown)) : NULL;

    if (!grown)
        return false;
    *copy = *type;
    types->list = grown;
    types->list[types->count++] = copy;
    return true;
}

/* Puts what the host says behind the others. */
static bool add(struct name_types *types, uint64_t handle)
{
    struct name_type type = {.handle = handle};
    struct insp_type told;

    if (!host_type(types->session, handle, &told)) {
        type.kind = told.kind < INSP_TYPE_OTHER || told.kind > INSP_TYPE_UNION ? INSP_TYPE_OTHER : told.kind;
        type.fortran = told.fortran;
        type.described = type.kind == INSP_TYPE_ARRAY && told.described;
        type.sync = is_sync_name(told.name);
        type.lock = type.sync || is_lock_name(told.name);
        type.name = told.name && *told.name ? keep(types, told.name) : NULL;
        type.size = told.size;
        type.target_handle = told.target;
        if (type.kind == INSP_TYPE_ARRAY && !type.described &&
            type_dimensions(types, &told, &type.dimensions))
            type.dimension_count = told.dimensions;
    }
    return append(types, &type);
}

uint32_t type_index(struct name_types *types, uint64_t handle)
{
    uint64_t *known = hash_find(&types->by_handle, handle, NULL);
    uint32_t index;

    if (known || !handle)
        return known ? (uint32_t)*known : 0;
    if (!types->count && !append(types, &(struct name_type){0})) /* index 0: none */
        return 0;
    index = types->count;
    if (index >= NAMES_TYPES || !add(types, handle) || !(known = hash_add(&types->by_handle, handle, NULL)))
        return 0;
    *known = index;
    return index;
}

const struct name_type *type_of(const struct name_types *types, uint32_t type)
{
    static const struct name_type none;

    return type && type < types->count ? types->list[type] : &none;
}

uint32_t type_target(struct name_types *types, uint32_t type)
{
    return type_index(types, type_of(types, type)->target_handle);
}

uint32_t type_strip(struct name_types *types, uint32_t type)
{
    const uint32_t first = type;

    if (type_of(types, type)->stripped)
        return type_of(types, type)->stripped - 1;
    for (int i = 0; i < NAMES_NESTING; i++) {
        const struct name_type *t = type_of(types, type);

        if (t->lock || t->kind != INSP_TYPE_ALIAS)
            break;
        type = i + 1 < NAMES_NESTING ? type_target(types, type) : 0;
    }
    if (first && first < types->count)
        types->list[first]->stripped = type + 1;
    return type;
}

uint64_t type_size(struct name_types *types, uint32_t type)
{
    uint64_t times = 1;

    for (int i = 0; i < NAMES_NESTING && type; i++) {
        const struct name_type *t = type_of(types, type);

        if (t->size)
            return __builtin_mul_overflow(times, t->size, &times) ? 0 : times;
        if (t->kind == INSP_TYPE_ARRAY && !t->described) {
            for (uint32_t k = 0; k < t->dimension_count; k++)
                if (__builtin_mul_overflow(times, t->dimensions[k].count, &times))
                    return 0;
        } else if (t->kind != INSP_TYPE_ALIAS) {
            return 0;
        }
        type = type_target(types, type);
    }
    return 0;
}

const struct name_field *type_fields(struct name_types *types, uint32_t type, uint32_t *count)
{
    struct name_field *list = NULL;
    uint32_t n = 0;
    struct insp_field told;
    uint64_t handle = type_of(types, type)->handle;

    *count = 0;
    if (!type || type_of(types, type)->fields_known)
        goto known;
    while (n < NAMES_FIELDS && types->field_count < NAMES_ALL_FIELDS &&
           !host_field(types->session, handle, n, &told)) {
        struct name_field *grown = arena_grow(&types->arena, list, n, sizeof(*grown));
        const bool named = told.name && *told.name && !told.base;
        const char *name = grown && named ? keep(types, told.name) : NULL;

        /* Without its name it would be taken for an anonymous one. */
        if (!grown || (named && !name))
            break;
        list = grown;
        list[n++] = (struct name_field){
            .name = name,
            .type = type_index(types, told.type), /* nothing is asked of it before it is needed but itself */
            .offset = told.offset,
            .bits = told.bit_size != 0};
        types->field_count++;
    }
    types->list[type]->fields = list;
    types->list[type]->field_count = n;
    types->list[type]->fields_known = true;
known:
    *count = type_of(types, type)->field_count;
    return type_of(types, type)->fields;
}

bool type_is_lock(const struct name_types *types, uint32_t type)
{
    const struct name_type *t = type_of(types, type);

    /* gfortran's locks are integers of 4 bytes, its nest locks of 8, and nothing says that they are locks. */
    return t->lock || (t->fortran && t->kind == INSP_TYPE_INTEGER && (t->size == 4 || t->size == 8));
}

bool type_is_pointer(const struct name_types *types, uint32_t type)
{
    enum insp_type_kind kind = type_of(types, type)->kind;

    return kind == INSP_TYPE_POINTER || kind == INSP_TYPE_REFERENCE;
}

static bool is_empty(struct name_types *types, uint32_t type, int depth)
{
    const struct name_field *fields;
    uint32_t count;
    bool result = true;

    type = type_strip(types, type);
    if (type_of(types, type)->kind != INSP_TYPE_STRUCT || type_of(types, type)->lock || depth > NAMES_NESTING)
        return false;
    if (type_of(types, type)->empty)
        return type_of(types, type)->empty == 2;
    types->list[type]->empty = 1; /* for one that holds itself */
    fields = type_fields(types, type, &count);
    for (uint32_t i = 0; i < count && result; i++)
        result = is_empty(types, fields[i].type, depth + 1);
    types->list[type]->empty = result ? 2 : 1;
    return result;
}

bool type_is_empty(struct name_types *types, uint32_t type)
{
    return is_empty(types, type, 0);
}

/*
 * Is there a lock in an object or within so many POINTERS of it; FAR: behind one pointer at least? A union
 * does not say which of its members is in use, so what lies in one is not followed.
 */
static bool can_reach(struct name_types *types, uint32_t type, int pointers, bool far, int depth)
{
    const struct name_field *fields;
    enum insp_type_kind kind;
    uint32_t count;
    bool result = false, is_pointer;

    type = type_strip(types, type);
    if (!type || type_is_lock(types, type))
        return type && !far;
    kind = type_of(types, type)->kind;
    is_pointer = type_is_pointer(types, type) || type_of(types, type)->described;
    if ((!is_pointer && kind != INSP_TYPE_ARRAY && kind != INSP_TYPE_STRUCT) || (is_pointer && !pointers) ||
        depth > NAMES_NESTING)
        return false;
    if (type_of(types, type)->reach[pointers][far])
        return type_of(types, type)->reach[pointers][far] == 2;
    /* Until it is known otherwise: a type that holds itself, which only damage makes, ends here. */
    types->list[type]->reach[pointers][far] = 1;
    if (is_pointer) {
        result = can_reach(types, type_target(types, type), pointers - 1, false, depth + 1);
    } else if (kind == INSP_TYPE_ARRAY) {
        result = can_reach(types, type_target(types, type), pointers, far, depth + 1);
    } else {
        fields = type_fields(types, type, &count);
        for (uint32_t i = 0; i < count && !result; i++)
            result = !fields[i].bits && can_reach(types, fields[i].type, pointers, far, depth + 1);
    }
    types->list[type]->reach[pointers][far] = result ? 2 : 1;
    return result;
}

bool type_can_reach_lock(struct name_types *types, uint32_t type, int pointers)
{
    return can_reach(types, type, pointers, true, 0);
}

void types_free(struct name_types *types)
{
    hash_free(&types->by_handle);
    free(types->list);
    arena_free(&types->arena);
    *types = (struct name_types){.session = types->session};
}
