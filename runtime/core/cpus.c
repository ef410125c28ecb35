/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sets of processors: reading and writing them as text, and the kernel's calls.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"
#include "keep_errno.h"

int rt_cpus_next(const struct rt_cpus *set, int from)
{
    if (from < 0)
        from = 0;
    for (int word = from / 64; word < RT_CPU_WORDS; word++) {
        uint64_t bits = set->bits[word];
        if (word == from / 64)
            bits &= ~0ULL << (from % 64);
        if (bits != 0)
            return word * 64 + __builtin_ctzll(bits);
    }
    return -1;
}

int rt_cpus_count(const struct rt_cpus *set)
{
    int count = 0;
    for (int word = 0; word < RT_CPU_WORDS; word++)
        count += __builtin_popcountll(set->bits[word]);
    return count;
}

int rt_cpus_equal(const struct rt_cpus *a, const struct rt_cpus *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

int rt_cpus_keep(struct rt_cpus *set, const struct rt_cpus *other)
{
    for (int word = 0; word < RT_CPU_WORDS; word++)
        set->bits[word] &= other->bits[word];
    return rt_cpus_count(set);
}

int rt_cpus_add_list(struct rt_cpus *set, const char *list)
{
    int lowest = -1;
    while (isdigit((unsigned char)*list)) {
        char *end;
        long first = strtol(list, &end, 10), last = first;
        if (*end == '-')
            last = strtol(end + 1, &end, 10);
        for (long id = first; id <= last && id < RT_CPU_MAX; id++)
            rt_cpus_add(set, id);
        if (first < RT_CPU_MAX && (lowest < 0 || first < lowest))
            lowest = (int)first;
        if (*end != ',')
            break;
        list = end + 1;
    }
    return lowest;
}

size_t rt_cpus_text(const struct rt_cpus *set, enum rt_cpus_style style, char *buffer, size_t size)
{
    size_t length = 0;
    if (size > 0)
        buffer[0] = '\0';
    for (int first = rt_cpus_next(set, 0); first >= 0;) {
        int last = first;
        char item[32];
        while (rt_cpus_has(set, last + 1))
            last++;
        int n;
        if (last == first)
            n = snprintf(item, sizeof item, "%s%d", length ? "," : "", first);
        else if (style == RT_CPUS_RANGES)
            n = snprintf(item, sizeof item, "%s%d-%d", length ? "," : "", first, last);
        else
            n = snprintf(item, sizeof item, "%s%d:%d", length ? "," : "", first, last - first + 1);
        for (int i = 0; i < n; i++)
            if (length + (size_t)i + 1 < size) {
                buffer[length + (size_t)i] = item[i];
                buffer[length + (size_t)i + 1] = '\0';
            }
        length += (size_t)n;
        first = rt_cpus_next(set, last + 1);
    }
    return length;
}

int rt_cpus_of_thread(struct rt_cpus *set)
{
    RT_KEEP_ERRNO;
    memset(set, 0, sizeof *set);
    return sched_getaffinity(0, sizeof *set, (cpu_set_t *)set->bits) == 0 ? 0 : errno;
}

int rt_cpus_bind_thread(const struct rt_cpus *set)
{
    RT_KEEP_ERRNO;
    return sched_setaffinity(0, sizeof *set, (const cpu_set_t *)set->bits) == 0 ? 0 : errno;
}
