/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inspect/model/fields.def says what may stay. What it does not name cannot stay, so a key of a later version
 * is safe too.
 */
#include "harmless.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/base/hash.h"
#include "inspect/inspect.h"
#include "inspect/model/fields.h"

enum {
    /* Far from addresses that mean something, such as 0. */
    FIRST_ADDRESS = 0x10000000,
    VERSION_MOST = 100,
};

struct cleaning {
    const struct own_text *own;
    struct hash texts, addresses; /* their numbers */
    struct hash sentences;        /* index + 1 into `made` */
    char **made;
    size_t made_count;
    bool failed;
};

static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ' ') && n)
            return true;
    return false;
}

static bool consists_of(const char *text, const char *characters)
{
    return *text && !text[strspn(text, characters)];
}

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* "dynamic,4", "true". */
static bool is_setting(const char *text)
{
    static const char known[] =
        "true false static dynamic guided auto monotonic nonmonotonic master primary close "
        "spread default mandatory disabled enabled active passive";

    for (size_t n; *text; text += n, text += strspn(text, ",:-")) {
        char part[24] = "";

        n = strcspn(text, ",:-");
        if (!n || n >= sizeof(part))
            return false;
        memcpy(part, text, n);
        if (!consists_of(part, DIGITS) && !is_listed(known, part))
            return false;
    }
    return true;
}

static bool may_stay(const struct cleaning *c, const struct mdl_field *field, enum mdl_leaves leaves,
                     const char *text)
{
    switch (leaves) {
    case MDL_KEPT:
        return field->words && mdl_word_value(field->words, text) >= 0;
    case MDL_CONSTANT:
        return own_text_has(c->own, text);
    case MDL_VERSION:
        return strlen(text) < VERSION_MOST && consists_of(text, LETTERS DIGITS " .,:+-_~()");
    case MDL_SETTING:
        return is_setting(text);
    case MDL_BUILD_ID:
        return consists_of(text, DIGITS "abcdef");
    default:
        return false;
    }
}

/* The number of a key, from 1 on. */
static uint64_t number_of(struct cleaning *c, struct hash *map, uint64_t number, const char *text)
{
    uint64_t *at = hash_add(map, number, text);

    if (!at) {
        c->failed = true;
        return 0;
    }
    if (!*at)
        *at = map->count;
    return *at;
}

static json_t *numbered(struct cleaning *c, const char *text)
{
    return json_sprintf("text %" PRIu64, number_of(c, &c->texts, 0, text));
}

static json_t *address(struct cleaning *c, const char *text)
{
    const uint64_t n = number_of(c, &c->addresses, strtoull(text, NULL, 16), NULL);
    char buffer[32];

    snprintf(buffer, sizeof(buffer), "0x%" PRIx64, n + FIRST_ADDRESS);
    return json_string(buffer);
}

/* There are few sentences, and many of each: looking for one takes a while. */
static json_t *sentence(struct cleaning *c, const char *text)
{
    uint64_t *at = hash_add(&c->sentences, 0, text);
    char **grown;

    if (at && !*at) {
        grown = array_grow(c->made, c->made_count, sizeof(*grown));
        if (grown) {
            c->made = grown;
            c->made[c->made_count++] = own_text_of(c->own, text);
            *at = c->made_count;
        }
    }
    if (!at || !*at) {
        c->failed = true;
        return NULL;
    }
    return c->made[*at - 1] ? json_string(c->made[*at - 1]) : numbered(c, text);
}

static json_t *text_of(struct cleaning *c, const struct mdl_field *field, enum mdl_leaves leaves,
                       const char *text)
{
    if (leaves == MDL_KEPT && field->how == MDL_ADDRESS && !strncmp(text, "0x", 2))
        return address(c, text);
    if (leaves == MDL_SENTENCE)
        return sentence(c, text);
    return may_stay(c, field, leaves, text) ? json_string(text) : numbered(c, text);
}

/* The keys of `unknown` are names of facts; a file could have anything there. */
static bool is_key(const char *key)
{
    return consists_of(key, "abcdefghijklmnopqrstuvwxyz_.") && !strstr(key, "_bytes");
}

/* What of FIELD may stay in OBJECT. A function of a runtime or of libc is not the program's; only Companion's
 * version is not the name of its layout's row, which a user may have given. */
static enum mdl_leaves leaves_of(const struct mdl_field *field, const json_t *object)
{
    const char *code = json_string_value(json_object_get(object, "code"));
    const char *kind = json_string_value(json_object_get(object, "kind"));

    if ((field == &mdl_fields[MDL_F_place_function] || field == &mdl_fields[MDL_F_frame_symbol]) && code &&
        is_listed("openmp libc", code))
        return MDL_CONSTANT;
    if (field == &mdl_fields[MDL_F_runtime_version] && kind && !strcmp(kind, "companion"))
        return MDL_VERSION;
    return field->leaves;
}

