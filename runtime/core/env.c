/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Environment variables (OpenMP 5.2 chapter 21). A value that does not fit its grammar is named in a warning and has no
 * effect; values are case-insensitive and may have blanks around them.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rt.h"

static const char *blanks(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

static void bad(const char *name, const char *value, const char *expected)
{
    rt_warn("%s='%s' has no effect: %s is expected", name, value, expected);
}

/** A whole number in [min, max] at *s, which moves behind it and blanks; 0 when there is none. */
static int number(const char **s, long min, long max, long *ret)
{
    char *end;
    *s = blanks(*s);
    if (!isdigit((unsigned char)**s) && **s != '+')
        return 0;
    long value = strtol(*s, &end, 10);
    if (end == *s || value < min)
        return 0;
    *ret = value > max ? max : value;
    *s = blanks(end);
    return 1;
}

/** The word at *s if it is one of the list; its index, or -1. *s moves behind it and blanks. */
static int word(const char **s, const char *const *list)
{
    *s = blanks(*s);
    for (int i = 0; list[i] != NULL; i++) {
        size_t n = strlen(list[i]);
        if (strncasecmp(*s, list[i], n) == 0 && !isalnum((unsigned char)(*s)[n]) && (*s)[n] != '_') {
            *s = blanks(*s + n);
            return i;
        }
    }
    return -1;
}

/** One word and nothing else. */
static int only_word(const char *name, const char *const *list, const char *expected)
{
    const char *value = getenv(name), *s = value;
    if (value == NULL)
        return -1;
    int index = word(&s, list);
    if (index < 0 || *s != '\0') {
        bad(name, value, expected);
        return -1;
    }
    return index;
}

static void read_num_threads(struct rt_root *root)
{
    const char *name = "OMP_NUM_THREADS", *value = getenv(name), *s = value;
    if (value == NULL)
        return;
    int32_t list[RT_NEST_LIST];
    uint32_t count = 0;
    long n;
    do {
        if (!number(&s, 1, INT_MAX, &n)) {
            bad(name, value, "a positive number or a list of them");
            return;
        }
        if (count < RT_NEST_LIST)
            list[count++] = (int32_t)n;
    } while (*s == ',' && s++);
    if (*s != '\0') {
        bad(name, value, "a positive number or a list of them");
        return;
    }
    memcpy(root->nthreads_list, list, count * sizeof *list);
    root->nthreads_list_count = count;
    root->icvs.nthreads = list[0];
    if (count > 1)
        root->icvs.max_active_levels = INT_MAX;
}

static void read_schedule(struct rt_root *root)
{
    static const char *const kinds[] = {"static", "dynamic", "guided", "auto", NULL};
    static const char *const modifiers[] = {"monotonic", "nonmonotonic", NULL};
    const char *name = "OMP_SCHEDULE", *value = getenv(name), *s = value;
    if (value == NULL)
        return;
    const char *after = value;
    int modifier = word(&after, modifiers);
    if (modifier >= 0 && *after == ':')
        s = after + 1;
    else
        modifier = -1;
    int kind = word(&s, kinds);
    long chunk = 0;
    int good = kind >= 0;
    if (good && *s == ',') {
        s++;
        good = number(&s, 1, INT_MAX, &chunk);
    }
    if (!good || *s != '\0') {
        bad(name, value, "[modifier:]kind[,chunk] with kind static, dynamic, guided or auto");
        return;
    }
    root->icvs.sched = (uint32_t)kind + 1 + (modifier == 0 ? 0x80000000u : 0);
    root->icvs.chunk = (int32_t)chunk;
}

static void read_stacksize(struct rt_root *root)
{
    const char *name = "OMP_STACKSIZE", *value = getenv(name), *s = value;
    long size;
    if (value == NULL)
        return;
    if (number(&s, 1, LONG_MAX, &size)) {
        static const char units[] = "BKMG";
        const char *unit = *s ? strchr(units, toupper((unsigned char)*s)) : units + 1;
        if (unit != NULL && *blanks(s + (*s != '\0')) == '\0') {
            int shift = 10 * (int)(unit - units);
            if (size <= LONG_MAX >> shift) {
                root->stacksize = (uint64_t)size << shift;
                return;
            }
        }
    }
    bad(name, value, "a size with an optional unit B, K, M or G");
}

static void read_int(const char *name, long min, int32_t *ret)
{
    const char *value = getenv(name), *s = value;
    long n;
    if (value == NULL)
        return;
    if (number(&s, min, INT_MAX, &n) && *s == '\0')
        *ret = (int32_t)n;
    else
        bad(name, value, min > 0 ? "a positive number" : "a non-negative number");
}

static int read_bool(const char *name)
{
    static const char *const words[] = {"false", "true", NULL};
    return only_word(name, words, "true or false");
}

void rt_env_read(struct rt_root *root)
{
    static const char *const policies[] = {"active", "passive", NULL};
    static const char *const switches[] = {"disabled", "enabled", NULL};
    root->icvs = (struct rt_icvs){
        .nthreads = (int32_t)root->procs,
        .thread_limit = INT_MAX,
        .max_active_levels = 1,
        .sched = 1,
    };
    read_num_threads(root);
    read_schedule(root);
    read_stacksize(root);
    read_int("OMP_THREAD_LIMIT", 1, &root->icvs.thread_limit);
    root->thread_limit = root->icvs.thread_limit;
    root->icvs.dyn = read_bool("OMP_DYNAMIC") == 1;
    if (read_bool("OMP_NESTED") == 1)
        root->icvs.max_active_levels = INT_MAX;
    read_int("OMP_MAX_ACTIVE_LEVELS", 0, &root->icvs.max_active_levels);
    root->wait_policy = (uint32_t)(only_word("OMP_WAIT_POLICY", policies, "active or passive") + 1);
    root->debug = only_word("OMP_DEBUG", switches, "enabled or disabled") == 1;
}
