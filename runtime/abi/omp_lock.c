/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * omp_*_lock and omp_*_nest_lock (OpenMP 5.2 section 18.9). A lock lives wholly in the user's word: 4 bytes
 * of a simple lock, 8 of a nestable one (mutex, count), whatever the header that the program was compiled
 * with gives it.
 */

#include "../core/critical.h"
#include "nest_lock.h"
#include "versions.h"

#define CODEPTR ((uint64_t)(uintptr_t)__builtin_return_address(0))

RT_EXPORT void omp_init_lock(_Atomic uint32_t *lock)
{
    rt_publish(*lock, 0);
    TELL_INIT(RT_WAIT_LOCK, 0);
}

RT_EXPORT void omp_init_lock_with_hint(_Atomic uint32_t *lock, int hint)
{
    rt_publish(*lock, 0);
    TELL_INIT(RT_WAIT_LOCK, hint);
}

RT_EXPORT void omp_destroy_lock(_Atomic uint32_t *lock)
{
    TELL_DESTROY(RT_WAIT_LOCK);
}

RT_EXPORT void omp_set_lock(_Atomic uint32_t *lock)
{
    if (!rt_mutex_try_quick(lock))
        rt_mutex_any(lock, rt_as_lock, lock, CODEPTR);
}

RT_EXPORT void omp_unset_lock(_Atomic uint32_t *lock)
{
    RT_MUTEX_UNLOCK(lock, RT_WAIT_LOCK, lock, CODEPTR);
}

RT_EXPORT int omp_test_lock(_Atomic uint32_t *lock)
{
    if (RT_WANTS(RT_ON_MUTEX))
        return lock_test_told(lock, RT_CALLER());
    return rt_mutex_try(rt_me(), lock);
}

RT_EXPORT void omp_init_nest_lock(struct nest_lock *lock)
{
    nest_lock_init(lock);
    TELL_INIT(RT_WAIT_NEST_LOCK, 0);
}

RT_EXPORT void omp_init_nest_lock_with_hint(struct nest_lock *lock, int hint)
{
    nest_lock_init(lock);
    TELL_INIT(RT_WAIT_NEST_LOCK, hint);
}

RT_EXPORT void omp_destroy_nest_lock(struct nest_lock *lock)
{
    TELL_DESTROY(RT_WAIT_NEST_LOCK);
}

RT_EXPORT void omp_set_nest_lock(struct nest_lock *lock)
{
    if (!nest_lock_try_quick(lock))
        nest_lock_set_any(lock, RT_CALLER());
}

RT_EXPORT void omp_unset_nest_lock(struct nest_lock *lock)
{
    NEST_LOCK_UNSET(lock);
}

RT_EXPORT int omp_test_nest_lock(struct nest_lock *lock)
{
    return nest_lock_test(lock, RT_CALLER());
}

/* libgomp's nodes of these. */
RT_NODE(omp_init_lock, "OMP_1.0");
RT_NODE(omp_init_lock, "OMP_3.0");
RT_NODE(omp_init_lock_with_hint, "OMP_4.5");
RT_NODE(omp_destroy_lock, "OMP_1.0");
RT_NODE(omp_destroy_lock, "OMP_3.0");
RT_NODE(omp_set_lock, "OMP_1.0");
RT_NODE(omp_set_lock, "OMP_3.0");
RT_NODE(omp_unset_lock, "OMP_1.0");
RT_NODE(omp_unset_lock, "OMP_3.0");
RT_NODE(omp_test_lock, "OMP_1.0");
RT_NODE(omp_test_lock, "OMP_3.0");
RT_NODE(omp_init_nest_lock, "OMP_1.0");
RT_NODE(omp_init_nest_lock, "OMP_3.0");
RT_NODE(omp_init_nest_lock_with_hint, "OMP_4.5");
RT_NODE(omp_destroy_nest_lock, "OMP_1.0");
RT_NODE(omp_destroy_nest_lock, "OMP_3.0");
RT_NODE(omp_set_nest_lock, "OMP_1.0");
RT_NODE(omp_set_nest_lock, "OMP_3.0");
RT_NODE(omp_unset_nest_lock, "OMP_1.0");
RT_NODE(omp_unset_nest_lock, "OMP_3.0");
RT_NODE(omp_test_nest_lock, "OMP_1.0");
RT_NODE(omp_test_nest_lock, "OMP_3.0");
