/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/placement/processors.h"

#include <stddef.h>

/* A number at *at, which goes behind it; -1 none. */
static int number(const char **at)
{
    int n = 0;

    if (**at < '0' || **at > '9')
        return -1;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        n = 10 * n + (**at - '0');
        if (n >= PROCESSORS_MAX)
            return -1;
    }
    return n;
}

bool processors_add(struct processors *set, const char *list)
{
    struct processors more = *set;
    const char *at = list;

    do {
        int first = number(&at), last = first;

        if (first >= 0 && *at == '-') {
            at++;
            last = number(&at);
        }
        if (first < 0 || last < first || (*at && *at != ','))
            return false;
        for (int i = first; i <= last; i++)
            more.bit[i / 64] |= UINT64_C(1) << i % 64;
    } while (*at++);
    *set = more;
    return true;
}

int processors_count(const struct processors *set)
{
    int count = 0;

    for (size_t i = 0; i < PROCESSORS_MAX / 64; i++)
        count += __builtin_popcountll(set->bit[i]);
    return count;
}

int processors_single(const struct processors *set)
{
    if (processors_count(set) != 1)
        return -1;
    for (int i = 0; i < PROCESSORS_MAX / 64; i++)
        if (set->bit[i])
            return 64 * i + __builtin_ctzll(set->bit[i]);
    return -1;
}
