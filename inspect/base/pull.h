/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * JSON, one word after the other. The text is not trusted: all of it is checked as strictly as RFC 8259 has
 * it, also what the caller passes over, and nothing is allocated, whatever the text says.
 *
 *     struct pull p;
 *     pull_start(&p, text, size);
 *     while ((word = pull_next(&p)) > PULL_END)
 *         ...
 *
 * What RFC 8259 leaves open: integers have 64 bits, U+0000 is refused, and lists may be in lists PULL_DEPTH
 * times. Reals are numbers of which nobody wants to know the value.
 */
#ifndef INSPECT_PULL_H
#define INSPECT_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PULL_DEPTH = 64 };

enum pull_word {
    PULL_WRONG, /**< it is no JSON: `why` */
    PULL_END,   /**< the value that begins the text is whole, `at` is behind it */
    PULL_OBJECT,
    PULL_OBJECT_END,
    PULL_ARRAY,
    PULL_ARRAY_END,
    PULL_KEY, /**< its value comes next */
    PULL_TEXT,
    PULL_INTEGER,
    PULL_REAL,
    PULL_TRUE,
    PULL_FALSE,
    PULL_NULL,
};

struct pull {
    const char *begin, *at, *end;
    int wants;
    unsigned depth;
    uint64_t objects; /**< bit N: what is open at depth N is an object */
    const char *why;  /**< of PULL_WRONG, else NULL */
    const char *raw;  /**< of a key or text what is between the quotes, `length` bytes */
    size_t length;
    bool escaped; /**< there are escapes in it */
    int64_t integer;
};

void pull_start(struct pull *p, const char *text, size_t size);
enum pull_word pull_next(struct pull *p);
/** Begins another value, behind the one that has ended. */
void pull_again(struct pull *p);
/** Passes over the value that comes next, with all that is in it. False: it is no JSON. */
bool pull_pass(struct pull *p);
/** Writes the key or text that was read, and a NUL: into TO, which has room for `length` + 1 bytes. */
void pull_text(const struct pull *p, char *to);
/** Is there nothing but blanks from `at` on? These are passed over. */
bool pull_done(struct pull *p);
/** The number of the line that `at` is in. */
int pull_line(const struct pull *p);

#ifdef __cplusplus
}
#endif
#endif
