/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for barriers, master, masked, single, critical, ordered and flush (docs/abi/kmpc.md
 * section 3).
 */

#include "../core/barrier.h"
#include "../core/copyprivate.h"
#include "../core/critical.h"
#include "../core/loop.h"
#include "../core/single.h"
#include "kmpc.h"

/* A kmp_critical_name: 32 bytes of zeros; the first four are the mutex. */
typedef int32_t kmpc_critical_name[8];

static _Atomic uint32_t *critical_word(kmpc_critical_name *name)
{
    return (_Atomic uint32_t *)(void *)name;
}

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

/** Begin and end of a construct that has no other meaning here; kind RT_ON_MASKED or RT_ON_REDUCTION. */
static RT_COLD void report_construct(struct rt_thread *th, uint32_t kind, int end, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    RT_EVENT(th, kind, .end = (uint8_t)end, .team = task->team, .task = task, .codeptr = caller.codeptr,
             .frame = caller.frame);
}

static inline int32_t masked(int32_t filter, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    int mine = rt_load(th->implicit->thread_num) == filter;
    if (RT_WANTS(RT_ON_MASKED) && mine)
        report_construct(th, RT_ON_MASKED, 0, caller);
    return mine;
}

static inline void end_masked(struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_MASKED))
        report_construct(rt_me(), RT_ON_MASKED, 1, caller);
}

RT_EXPORT int32_t __kmpc_master(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    return masked(0, RT_CALLER());
}

RT_EXPORT void __kmpc_end_master(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    end_masked(RT_CALLER());
}

RT_EXPORT int32_t __kmpc_masked(struct rt_loc *loc, int32_t gtid, int32_t filter)
{
    (void)loc, (void)gtid;
    return masked(filter, RT_CALLER());
}

RT_EXPORT void __kmpc_end_masked(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    end_masked(RT_CALLER());
}

RT_EXPORT int32_t __kmpc_single(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    struct rt_thread *th = rt_me();
    int mine = rt_single_claim(th);
    if (RT_WANTS(RT_ON_WORK))
        return rt_report_single(th, mine, RT_CALLER());
    return mine;
}

RT_EXPORT void __kmpc_end_single(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(rt_me(), RT_CALLER());
}

/**
 * Where regions can be cancelled, what the thread that has data hands out is for those who have come before
 * they were let go. NULL: the region was cancelled before there was anything.
 */
static void *broadcast_cancellable(struct rt_thread *th, void *data, struct rt_caller caller)
{
    struct rt_team *team = th->implicit->team;
    if (data != NULL)
        rt_publish(team->copy_from, data);
    rt_barrier(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller);
    return rt_acquire(team->copy_from);
}

/**
 * Hands the data of the one thread that has some to the others. A tool is told of a barrier, as LLVM's
 * runtime has one here: those who have waited have seen what the thread did that ran the block.
 */
static void *broadcast(struct rt_thread *th, void *data, struct rt_caller caller)
{
    struct rt_team *team = th->implicit->team;
    int told = RT_WANTS(RT_ON_SYNC);
    if (unlikely(rt_root.cancellation))
        return broadcast_cancellable(th, data, caller);
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, caller);
    if (told)
        rt_report_sync_begin(th, RT_SYNC_REGION | RT_SYNC_WAIT, RT_STATE_BARRIER_IMPLICIT_WORKSHARE,
                             RT_WAIT_BARRIER, team, caller.codeptr, caller.frame);
    if (data != NULL)
        rt_copyprivate_give(th, NULL, data);
    else
        data = rt_copyprivate_wait(th, NULL, caller, told);
    if (told)
        rt_report_sync_end(th, RT_SYNC_REGION | RT_SYNC_WAIT, RT_STATE_BARRIER_IMPLICIT_WORKSHARE,
                           caller.codeptr, caller.frame);
    return data;
}

RT_EXPORT void __kmpc_copyprivate(struct rt_loc *loc, int32_t gtid, size_t size, void *data,
                                  void (*copy)(void *to, void *from), int32_t mine)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid, (void)size;
    struct rt_team *team = th->implicit->team;
    if (team->nthreads > 1) {
        void *from = broadcast(th, mine ? data : NULL, caller);
        if (!mine && likely(from != NULL))
            copy(data, from);
    }
    rt_barrier(th, RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller);
    void *own = data; /* what comes later after a cancellation finds nothing, or what the next one has */
    if (unlikely(rt_root.cancellation) && mine)
        atomic_compare_exchange_strong_explicit(&team->copy_from, &own, NULL, memory_order_relaxed,
                                                memory_order_relaxed);
}

/** The thread that has data hands it out; the compiler's code copies and has a barrier of its own. */
RT_EXPORT void *__kmpc_copyprivate_light(struct rt_loc *loc, int32_t gtid, void *data)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid;
    if (th->implicit->team->nthreads == 1)
        return data;
    return broadcast(th, data, caller);
}

/** Markers for tools (docs/abi/kmpc.md section 3); the construct has no other meaning here. */
RT_EXPORT void __kmpc_scope(struct rt_loc *loc, int32_t gtid, void *reserved)
{
    (void)loc, (void)gtid, (void)reserved;
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_begin(rt_me(), RT_WORK_SCOPE, 1, RT_CALLER());
}

RT_EXPORT void __kmpc_end_scope(struct rt_loc *loc, int32_t gtid, void *reserved)
{
    (void)loc, (void)gtid, (void)reserved;
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(rt_me(), RT_CALLER());
}

