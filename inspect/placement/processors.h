/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sets of processors as the kernel writes them (cpuset(7), "List format"): "0-3,8".
 */
#ifndef INSPECT_PROCESSORS_H
#define INSPECT_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** CONFIG_NR_CPUS is 8192 at most. */
enum { PROCESSORS_MAX = 8192 };

struct processors {
    uint64_t bit[PROCESSORS_MAX / 64];
};

/** Adds those of LIST. False: it is no such list, or names one that no kernel has; the set is as before. */
bool processors_add(struct processors *set, const char *list);
int processors_count(const struct processors *set);
/** The only one in it, -1: there are others, or none. */
int processors_single(const struct processors *set);

#ifdef __cplusplus
}
#endif
#endif
