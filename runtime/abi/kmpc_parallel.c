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
    rt_fork(rt_me(), loc, (void *)fn, nargs, argv, caller);
}

RT_EXPORT void __kmpc_fork_call_if(struct rt_loc *loc, int32_t nargs, kmpc_micro *fn, int32_t cond,
                                   void *args)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    (void)nargs;
    if (!cond) {
        th->push_num_threads = 1;
        th->has_push = 1;
    }
    rt_fork(th, loc, (void *)fn, args != NULL, &args, caller);
}

RT_EXPORT void __kmpc_serialized_parallel(struct rt_loc *loc, int32_t gtid)
{
    (void)gtid;
    rt_serial_begin(rt_me(), loc, NULL, RT_CALLER());
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
    th->push_num_threads = n;
    th->has_push = 1;
}

/* Binding is a request that a runtime without places satisfies by doing nothing (OpenMP 5.2 section 10.1.3). */
RT_EXPORT void __kmpc_push_proc_bind(struct rt_loc *loc, int32_t gtid, int32_t bind)
{
    (void)loc, (void)gtid, (void)bind;
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
