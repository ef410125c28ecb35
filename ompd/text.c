/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

void text_add(struct text *text, const char *string)
{
    while (*string != '\0' && text->length < sizeof text->buffer - 1)
        text->buffer[text->length++] = *string++;
    text->buffer[text->length] = '\0';
}

static void add_base(struct text *text, uint64_t number, unsigned base)
{
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    text_add(text, &digits[at]);
}

void text_add_uint(struct text *text, uint64_t number)
{
    add_base(text, number, 10);
}

void text_add_int(struct text *text, int64_t number)
{
    if (number < 0)
        text_add(text, "-");
    add_base(text, number < 0 ? -(uint64_t)number : (uint64_t)number, 10);
}

void text_add_hex(struct text *text, uint64_t number)
{
    text_add(text, "0x");
    add_base(text, number, 16);
}
