/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The rows of fields.def as a table, for what goes through all members of a snapshot.
 */
#ifndef INSPECT_FIELDS_H
#define INSPECT_FIELDS_H

#include "inspect/model/model.h"
#include "inspect/model/words.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a value is kept and written: fields.def. */
enum mdl_how {
    MDL_OBJECT, /**< no key: the row before the first one of an object */
    MDL_NUMBER,
    MDL_POSITIVE,
    MDL_NATURAL,
    MDL_SIGNED,
    MDL_FACT,
    MDL_BIT,
    MDL_ADDRESS,
    MDL_YES,
    MDL_MAYBE,
    MDL_TEXT,
    MDL_WORD,
    MDL_UNKNOWN,
    MDL_SUB,
    MDL_POINTER,
    MDL_INLINE,
    MDL_LIST,
    MDL_APART /**< also what a function makes */
};

/** What may be in a bug report. */
enum mdl_leaves {
    MDL_KEPT,
    MDL_SENTENCE,
    MDL_CONSTANT,
    MDL_VERSION,
    MDL_SETTING,
    MDL_BUILD_ID,
    MDL_PRIVATE,
    MDL_PROGRAM
};

/** The index of each row: MDL_O_thread, and behind it MDL_F_thread_lwp and the other keys of a thread. */
enum mdl_row {
    MDL_ROW_NONE,
#define OBJECT(object, type)                     MDL_O_##object,
#define FIELD(object, key, how, leaves, meaning) MDL_F_##object##_##key,
#include "inspect/model/fields.def"
    MDL_ROWS
};

struct mdl_field {
    const char *key;
    enum mdl_how how;
    enum mdl_leaves leaves;
    char number; /**< type of a number: b(ool), i(nt), u(nsigned), l(ong), q(uad, unsigned) */
    size_t offset, count_offset;
    size_t size;     /**< of an element of a list, of a structure */
    enum mdl_row of; /**< the object that it is, or of which it is a list */
    const struct mdl_words *words;
    const char *fact;
    unsigned mask;
};

/** All rows, and one of MDL_OBJECT behind them. */
extern const struct mdl_field mdl_fields[MDL_ROWS + 1];

/** The first row of an object; the last one is before the next of MDL_OBJECT. */
const struct mdl_field *mdl_fields_of(enum mdl_row object);
/** The row of an object's key; NULL: there is none. */
const struct mdl_field *mdl_field_by_key(enum mdl_row object, const char *key);
/** Where FIELD lies in the structure at ROW. */
void *mdl_field_at(const struct mdl_field *field, const void *row);
int *mdl_field_count(const struct mdl_field *field, const void *row);
/** A number, truth value or enumerator of any size, and the largest that it may be. */
int64_t mdl_field_number(const struct mdl_field *field, const void *row);
void mdl_field_set(const struct mdl_field *field, void *row, int64_t number);
int64_t mdl_field_most(const struct mdl_field *field);

#ifdef __cplusplus
}
#endif
#endif
