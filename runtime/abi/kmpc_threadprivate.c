/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's and flang's entry points for threadprivate variables without TLS (docs/abi/kmpc.md section 11).
 */

#include "../core/attach.h"
#include "../core/threadprivate.h"
#include "kmpc.h"

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
    if (unlikely(array == NULL))
        array = rt_threadprivate_cache(data, cache);
    if (th->gtid >= RT_CACHED_GTIDS)
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
