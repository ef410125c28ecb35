/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for parallel regions and thread numbers (docs/abi/kmpc.md section 2).
 */
#include <stdarg.h>
#include <string.h>

#include "../core/attach.h"
#include "../core/region.h"
#include "../core/slab.h"
#include "kmpc.h"

typedef void kmpc_micro(int32_t *gtid, int32_t *btid, ...);

RT_EXPORT void __kmpc_fork_call(struct rt_loc *loc, int32_t nargs, kmpc_micro *fn, ...)
{
    struct rt_caller caller = RT_CALLER();
    void *argv[nargs > 0 ? nargs : 1]; /* read by all threads of the region, so it lives until the join */
    va_list args;
    va_start(args, fn);
    for (int32_t i = 0; i < nargs; i++)
        argv[i] = va_arg(args, void *);
    va_end(args);
    const struct rt_region region = {.loc = loc, .fn = (void *)fn, .argc = nargs, .argv = argv};
    rt_fork(rt_me(), &region, caller);
}

RT_EXPORT void __kmpc_fork_call_if(struct rt_loc *loc, int32_t nargs, kmpc_micro *fn, int32_t cond,
                                   void *args)
{
    struct rt_caller caller = RT_CALLER();
    (void)nargs;
    const struct rt_region region = {
        .loc = loc, .fn = (void *)fn, .argc = args != NULL, .argv = &args, .num_threads = cond ? 0 : 1};
    rt_fork(rt_me(), &region, caller);
}

RT_EXPORT void __kmpc_serialized_parallel(struct rt_loc *loc, int32_t gtid)
{
    (void)gtid;
    const struct rt_region region = {.loc = loc, .num_threads = 1, .by_program = 1};
    rt_serial_begin(rt_me(), &region, RT_CALLER());
}

RT_EXPORT void __kmpc_end_serialized_parallel(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_serial_end(rt_me());
}

RT_EXPORT void __kmpc_push_num_threads(struct rt_loc *loc, int32_t gtid, int32_t n)
{
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid;
    th->push_num_threads = n > 0 ? n : 0;
    th->has_push = 1;
}

RT_EXPORT void __kmpc_push_num_threads_strict(struct rt_loc *loc, int32_t gtid, int32_t n, int32_t severity,
                                              const char *message)
{
    struct rt_thread *th = rt_me();
    __kmpc_push_num_threads(loc, gtid, n);
    th->push_severity = (uint8_t)(severity == 1 ? 1 : 2);
    th->push_message = message;
}

/** A num_threads list. It is never freed, because tasks point to it; equal lists are kept once. */
struct kept_list {
    struct kept_list *next;
    uint32_t count;
    int32_t items[];
};
static struct kept_list *kept_lists;

static const int32_t *keep_list(const int32_t *items, uint32_t count)
{
    struct kept_list *list;
    rt_lock(&rt_kept_lists_lock);
    for (list = kept_lists; list != NULL; list = list->next)
        if (list->count == count && memcmp(list->items, items, count * sizeof *items) == 0)
            break;
    if (list == NULL) {
        list = rt_arena_take(sizeof *list + count * sizeof *items);
        list->count = count;
        memcpy(list->items, items, count * sizeof *items);
        list->next = kept_lists;
        kept_lists = list;
    }
    rt_unlock(&rt_kept_lists_lock);
    return list->items;
}

/** The items after the first are for the nested regions. */
RT_EXPORT void __kmpc_push_num_threads_list(struct rt_loc *loc, int32_t gtid, uint32_t n, int32_t *list)
{
    struct rt_thread *th = rt_me();
    if (n == 0)
        return;
    __kmpc_push_num_threads(loc, gtid, list[0]);
    if (n == 1)
        return;
    th->push_list = keep_list(list + 1, n - 1);
    th->push_list_count = n - 1;
}

RT_EXPORT void __kmpc_push_num_threads_list_strict(struct rt_loc *loc, int32_t gtid, uint32_t n,
                                                   int32_t *list, int32_t severity, const char *message)
{
    struct rt_thread *th = rt_me();
    __kmpc_push_num_threads_list(loc, gtid, n, list);
    th->push_severity = (uint8_t)(severity == 1 ? 1 : 2);
    th->push_message = message;
}

RT_EXPORT void __kmpc_push_proc_bind(struct rt_loc *loc, int32_t gtid, int32_t bind)
{
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid;
    th->push_proc_bind = (uint8_t)bind;
    th->has_push = 1;
}

RT_EXPORT void __kmpc_pop_num_threads(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
}

RT_EXPORT int32_t __kmpc_global_thread_num(struct rt_loc *loc)
{
    (void)loc;
    return rt_me()->gtid;
}

RT_EXPORT int32_t __kmpc_global_num_threads(struct rt_loc *loc)
{
    (void)loc;
    (void)rt_me();
    return (int32_t)rt_load(rt_root.threads);
}

/** The implicit task of the innermost active parallel region: the next two skip serialised ones. */
static const struct rt_task *bound(void)
{
    const struct rt_task *task = rt_me()->implicit;
    while (task->team->kind == RT_TEAM_PARALLEL && task->team->nthreads == 1 && task->outer_implicit != NULL)
        task = task->outer_implicit;
    return task;
}

RT_EXPORT int32_t __kmpc_bound_thread_num(struct rt_loc *loc)
{
    (void)loc;
    return rt_load(bound()->thread_num);
}

RT_EXPORT int32_t __kmpc_bound_num_threads(struct rt_loc *loc)
{
    (void)loc;
    return bound()->team->nthreads;
}

RT_EXPORT int32_t __kmpc_ok_to_fork(struct rt_loc *loc)
{
    (void)loc;
    return 1;
}

RT_EXPORT int32_t __kmpc_in_parallel(struct rt_loc *loc)
{
    (void)loc;
    return rt_me()->implicit->team->active_level > 0;
}

RT_EXPORT void __kmpc_begin(struct rt_loc *loc, int32_t flags)
{
    (void)loc, (void)flags;
    (void)rt_me();
}

RT_EXPORT void __kmpc_end(struct rt_loc *loc)
{
    (void)loc;
}
