/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp's routines that change settings while the program runs (docs/abi/omp-api.md 2.9); all in the node
 * VERSION alone. The kmpc_* names are the same for C, kmp_*_ for Fortran stand in omp_fortran_kmp.c. What
 * tunes libomp's own structure is accepted and does nothing.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>

#include "../core/arrivals.h"
#include "../core/attach.h"
#include "../core/env.h"
#include "../core/env_kmp.h"
#include "../core/env_read.h"
#include "../core/task.h"
#include "omp_c.h"

/* ---- waiting ------------------------------------------------------------------------------------------- */

RT_EXPORT int kmp_get_blocktime(void)
{
    (void)rt_me();
    return rt_env.blocktime;
}

/** For all threads, not the calling one's teams alone. */
RT_EXPORT void kmp_set_blocktime(int milliseconds)
{
    (void)rt_me();
    rt_env.blocktime = milliseconds < 0 ? 0 : milliseconds;
    rt_env.blocktime_us = 0;
    rt_env.has_blocktime = 1;
    rt_env_spin();
}

RT_EXPORT void kmpc_set_blocktime(int milliseconds)
{
    kmp_set_blocktime(milliseconds);
}

/* ---- stacks of threads that are yet to be created ------------------------------------------------------ */

RT_EXPORT size_t kmp_get_stacksize_s(void)
{
    size_t size = 0;
    pthread_attr_t attributes;
    (void)rt_me();
    if (rt_root.stacksize != 0)
        return rt_root.stacksize;
    if (pthread_getattr_default_np(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size;
}

RT_EXPORT int kmp_get_stacksize(void)
{
    size_t size = kmp_get_stacksize_s();
    return size > INT_MAX ? INT_MAX : (int)size;
}

RT_EXPORT void kmp_set_stacksize_s(size_t size)
{
    (void)rt_me();
    if (size >= (size_t)PTHREAD_STACK_MIN)
        rt_root.stacksize = size;
    else
        rt_env_warn("kmp_set_stacksize(%zu) has no effect: a thread needs %ld bytes", size,
                    (long)PTHREAD_STACK_MIN);
}

RT_EXPORT void kmp_set_stacksize(int size)
{
    kmp_set_stacksize_s(size > 0 ? (size_t)size : 0);
}

RT_EXPORT void kmpc_set_stacksize(int size)
{
    kmp_set_stacksize(size);
}

RT_EXPORT void kmpc_set_stacksize_s(size_t size)
{
    kmp_set_stacksize_s(size);
}

/* ---- library mode -------------------------------------------------------------------------------------- */

RT_EXPORT int kmp_get_library(void)
{
    (void)rt_me();
    return rt_env.library == RT_LIBRARY_UNSET ? RT_LIBRARY_THROUGHPUT : rt_env.library;
}

/**
 * Serial: regions of the calling task get one thread; the others take that back. Turnaround: waiting threads
 * spin.
 */
RT_EXPORT void kmp_set_library(int mode)
{
    struct rt_icvs *icvs = rt_icvs_change(rt_load(rt_me()->cur_task));
    if (mode < RT_LIBRARY_SERIAL || mode > RT_LIBRARY_THROUGHPUT)
        return;
    if (mode == RT_LIBRARY_SERIAL)
        icvs->nthreads = 1;
    else if (rt_env.library == RT_LIBRARY_SERIAL)
        icvs->nthreads = rt_root.icvs.nthreads;
    rt_env.library = (uint8_t)mode;
    if (mode == RT_LIBRARY_TURNAROUND && !rt_env.has_blocktime)
        kmp_set_blocktime(RT_BLOCKTIME_INFINITE);
}

RT_EXPORT void kmpc_set_library(int mode)
{
    kmp_set_library(mode);
}

RT_EXPORT void kmp_set_library_serial(void)
{
    kmp_set_library(RT_LIBRARY_SERIAL);
}

RT_EXPORT void kmp_set_library_turnaround(void)
{
    kmp_set_library(RT_LIBRARY_TURNAROUND);
}

RT_EXPORT void kmp_set_library_throughput(void)
{
    kmp_set_library(RT_LIBRARY_THROUGHPUT);
}

/* ---- others -------------------------------------------------------------------------------------------- */

/**
 * Settings as the environment has them, "NAME=value|NAME=value", also for the calling task. Places stay as
 * they are.
 */
RT_EXPORT void kmp_set_defaults(const char *settings)
{
    struct rt_icvs *own = rt_icvs_change(rt_load(rt_me()->cur_task));
    struct rt_icvs before = rt_root.icvs;
    uint32_t cancellation = rt_root.cancellation;
    rt_env_apply(settings);
    if (rt_root.cancellation != cancellation)
        rt_arrivals_cancellation();
    const struct rt_icvs *now = &rt_root.icvs;
    if (now->nthreads != before.nthreads || now->nthreads_rest_count != before.nthreads_rest_count) {
        own->nthreads = now->nthreads;
        own->nthreads_rest = now->nthreads_rest;
        own->nthreads_rest_count = now->nthreads_rest_count;
    }
    if (now->sched != before.sched || now->chunk != before.chunk) {
        own->sched = now->sched;
        own->chunk = now->chunk;
    }
    if (now->max_active_levels != before.max_active_levels)
        own->max_active_levels = now->max_active_levels;
    if (now->dyn != before.dyn)
        own->dyn = now->dyn;
    if (now->default_device != before.default_device)
        own->default_device = now->default_device;
    if (now->allocator != before.allocator)
        own->allocator = now->allocator;
}

RT_EXPORT void kmpc_set_defaults(const char *settings)
{
    kmp_set_defaults(settings);
}

/** How many worksharing regions a thread may be ahead is fixed (RT_WORKSHARES). */
RT_EXPORT void kmp_set_disp_num_buffers(int number)
{
    (void)number;
}

RT_EXPORT void kmpc_set_disp_num_buffers(int number)
{
    kmp_set_disp_num_buffers(number);
}

RT_EXPORT void kmp_set_warnings_on(void)
{
    (void)rt_me();
    rt_env.warnings = 1;
}

RT_EXPORT void kmp_set_warnings_off(void)
{
    (void)rt_me();
    rt_env.warnings = 0;
}

RT_EXPORT int kmp_get_num_known_threads(void)
{
    (void)rt_me();
    return (int)rt_load(rt_root.threads);
}

/**
 * Whether the innermost construct of a kind (kmp_cancel_kind_t: 1 parallel, 2 loop, 3 sections, 4 taskgroup)
 * is cancelled.
 */
RT_EXPORT int kmp_get_cancellation_status(int kind)
{
    static const uint32_t bits[] = {0, RT_CANCEL_PARALLEL, RT_CANCEL_LOOP, RT_CANCEL_SECTIONS};
    const struct rt_thread *th = rt_me();
    if (!rt_root.cancellation)
        return 0;
    if (kind == 4) {
        const struct rt_taskgroup *group = rt_load(th->cur_task)->taskgroup;
        return group != NULL && rt_load(group->cancelled) != 0;
    }
    return kind >= 1 && kind <= 3 && (rt_load(th->implicit->team->cancel) & bits[kind]) != 0;
}
