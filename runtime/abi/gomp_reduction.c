/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's task reductions: task_reduction, in_reduction, reduction(task, ...) (docs/abi/gomp.md section 7), and
 * the memory that worksharing regions share.
 *
 * The compiler describes the reductions of a construct in arrays of words, linked into a list. The runtime
 * gives every thread of the team a zeroed slot per array; compiled code initialises and combines. Which array
 * a task means is found from its taskgroup outwards, so nothing links one construct's arrays to another's and
 * nothing dangles.
 */
#include <stdlib.h>
#include <string.h>

#include "../core/attach.h"
#include "../core/barrier.h"
#include "../core/message.h"
#include "../core/taskgroup.h"
#include "gomp.h"

/* Words of an array. SLOTS and LIMIT are alignment and unused before registration. */
enum { COUNT, SLOT_BYTES, SLOTS, ALLOCATOR, NEXT, WORK, LIMIT, ITEMS };
#define ITEM_WORDS 3 /* address of the original, its offset in a slot, one of the runtime's own */

static uintptr_t *next_of(const uintptr_t *array)
{
    return (uintptr_t *)array[NEXT];
}

static uintptr_t aligned(uintptr_t address, uintptr_t alignment)
{
    return alignment > 1 ? (address + alignment - 1) & ~(alignment - 1) : address;
}

/** Bytes that hold all slots of a list wherever they begin. */
static size_t list_bytes(const uintptr_t *list, int threads)
{
    size_t bytes = 0;
    for (; list != NULL; list = next_of(list))
        bytes += list[SLOT_BYTES] * (size_t)threads + list[SLOTS];
    return bytes;
}

/** Lays the slots out from `at` on; the same list and place give the same layout in every thread. */
static void list_place(uintptr_t *list, uintptr_t at, int threads)
{
    for (; list != NULL; list = next_of(list)) {
        list[SLOTS] = at = aligned(at, list[SLOTS]);
        list[LIMIT] = at += list[SLOT_BYTES] * (size_t)threads;
        list[WORK] = 0;
    }
}

void gomp_reduction_register(uintptr_t *reductions, int threads)
{
    uintptr_t alignment = RT_LINE;
    for (const uintptr_t *array = reductions; array != NULL; array = next_of(array))
        if (array[SLOTS] > alignment)
            alignment = array[SLOTS];
    size_t bytes = aligned(list_bytes(reductions, threads) + 1, alignment);
    void *memory = aligned_alloc(alignment, bytes);
    if (memory == NULL)
        rt_fatal("no memory for task reductions: %zu bytes are needed", bytes);
    memset(memory, 0, bytes);
    list_place(reductions, (uintptr_t)memory,
               threads); /* so the first array's slots are where the memory begins */
}

RT_EXPORT void GOMP_taskgroup_reduction_register(uintptr_t *reductions)
{
    struct rt_thread *th = rt_me();
    struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
    gomp_reduction_register(reductions, th->implicit->team->nthreads);
    if (group != NULL)
        group->gomp_reductions = reductions;
}

/** The taskgroup has ended, and compiled code has combined the slots. */
RT_EXPORT void GOMP_taskgroup_reduction_unregister(uintptr_t *reductions)
{
    free((void *)reductions[SLOTS]);
}

/* ---- reductions of worksharing regions ----------------------------------------------------------------- */

void gomp_work_begin(struct rt_thread *th, uintptr_t *reductions, void **mem)
{
    struct rt_task *implicit = th->implicit;
    if (reductions == NULL && mem == NULL)
        return;
    int threads = implicit->team->nthreads;
    struct rt_workshare *work = rt_workshare_enter(th);
    size_t shared = mem != NULL ? aligned((uintptr_t)*mem, RT_LINE) : 0;
    if (rt_workshare_first(work)) {
        work->data = rt_workshare_memory(work, shared + list_bytes(reductions, threads));
        rt_workshare_ready(work);
    }
    char *memory = work->data;
    if (mem != NULL)
        *mem = memory;
    if (reductions == NULL) {
        implicit->workshare = work; /* left at the region's end */
        return;
    }
    /*
     * Each thread has the array on its own stack. Its entry is left when the thread unregisters, behind the
     * region's end: until then thread 0 may be combining.
     */
    list_place(reductions, (uintptr_t)memory + shared, threads);
    reductions[WORK] = (uintptr_t)work;
    rt_taskgroup_begin(th);
    struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
    group->worksharing = 1;
    group->gomp_reductions = reductions;
}

RT_EXPORT void GOMP_workshare_task_reduction_unregister(bool cancelled)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
    struct rt_workshare *work = (struct rt_workshare *)group->gomp_reductions[WORK];
    rt_taskgroup_end(th, caller);
    rt_workshare_leave(th, work);
    if (!cancelled)
        rt_barrier(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller);
}

/* ---- in_reduction -------------------------------------------------------------------------------------- */

/** The calling thread's copy of one item; `address` is the original or its copy in any thread's slot. */
struct copy {
    uintptr_t address, original;
};

static bool find_in(const uintptr_t *array, uintptr_t address, uintptr_t thread, struct copy *copy)
{
    const uintptr_t *item = array + ITEMS, *inside = NULL;
    uintptr_t mine = array[SLOTS] + thread * array[SLOT_BYTES], offset = 0;
    bool is_copy = address >= array[SLOTS] && address < array[LIMIT];
    if (is_copy)
        offset = (address - array[SLOTS]) % array[SLOT_BYTES];
    for (uintptr_t i = 0; i < array[COUNT]; i++, item += ITEM_WORDS) {
        if (!is_copy && item[0] == address) {
            *copy = (struct copy){mine + item[1], address};
            return true;
        }
        if (is_copy && item[1] <= offset) /* offsets increase: the last such item holds the address */
            inside = item;
    }
    if (inside == NULL)
        return false;
    *copy = (struct copy){mine + offset, inside[0] + (offset - inside[1])};
    return true;
}

static struct copy gomp_reduction_find(const struct rt_taskgroup *group, uintptr_t address, uintptr_t thread)
{
    struct copy copy;
    for (; group != NULL; group = group->parent)
        for (const uintptr_t *array = group->gomp_reductions; array != NULL; array = next_of(array))
            if (find_in(array, address, thread, &copy))
                return copy;
    rt_fatal("in_reduction: no enclosing task_reduction or reduction(task) for %p", (void *)address);
}

RT_EXPORT void GOMP_task_reduction_remap(size_t count, size_t with_original, void **pointers)
{
    struct rt_thread *th = rt_me();
    const struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
    uintptr_t thread = (uintptr_t)rt_load(th->implicit->thread_num);
    for (size_t i = 0; i < count; i++) {
        struct copy copy = gomp_reduction_find(group, (uintptr_t)pointers[i], thread);
        pointers[i] = (void *)copy.address;
        if (i < with_original)
            pointers[count + i] = (void *)copy.original;
    }
}

RT_ALSO_VERSION(GOMP_taskgroup_reduction_register);
RT_ALSO_VERSION(GOMP_taskgroup_reduction_unregister);
RT_ALSO_VERSION(GOMP_workshare_task_reduction_unregister);
RT_ALSO_VERSION(GOMP_task_reduction_remap);
