/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for barriers, criticals, ordered and cancellation (docs/abi/gomp.md sections 3.1, 5 and
 * 8).
 */

#include "../core/barrier.h"
#include "../core/cancel.h"
#include "../core/critical.h"
#include "gomp.h"

/* gcc calls this for every barrier that no worksharing call includes, so also for implicit ones. */
RT_EXPORT void GOMP_barrier(void)
{
    rt_barrier(rt_me(), RT_STATE_BARRIER, RT_CALLER());
}

RT_EXPORT bool GOMP_barrier_cancel(void)
{
    return rt_barrier_cancellable(rt_me(), RT_STATE_BARRIER, RT_CALLER()) != 0;
}

/* ---- critical ------------------------------------------------------------------------------------------ */

static RT_ALIGNED _Atomic uint32_t unnamed;

/** A name is eight bytes of zeros that all objects of the program share; the first four are the mutex. */
static _Atomic uint32_t *name_word(void **name)
{
    return (_Atomic uint32_t *)(void *)name;
}

RT_EXPORT void GOMP_critical_start(void)
{
    if (!rt_mutex_try_quick(&unnamed))
        rt_mutex_any(&unnamed, rt_as_critical, &unnamed, RT_CALLER().codeptr);
}

RT_EXPORT void GOMP_critical_end(void)
{
    RT_MUTEX_UNLOCK(&unnamed, RT_WAIT_CRITICAL, &unnamed, RT_CALLER().codeptr);
}

RT_EXPORT void GOMP_critical_name_start(void **name)
{
    if (!rt_mutex_try_quick(name_word(name)))
        rt_mutex_any(name_word(name), rt_as_critical, name, RT_CALLER().codeptr);
}

RT_EXPORT void GOMP_critical_name_end(void **name)
{
    RT_MUTEX_UNLOCK(name_word(name), RT_WAIT_CRITICAL, name, RT_CALLER().codeptr);
}

/* ---- ordered ------------------------------------------------------------------------------------------- */

RT_EXPORT void GOMP_ordered_start(void)
{
    rt_ordered_begin(rt_me(), RT_CALLER());
}

RT_EXPORT void GOMP_ordered_end(void)
{
    rt_ordered_end(rt_me(), RT_CALLER());
}

/* ---- cancellation -------------------------------------------------------------------------------------- */

_Static_assert(RT_CANCEL_PARALLEL == 1 && RT_CANCEL_LOOP == 2 && RT_CANCEL_SECTIONS == 4 &&
                   RT_CANCEL_TASKGROUP == 8,
               "gcc's numbers");

RT_EXPORT bool GOMP_cancellation_point(int which)
{
    return rt_cancellation_point(rt_me(), (enum rt_cancel)which, RT_CALLER()) != 0;
}

/**
 * do_cancel is the if clause: when it is false the construct is a cancellation point (OpenMP 5.2 section
 * 16.1).
 */
RT_EXPORT bool GOMP_cancel(int which, bool do_cancel)
{
    struct rt_thread *th = rt_me();
    if (!do_cancel)
        return rt_cancellation_point(th, (enum rt_cancel)which, RT_CALLER()) != 0;
    return rt_cancel(th, (enum rt_cancel)which, RT_CALLER()) != 0;
}

RT_ALSO_VERSION(GOMP_barrier);
RT_ALSO_VERSION(GOMP_barrier_cancel);
RT_ALSO_VERSION(GOMP_critical_start);
RT_ALSO_VERSION(GOMP_critical_end);
RT_ALSO_VERSION(GOMP_critical_name_start);
RT_ALSO_VERSION(GOMP_critical_name_end);
RT_ALSO_VERSION(GOMP_ordered_start);
RT_ALSO_VERSION(GOMP_ordered_end);
RT_ALSO_VERSION(GOMP_cancellation_point);
RT_ALSO_VERSION(GOMP_cancel);
