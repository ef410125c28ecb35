/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/printable_snapshot.h"

#include <string.h>

#include "inspect/base/printable.h"
#include "inspect/model/fields.h"

char *insp_printable(const char *text)
{
    char *copy = text ? strdup(text) : NULL;

    printable_fix(copy);
    return copy;
}

/* Visits strings: looks whether one has to be replaced, or, with an arena, replaces them. */
struct visit {
    struct arena *arena;
    bool bad;
    const char *last; /* looked at: neighbours often share a string */
};

static void string(struct visit *v, const char **s)
{
    if (v->arena)
        *s = printable_str(v->arena, *s);
    else if (*s != v->last)
        v->bad |= !printable_all(*s);
    v->last = *s;
}

/* A list of a row about to be changed becomes the copy's own. */
static void *own(struct arena *a, const void *list, size_t size)
{
    void *copy = arena_alloc(a, size ? size : 1);

    if (copy && size)
        memcpy(copy, list, size);
    return copy;
}

static void own_list(struct visit *v, void **list, int *count, size_t size)
{
    if (!v->arena)
        return;
    *list = own(v->arena, *list, (size_t)*count * size);
    *count = *list ? *count : 0;
}

static void unknowns(struct visit *v, struct mdl_unknown **list, int *count)
{
    own_list(v, (void **)list, count, sizeof(**list));
    for (int i = 0; i < *count; i++) {
        string(v, &(*list)[i].field);
        string(v, &(*list)[i].reason);
    }
}

static void fields(struct visit *v, enum mdl_row object, void *row);

static void list(struct visit *v, const struct mdl_field *f, void *row)
{
    void **rows = mdl_field_at(f, row);
    int *count = mdl_field_count(f, row);

    own_list(v, rows, count, f->size);
    for (int i = 0; i < *count; i++)
        fields(v, f->of, (char *)*rows + (size_t)i * f->size);
}

static void pointer(struct visit *v, const struct mdl_field *f, void **at)
{
    if (*at && v->arena)
        *at = own(v->arena, *at, f->size);
    if (*at)
        fields(v, f->of, *at);
}

/* The strings that no row of fields.def has, and the frames, which JSON has apart from their thread. */
static void thread(struct visit *v, struct mdl_thread *t)
{
    string(v, &t->other_state);
    unknowns(v, &t->placement_unknown, &t->placement_unknown_count);
    fields(v, MDL_O_stack, t);
}

static void fields(struct visit *v, enum mdl_row object, void *row)
{
    for (const struct mdl_field *f = mdl_fields_of(object); f->key; f++) {
        void *at = mdl_field_at(f, row);

        if (f->how == MDL_TEXT)
            string(v, at);
        else if (f->how == MDL_UNKNOWN)
            unknowns(v, at, mdl_field_count(f, row));
        else if (f->how == MDL_LIST)
            list(v, f, row);
        else if (f->how == MDL_POINTER)
            pointer(v, f, at);
        else if (f->how == MDL_SUB || f->how == MDL_INLINE)
            fields(v, f->of, at);
    }
    if (object == MDL_O_thread)
        thread(v, row);
}

const insp_snapshot *printable_snapshot(struct arena *a, const insp_snapshot *s)
{
    struct visit v = {0};
    struct insp_snapshot *copy = arena_alloc(a, sizeof(*copy));

    if (!copy)
        return NULL;
    *copy = *s;
    copy->arena = (struct arena){0};
    fields(&v, MDL_O_document, copy); /* without an arena nothing is written */
    if (!v.bad)
        return s;
    v.arena = a;
    fields(&v, MDL_O_document, copy);
    return a->oom ? NULL : copy;
}
