/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: what inspect/base reads as JSON, beside jansson: both accept it, to the same end and
 * with the same values, or both refuse it. And what is passed over changes nothing of the rest.
 *
 * The first byte of an input says what the others are: a text, or choices by which a document is made, and
 * then damage to it.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define require(truth) ((truth) ? (void)0 : abort())

/* ---- documents from choices ---------------------------------------------------------------------------- */

enum { TEXT_MAX = 1 << 16, NEST_MAX = 80 };

struct choices {
    const uint8_t *at, *end;
    char text[TEXT_MAX];
    size_t size;
};

static unsigned choose(struct choices *c, unsigned count)
{
    return c->at < c->end ? *c->at++ % count : 0;
}

static void add(struct choices *c, const char *text)
{
    const size_t n = strlen(text);

    if (n < TEXT_MAX - c->size) {
        memcpy(c->text + c->size, text, n);
        c->size += n;
    }
}

static void add_blank(struct choices *c)
{
    static const char *const blanks[] = {" ", "\n", "\r\n\t", "\f"};
    const unsigned which = choose(c, 64);

    add(c, which < 4 ? blanks[which] : "");
}

static void add_key(struct choices *c)
{
    static const char *const keys[] = {"\"a\"",        "\"edges\"", "\"\\u0061\"",    "\"\"",
                                       "\"\xc3\xa9\"", "\"ab\"",    "\"e\\u0064ges\""};

    add(c, keys[choose(c, 7)]);
    add_blank(c);
    add(c, ":");
}

/* One in 16 is what neither reader takes, or only one of them. */
static void add_scalar(struct choices *c)
{
    static const char *const good[] = {"null",
                                       "true",
                                       "false",
                                       "0",
                                       "-0",
                                       "12",
                                       "-7",
                                       "9223372036854775807",
                                       "-9223372036854775808",
                                       "1e3",
                                       "0.5E-7",
                                       "\"\"",
                                       "\"plain\"",
                                       "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                       "\"\\u00e9\\u20AC\\ud83d\\ude00\"",
                                       "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\""};
    static const char *const bad[] = {"9223372036854775808",
                                      "-9223372036854775809",
                                      "1e999",
                                      "01",
                                      "\"\\u0000\"",
                                      "\"\\ud800\"",
                                      "\"\\ud800\\u0041\"",
                                      "\"\\udc00\"",
                                      "\"\xed\xa0\x80\"",
                                      "\"\xc0\x80\"",
                                      "\"\xf4\x90\x80\x80\"",
                                      "\"\\x\"",
                                      "\"\x1f\""};

    if (choose(c, 16) == 15)
        add(c, bad[choose(c, sizeof(bad) / sizeof(*bad))]);
    else
        add(c, good[choose(c, sizeof(good) / sizeof(*good))]);
}

static void add_value(struct choices *c, unsigned nest)
{
    const unsigned what = choose(c, nest ? 8 : 4);
    const bool object = what < 2;

    if (what >= 4 || nest > NEST_MAX) {
        add_scalar(c);
        return;
    }
    add(c, object ? "{" : "[");
    for (unsigned n = choose(c, 5), i = 0; i < n; i++) {
        add(c, i ? "," : "");
        add_blank(c);
        if (object)
            add_key(c);
        add_blank(c);
        add_value(c, nest + 1);
    }
    add_blank(c);
    add(c, object ? "}" : "]");
}

/* Now and then too deep, and then some bytes that are others. */
static void make(struct choices *c)
{
    const unsigned deep = choose(c, 16) ? 0 : PULL_DEPTH - 4 + choose(c, 8);

    for (unsigned n = 0; n < deep; n++)
        add(c, "[");
    add_value(c, 0);
    for (unsigned n = 0; n < deep; n++)
        add(c, "]");
    while (c->end - c->at >= 3 && c->size) {
        const size_t at = (size_t)(c->at[0] << 8 | c->at[1]) % c->size;

        c->text[at] = (char)c->at[2];
        c->at += 3;
    }
}

