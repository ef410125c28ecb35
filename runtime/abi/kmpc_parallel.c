/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for parallel regions and thread numbers (abi/kmpc.md section 2).
 */
#include <stdarg.h>

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
    const struct rt_region region = {.loc = loc};
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

/** The items behind the first are for the regions inside; kept by the arena, since tasks of the region point there. */
RT_EXPORT void __kmpc_push_num_threads_list(struct rt_loc *loc, int32_t gtid, uint32_t n, int32_t *list)
{
    struct rt_thread *th = rt_me();
    if (n == 0)
        return;
    __kmpc_push_num_threads(loc, gtid, list[0]);
    if (n == 1)
        return;
    int32_t *rest = rt_arena_take((n - 1) * sizeof *rest);
    for (uint32_t i = 1; i < n; i++)
        rest[i - 1] = list[i];
    th->push_list = rest;
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

RT_EXPORT int32_t __kmpc_bound_thread_num(struct rt_loc *loc)
{
    (void)loc;
    return rt_load(rt_me()->implicit->thread_num);
}

RT_EXPORT int32_t __kmpc_bound_num_threads(struct rt_loc *loc)
{
    (void)loc;
    return rt_me()->implicit->team->nthreads;
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
