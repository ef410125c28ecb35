/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The constant texts of ompd and libompd themselves, copied from where they are mapped. What is found here
 * holds nothing of the process that was looked at.
 */
#ifndef COMMAND_OWN_TEXT_H
#define COMMAND_OWN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct own_text {
    struct own_part {
        char *at;
        size_t size;
    } * parts; /**< what nobody can write of the two */
    size_t part_count;
    const char **sentences; /**< into the parts; as printf has them */
    size_t sentence_count;
    const char *library;
    bool failed; /**< out of memory */
};

/** LIBRARY: the path of libompd, which is loaded. False: out of memory. */
bool own_text_load(struct own_text *o, const char *library);
void own_text_free(struct own_text *o);

/** Is TEXT as a whole a constant there? */
bool own_text_has(const struct own_text *o, const char *text);
/** The constant that SENTENCE was made from, with "…" where something was filled in, malloc'ed; NULL: none is
 *  found. */
char *own_text_of(const struct own_text *o, const char *sentence);

#endif
