/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/names/search.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/names/path.h"
#include "inspect/target/hostcall.h"

/** What leads to an object. */
enum how { BY_POINTER, BY_REFERENCE, BY_DESCRIPTOR };

/** Objects of a type, one behind the other: a variable, or what a pointer leads to. */
struct found_object {
    uint64_t start, count, size; /**< size of one */
    uint32_t type;               /**< of one */
    const char *name;            /**< of a variable; NULL: `from` has the pointer */
    uint32_t from;
    uint64_t offset; /**< of the pointer from the start of `from` */
    enum how how;
    const struct name_dimension *dimensions; /**< by a descriptor */
    uint32_t dimension_count;
    bool several;     /**< an index is written also for the first */
    bool ended;       /**< a pointer to their end says how many there are */
    uint8_t pointers; /**< from the variable to here */
};

static bool append(struct pointer_search *s, const struct found_object *object)
{
    if (!(s->count & (s->count - 1))) {
        struct found_object *grown =
            realloc(s->objects, (s->count ? 2 * (size_t)s->count : 1) * sizeof(*grown));

        if (!grown)
            return false;
        s->objects = grown;
    }
    s->objects[s->count++] = *object;
    return true;
}

/* Unless the same objects have been found before, by a chain that was not longer. */
static void append_new(struct pointer_search *s, const struct found_object *object)
{
    /* The target chooses both; it cannot know where the types are. */
    uint64_t key = hash_mix(hash_mix((uintptr_t)s->types, object->start), object->type), *index;

    for (; (index = hash_add(&s->seen, key, NULL)) && *index; key++) {
        const struct found_object *known = &s->objects[*index - 1];

        if (known->start == object->start && known->type == object->type)
            return;
    }
    if (index)
        *index = s->count + 1;
    if (!index || !append(s, object))
        s->reads = s->limit; /* out of memory */
}

/** A pointer in an object. */
struct pointer {
    enum how how;
    uint32_t type;   /**< what it leads to; a descriptor: its own */
    uint64_t offset; /**< in the object */
    uint64_t end;    /**< offset of the pointer to the end of what this one leads to; 0 none */
};

static bool elements(struct pointer_search *s, const struct insp_type *array, struct found_object *object)
{
    object->count = 1;
    object->type = type_index(s->types, array->target);
    object->size = type_size(s->types, object->type);
    object->dimension_count = array->dimensions;
    if (!object->size || !type_dimensions(s->types, array, &object->dimensions))
        return false;
    for (uint32_t i = 0; i < array->dimensions; i++)
        if (__builtin_mul_overflow(object->count, array->dimension[i].count, &object->count))
            return false;
    return object->count && object->count <= UINT64_MAX / object->size;
}

/* Goes where a pointer with VALUE (a descriptor's: its address) leads to; END: 0 or the end of that. */
static void follow(struct pointer_search *s, uint32_t from, const struct pointer *pointer, uint64_t value,
                   uint64_t end)
{
    struct found_object object = {.start = value,
                                  .count = 1,
                                  .type = pointer->type,
                                  .from = from,
                                  .offset = pointer->offset,
                                  .how = pointer->how,
                                  .pointers = s->objects[from].pointers + 1};
    struct insp_region region;
    struct insp_type array;

    if (pointer->how == BY_DESCRIPTOR) {
        if (host_array(s->types->session, type_of(s->types, pointer->type)->handle, value, &array,
                       &object.start) ||
            !elements(s, &array, &object))
            return;
    } else {
        object.size = type_size(s->types, object.type);
    }
    if (!object.size || !memory_region(s->memory, object.start, &region))
        return;
    if (end) {
        if (end <= value || end > region.end || (end - value) % object.size)
            return;
        object.count = (end - value) / object.size;
        object.several = object.ended = true;
    } else if (object.how == BY_POINTER) {
        object.count = memory_allocated(s->memory, value, object.size, &object.several);
    }
    append_new(s, &object);
}

/** The pointers of one object are looked for. */
struct visit {
    struct pointer_search *s;
    uint32_t object;
    int pointers; /* that may be between its own and the lock, these included */
};

