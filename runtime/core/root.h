/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The one global structure of the runtime.
 */
#ifndef RT_ROOT_H
#define RT_ROOT_H

#include "heap.h"
#include "icvs.h"
#include "lock.h"

#define RT_NEST_LIST 8

struct rt_root {
    _Atomic uint32_t initialized;
    uint32_t openmp_version;
    _Atomic uint32_t slab_count;
    uint32_t procs;
    uint32_t wait_policy;
    uint32_t debug;
    uint64_t stacksize;
    int32_t thread_limit;
    uint32_t nthreads_list_count;
    int32_t nthreads_list[RT_NEST_LIST];
    char version_string[64];
    struct rt_slab_block *_Atomic more_slabs;
    struct rt_slab slabs[RT_ROOT_SLABS];

    /* Not for the debugger. */
    struct rt_icvs icvs;   /**< of every initial task */
    uint32_t spin;         /**< rounds of spinning before a thread sleeps */
    uint32_t queue_enough; /**< with so many tasks waiting a new one is run at once by its creator */
    uint32_t binding;      /**< threads are bound to places (places.c) */
    uint32_t cancellation; /**< cancel-var */
    int32_t max_task_priority;
    _Atomic uint32_t roots; /**< threads of the program that have come, since fork() if there was one */
    int32_t nteams, teams_thread_limit; /**< nteams-var, teams-thread-limit-var; 0 unset */
    uint32_t display_affinity;
    uint64_t stacksize_default; /**< the system's, for stacksize 0 */
    RT_ALIGNED _Atomic uint64_t next_task_serial, next_team_serial, next_thread_serial;
    RT_ALIGNED rt_lock_t lock; /**< guards what follows and the slab directory */
    struct rt_thread *pool;    /**< workers that belong to no team */
    struct rt_team *hot_teams; /**< all slots that were ever a hot team's */
    struct rt_heap *orphans;
    struct rt_heap shared; /**< slots of threads, teams and implicit tasks: under the lock */
    struct rt_slab *thread_slab, *team_slab;
    struct rt_slot *free_threads, *free_teams, *free_huge;
    struct rt_slot *free_hot_teams; /**< with their arrays */
    char *arena, *arena_end;
    uint64_t next_lock_number; /**< of the second and further rounds (numbers.c); 0 in the first */
    uint64_t forked_at;        /**< in the child of fork(): the next thread's serial at that time, else 0 */
    _Atomic uint32_t threads;  /**< live OpenMP threads */
    _Atomic uint32_t lock_numbers_reused; /**< RT_NUMBERS_*, for the debugger too (numbers.c) */
    _Atomic uint64_t generation;          /**< of the threads, for a debugger: root.c */
    uint32_t dismissed;                   /**< workers that were asked to end */
    _Atomic uint32_t ended;               /**< of these, those that have */
    /** To see oversubscription: threads that are in regions of more than one (dock.c). */
    RT_ALIGNED _Atomic int32_t busy;
};

extern struct rt_root rt_root __attribute__((visibility("hidden")));

/**
 * A value of rt_root.generation that no process of this machine has had. The lock is held, or no one else is
 * there.
 */
void rt_generation_renew(void);
/** Around the store that lets a thread appear; the root's lock is held. */
static inline void rt_generation_step(void)
{
    rt_publish(rt_root.generation, rt_load(rt_root.generation) + 1);
}

#endif
