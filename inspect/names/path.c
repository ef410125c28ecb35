/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memrchr */
#include "inspect/names/path.h"

#include <inttypes.h>
#include <string.h>

struct walk {
    struct name_types *types;
    struct sbuf *out;
    bool lock;      /* nothing else will do */
    uint32_t steps; /* left; the members of unions are tried one after the other */
    struct name_part part;
};

static void cut(struct sbuf *out, size_t length)
{
    if (out->text && out->len > length) {
        out->len = length;
        out->text[length] = '\0';
    }
}

bool path_index(const struct name_dimension *dimensions, uint32_t count, bool fortran, uint64_t at,
                struct sbuf *out)
{
    int64_t index[INSP_DIMENSIONS];

    if (!count || count > INSP_DIMENSIONS)
        return false;
    /* C's last index runs fastest, Fortran's first. A count that is not known can only be the slowest
       one's. */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = fortran ? i : count - 1 - i;
        bool slowest = i == count - 1;

        if (!slowest && !dimensions[k].count)
            return false;
        index[k] = (int64_t)((uint64_t)dimensions[k].lower + (slowest ? at : at % dimensions[k].count));
        at /= slowest ? 1 : dimensions[k].count;
    }
    for (uint32_t i = 0; i < count; i++)
        sbuf_printf(out, fortran ? "%s%" PRId64 : "%s%" PRId64 "]", !fortran ? "[" : i ? "," : "(", index[i]);
    if (fortran)
        sbuf_add(out, ")");
    return true;
}

static bool walk(struct walk *w, uint32_t type, uint64_t offset, int depth);

static bool in_array(struct walk *w, uint32_t type, uint64_t offset, int depth)
{
    uint32_t target = type_target(w->types, type);
    uint64_t size = type_size(w->types, target);
    const struct name_type *t = type_of(w->types, type);

    w->part.type_name = NULL;
    w->part.element = true;
    return size && path_index(t->dimensions, t->dimension_count, t->fortran, offset / size, w->out) &&
           walk(w, target, offset % size, depth + 1);
}

/* Does the member have the byte at OFFSET? */
static bool covers(struct name_types *types, const struct name_field *field, uint64_t offset)
{
    uint32_t type = type_strip(types, field->type);

    if (field->bits || !type || offset < field->offset || type_is_empty(types, type))
        return false;
    /* A descriptor has no size of its own: it begins there. */
    return type_of(types, type)->described ? offset == field->offset
                                           : offset - field->offset < type_size(types, type);
}

static bool in_member(struct walk *w, uint32_t type, uint64_t offset, int depth)
{
    bool fortran = type_of(w->types, type)->fortran;
    size_t length = w->out->len;
    uint32_t count;
    const struct name_field *fields = type_fields(w->types, type, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (!w->steps)
            return false;
        w->steps--;
        if (!covers(w->types, &fields[i], offset))
            continue;
        w->part.type_name = NULL;
        w->part.element = false;
        /* A base class and an anonymous member have no name of their own; std::array's only member is not
           the user's. */
        if (fields[i].name && strcmp(fields[i].name, "_M_elems"))
            sbuf_printf(w->out, "%c%s", fortran ? '%' : '.', fields[i].name);
        if (walk(w, fields[i].type, offset - fields[i].offset, depth + 1))
            return true;
        cut(w->out, length);
    }
    return false;
}

static bool walk(struct walk *w, uint32_t type, uint64_t offset, int depth)
{
    const struct name_type *t = type_of(w->types, type);

    if (!type || depth > NAMES_NESTING || !w->steps)
        return false;
    w->steps--;
    if (!t->lock) {
        if (t->kind == INSP_TYPE_ALIAS) {
            if (!w->part.type_name)
                w->part.type_name = t->name;
            return walk(w, type_target(w->types, type), offset, depth + 1);
        }
        if (t->kind == INSP_TYPE_ARRAY && !t->described)
            return in_array(w, type, offset, depth);
        if (t->kind == INSP_TYPE_STRUCT || t->kind == INSP_TYPE_UNION)
            return in_member(w, type, offset, depth);
    }
    if ((offset && !(t->sync && offset < type_size(w->types, type))) ||
        (w->lock && !type_is_lock(w->types, type)))
        return false;
    w->part.type = type;
    w->part.lock = type_is_lock(w->types, type);
    if (!w->part.type_name)
        w->part.type_name = t->name;
    return true;
}

bool path_write(struct name_types *types, uint32_t type, uint64_t offset, struct sbuf *out,
                struct name_part *ret)
{
    size_t length = out->len;

    /* An address can be that of several things, such as the members of a union: the lock is meant. */
    for (int lock = 1; lock >= 0; lock--) {
        const uint32_t left = NAMES_ALL_STEPS - types->steps, most = left < NAMES_STEPS ? left : NAMES_STEPS;
        struct walk w = {.types = types, .out = out, .lock = lock, .steps = most};
        bool found = walk(&w, type, offset, 0);

        types->steps += most - w.steps;
        if (found) {
            /* std::mutex has a pthread_mutex_t, in which the address may lie anywhere. */
            if (type_of(types, w.part.type)->sync && out->text)
                cut(out, length + path_outer_length(out->text + length));
            *ret = w.part;
            return true;
        }
        cut(out, length);
    }
    return false;
}

size_t path_outer_length(const char *path)
{
    static const char *const inner[] = {"._M_", ".__m_", ".__cv_", ".__a_"};
    size_t length = strlen(path);
    bool again = true;

    while (again) {
        const char *dot = memrchr(path, '.', length);

        again = false;
        for (size_t i = 0; dot && !again && i < sizeof(inner) / sizeof(*inner); i++)
            again =
                !strncmp(dot, inner[i], strlen(inner[i])) && !memchr(dot, '[', length - (size_t)(dot - path));
        length = again ? (size_t)(dot - path) : length;
    }
    return length;
}

void path_behind_pointer(const char *base, uint64_t index, bool several, const char *path, struct sbuf *out)
{
    bool starred = *base == '*'; /* which binds less than what follows */

    if (index || several)
        sbuf_printf(out, starred ? "(%s)[%" PRIu64 "]%s" : "%s[%" PRIu64 "]%s", base, index, path);
    else if (*path == '.')
        sbuf_printf(out, starred ? "(%s)->%s" : "%s->%s", base, path + 1);
    else
        sbuf_printf(out, *path ? "(*%s)%s" : "*%s%s", base, path);
}

void path_unwrap(char *text, bool ended)
{
    static const struct {
        const char *path;
        bool ended;
    } wrappers[] = {
        {"._M_impl._M_start", true},             /* std::vector */
        {"._M_t._M_t._M_head_impl", false},      /* std::unique_ptr, GCC 12 */
        {"._M_t._M_t._M_t._M_head_impl", false}, /* the same of other releases */
        {"._M_ptr", false},                      /* std::shared_ptr */
    };
    size_t length = strlen(text);

    for (size_t i = 0; i < sizeof(wrappers) / sizeof(*wrappers); i++) {
        size_t n = strlen(wrappers[i].path);

        if (wrappers[i].ended == ended && length > n && !strcmp(text + length - n, wrappers[i].path)) {
            text[length - n] = '\0';
            return;
        }
    }
}
