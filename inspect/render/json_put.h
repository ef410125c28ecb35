/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Little pieces of JSON. What is absent is null. (json_ is jansson's prefix.)
 */
#ifndef INSPECT_JSON_PUT_H
#define INSPECT_JSON_PUT_H

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "inspect/model/model.h"
#include "inspect/model/words.h"

/** What a document shows besides what all have. */
struct json_of {
    const insp_snapshot *s;
    bool report;  /**< of the process, how it crashed */
    bool verdict; /**< of runtimes, what it depends on */
    bool status;  /**< of runtimes, how they are known */
    bool locals;  /**< of frames, their variables */
};

/** The value that is to be put as KEY into the object O, for the structure at ROW. */
struct json_value {
    const struct json_of *of;
    json_t *o;
    const char *key;
    const void *row;
};

static inline void put(json_t *object, const char *key, json_t *value)
{
    /* json_object_set_new takes the reference in any case. */
    json_object_set_new(object, key, value ? value : json_null());
}

/** S with U+FFFD for each byte that is not UTF-8; null for NULL. */
json_t *utf8_json(const char *s);
/** S exactly where it is UTF-8. Where it is not, each such byte is U+FFFD, and KEY_bytes has all bytes in
 *  hex. */
void put_text(json_t *object, const char *key, const char *s);

/** One of the words of schema 1. */
static inline void put_word(json_t *object, const char *key, const struct mdl_words *words, int value)
{
    const char *word = mdl_word(words, value);

    put(object, key, word ? json_string(word) : NULL);
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

/** The same of ids. */
static inline json_t *id_list(const void *list, int count)
{
    const int64_t *ids = list;
    json_t *array = json_array();

    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_integer(ids[i]));
    return array;
}

/** Puts the facts that cannot be known into OBJECT's `unknown`, beside those that are there. */
void put_unknown(json_t *object, const struct mdl_unknown *list, int count);
/** Releases the document; its text, which is harmless on a terminal: what printable.h forbids is escaped. */
char *dump_document(json_t *root);
/** The same, all of it on one line. */
char *dump_line(json_t *root);

#endif
