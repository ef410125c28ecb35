/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A JSON document in memory, for reading: all of it in an arena, 32 bytes for each value beside its text.
 * Of members with the same name the last one counts. Every function takes NULL, as a value that is not there.
 */
#ifndef INSPECT_DOC_H
#define INSPECT_DOC_H

#include "inspect/base/mem.h"
#include "inspect/base/pull.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The most values of a document: those of some 70,000 threads with their frames. A few bytes of text make a
 *  value, and none can be made to fill the memory. */
enum { DOC_VALUES = 1 << 24 };

struct doc {
    const char *key; /**< of a member of an object, else NULL */
    union {
        const char *text;
        int64_t integer;
        const struct doc *rows; /**< of an object or array, `count` of them */
    };
    size_t count;
    enum pull_word kind; /**< PULL_OBJECT and PULL_ARRAY for all of it */
};

/**
 * The object or array at P, which begins. What the outermost object has under one of the names PASSED, which
 * end with NULL, is checked and left out. NULL: it is no JSON (p->why), or there is no memory (a->oom).
 */
const struct doc *doc_read(struct arena *a, struct pull *p, const char *const *passed);

bool doc_is(const struct doc *d, enum pull_word kind);
/** The member KEY of an object, else NULL. */
const struct doc *doc_get(const struct doc *d, const char *key);
/** How many rows an array has, how many members an object; 0 of all others. */
size_t doc_rows(const struct doc *d);
size_t doc_members(const struct doc *d);
/** One of these, NULL: there are not so many. */
const struct doc *doc_row(const struct doc *d, size_t index);
const struct doc *doc_member(const struct doc *d, size_t index);
/** NULL: it is no text. */
const char *doc_text(const struct doc *d);
/** 0: it is no integer. */
int64_t doc_integer(const struct doc *d);

#ifdef __cplusplus
}
#endif
#endif
