/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Reading values of environment variables (OpenMP 5.2 chapter 21): the parts that many of them share.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "env_parse.h"

const char *rt_parse_blanks(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

int rt_parse_number(const char **s, long min, long max, long *ret)
{
    char *end;
    const char *start = rt_parse_blanks(*s);
    /* strtol would take more than one sign's worth of blanks and minus signs. */
    if (!isdigit((unsigned char)start[*start == '+' || *start == '-']))
        return 0;
    long value = strtol(start, &end, 10);
    if (value < min)
        return 0;
    *ret = value > max ? max : value;
    *s = rt_parse_blanks(end);
    return 1;
}

int rt_parse_word(const char **s, const char *const *list)
{
    const char *start = rt_parse_blanks(*s);
    for (int i = 0; list[i] != NULL; i++) {
        size_t n = strlen(list[i]);
        if (strncasecmp(start, list[i], n) == 0 && !isalnum((unsigned char)start[n]) && start[n] != '_') {
            *s = rt_parse_blanks(start + n);
            return i;
        }
    }
    return -1;
}

int rt_parse_only_word(const char *value, const char *const *list)
{
    int index = rt_parse_word(&value, list);
    return *value == '\0' ? index : -1;
}

int rt_parse_bool(const char *value)
{
    /*
     * The specification has true and false alone; programs that were made with libomp are started with the
     * others.
     */
    static const char *const words[] = {"false", "true", "0", "1", "no", "yes", "off", "on", NULL};
    int index = rt_parse_only_word(value, words);
    return index < 0 ? -1 : index % 2;
}

int rt_parse_size(const char *value, int unit, uint64_t *ret)
{
    static const char units[] = "BKMGT";
    long size;
    if (!rt_parse_number(&value, 1, __LONG_MAX__, &size))
        return 0;
    if (*value != '\0') {
        const char *given = strchr(units, toupper((unsigned char)*value));
        if (given == NULL || *rt_parse_blanks(value + 1) != '\0')
            return 0;
        unit = (int)(given - units);
    }
    if (size > __LONG_MAX__ >> (10 * unit))
        return 0;
    *ret = (uint64_t)size << (10 * unit);
    return 1;
}
