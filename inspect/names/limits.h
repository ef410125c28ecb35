/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What one snapshot does at most for names of objects. docs/limits.md has these numbers; types and memory are
 * the target's.
 */
#ifndef INSPECT_NAMES_LIMITS_H
#define INSPECT_NAMES_LIMITS_H

enum {
    NAMES_POINTERS = 4, /**< in a chain: table -> rows -> row -> the cell's lock; longer ones nobody reads */
    /** Pointers that are read in one search from global variables (0.1 s), in one from those of a
     *  function, in all. */
    NAMES_READS = 1 << 16,
    NAMES_LOCAL_READS = 1 << 12,
    NAMES_ALL_READS = 1 << 18,
    NAMES_VISITS = 1 << 20,     /**< members and elements that one search looks at to find pointers */
    NAMES_ALL_VISITS = 1 << 23, /**< that all do */
    NAMES_STEPS = 1 << 15,      /**< members that are looked at to spell one path */
    NAMES_ALL_STEPS = 1 << 24,  /**< that are for all */
    NAMES_NAME = 1 << 12,       /**< bytes of a name; one of a longer name is left out */
    NAMES_TEXT = 64 << 20,      /**< of the names of all types and members */
    NAMES_ELEMENTS = 8192,      /**< of one array, so that a huge one leaves time for other variables */
    NAMES_NESTING = 96,         /**< members within members, arrays of arrays, typedefs of typedefs */
    NAMES_TYPES = 1 << 18,      /**< that are asked for */
    NAMES_FIELDS = 1 << 14,     /**< of one type */
    NAMES_ALL_FIELDS = 1 << 20, /**< of all types */
    NAMES_UNIT_VARIABLES = 1 << 16,
    NAMES_LOCALS = 256,         /**< variables of one frame */
    NAMES_FRAMES = 64,          /**< the user's, of one thread */
    NAMES_WRAPPERS = 3,         /**< callers that are asked for a better name than a bare parameter */
    NAMES_ALL_FRAMES = 1 << 13, /**< in which variables that lie on stacks are looked for */
    NAMES_STACKS =
        512, /**< that are gone through, a thread's twice for each lock: the first ones are named */
    NAMES_VARIABLES_AT = 64, /**< that cover one address */
    /** Of the rest of the program: parts and bytes of data, words that point into allocated memory, files
     *  in which variables there are declared (a debugger may have to read each file's debug information,
     *  some 25 ms). */
    NAMES_DATA_PARTS = 1 << 16,
    NAMES_DATA = 16 << 20,
    NAMES_DATA_WORDS = 4096,
    NAMES_DATA_FILES = 64,
};

#endif
