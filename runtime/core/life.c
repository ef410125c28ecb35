/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How OpenMP threads begin and end, and how workers are created.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "debug.h"
#include "event.h"
#include "held.h"
#include "life.h"
#include "message.h"
#include "numbers.h"
#include "slab.h"
#include "slots.h"
#include "state.h"
#include "tid.h"

struct rt_thread *rt_thread_slot(void)
{
    rt_lock(&rt_root.lock);
    struct rt_thread *th = rt_slot_thread();
    th->gtid = rt_gtid_take();
    rt_unlock(&rt_root.lock);
    return th;
}

/** The slot of a thread that has ended, or never began. */
static void thread_slot_free(struct rt_thread *th)
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
void rt_thread_begin(struct rt_thread *th, uint32_t kind)
{
    th->pthread = (uint64_t)pthread_self();
    th->tid = rt_tid();
    th->kind = kind;
    th->heap = rt_heap_create();
    th->steal_seed = (uint32_t)th->gtid * 2654435761u;
    th->place = -1;
    rt_store(th->state, RT_STATE_OVERHEAD);
    /* Both under the lock: a search for a number that no living thread has must see this one. */
    rt_lock(&rt_root.lock);
    uint64_t serial = atomic_fetch_add_explicit(&rt_root.next_thread_serial, 1, memory_order_relaxed);
    th->lock_number = rt_lock_number_take(serial);
    rt_generation_step();
    rt_publish(th->serial, serial);
    rt_generation_step();
    rt_unlock(&rt_root.lock);
    atomic_fetch_add_explicit(&rt_root.threads, 1, memory_order_relaxed);
    rt_self = th;
    rt_bp_thread_begin();
    RT_EVENT(th, RT_ON_THREAD, .end = 0);
}

void rt_thread_end(struct rt_thread *th)
{
    RT_EVENT(th, RT_ON_THREAD, .end = 1);
    rt_bp_thread_end();
    rt_give_back_flush(th);
    rt_self = NULL;
    atomic_fetch_sub_explicit(&rt_root.threads, 1, memory_order_relaxed);
    rt_heap_orphan(th->heap);
    rt_publish(th->serial, 0);
    rt_held_end(th);
    thread_slot_free(th);
}

static void *(*worker_main)(void *);

void rt_worker_main_set(void *(*main)(void *))
{
    worker_main = main;
}

struct rt_thread *rt_worker_create(int keep_off)
{
    pthread_attr_t attributes;
    pthread_t id;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (rt_root.stacksize != 0 && pthread_attr_setstacksize(&attributes, rt_root.stacksize) != 0)
        rt_warn("OMP_STACKSIZE: %llu bytes is no stack size that this system accepts; its own is used",
                (unsigned long long)rt_root.stacksize);
    struct rt_thread *th = rt_thread_slot();
    th->keep_off = keep_off;
    int failed = pthread_create(&id, &attributes, worker_main, th);
    pthread_attr_destroy(&attributes);
    if (failed) {
        thread_slot_free(th);
        return NULL;
    }
    return th;
}
