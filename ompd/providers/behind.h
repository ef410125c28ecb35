/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How a member lies behind the one before it in gomp.def or kmp.def. 0 and more: so many bytes later, and
 * then at its natural place.
 */
#ifndef OMPD_BEHIND_H
#define OMPD_BEHIND_H

#include <stdint.h>

enum behind {
    ANYWHERE = -1,     /**< behind it */
    AT_LINE = -2,      /**< behind it, at the start of a line */
    AT_MOST_FOUR = -3, /**< at once, or four bytes later */
    SAME = -4,         /**< in the same word */
    UNORDERED = -5,    /**< nothing is said of it */
    HALF_LINE = -6     /**< at the start of half a line, before or behind the others */
};

/** Caches' lines, to which both runtimes align what several threads write. */
#define BEHIND_LINE 64u

static inline uint32_t behind_multiple(uint32_t number, uint32_t of)
{
    return (number + of - 1) / of * of;
}

/** What the compiler aligns a member of so many bytes to. Longer ones are structures of words. */
static inline uint32_t behind_alignment(uint32_t bytes)
{
    return bytes == 1 || bytes == 4 ? bytes : 8;
}

#endif