/* False: the end of the search. */
static bool found_pointer(const struct visit *v, const struct pointer *pointer)
{
    struct pointer_search *s = v->s;
    const uint64_t start = s->objects[v->object].start;
    uint64_t value = start + pointer->offset, end = 0;

    if (s->reads >= s->limit)
        return false;
    s->reads++;
    if (pointer->how != BY_DESCRIPTOR && (!memory_word(s->memory, start + pointer->offset, &value) || !value))
        return true;
    if (pointer->end && (!memory_word(s->memory, start + pointer->end, &end) || !end))
        return true;
    follow(s, v->object, pointer, value, end);
    return true;
}

static bool visit(const struct visit *v, uint32_t type, uint64_t offset, uint64_t end, int depth);

static bool visit_array(const struct visit *v, uint32_t type, uint64_t offset, int depth)
{
    struct name_types *types = v->s->types;
    uint32_t target = type_target(types, type);
    uint64_t size = type_size(types, target), count = size ? type_size(types, type) / size : 0;

    for (uint64_t i = 0; i < count && i < NAMES_ELEMENTS; i++)
        if (!visit(v, target, offset + i * size, 0, depth))
            return false;
    return true;
}

/* The offset of the member NAME; 0 when there is none. */
static uint64_t offset_of(const struct name_field *fields, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].name && !strcmp(fields[i].name, name))
            return fields[i].offset;
    return 0;
}

static bool visit_members(const struct visit *v, uint32_t type, uint64_t offset, int depth)
{
    uint32_t count;
    const struct name_field *fields = type_fields(v->s->types, type, &count);
    /* libstdc++'s std::vector: its other two pointers lead to ends. */
    uint64_t finish = offset_of(fields, count, "_M_finish");

    for (uint32_t i = 0; i < count; i++) {
        const char *name = fields[i].name && finish ? fields[i].name : "";
        bool start = !strcmp(name, "_M_start");

        if (fields[i].bits || !strcmp(name, "_M_finish") || !strcmp(name, "_M_end_of_storage")) {
            if (++v->s->visits >= v->s->visit_limit)
                return false;
            continue;
        }
        if (!visit(v, fields[i].type, offset + fields[i].offset, start ? offset + finish : 0, depth))
            return false;
    }
    return true;
}

/* Follows the pointers in an object of TYPE at OFFSET of the visited one. False: the end of the search. */
static bool visit(const struct visit *v, uint32_t type, uint64_t offset, uint64_t end, int depth)
{
    struct name_types *types = v->s->types;
    struct pointer pointer = {.offset = offset, .end = end};
    const struct name_type *t;

    type = type_strip(types, type);
    if (v->s->visits >= v->s->visit_limit)
        return false;
    v->s->visits++;
    if (depth > NAMES_NESTING || !type || type_is_lock(types, type) ||
        !type_can_reach_lock(types, type, v->pointers))
        return true;
    t = type_of(types, type);
    if (t->described) {
        pointer.how = BY_DESCRIPTOR;
        pointer.type = type;
        return found_pointer(v, &pointer);
    }
    if (t->kind == INSP_TYPE_STRUCT)
        return visit_members(v, type, offset, depth + 1);
    if (t->kind == INSP_TYPE_ARRAY)
        return visit_array(v, type, offset, depth + 1);
    pointer.how = t->kind == INSP_TYPE_POINTER ? BY_POINTER : BY_REFERENCE;
    pointer.type = type_target(types, type);
    return found_pointer(v, &pointer);
}

/* Adds a variable whose pointer is followed at once: what it holds is all that there is of it. */
static void add_holder(struct pointer_search *s, struct found_object *object, struct pointer *pointer,
                       uint64_t value)
{
    object->count = 0;
    if (!append(s, object) || !pointer->type || !value)
        return;
    s->reads++;
    follow(s, s->count - 1, pointer, value, 0);
}

