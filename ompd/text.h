/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Text into a buffer of fixed size: what is too long is cut, and the text always ends. (stdio may allocate;
 * we may not.)
 */
#ifndef OMPD_TEXT_H
#define OMPD_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
    size_t length;
    char buffer[1024];
};

void text_add(struct text *text, const char *string);
void text_add_int(struct text *text, int64_t number);
void text_add_uint(struct text *text, uint64_t number);
void text_add_hex(struct text *text, uint64_t number);

#endif
