/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * __kmpc_*_lock and __kmpc_*_nest_lock (docs/abi/kmpc.md section 13): the lock routines with a place in the
 * source. clang does not emit them. The locks are those of omp_lock.c, word for word, so a program may mix
 * both; they are not called from here, since a waiting thread shows the address in user code that it waits
 * at.
 */

#include "../core/critical.h"
#include "nest_lock.h"

#define CODEPTR ((uint64_t)(uintptr_t)__builtin_return_address(0))

RT_EXPORT void __kmpc_init_lock(struct rt_loc *loc, int32_t gtid, _Atomic uint32_t *lock)
{
    (void)loc, (void)gtid;
    rt_publish(*lock, 0);
    TELL_INIT(RT_WAIT_LOCK, 0);
}

RT_EXPORT void __kmpc_init_lock_with_hint(struct rt_loc *loc, int32_t gtid, _Atomic uint32_t *lock,
                                          uintptr_t hint)
{
    (void)loc, (void)gtid;
    rt_publish(*lock, 0);
    TELL_INIT(RT_WAIT_LOCK, hint);
}

RT_EXPORT void __kmpc_destroy_lock(struct rt_loc *loc, int32_t gtid, _Atomic uint32_t *lock)
{
    (void)loc, (void)gtid;
    TELL_DESTROY(RT_WAIT_LOCK);
}

RT_EXPORT void __kmpc_set_lock(struct rt_loc *loc, int32_t gtid, _Atomic uint32_t *lock)
{
    (void)loc, (void)gtid;
    if (!rt_mutex_try_quick(lock))
        rt_mutex_any(lock, rt_as_lock, lock, CODEPTR);
}

RT_EXPORT void __kmpc_unset_lock(struct rt_loc *loc, int32_t gtid, _Atomic uint32_t *lock)
{
    (void)loc, (void)gtid;
    RT_MUTEX_UNLOCK(lock, RT_WAIT_LOCK, lock, CODEPTR);
}

RT_EXPORT int32_t __kmpc_test_lock(struct rt_loc *loc, int32_t gtid, _Atomic uint32_t *lock)
{
    (void)loc, (void)gtid;
    if (RT_WANTS(RT_ON_MUTEX))
        return lock_test_told(lock, RT_CALLER());
    return rt_mutex_try(rt_me(), lock);
}

RT_EXPORT void __kmpc_init_nest_lock(struct rt_loc *loc, int32_t gtid, struct nest_lock *lock)
{
    (void)loc, (void)gtid;
    nest_lock_init(lock);
    TELL_INIT(RT_WAIT_NEST_LOCK, 0);
}

RT_EXPORT void __kmpc_init_nest_lock_with_hint(struct rt_loc *loc, int32_t gtid, struct nest_lock *lock,
                                               uintptr_t hint)
{
    (void)loc, (void)gtid;
    nest_lock_init(lock);
    TELL_INIT(RT_WAIT_NEST_LOCK, hint);
}

RT_EXPORT void __kmpc_destroy_nest_lock(struct rt_loc *loc, int32_t gtid, struct nest_lock *lock)
{
    (void)loc, (void)gtid;
    TELL_DESTROY(RT_WAIT_NEST_LOCK);
}

RT_EXPORT void __kmpc_set_nest_lock(struct rt_loc *loc, int32_t gtid, struct nest_lock *lock)
{
    (void)loc, (void)gtid;
    if (!nest_lock_try_quick(lock))
        nest_lock_set_any(lock, RT_CALLER());
}

RT_EXPORT void __kmpc_unset_nest_lock(struct rt_loc *loc, int32_t gtid, struct nest_lock *lock)
{
    (void)loc, (void)gtid;
    NEST_LOCK_UNSET(lock);
}

RT_EXPORT int32_t __kmpc_test_nest_lock(struct rt_loc *loc, int32_t gtid, struct nest_lock *lock)
{
    (void)loc, (void)gtid;
    return nest_lock_test(lock, RT_CALLER());
}
