/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * GOMP_atomic_start and _end, __kmpc_atomic_start and _end: the brackets around an atomic update that the
 * processor cannot do in one instruction (OpenMP 5.2 section 15.8.4), and around gcc's merging of several
 * reductions. One mutex for all objects, since the brackets do not say which.
 */

#include "../core/critical.h"
#include "kmpc_atomic.h"
#include "versions.h"

_Atomic uint32_t kmpc_atomic_mutex;
static const struct rt_wait_as as_atomic = {RT_STATE_ATOMIC, RT_WAIT_ATOMIC};

void kmpc_atomic_lock(uint64_t codeptr)
{
    rt_mutex_lock(rt_me(), &kmpc_atomic_mutex, as_atomic, &kmpc_atomic_mutex, codeptr);
}

void kmpc_atomic_unlock(uint64_t codeptr)
{
    RT_MUTEX_UNLOCK(&kmpc_atomic_mutex, RT_WAIT_ATOMIC, &kmpc_atomic_mutex, codeptr);
}

RT_EXPORT void GOMP_atomic_start(void)
{
    kmpc_atomic_lock(ATOMIC_CODEPTR);
}
RT_ALSO_VERSION(GOMP_atomic_start);

RT_EXPORT void GOMP_atomic_end(void)
{
    kmpc_atomic_unlock(ATOMIC_CODEPTR);
}
RT_ALSO_VERSION(GOMP_atomic_end);

RT_EXPORT void __kmpc_atomic_start(void)
{
    kmpc_atomic_lock(ATOMIC_CODEPTR);
}

RT_EXPORT void __kmpc_atomic_end(void)
{
    kmpc_atomic_unlock(ATOMIC_CODEPTR);
}