/** Has the arguments of __kmpc_critical where that has them, so that none is moved before it is called. */
static RT_NOINLINE void critical_any(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name,
                                     uint64_t codeptr)
{
    (void)loc, (void)gtid;
    rt_mutex_any(critical_word(name), rt_as_critical, name, codeptr);
}

RT_EXPORT void __kmpc_critical(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name)
{
    if (!rt_mutex_try_quick(critical_word(name)))
        critical_any(loc, gtid, name, RT_CALLER().codeptr);
}

RT_EXPORT void __kmpc_critical_with_hint(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name,
                                         uint32_t hint)
{
    struct rt_thread *th = rt_me();
    uint64_t codeptr = (uint64_t)(uintptr_t)__builtin_return_address(0);
    (void)loc, (void)gtid;
    if (RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED))
        rt_mutex_lock_instrumented(th, critical_word(name), rt_as_critical, name, codeptr, hint);
    else
        rt_mutex_lock_plain(th, critical_word(name), rt_as_critical, name, codeptr);
}

RT_EXPORT void __kmpc_end_critical(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *name)
{
    (void)loc, (void)gtid;
    RT_MUTEX_UNLOCK(critical_word(name), RT_WAIT_CRITICAL, name,
                    (uint64_t)(uintptr_t)__builtin_return_address(0));
}

RT_EXPORT void __kmpc_ordered(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_ordered_begin(rt_me(), RT_CALLER());
}

RT_EXPORT void __kmpc_end_ordered(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_ordered_end(rt_me(), RT_CALLER());
}

RT_EXPORT void __kmpc_flush(struct rt_loc *loc)
{
    (void)loc;
    atomic_thread_fence(memory_order_seq_cst);
    RT_EVENT(rt_me(), RT_ON_FLUSH, .codeptr = RT_CALLER().codeptr, .frame = RT_CALLER().frame);
}

/* ---- reductions (docs/abi/kmpc.md section 6) ----------------------------------------------------------- */

enum { REDUCE_EMPTY = 0, REDUCE_COMBINE = 1, REDUCE_ATOMIC = 2 };
static const struct rt_wait_as as_reduction = {RT_STATE_MUTEX, RT_WAIT_REDUCTION};

/**
 * One variable that the compiler can update atomically: no lock. Else one thread after the other under the
 * lock.
 */
static int32_t reduce_begin(const struct rt_loc *loc, int32_t count, kmpc_critical_name *lock, int nowait,
                            struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = th->implicit;
    int alone = implicit->team->nthreads == 1;
    int atomic = !alone && loc != NULL && loc->flags & LOC_ATOMIC_REDUCE && count <= 2;
    /*
     * Behind atomic updates with nowait the compiler's code says nothing any more, so a tool would miss the
     * end.
     */
    if (RT_WANTS(RT_ON_REDUCTION) && !(atomic && nowait))
        report_construct(th, RT_ON_REDUCTION, 0, caller);
    if (alone) {
        implicit->reduce_method = REDUCE_EMPTY;
        return REDUCE_COMBINE;
    }
    if (atomic) {
        implicit->reduce_method = REDUCE_ATOMIC;
        if (!nowait)
            rt_set_state(th, RT_STATE_WORK_REDUCTION);
        return REDUCE_ATOMIC;
    }
    implicit->reduce_method = REDUCE_COMBINE;
    rt_mutex_lock_plain(th, critical_word(lock), as_reduction, lock, caller.codeptr);
    rt_set_state(th, RT_STATE_WORK_REDUCTION);
    return REDUCE_COMBINE;
}

static void reduce_end(kmpc_critical_name *lock, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    if (th->implicit->reduce_method == REDUCE_COMBINE)
        rt_mutex_unlock(critical_word(lock));
    if (th->implicit->reduce_method != REDUCE_EMPTY)
        rt_set_state(th, RT_STATE_WORK_PARALLEL);
    if (RT_WANTS(RT_ON_REDUCTION))
        report_construct(th, RT_ON_REDUCTION, 1, caller);
}

RT_EXPORT int32_t __kmpc_reduce_nowait(struct rt_loc *loc, int32_t gtid, int32_t count, size_t size,
                                       void *data, void (*combine)(void *, void *), kmpc_critical_name *lock)
{
    (void)gtid, (void)size, (void)data, (void)combine;
    return reduce_begin(loc, count, lock, 1, RT_CALLER());
}

RT_EXPORT int32_t __kmpc_reduce(struct rt_loc *loc, int32_t gtid, int32_t count, size_t size, void *data,
                                void (*combine)(void *, void *), kmpc_critical_name *lock)
{
    (void)gtid, (void)size, (void)data, (void)combine;
    return reduce_begin(loc, count, lock, 0, RT_CALLER());
}

RT_EXPORT void __kmpc_end_reduce_nowait(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *lock)
{
    (void)loc, (void)gtid;
    reduce_end(lock, RT_CALLER());
}

RT_EXPORT void __kmpc_end_reduce(struct rt_loc *loc, int32_t gtid, kmpc_critical_name *lock)
{
    struct rt_caller caller = RT_CALLER();
    (void)loc, (void)gtid;
    reduce_end(lock, caller);
    rt_barrier(rt_me(), RT_STATE_BARRIER_IMPLICIT_WORKSHARE, caller);
}