void search_add(struct pointer_search *s, const struct insp_variable *v)
{
    struct found_object object = {.start = v->address, .count = 1, .type = type_index(s->types, v->type)};
    uint32_t type = type_strip(s->types, object.type);
    const struct name_type *t = type_of(s->types, type);
    struct pointer pointer = {.how = t->kind == INSP_TYPE_POINTER ? BY_POINTER : BY_REFERENCE};
    const bool elements_held = v->is_value && t->kind == INSP_TYPE_ARRAY;
    uint64_t value = v->address;
    struct insp_type array;

    if (!v->name || !*v->name || !type ||
        (!elements_held && !type_can_reach_lock(s->types, type, NAMES_POINTERS)) ||
        !(object.name = arena_str(&s->arena, v->name)))
        return;
    if (elements_held) {
        /* The host has read the descriptor itself. */
        object.how = BY_DESCRIPTOR;
        object.pointers = 1;
        if (!host_type(s->types->session, t->handle, &array) && elements(s, &array, &object))
            (void)append(s, &object);
    } else if (t->described) {
        pointer.how = BY_DESCRIPTOR;
        pointer.type = type;
        add_holder(s, &object, &pointer, value);
    } else if (v->is_value || t->kind == INSP_TYPE_REFERENCE) {
        /* Not all hosts say where a reference itself lies. */
        if (type_is_pointer(s->types, type) && (v->is_value || memory_word(s->memory, v->address, &value))) {
            pointer.type = type_target(s->types, type);
            add_holder(s, &object, &pointer, value);
        }
    } else {
        (void)append(s, &object);
    }
}

void search_run(struct pointer_search *s)
{
    for (uint32_t i = 0; i < s->count && s->reads < s->limit; i++) {
        const struct found_object object = s->objects[i]; /* they move */
        const struct visit v = {s, i, NAMES_POINTERS - object.pointers};

        if (!type_can_reach_lock(s->types, object.type, v.pointers))
            continue;
        for (uint64_t k = 0; k < object.count && k < NAMES_ELEMENTS; k++)
            if (!visit(&v, object.type, k * object.size, 0, 0))
                break;
    }
}

/* Appends the expression of what lies OFFSET bytes into object I. False: nothing begins there. */
static bool expression(struct pointer_search *s, uint32_t i, uint64_t offset, struct sbuf *out, bool *lock)
{
    const struct found_object *object = &s->objects[i];
    uint64_t index = object->pointers ? offset / object->size : 0;
    struct sbuf base = {0}, path = {0};
    struct name_part part = {0};
    bool ok;

    ok = path_write(s->types, object->type, object->pointers ? offset % object->size : offset, &path, &part);
    /* A pointer variable in a register has nothing behind it but what it leads to. */
    if (object->name)
        sbuf_add(&base, object->name);
    else
        ok = ok && expression(s, object->from, object->offset, &base, lock);
    *lock = part.lock;
    sbuf_add(&path, "");
    if (!ok || base.oom || path.oom || !base.text) {
        sbuf_free(&base);
        sbuf_free(&path);
        return false;
    }
    path_unwrap(base.text, object->ended);
    if (object->pointers && object->how == BY_POINTER) {
        path_behind_pointer(base.text, index, object->several, path.text, out);
    } else {
        sbuf_add(out, base.text);
        if (object->pointers && object->how == BY_DESCRIPTOR)
            ok = path_index(object->dimensions, object->dimension_count, true, index, out);
        sbuf_add(out, path.text);
    }
    sbuf_free(&base);
    sbuf_free(&path);
    return ok;
}

char *search_find(struct pointer_search *s, uint64_t addr)
{
    /* The first object of all is the one with the shortest chain. */
    for (uint32_t i = 0; i < s->count; i++) {
        const struct found_object *object = &s->objects[i];
        uint64_t offset = addr - object->start;
        struct sbuf out = {0};
        bool lock = false;

        if (!object->pointers || offset / object->size >= object->count)
            continue;
        if (expression(s, i, offset, &out, &lock) && lock)
            return sbuf_take(&out);
        sbuf_free(&out);
    }
    return NULL;
}

void search_free(struct pointer_search *s)
{
    free(s->objects);
    hash_free(&s->seen);
    arena_free(&s->arena);
    *s = (struct pointer_search){0};
}
