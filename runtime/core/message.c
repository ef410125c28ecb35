/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Messages, and the characters that none of them contains. See message.h.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "keep_errno.h"
#include "message.h"

/**
 * The character at s, of UTF-8 (RFC 3629), into *ret; returns its bytes, or 0 where the bytes are something
 * else.
 */
static size_t decode(const unsigned char *s, size_t left, uint32_t *ret)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (n == 0 || n > left)
        return 0;
    uint32_t c = n == 1 ? s[0] : s[0] & (0x7fU >> n);
    for (size_t i = 1; i < n; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        c = c << 6 | (s[i] & 0x3f);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *ret = c;
    return n;
}

static int is_printable(uint32_t c)
{
    return !(c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x061c || c == 0x200e || c == 0x200f ||
             (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069));
}

/** How many bytes the character at s has, and whether it is written as it is. */
static size_t next(const char *s, size_t left, enum rt_layout_of_text layout, int *good)
{
    uint32_t c;
    size_t n = decode((const unsigned char *)s, left, &c);
    *good = n != 0 && (is_printable(c) || (layout == RT_TAB_AND_NEWLINE && (c == '\t' || c == '\n')));
    return n != 0 ? n : 1;
}

size_t rt_printable(char *text, size_t length, enum rt_layout_of_text layout)
{
    size_t to = 0;
    for (size_t from = 0; from < length;) {
        int good;
        size_t n = next(text + from, length - from, layout, &good);
        if (good)
            memmove(text + to, text + from, n);
        else
            text[to] = '?';
        to += good ? n : 1;
        from += n;
    }
    return to;
}

void rt_put_printable(FILE *out, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        int good;
        size_t n = next(text, left, RT_ONE_LINE, &good);
        fwrite(good ? text : "?", 1, good ? n : 1, out);
        text += n;
        left -= n;
    }
}

static void message_say(const char *what, const char *format, va_list args)
{
    RT_KEEP_ERRNO;
    char line[512];
    int n = snprintf(line, sizeof line, "ompcompanion: %s", what);
    vsnprintf(line + n, sizeof line - (size_t)n, format, args);
    line[rt_printable(line, strlen(line), RT_ONE_LINE)] = '\0';
    fprintf(stderr, "%s\n", line);
}

void rt_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_say("warning: ", format, args);
    va_end(args);
}

void rt_end(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_say("error: ", format, args);
    va_end(args);
    exit(EXIT_FAILURE);
}

void rt_fatal(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_say("error: ", format, args);
    va_end(args);
    abort();
}
