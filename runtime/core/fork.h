/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * fork(): the one place where the runtime's locks and lists are made ready for it. See fork.c.
 */
#ifndef RT_FORK_H
#define RT_FORK_H

#include "types.h"

#define RT_HIDDEN __attribute__((visibility("hidden")))

/* Held over a fork (fork.c), so that what they guard is whole in the child. */
extern RT_HIDDEN rt_lock_t rt_collector_lock;     /**< tools/collector_api.c */
extern RT_HIDDEN rt_lock_t rt_units_lock;         /**< tools/units.c */
extern RT_HIDDEN rt_lock_t rt_windows_lock;       /**< tools/hub.c */
extern RT_HIDDEN rt_lock_t rt_kept_lists_lock;    /**< abi/kmpc_parallel.c */
extern RT_HIDDEN rt_lock_t rt_allocatables_lock;  /**< abi/gomp_alloc.c */
extern RT_HIDDEN rt_lock_t rt_allocators_lock;    /**< core/alloc.c */
extern RT_HIDDEN rt_lock_t rt_threadprivate_lock; /**< core/threadprivate.c */

/** Once, at the start: the handlers of pthread_atfork(3). */
void rt_fork_start(void);

#endif
