/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How a thread of the program becomes an OpenMP thread; what a worker does from its start to its end.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "attach.h"
#include "cpus.h"
#include "event.h"
#include "life.h"
#include "message.h"
#include "places.h"
#include "region.h"
#include "slab.h"
#include "start.h"
#include "state.h"
#include "threadprivate.h"
#include "tools.h"

static pthread_key_t end_key;
static pthread_once_t attached = PTHREAD_ONCE_INIT;

/** A thread of the program ends: its team's threads go back to the pool. */
static void root_ends(void *argument)
{
    struct rt_thread *th = argument;
    if (th != rt_self || !th->is_root)
        return;
    rt_threadprivate_end(th); /* destructors are the program's: they may call any routine */
    rt_initial_end(th);
    rt_thread_end(th);
}

/**
 * A worker that has begun on its creator's processor goes to another one. Its mask is its creator's, and that
 * again before it does anything else: it is never wider, and no code of the program sees the narrow one. A
 * cpuset that changes meanwhile may refuse; then the worker stays where the kernel lets it.
 */
static RT_NOINLINE void begin_beside(int cpu)
{
    struct rt_cpus whole, others;
    if (cpu < 0 || sched_getcpu() != cpu || rt_cpus_of_thread(&whole) != 0)
        return;
    others = whole;
    rt_cpus_remove(&others, cpu);
    if (rt_cpus_count(&others) > 0 && rt_cpus_bind_thread(&others) == 0)
        rt_cpus_bind_thread(&whole);
}

static void *worker(void *argument)
{
    struct rt_thread *th = argument;
    begin_beside(th->keep_off);
    rt_thread_begin(th, 2);
    th->base_frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (RT_WANTS(RT_ON_IDLE))
        rt_report_idle(th, 0);
    for (;;) {
        struct rt_docking docking = rt_dock_wait(th);
        if (docking.team == NULL)
            break; /* rt_dock_dismiss */
        rt_team_serve(th, docking);
        rt_set_state(th, RT_STATE_IDLE);
        rt_give_back_flush(th);
    }
    if (unlikely(th->reported_idle))
        rt_report_idle(th, 1);
    rt_serial_teams_end(th);
    if (rt_threadprivate_has(
            th)) { /* for their destructors the thread is like one of the program, in no region */
        rt_initial_begin(th);
        rt_threadprivate_end(th);
        rt_initial_end(th);
    }
    rt_thread_end(th);
    atomic_fetch_add_explicit(&rt_root.ended, 1, memory_order_release);
    return NULL;
}

static void attach_once(void)
{
    if (pthread_key_create(&end_key, root_ends) != 0)
        rt_fatal("no thread-specific key is left");
    rt_worker_main_set(worker);
}

RT_NOINLINE struct rt_thread *rt_thread_register(void)
{
    rt_start();
    rt_tools_start();
    rt_draft_start();
    if (rt_self != NULL) /* the child of fork() goes on; or the tool has called a routine */
        return rt_self;
    pthread_once(&attached, attach_once);
    struct rt_thread *th = rt_thread_slot();
    th->is_root = 1;
    rt_thread_begin(th, 1);
    rt_initial_begin(th);
    rt_dock_root_comes();
    if (rt_root.binding)
        rt_place_initial(th);
    pthread_setspecific(end_key, th);
    return th;
}
