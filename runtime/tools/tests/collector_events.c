/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collector API's events under a mixed load. Each callback asks for state and region, as TAU does, and
 * judges: begins and ends nest on each thread; at a begin the thread is in the state that the event names, at
 * an end no more; a region has one id from FORK to JOIN. Each way to wait is forced: whoever is waited for
 * goes on when the other's event has come, so a lost event is a test that hangs. Counts are the program's own.
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

#include "omp_collector_api.h"

extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

enum { EVENTS = 23, DEEP = 64 };

static _Atomic int violations;
static _Atomic long counts[EVENTS];
static _Atomic int judging = 1;
static _Thread_local struct {
    int depth, event[DEEP];
    uint64_t region[DEEP];
} open_now;

#define MUST(condition, event)                                                            \
    do {                                                                                  \
        if (!(condition) && violations++ < 10)                                            \
            fprintf(stderr, "line %d, event %d: " #condition "\n", __LINE__, (int)event); \
    } while (0)

static int ask_state(void)
{
    struct {
        int sz, r, ec, rsz, state, wait[2], end;
    } list = {28, OMP_REQ_STATE, -7, -7, -7, {0, 0}, 0};
    __omp_collector_api(&list);
    return list.ec == OMP_ERRCODE_OK ? list.state : -1;
}

static uint64_t ask_region(void)
{
    uint64_t region;
    int list[7] = {24, OMP_REQ_CURRENT_PRID};
    __omp_collector_api(list);
    memcpy(&region, list + 4, sizeof region);
    return list[2] == OMP_ERRCODE_OK ? region : ~0ULL;
}

static int request(int number)
{
    int list[5] = {16, number};
    __omp_collector_api(list);
    return list[2];
}

/** The state that a begin's callback finds. */
static int state_at(int event)
{
    static const int states[EVENTS] = {
        [OMP_EVENT_FORK] = THR_OVHD_STATE,
        [OMP_EVENT_THR_BEGIN_IDLE] = THR_IDLE_STATE,
        [OMP_EVENT_THR_BEGIN_IBAR] = THR_IBAR_STATE,
        [OMP_EVENT_THR_BEGIN_EBAR] = THR_EBAR_STATE,
        [OMP_EVENT_THR_BEGIN_LKWT] = THR_LKWT_STATE,
        [OMP_EVENT_THR_BEGIN_CTWT] = THR_CTWT_STATE,
        [OMP_EVENT_THR_BEGIN_ODWT] = THR_ODWT_STATE,
        [OMP_EVENT_THR_BEGIN_MASTER] = THR_WORK_STATE,
        [OMP_EVENT_THR_BEGIN_SINGLE] = THR_WORK_STATE,
        [OMP_EVENT_THR_BEGIN_ORDERED] = THR_WORK_STATE,
        [OMP_EVENT_THR_BEGIN_ATWT] = THR_ATWT_STATE,
    };
    return states[event];
}

static void on_event(OMP_COLLECTORAPI_EVENT event)
{
    int state = ask_state();
    uint64_t region = ask_region();
    counts[event]++;
    if (!judging)
        return;
    if (event % 2 == 1) {
        MUST(state == state_at(event), event);
        MUST((region != 0) == (event != OMP_EVENT_THR_BEGIN_IDLE), event);
        MUST(open_now.depth < DEEP, event);
        open_now.event[open_now.depth] = event;
        open_now.region[open_now.depth++] = region;
        return;
    }
    MUST(open_now.depth > 0 && open_now.event[open_now.depth - 1] == (int)event - 1, event);
    if (open_now.depth > 0)
        open_now.depth--;
    if (event == OMP_EVENT_JOIN)
        MUST(state == THR_OVHD_STATE && region == open_now.region[open_now.depth], event);
    else if (event != OMP_EVENT_THR_END_IDLE && state_at(event - 1) != THR_WORK_STATE)
        MUST(state != state_at(event - 1), event);
}

static int register_all(OMP_COLLECTORAPI_CALLBACK callback)
{
    struct {
        int sz, r, ec, rsz, event, address[2];
    } list[EVENTS] = {{0}};
    int good = 0;
    for (int i = 0; i < EVENTS - 1; i++) {
        list[i].sz = sizeof list[i];
        list[i].r = OMP_REQ_REGISTER;
        list[i].event = i + 1;
        memcpy(list[i].address, &callback, sizeof callback);
    }
    if (__omp_collector_api(list) != 0)
        return 0;
    for (int i = 0; i < EVENTS - 1; i++)
        good += list[i].ec == OMP_ERRCODE_OK;
    return good == EVENTS - 1;
}

/* ---- the load, and how much of what it has -------------------- */

static _Atomic long regions, masters, singles, ordereds;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long sum;
static int wait_for_events = 1;

/** Until one more such event has come than `before`. */
static void wait_for(int event, long before)
{
    while (wait_for_events && counts[event] <= before)
        sched_yield();
}

/** Thread 0 has the mutex before all others, until one of them has said that it waits. */
#define CONTEND(event, enter, leave)                                    \
    do {                                                                \
        long before = counts[event];                                    \
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
    long before = counts[OMP_EVENT_THR_BEGIN_CTWT];
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
    long before = counts[OMP_EVENT_THR_BEGIN_ODWT];
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
    int state = judging ? ask_state() : THR_REDUC_STATE; /* or no session may be open just now */
#ifdef __clang__
    MUST(state == THR_REDUC_STATE, 0);
#else /* gcc combines without a word to the runtime, between barriers of its own */
    MUST(state == THR_WORK_STATE || state == THR_REDUC_STATE, 0);
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
    const long expected[EVENTS] = {[OMP_EVENT_FORK] = regions,
                                   [OMP_EVENT_THR_BEGIN_MASTER] = known_masters,
                                   [OMP_EVENT_THR_BEGIN_SINGLE] = singles,
                                   [OMP_EVENT_THR_BEGIN_ORDERED] = ordereds};
    for (int event = 1; event < EVENTS; event += 2) {
        if (event == OMP_EVENT_THR_BEGIN_EBAR || event == OMP_EVENT_THR_BEGIN_MASTER)
            ; /* gcc's are not known as such */
        else
            MUST(counts[event] > 0, event);
        if (state_at(event) == THR_WORK_STATE || event == OMP_EVENT_FORK)
            MUST(counts[event] == expected[event], event);
        MUST(counts[event] == counts[event + 1], event);
    }
#ifdef __clang__
    MUST(counts[OMP_EVENT_THR_BEGIN_EBAR] > 0, OMP_EVENT_THR_BEGIN_EBAR);
#endif
    printf("violations %d events", violations);
    for (int event = 1; event < EVENTS; event++)
        printf(" %ld", counts[event]);
    printf("\n");
    return violations != 0;
}

/* ---- sessions that come and go -------------------- */

static _Atomic int over;

static void *sessions(void *argument)
{
    while (!over) {
        request(OMP_REQ_START);
        register_all(on_event);
        request(OMP_REQ_PAUSE);
        request(OMP_REQ_RESUME);
        usleep(200);
        request(OMP_REQ_STOP);
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
        judging = wait_for_events = 0;
        pthread_create(&thread, NULL, sessions, NULL);
        load(100);
        over = 1;
        pthread_join(thread, NULL);
        printf("events %ld\n", counts[OMP_EVENT_FORK]);
        return 0;
    }
    if (strcmp(mode, "late") == 0) {
#pragma omp parallel num_threads(3)
        {
#pragma omp single nowait
            MUST(request(OMP_REQ_START) == OMP_ERRCODE_OK && register_all(on_event), 0);
        }
        MUST(ask_state() == THR_SERIAL_STATE, 0);
    } else {
        MUST(request(OMP_REQ_START) == OMP_ERRCODE_OK && register_all(on_event), 0);
    }
    load(20);
    omp_pause_resource_all(omp_pause_hard); /* the workers end, and their idling does */
    while (counts[OMP_EVENT_THR_BEGIN_IDLE] != counts[OMP_EVENT_THR_END_IDLE])
        sched_yield();
    MUST(open_now.depth == 0, 0);
    return report();
}
