/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Sets of processors by the kernel's numbers. The size is that of the largest x86-64 Linux (NR_CPUS 8192), so
 * that a set needs no memory of its own; sets exist in numbers only while threads are bound.
 */
#ifndef RT_CPUS_H
#define RT_CPUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RT_CPU_MAX   8192
#define RT_CPU_WORDS (RT_CPU_MAX / 64)

struct rt_cpus {
    uint64_t bits[RT_CPU_WORDS];
};

static inline void rt_cpus_add(struct rt_cpus *set, long id)
{
    if (id >= 0 && id < RT_CPU_MAX)
        set->bits[id / 64] |= 1ULL << (id % 64);
}
static inline void rt_cpus_remove(struct rt_cpus *set, long id)
{
    if (id >= 0 && id < RT_CPU_MAX)
        set->bits[id / 64] &= ~(1ULL << (id % 64));
}
static inline int rt_cpus_has(const struct rt_cpus *set, long id)
{
    return id >= 0 && id < RT_CPU_MAX && (set->bits[id / 64] >> (id % 64) & 1);
}
/** The first member that is not below `from`; -1 none. */
int rt_cpus_next(const struct rt_cpus *set, int from);
int rt_cpus_count(const struct rt_cpus *set);
int rt_cpus_equal(const struct rt_cpus *a, const struct rt_cpus *b);
/** Keeps the members that `other` has too; returns how many. */
int rt_cpus_keep(struct rt_cpus *set, const struct rt_cpus *other);
/** Adds the numbers of a kernel list, "0-3,8"; returns the lowest number, -1 for an empty list. */
int rt_cpus_add_list(struct rt_cpus *set, const char *list);

/** How a run of consecutive numbers is written: "0-3" in affinity lists, "0:4" in OMP_PLACES. */
enum rt_cpus_style { RT_CPUS_RANGES, RT_CPUS_INTERVALS };
/** Writes the set as snprintf does: returns the full length, stores what fits and a NUL. */
size_t rt_cpus_text(const struct rt_cpus *set, enum rt_cpus_style style, char *buffer, size_t size);

/** Affinity of the calling thread; 0, or the number of the error when the kernel refuses. */
int rt_cpus_of_thread(struct rt_cpus *set);
int rt_cpus_bind_thread(const struct rt_cpus *set);

#ifdef __cplusplus
}
#endif
#endif
