/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A task's data environment ICVs.
 */
#ifndef RT_ICVS_H
#define RT_ICVS_H

#include "base.h"

/**
 * A task's data environment ICVs; one line, copied whole. `p` prefixes each name: layout.def wants them flat
 * in rt_task.
 */
#define RT_ICVS(p)                                                                   \
    int32_t p##nthreads;                                                             \
    int32_t p##thread_limit;                                                         \
    int32_t p##max_active_levels;                                                    \
    uint32_t p##sched;                                                               \
    int32_t p##chunk;                                                                \
    int32_t p##default_device;                                                       \
    uint8_t p##dyn;                                                                  \
    uint8_t p##bind;                                                                 \
    uint16_t p##nthreads_rest_count;                                                 \
    int32_t p##place_first; /* place-partition-var: first place and length */        \
    int32_t p##place_count;                                                          \
    uint32_t p##reserved;                                                            \
    const int32_t *p##nthreads_rest; /* nthreads-var behind its first item */        \
    uint64_t p##allocator;           /* def-allocator-var, omp_allocator_handle_t */ \
    uint64_t p##tool_data;           /* no ICV: OMPT's word for the task, 0 when it is created */
struct rt_icvs {
    RT_ICVS()
};

#endif
