/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's and flang's entry points for threadprivate variables without TLS (abi/kmpc.md section 11).
 */
#include <stdlib.h>
#include <string.h>

#include "kmpc.h"

/** Entries of the compiler's cache array; a thread with a higher number takes the slow way each time. */
#define CACHE_SIZE 4096

RT_EXPORT void *__kmpc_threadprivate(struct rt_loc *loc, int32_t gtid, void *data, size_t size)
{
    (void)loc, (void)gtid;
    return rt_threadprivate_get(rt_me(), data, size);
}

RT_EXPORT void *__kmpc_threadprivate_cached(struct rt_loc *loc, int32_t gtid, void *data, size_t size,
                                            void ***cache)
{
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid;
    void **array = __atomic_load_n(cache, __ATOMIC_ACQUIRE);
    if (array == NULL) {
        void **fresh = calloc(CACHE_SIZE, sizeof *fresh);
        if (fresh == NULL)
            rt_fatal("no memory for a threadprivate cache");
        if (__atomic_compare_exchange_n(cache, &array, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            array = fresh;
        else
            free(fresh);
    }
    if (th->gtid >= CACHE_SIZE)
        return rt_threadprivate_get(th, data, size);
    if (array[th->gtid] == NULL)
        array[th->gtid] = rt_threadprivate_get(th, data, size);
    return array[th->gtid];
}

RT_EXPORT void __kmpc_threadprivate_register(struct rt_loc *loc, void *data, rt_ctor ctor, rt_cctor cctor,
                                             rt_dtor dtor)
{
    (void)loc;
    rt_threadprivate_register(data, ctor, cctor, dtor, 0);
}

/** The same for an array of n elements, whose constructors and destructor take n too. */
RT_EXPORT void __kmpc_threadprivate_register_vec(struct rt_loc *loc, void *data, rt_ctor ctor, rt_cctor cctor,
                                                 rt_dtor dtor, size_t n)
{
    (void)loc;
    rt_threadprivate_register(data, ctor, cctor, dtor, n);
}
