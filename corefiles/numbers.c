/* SPDX-License-Identifier: Apache-2.0 */
#include "corefiles/numbers.h"

#include <string.h>

static const char blanks[] = " \t\n";

/* 16: it is no digit. */
static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 16;
}

bool cf_next_number(const char **at, int base, uint64_t *ret)
{
    const char *begin = *at + strspn(*at, blanks), *end = begin;
    uint64_t value = 0;
    unsigned d;

    for (; (d = digit(*end)) < (unsigned)base; end++)
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) || __builtin_add_overflow(value, d, &value))
            return false;
    if (end == begin)
        return false;
    *at = end;
    *ret = value;
    return true;
}

bool cf_next_signed(const char **at, int64_t *ret)
{
    const char *begin = *at + strspn(*at, blanks);
    const bool negative = *begin == '-';
    uint64_t value;

    begin += negative;
    /* What has no blank before its digits: "- 1" is no number. */
    if (digit(*begin) > 9 || !cf_next_number(&begin, 10, &value) || value > INT64_MAX)
        return false;
    *at = begin;
    *ret = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

int32_t cf_proc_id(const char *name)
{
    uint64_t value;

    return digit(*name) < 10 && cf_next_number(&name, 10, &value) && !*name && value <= INT32_MAX
               ? (int32_t)value
               : 0;
}

const char *cf_word(const char *text, int n)
{
    text += strspn(text, blanks);
    while (--n > 0) {
        text += strcspn(text, blanks);
        text += strspn(text, blanks);
    }
    return *text ? text : NULL;
}

const char *cf_stat_field(const char *line, int n)
{
    const char *end = strrchr(line, ')');

    return end ? cf_word(end + 1, n - 2) : NULL;
}
