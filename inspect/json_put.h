/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Little pieces of JSON. What is absent is null.
 */
#ifndef INSPECT_JSON_PUT_H
#define INSPECT_JSON_PUT_H

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "model.h"

static inline void put(json_t *object, const char *key, json_t *value)
{
    /* json_object_set_new takes the reference in any case. */
    json_object_set_new(object, key, value ? value : json_null());
}

static inline json_t *text(const char *s)
{
    return s ? json_string(s) : json_null();
}

static inline json_t *hex(uint64_t n)
{
    char buf[20];

    if (!n)
        return json_null();
    snprintf(buf, sizeof(buf), "0x%" PRIx64, n);
    return json_string(buf);
}

/* A number that is absent when negative, or when 0. */
static inline json_t *natural(int64_t n)
{
    return n < 0 ? json_null() : json_integer(n);
}

static inline json_t *positive(uint64_t n)
{
    return n ? json_integer((json_int_t)n) : json_null();
}

static inline json_t *int_list(const int *list, int count)
{
    json_t *array = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_integer(list[i]));
    return array;
}

static inline void put_place(json_t *object, const struct mdl_place *place)
{
    put(object, "function", text(place->function));
    put(object, "file", text(place->file));
    put(object, "line", place->line > 0 ? json_integer(place->line) : NULL);
    if (place->module)
        put(object, "module", text(place->module));
}

/** The list `stacks`. */
json_t *json_stacks(const insp_snapshot *s);
/** What a recorded snapshot has besides schema 1. */
json_t *json_snapshot(const insp_snapshot *s);

#endif
