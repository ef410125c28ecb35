/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * See waiting_cases.h. The entry points are called as gcc's code calls them (docs/abi).
 */
#include "runtime/tests/waiting_cases.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "runtime/core/notify.h"

void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
void GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
               bool deferred, unsigned flags, void **depend, int priority, void *detach);
void GOMP_taskwait(void);
bool GOMP_loop_ordered_static_start(long start, long end, long incr, long chunk, long *istart, long *iend);
bool GOMP_loop_ordered_static_next(long *istart, long *iend);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_loop_end(void);
int omp_get_thread_num(void);
void omp_init_lock(void **lock);
void omp_set_lock(void **lock);
void omp_unset_lock(void **lock);

static _Thread_local int yields;

/** Made-up clocks in microseconds, if `on`: of one thread, for others may still wait for a next region. */
static _Thread_local struct {
    int on, others;
    int64_t now, used, slice;
} made_up;

static void pass(int64_t time)
{
    made_up.now += time;
    made_up.used += time * (200 - made_up.others) / 100;
}

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!made_up.on)
        return __real_clock_gettime(clock, time);
    int64_t value = clock == CLOCK_PROCESS_CPUTIME_ID ? made_up.used : made_up.now;
    *time = (struct timespec){value / 1000000, value % 1000000 * 1000};
    return 0;
}

int __real_sched_yield(void);
int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    yields++;
    if (!made_up.on)
        return __real_sched_yield();
    pass(made_up.slice);
    return 0;
}

enum { NOT_YET = -1 };

/** Where this thread's next look is written down. */
static _Thread_local _Atomic int *first_look;

/** Looks of the thread that waits for the mutex, and what pauses it makes before each. */
static _Thread_local struct looks {
    _Atomic int seen;
    unsigned *pauses;
} * looks;

int __real_rt_patience_spent(struct rt_patience *patience);
int __wrap_rt_patience_spent(struct rt_patience *patience);
int __wrap_rt_patience_spent(struct rt_patience *patience)
{
    if (first_look != NULL)
        *first_look = (int)patience->ahead;
    first_look = NULL;
    if (looks != NULL && looks->seen < WAITING_MOST)
        looks->pauses[looks->seen++] = patience->pauses;
    return __real_rt_patience_spent(patience);
}

int waiting_looks(int processors, int busy, unsigned ahead)
{
    uint32_t processors_before = rt_root.procs;
    int32_t busy_before = rt_load(rt_root.busy);
    rt_root.procs = (uint32_t)processors;
    rt_store(rt_root.busy, busy);
    struct rt_patience patience = {.ahead = ahead};
    int looks = 0, sleeps = 0;
    for (yields = 0; yields == 0 && !sleeps && looks < 100000; looks++)
        sleeps = __real_rt_patience_spent(&patience); /* at once, while slices take long (notify.c) */
    rt_root.procs = processors_before;
    rt_store(rt_root.busy, busy_before);
    return looks;
}

int waiting_slices(int64_t slice, int others)
{
    uint32_t processors_before = rt_root.procs;
    int32_t busy_before = rt_load(rt_root.busy);
    rt_root.procs = 2;
    rt_store(rt_root.busy, 4);
    made_up.on = 1;
    made_up.slice = slice;
    made_up.others = others;
    pass(INT64_C(1000000000000)); /* later than all that was before */
    int64_t begin = made_up.now;
    while (made_up.now < begin + 2000000) {
        if (made_up.now < begin + 1000000)
            yields = 0;
        struct rt_patience patience = {0};
        if (__real_rt_patience_spent(&patience))
            pass(1000);
    }
    made_up.on = 0;
    rt_root.procs = processors_before;
    rt_store(rt_root.busy, busy_before);
    return yields;
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

static void *mutex;
static _Atomic int taken;

static void take_mutex(void *argument)
{
    struct looks *of_waiter = argument;
    if (omp_get_thread_num() == 0) {
        omp_set_lock(&mutex);
        taken = 1;
        while (of_waiter->seen < WAITING_MOST)
            usleep(100);
    } else {
        while (!taken)
            usleep(100);
        looks = of_waiter;
        omp_set_lock(&mutex);
        looks = NULL;
    }
    omp_unset_lock(&mutex);
}

void waiting_mutex(unsigned pauses[WAITING_MOST])
{
    struct looks of_waiter = {0, pauses};
    omp_init_lock(&mutex);
    GOMP_parallel(take_mutex, &of_waiter, 2, 0);
}

/* ---- naps ---------------------------------------------------------------------------------------------- */

static struct nap {
    _Atomic int on;      /**< the test looks at sleeps and calls */
    _Atomic int asleep;  /**< the waiter is about to sleep, or does */
    _Atomic int napping; /**< it is in a nap, until `over` */
    _Atomic int over;
    _Atomic int calls;
    _Atomic int ran, left_to;
    _Atomic uint32_t ns; /**< how long the nap was to be */
} nap;

void __real_rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits);
void __wrap_rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits);
void __wrap_rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits)
{
    nap.asleep = 1;
    __real_rt_futex_wait_bits(word, value, bits);
    nap.asleep = 0;
}

void __real_rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns);
void __wrap_rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns);
/** As long as the test wants. */
void __wrap_rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns)
{
    if (!nap.on || nap.over) {
        __real_rt_futex_wait_bits_for(word, value, bits, ns);
        return;
    }
    nap.ns = ns;
    nap.napping = 1;
    while (!nap.over)
        usleep(100);
}

int __real_rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits);
int __wrap_rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits);
int __wrap_rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits)
{
    if (nap.on)
        nap.calls++;
    return __real_rt_futex_wake_bits(word, count, bits);
}

static void nothing(void *argument)
{
    (void)argument;
}

static void note_thread(void *argument)
{
    (void)argument;
    if (atomic_exchange(&nap.ran, 1) == 0)
        nap.left_to = omp_get_thread_num();
}

static void create(void (*fn)(void *))
{
    GOMP_task(fn, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
}

static void one_makes_tasks(void *argument)
{
    int *called = argument;
    if (omp_get_thread_num() != 0)
        return; /* to the region's end, where it waits and helps */
    nap.on = 1;
    /* The waiter may take one of these, or be called before it sleeps in the kernel: then once more. */
    for (int i = 0; i < 1000 && !nap.napping; i++) {
        for (int k = 0; k < 100 && !nap.asleep && !nap.napping; k++)
            usleep(100);
        create(nothing);
        GOMP_taskwait();
        for (int k = 0; k < 100 && !nap.napping; k++)
            usleep(100);
    }
    called[0] = nap.calls;
    if (nap.napping) {
        for (int i = 0; i < 100; i++) {
            create(nothing);
            GOMP_taskwait();
        }
        for (int i = 0; i < 7; i++)
            create(note_thread);
        called[1] = nap.calls - called[0];
        create(note_thread); /* the eighth */
        called[2] = nap.calls - called[1] - called[0];
    }
    nap.over = 1;
    for (int k = 0; k < 100000 && nap.napping && !nap.ran; k++)
        usleep(100);
    nap.on = 0;
}

int waiting_nap(int called[3], int *left_to)
{
    uint32_t spin_before = rt_root.spin;
    called[0] = called[1] = called[2] = 0;
    nap.left_to = NOT_YET;
    GOMP_parallel(nothing, NULL, 2, 0); /* the threads are there */
    rt_root.spin = 0;                   /* who waits sleeps at once */
    GOMP_parallel(one_makes_tasks, called, 2, 0);
    rt_root.spin = spin_before;
    *left_to = nap.left_to;
    return (int)nap.ns;
}
