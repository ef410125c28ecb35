/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Task reductions of clang's ABI (docs/abi/kmpc.md sections 1.4 and 7): each thread of the team gets its own
 * copy of an item when a task on it first asks, and the end of the taskgroup combines the copies.
 *
 * A lazy item's size stands in a thread-local variable that the task sets (arrays of run-time length), so
 * such a copy is combined when the task that made it ends, on the same thread.
 */
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "mutex.h"
#include "reduction.h"
#include "tsan.h"

static struct rt_copy *copy_of(const struct rt_reduction *reduction, int item, int thread)
{
    return &reduction->common->copies[(size_t)item * (size_t)reduction->common->threads + (size_t)thread];
}

struct rt_copies *rt_copies_create(int items, int threads)
{
    struct rt_copies *common =
        calloc(1, sizeof *common + (size_t)items * (size_t)threads * sizeof common->copies[0]);
    if (common == NULL)
        rt_fatal("no memory for a task reduction");
    common->threads = threads;
    rt_store(common->users, threads);
    return common;
}

struct rt_reduction *rt_reduction_create(struct rt_copies *common, int items)
{
    struct rt_reduction *reduction = calloc(1, sizeof *reduction + (size_t)items * sizeof reduction->item[0]);
    if (reduction == NULL)
        rt_fatal("no memory for a task reduction");
    reduction->common = common;
    reduction->items = items;
    return reduction;
}

/** Gives a copy its first value, or, of a lazy item, its next one. */
static void copy_begin(const struct rt_item *item, struct rt_copy *copy)
{
    size_t size = (item->size + 63) & ~(size_t)63;
    void *memory = rt_load(copy->memory);
    if (memory == NULL) {
        memory = aligned_alloc(64, size == 0 ? 64 : size);
        if (memory == NULL)
            rt_fatal("no memory for a task reduction: %zu bytes are needed", item->size);
        rt_publish(copy->memory, memory);
    }
    memset(memory, 0, size);
    if (item->init != NULL)
        item->init(memory, item->orig);
    copy->live = 1;
}

static void copy_combine(const struct rt_item *item, struct rt_copy *copy)
{
    void *memory = rt_load(copy->memory);
    item->comb(item->shar, memory);
    if (item->fini != NULL)
        item->fini(memory);
    copy->live = 0;
}

/** Whether `address` is the item itself or inside somebody's copy of it. */
static int is_item(const struct rt_reduction *reduction, int k, const void *address)
{
    const struct rt_item *item = &reduction->item[k];
    if (address == item->shar || address == item->orig)
        return 1;
    for (int t = 0; t < reduction->common->threads; t++) {
        const char *memory = rt_acquire(copy_of(reduction, k, t)->memory);
        if (memory != NULL && (const char *)address >= memory && (const char *)address < memory + item->size)
            return 1;
    }
    return 0;
}

void *rt_reduction_copy(struct rt_thread *th, struct rt_taskgroup *group, void *address)
{
    struct rt_task *task = rt_load(th->cur_task);
    if (task->team->nthreads == 1)
        return address;
    for (group = group != NULL ? group : task->taskgroup; group != NULL; group = group->parent) {
        struct rt_reduction *reduction = group->reduction;
        for (int k = 0; reduction != NULL && k < reduction->items; k++) {
            if (!is_item(reduction, k, address))
                continue;
            struct rt_copy *copy = copy_of(reduction, k, rt_load(th->implicit->thread_num));
            if (!copy->live) {
                copy_begin(&reduction->item[k], copy);
                copy->maker = task;
                task->lazy_reduction |= reduction->item[k].flags & RT_ITEM_LAZY;
            }
            return rt_load(copy->memory);
        }
    }
    rt_fatal("a task reduces an item (at %p) that no taskgroup around it has", address);
}

/*
 * The combiner and the finaliser are the program's: so no lock of the runtime's, but a mutex, whose owner a
 * debugger sees.
 */
static const struct rt_wait_as as_reduction = {RT_STATE_MUTEX, RT_WAIT_REDUCTION};

void rt_reduction_task_done(struct rt_thread *th, struct rt_task *task)
{
    int thread = rt_load(th->implicit->thread_num);
    for (struct rt_taskgroup *group = task->taskgroup; group != NULL; group = group->parent) {
        struct rt_reduction *reduction = group->reduction;
        for (int k = 0; reduction != NULL && k < reduction->items; k++) {
            struct rt_copy *copy = copy_of(reduction, k, thread);
            if (!(reduction->item[k].flags & RT_ITEM_LAZY) || !copy->live || copy->maker != task)
                continue;
            struct rt_copies *common = reduction->common;
            rt_mutex_lock_plain(th, &common->mutex, as_reduction, &common->mutex, 0);
            rt_tsan_acquire(common);
            copy_combine(&reduction->item[k], copy);
            rt_tsan_release(common);
            rt_mutex_unlock(&common->mutex);
        }
    }
}

/** All copies of all threads into the items. */
static void combine(struct rt_thread *th, const struct rt_reduction *reduction, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    uint32_t before = rt_load(th->state);
    rt_set_state(th, RT_STATE_WORK_REDUCTION);
    RT_EVENT(th, RT_ON_REDUCTION, .team = task->team, .task = task, .codeptr = caller.codeptr,
             .frame = caller.frame);
    for (int k = 0; k < reduction->items; k++)
        for (int t = 0; t < reduction->common->threads; t++) {
            struct rt_copy *copy = copy_of(reduction, k, t);
            if (copy->live)
                copy_combine(&reduction->item[k], copy);
            free(rt_acquire(copy->memory));
        }
    RT_EVENT(th, RT_ON_REDUCTION, .end = 1, .team = task->team, .task = task, .codeptr = caller.codeptr,
             .frame = caller.frame);
    rt_set_state(th, before);
}

void rt_reduction_finish(struct rt_thread *th, struct rt_taskgroup *group, struct rt_caller caller)
{
    struct rt_reduction *reduction = group->reduction;
    struct rt_copies *common = reduction->common;
    group->reduction = NULL;
    rt_tsan_acquire(group);
    if (reduction->shared)
        rt_tsan_release(common);
    /* Of a reduction that a whole team shares the last one combines, into its own variables. */
    if (!reduction->shared || atomic_fetch_sub_explicit(&common->users, 1, memory_order_acq_rel) == 1) {
        rt_tsan_acquire(common);
        combine(th, reduction, caller);
        free(common);
    }
    free(reduction);
}
