/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran's character arguments as C strings and back: no NUL, a length behind the other arguments, blanks at
 * the end.
 */
#ifndef RT_ABI_OMP_FORTRAN_TEXT_H
#define RT_ABI_OMP_FORTRAN_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "../core/message.h"

/** A C string beside a Fortran one; short ones need no memory. */
struct rt_fortran_text {
    char *c;
    char near[256];
};

/** Room for `length` characters and a NUL. */
static inline char *rt_fortran_room(struct rt_fortran_text *text, size_t length)
{
    text->c = length < sizeof text->near ? text->near : malloc(length + 1);
    if (text->c == NULL)
        rt_fatal("no memory for a text of %zu characters", length);
    text->c[0] = '\0';
    return text->c;
}

/** The text as it is: libgomp and libomp both keep an affinity format's blanks at the end. */
static inline const char *rt_fortran_text(struct rt_fortran_text *text, const char *characters, size_t length)
{
    rt_fortran_room(text, length);
    memcpy(text->c, characters, length);
    text->c[length] = '\0';
    return text->c;
}

/** The text without the blanks at its end, for names. */
static inline const char *rt_fortran_name(struct rt_fortran_text *text, const char *characters, size_t length)
{
    while (length > 0 && characters[length - 1] == ' ')
        length--;
    return rt_fortran_text(text, characters, length);
}

static inline void rt_fortran_text_free(struct rt_fortran_text *text)
{
    if (text->c != text->near)
        free(text->c);
}

/** Stores a text of `full` characters, of which `c` has as many as fit, in a CHARACTER(length). */
static inline void rt_fortran_give(char *characters, size_t length, const char *c, size_t full)
{
    size_t n = full < length ? full : length;
    memcpy(characters, c, n);
    memset(characters + n, ' ', length - n);
}

#endif
