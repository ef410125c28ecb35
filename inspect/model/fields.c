/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/model/fields.h"

#include <string.h>

#include "inspect/model/crash.h"

#define OBJECT(object, type) typedef struct type object##_row;
#define FIELD(object, key, how, leaves, meaning)
#include "inspect/model/fields.def"

/* What a row of fields.def has for HOW: one of the AS_ below, and what that takes besides the structure. */
/* clang-format off */
#define HOW_ID(member)                    NUMBER, MDL_NUMBER, member, NULL
#define HOW_NUMBER(member)                NUMBER, MDL_NUMBER, member, NULL
#define HOW_POSITIVE(member)              NUMBER, MDL_POSITIVE, member, NULL
#define HOW_NATURAL(member)               NUMBER, MDL_NATURAL, member, NULL
#define HOW_SIGNED(member)                NUMBER, MDL_SIGNED, member, NULL
#define HOW_SIGNED_OR_NULL(member)        NUMBER, MDL_SIGNED, member, NULL
#define HOW_FACT(member, fact)            NUMBER, MDL_FACT, member, fact
#define HOW_ADDRESS(member)               NUMBER, MDL_ADDRESS, member, NULL
#define HOW_YES(member)                   NUMBER, MDL_YES, member, NULL
#define HOW_MAYBE(member)                 NUMBER, MDL_MAYBE, member, NULL
#define HOW_BIT(bits, fact)               BIT, bits, fact
#define HOW_WORD(member, words, fact)     WORD, member, words, fact
#define HOW_WORD_OR_NULL(...)             HOW_WORD(__VA_ARGS__)
#define HOW_OWN_WORD(member, words)       WORD, member, words, NULL
#define HOW_TEXT(member)                  TEXT, member
#define HOW_TEXT_OR_NULL(member)          TEXT, member
#define HOW_UNKNOWN(member, count)        LIST, MDL_UNKNOWN, member, count, ROW_NONE
#define HOW_LIST(member, count, object)   LIST, MDL_LIST, member, count, O_##object
#define HOW_SUB(member, object)           PART, MDL_SUB, member, object
#define HOW_SUB_OR_NULL(member, object)   PART, MDL_SUB, member, object
#define HOW_POINTER(member, object)       PART, MDL_POINTER, member, object
#define HOW_INLINE(member, object)        PART, MDL_INLINE, member, object
#define HOW_SELF(object)                  OTHER, MDL_SUB, O_##object
#define HOW_SELF_OR_NULL(object)          OTHER, MDL_SUB, O_##object
#define HOW_MADE(type)                    OTHER, MDL_APART, ROW_NONE
#define HOW_APART(type)                   OTHER, MDL_APART, ROW_NONE
#define HOW_APART_OBJECT(object)          OTHER, MDL_APART, O_##object

/* A member of a type that is not in the list does not compile. */
#define NUMBER_OF(row, member) \
    .number = _Generic(((row *)0)->member, bool: 'b', int: 'i', unsigned: 'u', int64_t: 'l', uint64_t: 'q'), \
    .offset = offsetof(row, member)
#define AS_NUMBER(row, as, member, unknown) .how = (as), .fact = (unknown), NUMBER_OF(row, member)
#define AS_BIT(row, bits, unknown) .how = MDL_BIT, .mask = (bits), .fact = (unknown), NUMBER_OF(row, flags)
#define AS_WORD(row, member, list, unknown) \
    .how = MDL_WORD, .words = &mdl_##list##_words, .fact = (unknown), NUMBER_OF(row, member)
#define AS_TEXT(row, member) \
    .how = MDL_TEXT, .offset = offsetof(row, member) * _Generic(((row *)0)->member, const char *: 1)
#define AS_LIST(row, as, member, number, object) \
    .how = (as), .offset = offsetof(row, member), .count_offset = offsetof(row, number), \
    .size = sizeof(*((row *)0)->member), .of = MDL_##object
#define AS_PART(row, as, member, object) \
    .how = (as), .offset = offsetof(row, member), .size = sizeof(object##_row), .of = MDL_O_##object
#define AS_OTHER(row, as, object) .how = (as), .of = MDL_##object
/* clang-format on */
#define AS(row, ...)      AS_(row, __VA_ARGS__)
#define AS_(row, as, ...) AS_##as(row, __VA_ARGS__)

const struct mdl_field mdl_fields[MDL_ROWS + 1] = {
#define OBJECT(object, type)
#define FIELD(object, name, how, leaving, meaning) \
    [MDL_F_##object##_##name] = {.key = #name, .leaves = MDL_##leaving, AS(object##_row, HOW_##how)},
#include "inspect/model/fields.def"
};

const struct mdl_field *mdl_fields_of(enum mdl_row object)
{
    return &mdl_fields[object + 1];
}

const struct mdl_field *mdl_field_by_key(enum mdl_row object, const char *key)
{
    const struct mdl_field *f, *inner;

    for (f = mdl_fields_of(object); f->key; f++) {
        inner = f->how == MDL_INLINE ? mdl_field_by_key(f->of, key) : NULL;
        if (inner || !strcmp(f->key, key))
            return inner ? inner : f;
    }
    return NULL;
}

void *mdl_field_at(const struct mdl_field *field, const void *row)
{
    return (char *)row + field->offset;
}

int *mdl_field_count(const struct mdl_field *field, const void *row)
{
    return (int *)((char *)row + field->count_offset);
}

int64_t mdl_field_number(const struct mdl_field *field, const void *row)
{
    const void *at = mdl_field_at(field, row);

    switch (field->number) {
    case 'b':
        return *(const bool *)at;
    case 'i':
        return *(const int *)at;
    case 'u':
        return *(const unsigned *)at;
    default:
        return *(const int64_t *)at;
    }
}

void mdl_field_set(const struct mdl_field *field, void *row, int64_t number)
{
    void *at = mdl_field_at(field, row);

    switch (field->number) {
    case 'b':
        *(bool *)at = number;
        break;
    case 'i':
        *(int *)at = (int)number;
        break;
    case 'u':
        *(unsigned *)at = (unsigned)number;
        break;
    default:
        *(int64_t *)at = number;
    }
}

int64_t mdl_field_most(const struct mdl_field *field)
{
    return field->number == 'i' ? INT32_MAX : field->number == 'u' ? UINT32_MAX : INT64_MAX;
}
