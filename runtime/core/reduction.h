/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The structures of task reductions; abi/kmpc_reduction.c fills them from what the compiler passes.
 */
#ifndef RT_REDUCTION_H
#define RT_REDUCTION_H

#include "task.h"

#define RT_ITEM_LAZY 1u /**< its size is known to the running task only (docs/abi/kmpc.md 1.4) */

struct rt_item {
    void *shar; /**< variable that gets the result */
    void *orig; /**< what init sees */
    size_t size;
    void (*init)(void *priv, void *orig);
    void (*fini)(void *priv);
    void (*comb)(void *lhs, void *rhs);
    uint32_t flags;
};

/** One thread's copy of one item. */
struct rt_copy {
    void *_Atomic memory; /**< by that thread; NULL none; stays to the end: its address names the item */
    const struct rt_task *maker;
    int live; /**< has a value that is not combined yet */
};

/** The copies of all threads: of one taskgroup, or of all taskgroups that a team opened for one construct. */
struct rt_copies {
    int threads;
    _Atomic int32_t users; /**< taskgroups of a shared one that have not ended */
    /** of rt_mutex_lock: the program combines a lazy copy; waiters are seen to wait for it */
    _Atomic uint32_t mutex;
    struct rt_copy copies[];
};

/** What a taskgroup has. */
struct rt_reduction {
    struct rt_copies *common;
    int items;
    int shared; /**< the whole team has these copies */
    struct rt_item item[];
};

struct rt_copies *rt_copies_create(int items, int threads);
struct rt_reduction *rt_reduction_create(struct rt_copies *common, int items);
/** The calling thread's copy; group NULL: the current task's. */
void *rt_reduction_copy(struct rt_thread *th, struct rt_taskgroup *group, void *address);

void rt_reduction_finish(struct rt_thread *th, struct rt_taskgroup *group, struct rt_caller caller);
void rt_reduction_task_done(struct rt_thread *th, struct rt_task *task);

#endif
