/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collector API's events under a mixed load, judged by collector_judge.c. Each way to wait is forced:
 * whoever is waited for goes on when the other's event has come, so a lost event is a test that hangs. The
 * program counts for itself.
 *
 * Arguments: "late" starts the session inside a region; "sessions" opens and closes sessions from another
 * thread all the while, and judges only that all goes well (for ThreadSanitizer).
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector_judge.h"

extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

/* ---- the load, and how much of what it has -------------------- */

static _Atomic long regions, masters, singles, ordereds;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long sum;
static int wait_for_events = 1;

/** Until one more such event has come than `before`. */
static void wait_for(int event, long before)
{
    while (wait_for_events && judge_counts[event] <= before)
        sched_yield();
}

/** Thread 0 has the mutex before all others, until one of them has said that it waits. */
#define CONTEND(event, enter, leave)                                    \
    do {                                                                \
        long before = judge_counts[event];                              \
        _Pragma("omp barrier");                                         \
        if (omp_get_thread_num() == 0) {                                \
            enter;                                                      \
            held = 1;                                                   \
            wait_for(event, before);                                    \
            leave;                                                      \
        } else {                                                        \
            while (!held)                                               \
                sched_yield();                                          \
            enter;                                                      \
            sum++;                                                      \
            leave;                                                      \
        }                                                               \
        _Pragma("omp barrier") if (omp_get_thread_num() == 0) held = 0; \
        _Pragma("omp barrier");                                         \
    } while (0)

static void criticals(void)
{
    static _Atomic int held;
    long before = judge_counts[OMP_EVENT_THR_BEGIN_CTWT];
#pragma omp barrier
    if (omp_get_thread_num() != 0)
        while (!held)
            sched_yield();
#pragma omp critical(contended)
    {
        if (omp_get_thread_num() == 0) {
            held = 1;
            wait_for(OMP_EVENT_THR_BEGIN_CTWT, before);
        }
    }
#pragma omp barrier
    held = 0;
#pragma omp barrier
}

static void ordered_loop(void)
{
    long before = judge_counts[OMP_EVENT_THR_BEGIN_ODWT];
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 9; i++) {
        if (i == 0)
            wait_for(OMP_EVENT_THR_BEGIN_ODWT, before);
#pragma omp ordered
        {
            ordereds++;
            sum++;
        }
    }
}

static void inner(int level)
{
    if (level > 0 && omp_get_thread_num() == 0)
        regions++;
    if (level == 0)
#pragma omp parallel num_threads(2)
        inner(1);
#pragma omp task
    sum += 0;
#pragma omp taskwait
}

/** What a reduction's combiner asks. */
static void combine(long *out, const long *in)
{
    int state = judge_on ? judge_state() : THR_REDUC_STATE; /* or no session may be open just now */
#ifdef __clang__
    JUDGE_MUST(state == THR_REDUC_STATE, 0);
#else /* gcc combines without a word to the runtime, between barriers of its own */
    JUDGE_MUST(state == THR_WORK_STATE || state == THR_REDUC_STATE, 0);
#endif
    *out += *in;
}
#pragma omp declare reduction(plus:long : combine(&omp_out, &omp_in)) initializer(omp_priv = 0)

static void body(void)
{
    static _Atomic int held;
    if (omp_get_thread_num() == 0)
        regions++;
    CONTEND(OMP_EVENT_THR_BEGIN_LKWT, omp_set_lock(&lock), omp_unset_lock(&lock));
    CONTEND(OMP_EVENT_THR_BEGIN_LKWT, omp_set_nest_lock(&nest_lock), omp_unset_nest_lock(&nest_lock));
    CONTEND(OMP_EVENT_THR_BEGIN_ATWT, __kmpc_atomic_start(), __kmpc_atomic_end());
    criticals();
    ordered_loop();
#pragma omp master
    masters++;
#pragma omp single
    singles++;
#pragma omp single nowait
    singles++;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; i++)
#pragma omp task
        sum += 0;
    inner(0);
}

static void load(int rounds)
{
    long a = 0, b = 0, c = 0; /* of two clang makes atomic updates */
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel num_threads(3)
        body();
#pragma omp parallel num_threads(2) reduction(plus : a, b, c)
        {
            if (omp_get_thread_num() == 0)
                regions++;
            a += 1, b += 2, c += 3;
        }
    }
}

static int report(void)
{
#ifdef __clang__
    long known_masters = masters;
#else /* gcc emits no call for master */
    long known_masters = 0;
#endif
    const long expected[JUDGE_EVENTS] = {[OMP_EVENT_FORK] = regions,
                                         [OMP_EVENT_THR_BEGIN_MASTER] = known_masters,
                                         [OMP_EVENT_THR_BEGIN_SINGLE] = singles,
                                         [OMP_EVENT_THR_BEGIN_ORDERED] = ordereds};
    for (int event = 1; event < JUDGE_EVENTS; event += 2) {
        if (event == OMP_EVENT_THR_BEGIN_EBAR || event == OMP_EVENT_THR_BEGIN_MASTER)
            ; /* gcc's are not known as such */
        else
            JUDGE_MUST(judge_counts[event] > 0, event);
        if (judge_state_at(event) == THR_WORK_STATE || event == OMP_EVENT_FORK)
            JUDGE_MUST(judge_counts[event] == expected[event], event);
        JUDGE_MUST(judge_counts[event] == judge_counts[event + 1], event);
    }
#ifdef __clang__
    JUDGE_MUST(judge_counts[OMP_EVENT_THR_BEGIN_EBAR] > 0, OMP_EVENT_THR_BEGIN_EBAR);
#endif
    printf("violations %d events", judge_violations);
    for (int event = 1; event < JUDGE_EVENTS; event++)
        printf(" %ld", judge_counts[event]);
    printf("\n");
    return judge_violations != 0;
}

/* ---- sessions that come and go -------------------- */

static _Atomic int over;

static void *sessions(void *argument)
{
    while (!over) {
        judge_request(OMP_REQ_START);
        judge_register_all();
        judge_request(OMP_REQ_PAUSE);
        judge_request(OMP_REQ_RESUME);
        usleep(200);
        judge_request(OMP_REQ_STOP);
    }
    return argument;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    if (strcmp(mode, "sessions") == 0) {
        pthread_t thread;
        judge_on = wait_for_events = 0;
        pthread_create(&thread, NULL, sessions, NULL);
        load(100);
        over = 1;
        pthread_join(thread, NULL);
        printf("events %ld\n", judge_counts[OMP_EVENT_FORK]);
        return 0;
    }
    if (strcmp(mode, "late") == 0) {
#pragma omp parallel num_threads(3)
        {
#pragma omp single nowait
            JUDGE_MUST(judge_request(OMP_REQ_START) == OMP_ERRCODE_OK && judge_register_all(), 0);
        }
        JUDGE_MUST(judge_state() == THR_SERIAL_STATE, 0);
    } else {
        JUDGE_MUST(judge_request(OMP_REQ_START) == OMP_ERRCODE_OK && judge_register_all(), 0);
    }
    load(20);
    omp_pause_resource_all(omp_pause_hard); /* the workers end, and their idling does */
    while (judge_counts[OMP_EVENT_THR_BEGIN_IDLE] != judge_counts[OMP_EVENT_THR_END_IDLE])
        sched_yield();
    JUDGE_MUST(judge_depth() == 0, 0);
    return report();
}
