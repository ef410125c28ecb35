/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for barriers, master, masked, single, critical, ordered and flush (abi/kmpc.md section 3).
 */
#include "kmpc.h"

/* A kmp_critical_name: 32 bytes of zeros; the first four are the mutex. */
typedef int32_t kmpc_critical_name[8];

static _Atomic uint32_t *critical_word(kmpc_critical_name *name)
{
    return (_Atomic uint32_t *)(void *)name;
}

static const struct rt_wait_as as_critical = {RT_STATE_CRITICAL, RT_WAIT_CRITICAL};

RT_EXPORT void __kmpc_barrier(struct rt_loc *loc, int32_t gtid)
{
    (void)gtid;
    rt_barrier(rt_me(), kmpc_barrier_state(loc), RT_CALLER());
}

/** The others wait until __kmpc_end_barrier_master; the primary goes on alone when all are there. */
RT_EXPORT int32_t __kmpc_barrier_master(struct rt_loc *loc, int32_t gtid)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    (void)gtid;
    rt_barrier(th, kmpc_barrier_state(loc), caller);
    if (rt_load(th->implicit->thread_num) == 0)
        return 1;
    rt_barrier(th, kmpc_barrier_state(loc), caller);
    return 0;
}

RT_EXPORT void __kmpc_end_barrier_master(struct rt_loc *loc, int32_t gtid)
{
    (void)gtid;
    rt_barrier(rt_me(), kmpc_barrier_state(loc), RT_CALLER());
}

RT_EXPORT int32_t __kmpc_barrier_master_nowait(struct rt_loc *loc, int32_t gtid)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    (void)gtid;
    rt_barrier(th, kmpc_barrier_state(loc), caller);
    return rt_load(th->implicit->thread_num) == 0;
}

RT_EXPORT int32_t __kmpc_master(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    return rt_load(rt_me()->implicit->thread_num) == 0;
}

RT_EXPORT void __kmpc_end_master(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
}

RT_EXPORT int32_t __kmpc_masked(struct rt_loc *loc, int32_t gtid, int32_t filter)
{
    (void)loc, (void)gtid;
    return rt_load(rt_me()->implicit->thread_num) == filter;
}

RT_EXPORT void __kmpc_end_masked(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
}

RT_EXPORT int32_t __kmpc_single(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    struct rt_task *implicit = rt_me()->implicit;
    struct rt_team *team = implicit->team;
    if (team->nthreads == 1)
        return 1;
    uint32_t number = implicit->single_seq++;
    return atomic_compare_exchange_strong_explicit(&team->single_claimed, &number, number + 1,
                                                   memory_order_relaxed, memory_order_relaxed);
}

RT_EXPORT void __kmpc_end_single(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
}

RT_EXPORT void __kmpc_copyprivate(struct rt_loc *loc, int32_t gtid, size_t size, void *data,
                                  void (*copy)(void *to, void *from), int32_t mine)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    struct rt_team *team = th->implicit->team;
    (void)loc, (void)gtid, (void)size;
    if (team->nthreads == 1)
        return;
    if (mine)
        rt_publish(team->copyprivate, data);
    rt_barrier(th, RT_WAIT_BARRIER_IMPLICIT_WORKSHARE, caller);
    if (!mine) {
        void *from = rt_acquire(team->copyprivate);
        if (likely(from != NULL)) /* a cancellation opens the barrier before there is anything */
            copy(data, from);
    }
    rt_barrier(th, RT_WAIT_BARRIER_IMPLICIT_WORKSHARE, caller);
    void *own = data; /* unless the next one is there already */
    if (mine)
        atomic_compare_exchange_strong_explicit(&team->copyprivate, &own, NULL, memory_order_relaxed,
                                                memory_order_relaxed);
}

/** The thread that has data publishes it; the compiler's code copies and has a barrier of its own. */
RT_EXPORT void *__kmpc_copyprivate_light(struct rt_loc *loc, int32_t gtid, void *data)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    struct rt_team *team = th->implicit->team;
    (void)loc, (void)gtid;
    if (team->nthreads == 1)
        return data;
    if (data != NULL)
        rt_publish(team->copyprivate, data);
    rt_barrier(th, RT_WAIT_BARRIER_IMPLICIT_WORKSHARE, caller);
    return rt_acquire(team->copyprivate);
}

