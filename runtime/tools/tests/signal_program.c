/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A profiler's signal, a thousand times a second on every thread, under a load of everything: the handler
 * asks OMPT, OMPT of 2016 and the collector API, and compares. What the three say of one instant must agree
 * by the table of states; wait ids must be equal, and the addresses of this program's locks; a region has one
 * id in two windows; nothing may be outside of its range.
 *
 *   signal_program SECONDS
 *
 * Each thread has a timer of its own, made when its begin is told (draft) and deleted at its end; so idle
 * ones are interrupted, too. The main thread ends the workers now and then, so that threads begin and end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "omp-tools.h"

#include "omp_collector_api.h"
#include "ompt-draft.h"

extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

static struct {
    ompt_get_state_t state;
    ompt_get_parallel_info_t parallel;
    ompt_get_task_info_t task;
    ompt_get_thread_data_t thread;
} ompt;
static struct {
    int (*state)(uint64_t *);
    ompt_get_thread_id_t thread;
    ompt_get_parallel_id_t parallel;
    ompt_get_parallel_team_size_t team_size;
    ompt_get_task_id_t task;
    ompt_get_task_frame_t frame;
    ompt_get_idle_frame_t idle_frame;
} draft;

static _Atomic long signals, violations, by_state[16], wait_ids, skipped;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition) && violations++ < 8)                                  \
            say(#condition, __LINE__, now.ompt, now.draft, now.collector, id); \
    } while (0)

/** Async-signal-safe. */
static void say(const char *what, int line, int a, int b, int c, uint64_t id)
{
    char text[256];
    int n = snprintf(text, sizeof text, "line %d: %s: ompt %#x draft %#x collector %d id %#llx\n", line, what,
                     (unsigned)a, (unsigned)b, c, (unsigned long long)id);
    if (write(2, text, (size_t)n) < 0)
        abort();
}

/** What the three windows may say together (reference: the mapping of states). First match counts. */
static const struct {
    int ompt, draft, collector, or_collector;
} agree[] = {
    {ompt_state_work_serial, 0x00, THR_SERIAL_STATE, THR_OVHD_STATE},
    {ompt_state_work_parallel, 0x01, THR_WORK_STATE, 0},
    {ompt_state_work_reduction, 0x02, THR_REDUC_STATE, 0},
    {ompt_state_idle, 0x10, THR_IDLE_STATE, 0},
    {ompt_state_overhead, 0x20, THR_OVHD_STATE, 0},
    {ompt_state_overhead, 0x20, THR_IDLE_STATE, THR_SERIAL_STATE}, /* in no region, on its way in or out */
    {ompt_state_wait_barrier, 0x40, THR_IBAR_STATE, 0},
    {ompt_state_wait_barrier_implementation, 0x40, THR_IBAR_STATE, 0},
    {ompt_state_wait_barrier_implicit_parallel, 0x41, THR_IBAR_STATE, 0},
    {ompt_state_wait_barrier_implicit_workshare, 0x41, THR_IBAR_STATE, 0},
    {ompt_state_wait_barrier_explicit, 0x42, THR_EBAR_STATE, 0},
    {ompt_state_wait_taskwait, 0x50, THR_OVHD_STATE, THR_SERIAL_STATE},
    {ompt_state_wait_taskgroup, 0x51, THR_OVHD_STATE, THR_SERIAL_STATE},
    {ompt_state_wait_mutex, 0x60, THR_LKWT_STATE, 0},
    {ompt_state_wait_lock, 0x60, THR_LKWT_STATE, 0},
    {ompt_state_wait_lock, 0x61, THR_LKWT_STATE, 0},
    {ompt_state_wait_critical, 0x62, THR_CTWT_STATE, 0},
    {ompt_state_wait_atomic, 0x63, THR_ATWT_STATE, 0},
    {ompt_state_wait_ordered, 0x64, THR_ODWT_STATE, 0},
    {ompt_state_undefined, 0x70, THR_SERIAL_STATE, 0},
};

struct instant {
    int ompt, draft, collector, ompt_size, draft_size, thread_num;
    ompt_wait_id_t ompt_wait;
    uint64_t draft_wait, collector_wait, collector_region, draft_region;
};

