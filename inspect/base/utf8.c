/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/base/utf8.h"

size_t utf8_len(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    size_t n = u[0] < 0x80                   ? 1
               : u[0] >= 0xc2 && u[0] < 0xe0 ? 2
               : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
               : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
                                             : 0;

    if (!u[0])
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, beyond U+10FFFF: JSON printers refuse them. */
    if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) || (u[0] == 0xf0 && u[1] < 0x90) ||
        (u[0] == 0xf4 && u[1] > 0x8f))
        return 0;
    return n;
}

uint32_t utf8_point(const char *s, size_t n)
{
    const unsigned char *u = (const unsigned char *)s;
    uint32_t c = n == 1 ? u[0] : u[0] & (0xffu >> (n + 1));

    for (size_t i = 1; i < n; i++)
        c = c << 6 | (u[i] & 0x3fu);
    return c;
}
