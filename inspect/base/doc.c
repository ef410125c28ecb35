/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/doc.h"

#include <stdlib.h>
#include <string.h>

/** What is being read: the values of all lists that are open, one list behind the other. */
struct builder {
    struct arena *arena;
    struct pull *pull;
    struct doc *values;
    size_t count, room, total;
    size_t first[PULL_DEPTH]; /**< where the list of that depth begins, in front of it the list itself */
};

static struct doc *add(struct builder *b)
{
    if (b->total++ == DOC_VALUES) {
        b->pull->why = "there are too many values";
        return NULL;
    }
    if (b->count == b->room) {
        const size_t room = b->room ? 2 * b->room : 256;
        struct doc *grown = realloc(b->values, room * sizeof(*grown));

        if (!grown) {
            b->arena->oom = true;
            return NULL;
        }
        b->values = grown;
        b->room = room;
    }
    b->values[b->count] = (struct doc){.kind = PULL_NULL};
    return &b->values[b->count++];
}

/* The values of the list that ends become its rows. */
static bool take_list(struct builder *b)
{
    const size_t first = b->first[b->pull->depth], n = b->count - first;
    struct doc *rows = n ? arena_alloc(b->arena, n * sizeof(*rows)) : NULL;

    if (!b->values || (n && !rows)) /* a list that ends has a value before its rows */
        return false;
    if (n)
        memcpy(rows, b->values + first, n * sizeof(*rows));
    b->values[first - 1].rows = rows;
    b->values[first - 1].count = n;
    b->count = first;
    return true;
}

static const char *take_text(struct builder *b)
{
    char *text = arena_alloc(b->arena, b->pull->length + 1);

    if (text)
        pull_text(b->pull, text);
    return text;
}

static bool is_one_of(const char *key, const char *const *names)
{
    while (names && *names && strcmp(key, *names) != 0)
        names++;
    return names && *names;
}

/* WORD, whose name is KEY in an object. */
static bool take_value(struct builder *b, enum pull_word word, const char *key)
{
    struct doc *d = add(b);

    if (!d)
        return false;
    d->key = key;
    d->kind = word;
    if (word == PULL_TEXT) {
        d->text = take_text(b);
        return d->text;
    }
    if (word == PULL_INTEGER)
        d->integer = b->pull->integer;
    else if (word == PULL_OBJECT || word == PULL_ARRAY)
        b->first[b->pull->depth - 1] = b->count;
    return true;
}

/* All that comes until the outermost list is whole. */
static bool build(struct builder *b, const char *const *passed)
{
    struct pull *p = b->pull;
    const char *key = NULL;
    bool good;

    do {
        enum pull_word word = pull_next(p);

        if (word == PULL_KEY) {
            key = take_text(b);
            good = key;
            if (good && p->depth == 1 && is_one_of(key, passed)) {
                good = pull_pass(p);
                key = NULL;
            }
        } else if (word == PULL_OBJECT_END || word == PULL_ARRAY_END) {
            good = take_list(b);
        } else {
            good = word > PULL_END && take_value(b, word, key);
            key = NULL;
        }
    } while (good && p->depth);
    return good;
}

const struct doc *doc_read(struct arena *a, struct pull *p, const char *const *passed)
{
    struct builder b = {.arena = a, .pull = p};
    struct doc *root = NULL;

    if (build(&b, passed) && b.values) {
        if (b.values->kind != PULL_OBJECT && b.values->kind != PULL_ARRAY)
            p->why = "it is neither an object nor an array";
        else
            root = arena_alloc(a, sizeof(*root));
    }
    if (root)
        *root = b.values[0];
    free(b.values);
    return root;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

bool doc_is(const struct doc *d, enum pull_word kind)
{
    return d && d->kind == kind;
}

const struct doc *doc_get(const struct doc *d, const char *key)
{
    for (size_t i = doc_members(d); i; i--)
        if (d->rows[i - 1].key[0] == key[0] && !strcmp(d->rows[i - 1].key, key))
            return &d->rows[i - 1];
    return NULL;
}

size_t doc_rows(const struct doc *d)
{
    return doc_is(d, PULL_ARRAY) ? d->count : 0;
}

size_t doc_members(const struct doc *d)
{
    return doc_is(d, PULL_OBJECT) ? d->count : 0;
}

const struct doc *doc_row(const struct doc *d, size_t index)
{
    return index < doc_rows(d) ? &d->rows[index] : NULL;
}

const struct doc *doc_member(const struct doc *d, size_t index)
{
    return index < doc_members(d) ? &d->rows[index] : NULL;
}

const char *doc_text(const struct doc *d)
{
    return doc_is(d, PULL_TEXT) ? d->text : NULL;
}

int64_t doc_integer(const struct doc *d)
{
    return doc_is(d, PULL_INTEGER) ? d->integer : 0;
}