static void ask_collector(struct instant *now)
{
    struct {
        int state[7], region[6], end;
    } list = {{28, OMP_REQ_STATE, -7}, {24, OMP_REQ_CURRENT_PRID, -7}, 0};
    now->collector = -1;
    if (__omp_collector_api(&list) != 0 || list.state[2] != 0 || list.region[2] != 0)
        return;
    now->collector = list.state[4];
    memcpy(&now->collector_wait, list.state + 5, 8);
    memcpy(&now->collector_region, list.region + 4, 8);
}

static struct instant ask(void)
{
    struct instant now = {0};
    now.thread_num = now.ompt_size = -1;
    ask_collector(&now);
    now.ompt = ompt.state(&now.ompt_wait);
    now.draft = draft.state(&now.draft_wait);
    now.draft_region = draft.parallel(0);
    now.draft_size = draft.team_size(0);
    if (ompt.parallel(0, NULL, &now.ompt_size) == 2)
        ompt.task(0, NULL, NULL, NULL, NULL, &now.thread_num);
    return now;
}

static void judge(const struct instant *at)
{
    struct instant now = *at;
    uint64_t id = now.collector_wait;
    int known = 0;
    for (size_t i = 0; i < sizeof agree / sizeof *agree && !known; i++)
        known = agree[i].ompt == now.ompt && agree[i].draft == now.draft &&
                (agree[i].collector == now.collector || agree[i].or_collector == now.collector);
    MUST(known);
    if (now.draft >= 0x60 && now.draft < 0x70) {
        wait_ids++;
        MUST(id != 0 && now.ompt_wait == id && now.draft_wait == id);
        if (now.draft == 0x60 && now.ompt == ompt_state_wait_lock)
            MUST(id == (uintptr_t)&lock);
        if (now.draft == 0x61)
            MUST(id == (uintptr_t)&nest_lock);
    }
    if (now.collector !=
        THR_OVHD_STATE) /* a region that begins or ends is the collector's already or still */
        MUST(now.collector_region == now.draft_region);
    MUST((now.collector_region == 0) ||
         (now.collector != THR_SERIAL_STATE && now.collector != THR_IDLE_STATE));
    MUST(now.draft_size == -1 || (now.draft_size >= 1 && now.draft_size <= 8));
    MUST(now.ompt_size == now.draft_size && now.thread_num < now.draft_size + (now.draft_size == -1));
}

/** Reads whatever can be reached outwards. */
static void walk(void)
{
    uint64_t seen = 0;
    for (int depth = 0; depth < 12 && draft.task(depth) != 0; depth++) {
        int flags, number;
        ompt_data_t *data, *region;
        ompt_frame_t *frame;
        if (ompt.task(depth, &flags, &data, &frame, &region, &number) == 2 && data != NULL && frame != NULL)
            seen += data->value + (uintptr_t)frame->exit_frame.ptr;
        frame = draft.frame(depth);
        if (frame != NULL)
            seen += (uintptr_t)frame->enter_frame.ptr;
    }
    for (int level = 0; level < 6; level++)
        seen += draft.parallel(level);
    seen += (uintptr_t)draft.idle_frame() + (uintptr_t)ompt.thread();
    __asm__ volatile("" ::"r"(seen));
}

static _Thread_local uint64_t thread_id;

static void on_signal(int number)
{
    int before = errno;
    struct instant now = ask(), again = ask();
    uint64_t id = draft.thread();
    (void)number;
    signals++;
    if (now.collector > 0 && now.collector < THR_LAST_STATE)
        by_state[now.collector]++;
    MUST(thread_id == 0 || id == 0 || id == thread_id);
    /* Between two questions another thread may end this one's region; nothing else changes. */
    if (memcmp(&now, &again, sizeof now) == 0)
        judge(&now);
    else
        skipped++;
    walk();
    errno = before;
}

/* ---- a timer for each thread -------------------- */

static _Thread_local timer_t timer;
static _Thread_local int has_timer;

static void timer_start(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
    struct itimerspec each = {{0, 1000000}, {0, 1000000}};
    if (has_timer)
        return;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &each, NULL) != 0)
        abort();
    has_timer = 1;
}

static void on_thread_begin(int type, ompt_thread_id_t id)
{
    (void)type;
    thread_id = id;
    timer_start();
}

static void on_thread_end(int type, ompt_thread_id_t id)
{
    (void)type, (void)id;
    thread_id = 0;
    if (has_timer)
        timer_delete(timer);
    has_timer = 0;
}

