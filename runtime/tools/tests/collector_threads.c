/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Requests of the collector API that concern the state of a thread: rows 21 to 25 and 27 of the checklist, by
 * number. What is true comes from the addresses of the program's own locks, and from where the test has put a
 * thread: another thread interrupts it there.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "collector_client.h"

extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

/* ---- a thread that waits -------------------- */

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int ordered_done;

/** How thread 0 keeps thread 1 waiting, how that waits, and how it is let go. */
struct wait {
    int state;
    void (*hold)(void), (*enter)(void), (*release)(void);
};

static void hold_lock(void)
{
    omp_set_lock(&lock);
}
static void enter_lock(void)
{
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
}
static void release_lock(void)
{
    omp_unset_lock(&lock);
}
static void hold_nest_lock(void)
{
    omp_set_nest_lock(&nest_lock);
}
static void enter_nest_lock(void)
{
    omp_set_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
}
static void release_nest_lock(void)
{
    omp_unset_nest_lock(&nest_lock);
}
static void hold_atomic(void)
{
    __kmpc_atomic_start();
}
static void enter_atomic(void)
{
    __kmpc_atomic_start();
    __kmpc_atomic_end();
}
static void release_atomic(void)
{
    __kmpc_atomic_end();
}
static void nothing(void) {}
static void enter_barrier(void)
{
#pragma omp barrier
}

/** Interrupts thread 1, which does `wait`, until it waits, and judges what its handler was told. */
static struct probe in_wait(const struct wait *wait)
{
    static volatile uint64_t other;
    static volatile int held;
    struct probe probe = {0};
    held = 0;
    other = 0;
    probes_start();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        wait->hold();
        held = 1;
        while (other == 0)
            sched_yield();
        probe = probe_until(other, wait->state);
        CHECK_EQUAL(word_at(&probe.region, 0), current_region());
        wait->release();
    } else {
        other = pthread_self();
        while (!held)
            sched_yield();
        wait->enter();
    }
    expect(probe.full, OMP_ERRCODE_OK, 12);
    CHECK(word_at(&probe.full, 4) != 0);
    expect(probe.small, OMP_ERRCODE_MEM_TOO_SMALL, 12);
    CHECK_EQUAL(state_of(&probe.small), wait->state);
    expect(probe.none, OMP_ERRCODE_MEM_TOO_SMALL, 12);
    return probe;
}

static const struct wait on_lock = {THR_LKWT_STATE, hold_lock, enter_lock, release_lock};
static const struct wait on_nest_lock = {THR_LKWT_STATE, hold_nest_lock, enter_nest_lock, release_nest_lock};
static const struct wait on_atomic = {THR_ATWT_STATE, hold_atomic, enter_atomic, release_atomic};
#ifdef __clang__
static const struct wait in_barrier = {THR_EBAR_STATE, nothing, enter_barrier, enter_barrier};
#else /* gcc has one call for all barriers */
static const struct wait in_barrier = {THR_IBAR_STATE, nothing, enter_barrier, enter_barrier};
#endif
static const struct wait in_region_end = {THR_IBAR_STATE, nothing, nothing, nothing};

static void in_critical(void)
{
    static volatile uint64_t other;
    static volatile int held;
    struct probe probe = {0};
    probes_start();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp critical(named)
        {
            held = 1;
            while (other == 0)
                sched_yield();
            probe = probe_until(other, THR_CTWT_STATE);
        }
    } else {
        while (!held)
            sched_yield();
        other = pthread_self();
#pragma omp critical(named)
        other = 0;
    }
    CHECK(word_at(&probe.full, 4) != 0);
    expect(probe.small, OMP_ERRCODE_MEM_TOO_SMALL, 12);
}

static void in_ordered(void)
{
    static volatile uint64_t other;
    struct probe probe = {0};
    probes_start();
#pragma omp parallel for ordered schedule(static, 1) num_threads(2)
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            while (other == 0)
                sched_yield();
            probe = probe_until(other, THR_ODWT_STATE);
        } else {
            other = pthread_self();
        }
