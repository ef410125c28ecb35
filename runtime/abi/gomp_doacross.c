/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for doacross nests, ordered(n) with depend(source) and depend(sink) (docs/abi/gomp.md
 * section 3.2). The loop that is shared is the outermost, 0 .. counts[0] - 1, in chunks that grow for each
 * thread and over the team: a chunk that waits for an earlier one waits for somebody who runs. What follows
 * the start are the ordinary next calls.
 */
#include <stdarg.h>

#include "../core/attach.h"
#include "gomp.h"

static bool gomp_doacross_begin(unsigned dims, const int64_t *counts, uint32_t kind, uint64_t chunk,
                                uint64_t *istart, uint64_t *iend, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    struct gomp_loop loop =
        gomp_loop_ull((kind & ~GOMP_MODIFIERS) | RT_SCHED_MONOTONIC, true, 0, (gomp_ull)counts[0], 1, chunk);
    rt_doacross_begin(th, (int)dims, counts);
    gomp_loop_begin(th, &loop, caller);
    return gomp_loop_next(th, istart, iend);
}

static bool begin_general(unsigned dims, const int64_t *counts, uint32_t kind, uint64_t chunk,
                          uint64_t *istart, uint64_t *iend, uintptr_t *reductions, void **mem,
                          struct rt_caller caller)
{
    gomp_work_begin(rt_me(), reductions, mem);
    return gomp_doacross_begin(dims, counts, kind, chunk, istart, iend, caller);
}

#define DOACROSS(type, prefix, name, kind)                                                                   \
    RT_EXPORT bool GOMP_##prefix##_doacross_##name##_start(unsigned dims, type *counts, type chunk,          \
                                                           type *istart, type *iend)                         \
    {                                                                                                        \
        return gomp_doacross_begin(dims, (const int64_t *)counts, kind, (uint64_t)chunk, (uint64_t *)istart, \
                                   (uint64_t *)iend, RT_CALLER());                                           \
    }                                                                                                        \
    RT_ALSO_VERSION(GOMP_##prefix##_doacross_##name##_start);
#define DOACROSS_OF(type, prefix)                                                                          \
    DOACROSS(type, prefix, static, gomp_static((uint64_t)chunk))                                           \
    DOACROSS(type, prefix, dynamic, RT_SCHED_DYNAMIC)                                                      \
    DOACROSS(type, prefix, guided, RT_SCHED_GUIDED)                                                        \
    RT_EXPORT bool GOMP_##prefix##_doacross_runtime_start(unsigned dims, type *counts, type *istart,       \
                                                          type *iend)                                      \
    {                                                                                                      \
        return gomp_doacross_begin(dims, (const int64_t *)counts, RT_SCHED_RUNTIME, 0, (uint64_t *)istart, \
                                   (uint64_t *)iend, RT_CALLER());                                         \
    }                                                                                                      \
    RT_EXPORT bool GOMP_##prefix##_doacross_start(unsigned dims, type *counts, long sched, type chunk,     \
                                                  type *istart, type *iend, uintptr_t *reductions,         \
                                                  void **mem)                                              \
    {                                                                                                      \
        return begin_general(dims, (const int64_t *)counts, gomp_sched(sched, (uint64_t)chunk),            \
                             (uint64_t)chunk, (uint64_t *)istart, (uint64_t *)iend, reductions, mem,       \
                             RT_CALLER());                                                                 \
    }                                                                                                      \
    RT_ALSO_VERSION(GOMP_##prefix##_doacross_runtime_start);                                               \
    RT_ALSO_VERSION(GOMP_##prefix##_doacross_start);
DOACROSS_OF(long, loop)
DOACROSS_OF(gomp_ull, loop_ull)

RT_EXPORT void GOMP_doacross_post(long *counts)
{
    rt_doacross_post(rt_me(), (const int64_t *)counts);
}

RT_EXPORT void GOMP_doacross_ull_post(gomp_ull *counts)
{
    rt_doacross_post(rt_me(), (const int64_t *)counts);
}

/* As many arguments as the nest has levels. */
#define WAIT(name, type)                                 \
    RT_EXPORT void GOMP_doacross_##name(type first, ...) \
    {                                                    \
        struct rt_caller caller = RT_CALLER();           \
        struct rt_thread *th = rt_me();                  \
        int dims = rt_doacross_dims(th);                 \
        if (dims == 0)                                   \
            return;                                      \
        int64_t vector[dims];                            \
        va_list rest;                                    \
        vector[0] = (int64_t)first;                      \
        va_start(rest, first);                           \
        for (int i = 1; i < dims; i++)                   \
            vector[i] = (int64_t)va_arg(rest, type);     \
        va_end(rest);                                    \
        rt_doacross_wait(th, vector, caller);            \
    }                                                    \
    RT_ALSO_VERSION(GOMP_doacross_##name);
WAIT(wait, long)
WAIT(ull_wait, gomp_ull)

RT_ALSO_VERSION(GOMP_doacross_post);
RT_ALSO_VERSION(GOMP_doacross_ull_post);