static void initialize(ompt_function_lookup_t lookup, const char *runtime, unsigned version)
{
    int (*set)(int, ompt_callback_t) = (int (*)(int, ompt_callback_t))lookup("ompt_set_callback");
    (void)runtime, (void)version;
    draft.state = (int (*)(uint64_t *))lookup("ompt_get_state");
    draft.thread = (ompt_get_thread_id_t)lookup("ompt_get_thread_id");
    draft.parallel = (ompt_get_parallel_id_t)lookup("ompt_get_parallel_id");
    draft.team_size = (ompt_get_parallel_team_size_t)lookup("ompt_get_parallel_team_size");
    draft.task = (ompt_get_task_id_t)lookup("ompt_get_task_id");
    draft.frame = (ompt_get_task_frame_t)lookup("ompt_get_task_frame");
    draft.idle_frame = (ompt_get_idle_frame_t)lookup("ompt_get_idle_frame");
    set(ompt_event_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_event_thread_end, (ompt_callback_t)on_thread_end);
}

ompt_initialize_fn_t ompt_tool(void)
{
    return initialize;
}

/** Called by signal_ompt.c. */
void signal_take_ompt(ompt_function_lookup_t lookup)
{
    ompt.state = (ompt_get_state_t)lookup("ompt_get_state");
    ompt.parallel = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    ompt.task = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    ompt.thread = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
}

/* ---- the load -------------------- */

static long sum;

static void fibonacci(int n)
{
    if (n < 2)
        return;
#pragma omp task
    fibonacci(n - 1);
#pragma omp task
    fibonacci(n - 2);
#pragma omp taskwait
}

static void body(int deep)
{
    omp_set_lock(&lock);
    for (volatile int i = 0; i < 2000; i++)
        ;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest_lock);
    omp_set_nest_lock(&nest_lock);
    for (volatile int i = 0; i < 2000; i++)
        ;
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
#pragma omp critical(name)
    for (volatile int i = 0; i < 2000; i++)
        ;
    __kmpc_atomic_start();
    sum++;
    __kmpc_atomic_end();
#pragma omp barrier
#pragma omp for ordered schedule(dynamic, 1)
    for (int i = 0; i < 12; i++) {
#pragma omp ordered
        for (volatile int k = 0; k < 200; k++)
            ;
    }
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 100; i++)
        for (volatile int k = 0; k < 20; k++)
            ;
#pragma omp single
    fibonacci(8);
#pragma omp taskgroup
    {
#pragma omp task
        for (volatile int i = 0; i < 2000; i++)
            ;
    }
    if (deep)
#pragma omp parallel num_threads(2)
        body(0);
}

static void load(int threads)
{
    long a = 0, b = 0, c = 0;
#pragma omp parallel num_threads(threads)
    body(threads == 2);
#pragma omp parallel num_threads(threads) reduction(+ : a, b, c)
    {
        a++, b++, c++;
    }
}

static time_t deadline;

static time_t now_is(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/** A thread of the program: interrupted before the runtime has seen it, then with regions of its own. */
static void *root(void *argument)
{
    while (now_is() < deadline) {
        timer_start();
        for (volatile int i = 0; i < 3000000; i++)
            ;
        for (int i = 0; i < 20; i++)
            load(2);
    }
    return argument;
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    int start[5] = {16, OMP_REQ_START};
    pthread_t other;
    sigaction(SIGPROF, &action, NULL); /* the first call of OpenMP starts this thread's timer */
    if (__omp_collector_api(start) != 0 || start[2] != 0)
        return 2;
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    if (ompt.state == NULL || draft.state == NULL)
        return 2;
    deadline = now_is() + (argc > 1 ? strtol(argv[1], NULL, 10) : 20);
    pthread_create(&other, NULL, root, NULL);
    for (int round = 0; now_is() < deadline; round++) {
        load(1 + round % 4);
        if (round % 50 == 49)
            omp_pause_resource_all(omp_pause_hard);
    }
    pthread_join(other, NULL);
    printf("signals %ld violations %ld skipped %ld waits %ld states", signals, violations, skipped, wait_ids);
    for (int state = 1; state < THR_LAST_STATE; state++)
        printf(" %ld", by_state[state]);
    printf("\n");
    return violations != 0;
}
