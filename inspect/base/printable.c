/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "inspect/base/printable.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inspect/base/utf8.h"

static bool shown(uint32_t c)
{
    return !(c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
             (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069));
}

size_t printable_next(const char *s, bool *good)
{
    size_t n = utf8_len(s);

    *good = n && shown(utf8_point(s, n));
    return n ? n : *s != '\0';
}

bool printable_all(const char *s)
{
    bool good = true;

    while (s && *s && good) {
        while (*s >= ' ' && *s <= '~') /* nearly all there ever is */
            s++;
        if (*s)
            s += printable_next(s, &good);
    }
    return good;
}

static void fix(char *s, bool lines)
{
    char *to = s;

    while (s && *s) {
        bool good;
        size_t n = printable_next(s, &good);

        good |= lines && *s == '\n';
        if (good)
            memmove(to, s, n);
        else
            *to = '?';
        to += good ? n : 1; /* never longer than what was there */
        s += n;
    }
    if (to)
        *to = '\0';
}

void printable_fix(char *s)
{
    fix(s, false);
}

void printable_fix_lines(char *s)
{
    fix(s, true);
}

const char *printable_str(struct arena *a, const char *s)
{
    char *copy;

    if (!s || printable_all(s))
        return s;
    copy = arena_str(a, s);
    if (copy)
        printable_fix(copy);
    return copy;
}

char *insp_sentence(const char *format, ...)
{
    va_list list;
    char *text = NULL;
    int n;

    va_start(list, format);
    n = vasprintf(&text, format, list);
    va_end(list);
    if (n < 0)
        return NULL;
    printable_fix(text);
    return text;
}