/* ---- the two readers ----------------------------------------------------------------------------------- */

static size_t distinct(const struct doc *d)
{
    size_t count = 0;

    for (size_t i = 0; i < doc_members(d); i++) {
        bool first = true;

        for (size_t k = 0; k < i; k++)
            first &= strcmp(doc_member(d, i)->key, doc_member(d, k)->key) != 0;
        count += first;
    }
    return count;
}

/* Has D the value of JSON? LEFT_OUT: a member of the outermost object that is not there, NULL none. */
static void compare(const struct doc *d, const json_t *json, const char *left_out)
{
    const char *key;
    json_t *value;

    require(d != NULL);
    switch (d->kind) {
    case PULL_OBJECT:
        require(json_is_object(json));
        require(distinct(d) + (left_out && json_object_get(json, left_out)) == json_object_size(json));
        json_object_foreach((json_t *)json, key, value)
        {
            if (left_out && !strcmp(key, left_out))
                require(!doc_get(d, key));
            else
                compare(doc_get(d, key), value, NULL);
        }
        break;
    case PULL_ARRAY:
        require(json_is_array(json) && doc_rows(d) == json_array_size(json));
        for (size_t i = 0; i < doc_rows(d); i++)
            compare(doc_row(d, i), json_array_get(json, i), NULL);
        break;
    case PULL_TEXT:
        require(json_is_string(json) && !strcmp(doc_text(d), json_string_value(json)));
        break;
    case PULL_INTEGER:
        require(json_is_integer(json) && doc_integer(d) == json_integer_value(json));
        break;
    case PULL_REAL:
        require(json_is_real(json));
        break;
    default:
        require(d->kind == PULL_TRUE    ? json_is_true(json)
                : d->kind == PULL_FALSE ? json_is_false(json)
                                        : d->kind == PULL_NULL && json_is_null(json));
    }
}

/* Is it of those that jansson refuses, as no double has their value? */
static bool has_great_real(const struct doc *d)
{
    bool any = doc_is(d, PULL_REAL);

    for (size_t i = 0; i < doc_members(d); i++)
        any |= has_great_real(doc_member(d, i));
    for (size_t i = 0; i < doc_rows(d); i++)
        any |= has_great_real(doc_row(d, i));
    return any;
}

static void check(const char *text, size_t size)
{
    static const char *const passed[] = {"none", "edges", NULL};
    struct arena arena = {0};
    struct pull p, again;
    json_error_t why;
    json_t *json = json_loadb(text, size, JSON_DISABLE_EOF_CHECK, &why);
    const struct doc *whole, *part;

    pull_start(&p, text, size);
    pull_start(&again, text, size);
    whole = doc_read(&arena, &p, NULL);
    part = doc_read(&arena, &again, passed);
    require(!whole == !part && p.at == again.at && pull_line(&p) == pull_line(&again));
    require(!whole == (p.why != NULL) && !part == (again.why != NULL));
    if (whole && json) {
        require((size_t)(p.at - text) == (size_t)why.position);
        compare(whole, json, NULL);
        compare(part, json, "edges");
    } else if (whole) {
        require(json_error_code(&why) == json_error_numeric_overflow && has_great_real(whole));
    } else {
        /* jansson passes over a NUL behind a number. */
        require(!json || strstr(p.why, "too many lists") || memchr(text, '\0', size));
    }
    json_decref(json);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct choices c;

    if (size && data[0] % 4) {
        char *text;

        c.at = data + 1;
        c.end = data + size;
        c.size = 0;
        make(&c);
        /* Of just this size, so that a sanitizer sees what is read behind it. */
        text = malloc(c.size + 1);
        require(text != NULL);
        memcpy(text + 1, c.text, c.size);
        check(text + 1, c.size);
        free(text);
    } else if (size) {
        check((const char *)data + 1, size - 1);
    }
    return 0;
}