/** Markers for tools (abi/kmpc.md section 3); the construct has no other meaning here. */
RT_EXPORT void __kmpc_scope(struct rt_loc *loc, int32_t gtid, void *reserved)
{
    (void)loc, (void)gtid, (void)reserved;
}

RT_EXPORT void __kmpc_end_scope(struct rt_loc *loc, int32_t gtid, void *reserved)
{
    (void)loc, (void)gtid, (void)reserved;
}

RT_EXPORT void __kmpc_critical(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name)
{
    (void)loc, (void)gtid;
    rt_mutex_lock(rt_me(), critical_word(name), as_critical, name,
                  (uint64_t)(uintptr_t)__builtin_return_address(0));
}

RT_EXPORT void __kmpc_critical_with_hint(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name,
                                         uint32_t hint)
{
    (void)loc, (void)gtid, (void)hint;
    rt_mutex_lock(rt_me(), critical_word(name), as_critical, name,
                  (uint64_t)(uintptr_t)__builtin_return_address(0));
}

RT_EXPORT void __kmpc_end_critical(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name)
{
    (void)loc, (void)gtid;
    rt_mutex_unlock(critical_word(name));
}

RT_EXPORT void __kmpc_ordered(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_ordered_begin(rt_me(), RT_CALLER());
}

RT_EXPORT void __kmpc_end_ordered(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_ordered_end(rt_me());
}

RT_EXPORT void __kmpc_flush(struct rt_loc *loc)
{
    (void)loc;
    atomic_thread_fence(memory_order_seq_cst);
}

/* ---- reductions (abi/kmpc.md section 6) ------------------------------------------------------------------------- */

enum { REDUCE_EMPTY = 0, REDUCE_COMBINE = 1, REDUCE_ATOMIC = 2 };
static const struct rt_wait_as as_reduction = {RT_STATE_MUTEX, RT_WAIT_REDUCTION};

/** One variable that the compiler can update atomically: no lock. Else one thread after the other under the lock. */
static int32_t reduce_begin(const struct rt_loc *loc, int32_t count, kmpc_critical_name *lock,
                            uint64_t codeptr)
{
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = th->implicit;
    if (implicit->team->nthreads == 1) {
        implicit->reduce_method = REDUCE_EMPTY;
        return REDUCE_COMBINE;
    }
    if (loc != NULL && loc->flags & LOC_ATOMIC_REDUCE && count <= 2) {
        implicit->reduce_method = REDUCE_ATOMIC;
        return REDUCE_ATOMIC;
    }
    implicit->reduce_method = REDUCE_COMBINE;
    rt_mutex_lock(th, critical_word(lock), as_reduction, lock, codeptr);
    return REDUCE_COMBINE;
}

static void reduce_end(kmpc_critical_name *lock)
{
    if (rt_me()->implicit->reduce_method == REDUCE_COMBINE)
        rt_mutex_unlock(critical_word(lock));
}

RT_EXPORT int32_t __kmpc_reduce_nowait(struct rt_loc *loc, int32_t gtid, int32_t count, size_t size,
                                       void *data, void (*combine)(void *, void *), kmpc_critical_name *lock)
{
    (void)gtid, (void)size, (void)data, (void)combine;
    return reduce_begin(loc, count, lock, (uint64_t)(uintptr_t)__builtin_return_address(0));
}

RT_EXPORT int32_t __kmpc_reduce(struct rt_loc *loc, int32_t gtid, int32_t count, size_t size, void *data,
                                void (*combine)(void *, void *), kmpc_critical_name *lock)
{
    (void)gtid, (void)size, (void)data, (void)combine;
    return reduce_begin(loc, count, lock, (uint64_t)(uintptr_t)__builtin_return_address(0));
}

RT_EXPORT void __kmpc_end_reduce_nowait(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *lock)
{
    (void)loc, (void)gtid;
    reduce_end(lock);
}

RT_EXPORT void __kmpc_end_reduce(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *lock)
{
    struct rt_caller caller = RT_CALLER();
    (void)loc, (void)gtid;
    reduce_end(lock);
    rt_barrier(rt_me(), RT_WAIT_BARRIER_IMPLICIT_WORKSHARE, caller);
}
