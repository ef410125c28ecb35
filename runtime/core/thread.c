/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OpenMP threads: how a thread of the program becomes one, how workers are made, the pool of idle ones, the
 * end.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "env.h"
#include "rt.h"

_Thread_local struct rt_thread *rt_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;

uint64_t rt_serial_block(struct rt_serials *serials, _Atomic uint64_t *counter, uint64_t count)
{
    uint64_t first = atomic_fetch_add_explicit(counter, count, memory_order_relaxed);
    serials->next = first + 1;
    serials->end = first + count;
    return first;
}

static struct rt_thread *slot_create(void)
{
    rt_lock(&rt_root.lock);
    struct rt_thread *th = rt_slot_thread();
    th->gtid = rt_gtid_take();
    rt_unlock(&rt_root.lock);
    return th;
}

/** The slot of a thread that has ended, or never began. */
static void slot_free(struct rt_thread *th)
{
    rt_lock(&rt_root.lock);
    if (th->own_task != NULL)
        rt_slot_implicit_free(th->own_task);
    th->lock_number = 0;
    rt_gtid_give(th->gtid);
    ((struct rt_slot *)th)->next = rt_root.free_threads;
    rt_root.free_threads = (struct rt_slot *)th;
    rt_unlock(&rt_root.lock);
}

/** The calling thread takes a slot as its own; its serial makes it visible. */
static void begin(struct rt_thread *th, uint32_t kind)
{
    th->pthread = (uint64_t)pthread_self();
    th->tid = (int32_t)syscall(SYS_gettid);
    th->kind = kind;
    th->heap = rt_heap_create();
    th->steal_seed = (uint32_t)th->gtid * 2654435761u;
    th->place = -1;
    rt_store(th->state, RT_STATE_OVERHEAD);
    /* Both under the lock: who looks for a number that no living thread has must see this one. */
    rt_lock(&rt_root.lock);
    uint64_t serial = atomic_fetch_add_explicit(&rt_root.next_thread_serial, 1, memory_order_relaxed);
    th->lock_number = rt_lock_number_take(serial);
    rt_unlock(&rt_root.lock);
    rt_publish(th->serial, serial);
    atomic_fetch_add_explicit(&rt_root.threads, 1, memory_order_relaxed);
    if (kind == 1)
        atomic_fetch_add_explicit(&rt_root.busy, 1, memory_order_relaxed);
    rt_self = th;
    rt_bp_thread_begin();
    RT_EVENT(th, RT_ON_THREAD, .end = 0);
}

static void end(struct rt_thread *th)
{
    RT_EVENT(th, RT_ON_THREAD, .end = 1);
    rt_bp_thread_end();
    rt_give_back_flush(th);
    rt_self = NULL;
    atomic_fetch_sub_explicit(&rt_root.threads, 1, memory_order_relaxed);
    if (th->is_root)
        atomic_fetch_sub_explicit(&rt_root.busy, 1, memory_order_relaxed);
    rt_heap_orphan(th->heap);
    rt_publish(th->serial, 0);
    rt_held_end(th);
    slot_free(th);
}

/** A thread of the program ends: its team's threads go back to the pool. */
static void root_ends(void *argument)
{
    struct rt_thread *th = argument;
    if (th != rt_self || !th->is_root)
        return;
    rt_threadprivate_end(th); /* destructors are the program's: they may call any routine */
    rt_initial_end(th);
    end(th);
}

static void make_end_key(void)
{
    if (pthread_key_create(&end_key, root_ends) != 0)
        rt_fatal("no thread-specific key is left");
}

RT_NOINLINE struct rt_thread *rt_thread_register(void)
{
    rt_start();
    rt_tools_start();
    rt_draft_start();
    if (rt_self != NULL) /* the child of fork() goes on; or the tool has called a routine */
        return rt_self;
    pthread_once(&end_key_once, make_end_key);
    struct rt_thread *th = slot_create();
    th->is_root = 1;
    begin(th, 1);
    rt_initial_begin(th);
    if (rt_root.binding)
        rt_place_initial(th);
    pthread_setspecific(end_key, th);
    return th;
}

/* ---- workers ------------------------------------------------------------------------------------------- */

static void *worker(void *argument)
{
    struct rt_thread *th = argument;
    begin(th, 2);
    th->base_frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (RT_WANTS(RT_ON_IDLE))
        rt_tell_idle(th, 0);
    for (;;) {
        struct rt_docking docking = rt_dock_wait(th);
        if (docking.team == NULL)
            break; /* rt_pause_resources */
        rt_team_serve(th, docking);
        rt_set_state(th, RT_STATE_IDLE);
        rt_give_back_flush(th);
    }
    if (unlikely(th->told_idle))
        rt_tell_idle(th, 1);
    rt_serial_teams_end(th);
    if (rt_threadprivate_has(
            th)) { /* for their destructors the thread is like one of the program, in no region */
        rt_initial_begin(th);
        rt_threadprivate_end(th);
        rt_initial_end(th);
    }
    end(th);
    atomic_fetch_add_explicit(&rt_root.ended, 1, memory_order_release);
    return NULL;
}

struct rt_thread *rt_worker_create(void)
{
    pthread_attr_t attributes;
    pthread_t id;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (rt_root.stacksize != 0 && pthread_attr_setstacksize(&attributes, rt_root.stacksize) != 0)
        rt_warn("OMP_STACKSIZE: %llu bytes is no stack size that this system accepts; its own is used",
                (unsigned long long)rt_root.stacksize);
    struct rt_thread *th = slot_create();
    int failed = pthread_create(&id, &attributes, worker, th);
    pthread_attr_destroy(&attributes);
    if (failed) {
        slot_free(th);
        return NULL;
    }
    return th;
}

#define PAUSE_QUIET 200 /**< looks at an empty pool before a pause is over */

/** Idle workers end, th's own team too (NULL: of nobody); returns without waiting for that. */
static void dismiss(struct rt_thread *th)
{
    if (th != NULL)
        rt_initial_disband(th);
    /* A worker that ends may itself have led regions, whose threads come to the pool a little later. */
    for (int quiet = 0; quiet < PAUSE_QUIET;) {
        if (rt_dock_dismiss()) {
            quiet = 0;
        } else {
            quiet++;
            sched_yield();
        }
    }
}

void rt_workers_dismiss(struct rt_thread *th)
{
    int left;
    do {
        dismiss(th);
        /*
         * In this order: a worker that ends may send others to the pool, which are counted before it has
         * ended.
         */
        left = rt_acquire(rt_root.ended) != rt_root.dismissed;
        rt_lock(&rt_root.lock);
        left |= rt_root.pool != NULL;
        rt_unlock(&rt_root.lock);
    } while (left);
}

int rt_pause_resources(void)
{
    struct rt_thread *th = rt_me();
    if (th->implicit->team->level > 0 || th->implicit->outer_implicit != NULL)
        return -1;
    dismiss(th);
    return 0;
}
