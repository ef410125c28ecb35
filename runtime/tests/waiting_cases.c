/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See waiting_cases.h. The entry points are called as gcc's code calls them (docs/abi).
 */
#include "runtime/tests/waiting_cases.h"

#include <stdbool.h>
#include <unistd.h>

#include "runtime/core/notify.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
bool GOMP_loop_ordered_static_start(long start, long end, long incr, long chunk, long *istart, long *iend);
bool GOMP_loop_ordered_static_next(long *istart, long *iend);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_loop_end(void);
int omp_get_thread_num(void);

static _Thread_local int yields;

int __real_sched_yield(void);
int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    yields++;
    return __real_sched_yield();
}

enum { NOT_YET = -1 };

/** Where this thread's next look is written down. */
static _Thread_local _Atomic int *first_look;

int __real_rt_patience_spent(struct rt_patience *patience);
int __wrap_rt_patience_spent(struct rt_patience *patience);
int __wrap_rt_patience_spent(struct rt_patience *patience)
{
    if (first_look != NULL)
        *first_look = (int)patience->ahead;
    first_look = NULL;
    return __real_rt_patience_spent(patience);
}

int waiting_looks(int processors, int busy, unsigned ahead)
{
    uint32_t processors_before = rt_root.procs;
    int32_t busy_before = rt_load(rt_root.busy);
    rt_root.procs = (uint32_t)processors;
    rt_store(rt_root.busy, busy);
    struct rt_patience patience = {.ahead = ahead};
    int looks = 0;
    for (yields = 0; yields == 0 && looks < 100000; looks++)
        __real_rt_patience_spent(&patience);
    rt_root.procs = processors_before;
    rt_store(rt_root.busy, busy_before);
    return looks;
}

struct meeting {
    int threads;
    _Atomic int looks[WAITING_MOST];
};

/** Until the first N have looked. */
static void after(struct meeting *meeting, int n)
{
    for (int i = 0; i < n; i++)
        while (meeting->looks[i] == NOT_YET)
            usleep(100);
}

static void at_barrier(void *argument)
{
    struct meeting *meeting = argument;
    int me = omp_get_thread_num();
    after(meeting, me);
    first_look = me < meeting->threads - 1 ? &meeting->looks[me] : NULL;
    GOMP_barrier();
    first_look = NULL;
}

static void in_order(void *argument)
{
    struct meeting *meeting = argument;
    long first, end;
    bool more = GOMP_loop_ordered_static_start(0, meeting->threads, 1, 1, &first, &end);
    for (; more; more = GOMP_loop_ordered_static_next(&first, &end)) {
        int me = (int)first;
        if (me > 0)
            first_look = &meeting->looks[me - 1];
        GOMP_ordered_start();
        if (me == 0) /* who has the first turn keeps it until all others wait */
            after(meeting, meeting->threads - 1);
        GOMP_ordered_end();
    }
    GOMP_loop_end();
}

static void meet(void (*code)(void *), int threads, unsigned *ahead)
{
    struct meeting meeting = {.threads = threads};
    for (int i = 0; i < WAITING_MOST; i++)
        meeting.looks[i] = NOT_YET;
    GOMP_parallel(code, &meeting, (unsigned)threads, 0);
    for (int i = 0; i < threads - 1; i++)
        ahead[i] = (unsigned)meeting.looks[i];
}

void waiting_barrier(int threads, unsigned ahead[WAITING_MOST])
{
    meet(at_barrier, threads, ahead);
}

void waiting_ordered(int threads, unsigned ahead[WAITING_MOST])
{
    meet(in_order, threads, ahead + 1);
}