static json_t *clean(struct cleaning *c, const struct mdl_field *field, enum mdl_leaves leaves,
                     const json_t *value);

/* OBJECT is FIELD's, or an element of its list. */
static json_t *clean_object(struct cleaning *c, const struct mdl_field *field, enum mdl_leaves leaves,
                            const json_t *object)
{
    static const struct mdl_field not_named = {.leaves = MDL_PRIVATE};
    json_t *ret = json_object(), *value, *left;
    const char *key;

    json_object_foreach((json_t *)object, key, value)
    {
        const struct mdl_field *f = field->of ? mdl_field_by_key(field->of, key) : field;

        f = f ? f : &not_named;
        left = is_key(key) ? clean(c, f, f == field ? leaves : leaves_of(f, object), value) : NULL;
        if (left && json_object_set_new(ret, key, left))
            c->failed = true;
    }
    return ret;
}

static json_t *clean_list(struct cleaning *c, const struct mdl_field *field, enum mdl_leaves leaves,
                          const json_t *list)
{
    json_t *ret = json_array(), *left;

    for (size_t i = 0; i < json_array_size(list); i++) {
        left = clean(c, field, leaves, json_array_get(list, i));
        if (left && json_array_append_new(ret, left))
            c->failed = true;
    }
    return ret;
}

/* May a number stay? CONSTANT: one that has a word for some of its values. */
static bool is_number(const struct mdl_field *field, enum mdl_leaves leaves)
{
    return (leaves == MDL_KEPT || leaves == MDL_CONSTANT) &&
           (field->how == MDL_APART || (field->how >= MDL_NUMBER && field->how <= MDL_FACT));
}

/* What is left of VALUE, which is FIELD's; NULL: nothing. */
static json_t *clean(struct cleaning *c, const struct mdl_field *field, enum mdl_leaves leaves,
                     const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return clean_object(c, field, leaves, value);
    case JSON_ARRAY:
        return clean_list(c, field, leaves, value);
    case JSON_STRING:
        return text_of(c, field, leaves, json_string_value(value));
    case JSON_INTEGER:
        return is_number(field, leaves) ? json_incref((json_t *)value) : NULL;
    case JSON_REAL:
        return NULL;
    default:
        return json_incref((json_t *)value);
    }
}

/* Iterations are values of the program's variables, and without them a loop says nothing. */
static void leave_out_loops(json_t *document)
{
    json_t *own = json_object_get(document, "snapshot");
    const json_int_t want = json_integer_value(json_object_get(own, "want"));

    json_object_del(document, "loops");
    json_object_del(json_object_get(json_object_get(document, "process"), "crash"), "loop");
    json_object_set_new(own, "want", json_integer(want & ~(json_int_t)INSP_LOOPS));
}

/* What a reader of DOCUMENT makes of it; NULL: nothing. */
static json_t *read_again(const json_t *document)
{
    char *text = json_dumps(document, 0), *again;
    insp_snapshot *snapshot = text ? insp_load(text, strlen(text), NULL) : NULL;
    json_t *ret;

    again = insp_record(snapshot, NULL);
    ret = again ? json_loads(again, 0, NULL) : NULL;
    insp_string_free(again);
    insp_free(snapshot);
    free(text);
    return ret;
}

/* The verdict's sentence has names in many places. It is made again, of what is left of the process: so its
 * words stay, and it can name nothing else. */
static void judge_again(json_t *document)
{
    json_t *again = read_again(document);
    json_t *verdict = json_object_get(again, "verdict"), *edges = json_object_get(again, "edges");

    /* It may hang on a text that is not known again; then it would be the sentence of something else. */
    if (again &&
        json_equal(json_object_get(verdict, "kind"),
                   json_object_get(json_object_get(document, "verdict"), "kind")) &&
        json_array_size(edges) == json_array_size(json_object_get(document, "edges"))) {
        json_object_set(document, "verdict", verdict);
        json_object_set(document, "edges", edges);
    }
    json_decref(again);
}

json_t *harmless(const json_t *document, const struct own_text *own)
{
    struct cleaning c = {.own = own};
    const struct mdl_field whole = {.of = MDL_O_document};
    json_t *ret = clean_object(&c, &whole, MDL_KEPT, document);

    leave_out_loops(ret);
    judge_again(ret);
    hash_free(&c.texts);
    hash_free(&c.addresses);
    hash_free(&c.sentences);
    for (size_t i = 0; i < c.made_count; i++)
        free(c.made[i]);
    free(c.made);
    if (!c.failed)
        return ret;
    json_decref(ret);
    return NULL;
}