#pragma omp ordered
        ordered_done++;
    }
    CHECK_EQUAL(ordered_done, 2);
    CHECK(word_at(&probe.full, 4) != 0);
    expect(probe.small, OMP_ERRCODE_MEM_TOO_SMALL, 12);
}

static void row_21(void)
{
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    must(OMP_REQ_START);
    struct probe probe = in_wait(&on_lock);
    CHECK_EQUAL(word_at(&probe.full, 4), (uintptr_t)&lock);
    probe = in_wait(&on_nest_lock);
    CHECK_EQUAL(word_at(&probe.full, 4), (uintptr_t)&nest_lock);
    in_wait(&on_atomic);
    in_wait(&in_barrier);
    in_wait(&in_region_end);
    in_critical();
    in_ordered();
}

static void row_22(void)
{
    must(OMP_REQ_START);
#pragma omp parallel num_threads(3)
    {
        struct answer answer = ask(OMP_REQ_STATE, "", 0, 12);
        expect(answer, OMP_ERRCODE_OK, 12);
        CHECK_EQUAL(state_of(&answer), THR_WORK_STATE);
        CHECK_EQUAL(word_at(&answer, 4), 0);
    }
}

static void row_23(void)
{
    must(OMP_REQ_START);
#pragma omp parallel num_threads(3)
    for (int room = 4; room < 12; room += 4) {
        struct answer answer = ask(OMP_REQ_STATE, "", 0, room);
        expect(answer, OMP_ERRCODE_OK, 4);
        CHECK_EQUAL(state_of(&answer), THR_WORK_STATE);
        CHECK_EQUAL(answer.mem[4], 0xab);
    }
}

static void row_24(void)
{
    omp_init_lock(&lock);
    must(OMP_REQ_START);
    struct probe probe = in_wait(&on_lock);
    CHECK_EQUAL(probe.small.mem[8], 0xab);
}

static void row_25(void)
{
    must(OMP_REQ_START);
    expect(ask(OMP_REQ_STATE, "", 0, 0), OMP_ERRCODE_MEM_TOO_SMALL, 12);
#pragma omp parallel num_threads(2)
    expect(ask(OMP_REQ_STATE, "", 0, 0), OMP_ERRCODE_MEM_TOO_SMALL, 12);
}

/* ---- at any instant -------------------- */

static volatile long instants, wrong_instants;

static void on_instant(int number)
{
    (void)number;
    if (asking)
        return;
    struct answer state = ask(OMP_REQ_STATE, "", 0, 12), prid = ask(OMP_REQ_CURRENT_PRID, "", 0, 8);
    int s = state_of(&state);
    __atomic_fetch_add(&instants, 1, __ATOMIC_RELAXED);
    if (state.ec != OMP_ERRCODE_OK || prid.ec != OMP_ERRCODE_OK || s < THR_OVHD_STATE || s >= THR_LAST_STATE)
        __atomic_fetch_add(&wrong_instants, 1, __ATOMIC_RELAXED);
}

/* runtime/tools/tests/signal_test.py does this with more threads, interfaces and time. */
static void row_27(void)
{
    struct sigaction action = {.sa_handler = on_instant, .sa_flags = SA_RESTART};
    struct itimerval each = {{0, 500}, {0, 500}};
    long sum = 0;
    must(OMP_REQ_START);
    sigaction(SIGALRM, &action, NULL);
    CHECK_EQUAL(setitimer(ITIMER_REAL, &each, NULL), 0);
    while (instants < 100)
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 50; i++)
            sum += i;
#pragma omp critical
        sum++;
#pragma omp barrier
    }
    each.it_value.tv_usec = each.it_interval.tv_usec = 0;
    setitimer(ITIMER_REAL, &each, NULL);
    CHECK_EQUAL(wrong_instants, 0);
}

const struct one_case thread_cases[] = {
    {"row_21", row_21}, {"row_22", row_22}, {"row_23", row_23}, {"row_24", row_24},
    {"row_25", row_25}, {"row_27", row_27}, {NULL, NULL},
};
