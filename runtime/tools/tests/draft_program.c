/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program for the tool of draft_tool.c. Its argument says what it does:
 *
 *   plain  a region; prints what the tool has found
 *   load   constructs of all sorts, with forced waits; compares the numbers of events with its own
 *   ask    inquiry functions against omp_* routines
 *   fork   children of fork() that use OpenMP and that do not
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draft_tool.h"

extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

static void plain(void)
{
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads++;
    printf("program: threads %d asked %d\n", threads, draft_asked);
}

/* ---- load -------------------- */

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static _Atomic long regions, members, masters, singles, tasks, sum, ordereds;

/** Until one more such event has come than `before`. */
static void wait_for(int event, long before)
{
    while (draft_counts[event] <= before)
        sched_yield();
}

/** Thread 0 has it before thread 1, until that has said that it waits. */
#define CONTEND(event, enter, leave)           \
    do {                                       \
        static _Atomic int held;               \
        if (omp_get_thread_num() == 0) {       \
            long before = draft_counts[event]; \
            enter;                             \
            held = 1;                          \
            wait_for(event, before);           \
            held = 0;                          \
            leave;                             \
        } else {                               \
            while (!held)                      \
                sched_yield();                 \
            enter;                             \
            leave;                             \
        }                                      \
        sync_up();                             \
    } while (0)

static void sync_up(void)
{
#pragma omp barrier
}

static void criticals(void)
{
    static _Atomic int held;
    long before = draft_counts[ompt_event_wait_critical];
    while (omp_get_thread_num() != 0 && !held)
        sched_yield();
#pragma omp critical(contended)
    if (omp_get_thread_num() == 0) {
        held = 1;
        wait_for(ompt_event_wait_critical, before);
    }
    sync_up();
    held = 0;
    sync_up();
}

static void ordered_loop(void)
{
    long before = draft_counts[ompt_event_wait_ordered];
    sync_up();
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 6; i++) {
        if (i == 0)
            wait_for(ompt_event_wait_ordered, before);
#pragma omp ordered
        ordereds++;
    }
}

static void fibonacci(int n)
{
    if (n < 2)
        return;
    tasks += 2;
#pragma omp task
    fibonacci(n - 1);
#pragma omp task
    fibonacci(n - 2);
#pragma omp taskwait
}

static void body(void)
{
    members++;
    if (omp_get_thread_num() == 0)
        regions++;
    CONTEND(ompt_event_wait_lock, omp_set_lock(&lock), omp_unset_lock(&lock));
    CONTEND(ompt_event_wait_nest_lock, omp_set_nest_lock(&nest_lock);
            omp_set_nest_lock(&nest_lock), omp_unset_nest_lock(&nest_lock); omp_unset_nest_lock(&nest_lock));
    CONTEND(ompt_event_wait_atomic, __kmpc_atomic_start(), __kmpc_atomic_end());
    criticals();
    ordered_loop();
#pragma omp master
    masters++;
#pragma omp single
    {
        singles++;
        fibonacci(7);
#pragma omp taskgroup
        {
            tasks++;
#pragma omp task
            sum++;
        }
    }
#pragma omp sections
    {
#pragma omp section
        sum++;
#pragma omp section
        sum++;
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++)
        sum++;
#pragma omp flush
#pragma omp parallel num_threads(2)
    {
        members++;
        if (omp_get_thread_num() == 0)
            regions++;
    }
}

static void expect(int event, long expected)
{
    if (draft_counts[event] != expected) {
        fprintf(stderr, "event %d: %ld, not %ld\n", event, draft_counts[event], expected);
        draft_violations++;
    }
}

#ifdef __clang__
enum { CLANG = 1 };
#else
enum { CLANG = 0 };
#endif

/** Of an event, whether it must have come before the program ends. */
static int comes_now(int event)
{
    switch (event) {
    case ompt_event_workshare_begin:
    case ompt_event_workshare_end:
    case ompt_event_initial_task_end:
    case ompt_event_runtime_shutdown:
        return 0;
    case ompt_event_master_begin:
    case ompt_event_master_end:
    case ompt_event_flush:
        return CLANG;
    default:
        return 1;
    }
}

static void load(void)
{
    enum { ROUNDS = 10 };
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (int round = 0; round < ROUNDS; round++)
#pragma omp parallel num_threads(2)
        body();
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
    DRAFT_MUST(omp_control_tool(64, 5, NULL) == 0);
    ompt_control(64, 5);
    omp_pause_resource_all(omp_pause_hard); /* workers end: what they had open does */
    while (draft_counts[ompt_event_thread_end] + 1 < draft_counts[ompt_event_thread_begin])
        sched_yield();
    expect(ompt_event_parallel_begin, regions);
    expect(ompt_event_parallel_end, regions);
    expect(ompt_event_implicit_task_begin, members);
    expect(ompt_event_task_begin, tasks);
    expect(ompt_event_task_end, tasks);
    expect(ompt_event_initial_task_begin, 1);
    expect(ompt_event_single_in_block_begin, singles);
    expect(ompt_event_single_others_begin, singles);
    expect(ompt_event_master_begin, CLANG ? masters : 0);
    expect(ompt_event_flush, CLANG ? 2 * ROUNDS : 0);
    expect(ompt_event_loop_begin, 4 * ROUNDS);
    expect(ompt_event_sections_begin, 2 * ROUNDS);
    expect(ompt_event_taskgroup_begin, ROUNDS);
    expect(ompt_event_taskwait_begin, (tasks - ROUNDS) / 2);
    expect(ompt_event_wait_taskwait_end, (tasks - ROUNDS) / 2);
    expect(ompt_event_wait_taskgroup_end, ROUNDS);
    expect(ompt_event_acquired_lock, 2 * ROUNDS);
    expect(ompt_event_release_lock, 2 * ROUNDS);
    expect(ompt_event_acquired_nest_lock_first, 2 * ROUNDS);
    expect(ompt_event_acquired_nest_lock_next, 2 * ROUNDS);
    expect(ompt_event_release_nest_lock_prev, 2 * ROUNDS);
    expect(ompt_event_release_nest_lock_last, 2 * ROUNDS);
    expect(ompt_event_acquired_critical, 2 * ROUNDS);
    expect(ompt_event_release_critical, 2 * ROUNDS);
    expect(ompt_event_acquired_atomic, 2 * ROUNDS);
    expect(ompt_event_release_atomic, 2 * ROUNDS);
    expect(ompt_event_acquired_ordered, ordereds);
    expect(ompt_event_release_ordered, ordereds);
    expect(ompt_event_init_lock, 1);
    expect(ompt_event_destroy_lock, 1);
    expect(ompt_event_init_nest_lock, 1);
    expect(ompt_event_destroy_nest_lock, 1);
    expect(ompt_event_control, 2);
    for (int event = 1; event <= ompt_event_flush; event++)
        DRAFT_MUST(draft_counts[event] > 0 || !comes_now(event));
    printf("events %ld violations %d\n", draft_counts[ompt_event_task_switch], draft_violations);
}

/* ---- inquiry -------------------- */

static void *unknown_thread(void *argument)
{
    uint64_t wait;
    DRAFT_MUST(draft.get_thread_id() == 0 && draft.get_state(&wait) == ompt_state_undefined);
    DRAFT_MUST(draft.get_parallel_id(0) == 0 && draft.get_parallel_team_size(0) == -1);
    DRAFT_MUST(draft.get_task_id(0) == 0 && draft.get_task_frame(0) == NULL);
    DRAFT_MUST(!draft.get_task_info(0, NULL, NULL, NULL, NULL, NULL));
    return argument;
}

static void inside(uint64_t outer, uint64_t initial)
{
    int size = 0;
    uint64_t region = 0, task = 0, around = 0;
    uint32_t number = 77;
    ompt_task_type_t type;
    ompt_frame_t *frame;
    DRAFT_MUST(draft.get_state(NULL) == ompt_state_work_parallel);
    DRAFT_MUST(draft.get_parallel_id(0) != 0 && draft.get_parallel_id(0) != outer);
    DRAFT_MUST(draft.get_parallel_id(1) == outer && draft.get_parallel_id(2) == 0);
    DRAFT_MUST(draft.get_parallel_id(-1) == 0 && draft.get_parallel_id(9) == 0);
    for (int level = 0; level <= 2; level++)
        DRAFT_MUST(draft.get_parallel_team_size(level) == omp_get_team_size(omp_get_level() - level));
    DRAFT_MUST(draft.get_parallel_team_size(3) == -1);
    DRAFT_MUST(draft.get_parallel_info(1, &region, &size) == 1 && region == outer && size == 2);
    DRAFT_MUST(draft.get_parallel_info(2, &region, &size) == 0 && region == outer);
    DRAFT_MUST(draft.get_task_id(2) == initial && draft.get_task_id(3) == 0);
    DRAFT_MUST(draft.get_task_info(0, &type, &task, &frame, &around, &number) == 1);
    DRAFT_MUST(type == ompt_task_implicit && task == draft.get_task_id(0) &&
               frame == draft.get_task_frame(0));
    DRAFT_MUST(around == draft.get_parallel_id(0) && number == (uint32_t)omp_get_thread_num());
    DRAFT_MUST(frame->exit_frame != NULL && frame->enter_frame == NULL);
    DRAFT_MUST(draft.get_task_frame(1)->enter_frame != NULL);
    DRAFT_MUST(draft.get_task_info(2, &type, NULL, NULL, NULL, NULL) == 1 && type == ompt_task_initial);
#pragma omp task if (0) default(shared)
    {
        DRAFT_MUST(draft.get_task_info(0, &type, NULL, NULL, &around, NULL) == 1);
        DRAFT_MUST(type == ompt_task_explicit && around == draft.get_parallel_id(0));
        DRAFT_MUST(draft.get_task_id(1) == task && draft.get_task_id(0) != task);
    }
}

/**
 * The task one out is the one that has generated this one, also when that has ended and another is below on
 * the stack.
 */
static void generations(void)
{
    int asked_for = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        uint64_t implicit = draft.get_task_id(0);
#pragma omp taskgroup
        {
#pragma omp task default(shared)
            {
                uint64_t mother = draft.get_task_id(0);
                DRAFT_MUST(draft.get_task_id(1) == implicit);
#pragma omp task default(shared) firstprivate(mother)
                {
                    ompt_task_type_t type = ompt_task_initial;
                    uint64_t id = 0;
                    DRAFT_MUST(draft.get_task_id(1) == mother && draft.get_task_id(2) == implicit);
                    DRAFT_MUST(draft.get_task_info(1, &type, &id, NULL, NULL, NULL) == 1 && id == mother);
                    DRAFT_MUST(type == ompt_task_explicit && draft.get_task_frame(1)->exit_frame == NULL);
                    asked_for++;
                }
            }
        }
    }
    DRAFT_MUST(asked_for == 1);
}

static void ask(void)
{
    uint64_t initial, ids[2], target = 1, operation = 1;
    pthread_t thread;
    omp_set_max_active_levels(2);
    DRAFT_MUST(omp_get_level() == 0 && draft.get_state(NULL) == ompt_state_work_serial);
    initial = draft.get_task_id(0);
    DRAFT_MUST(initial != 0 && draft.get_parallel_id(0) == 0 && draft.get_thread_id() != 0);
    DRAFT_MUST(draft.get_task_frame(0)->exit_frame == NULL && draft.get_idle_frame() == NULL);
    DRAFT_MUST(draft.get_target_info(NULL, &target, &operation) == 0 && target == 0 && operation == 0);
    generations();
    /* Outside of the initializer. */
    DRAFT_MUST(draft.set_callback(ompt_event_parallel_begin, NULL) == 0);
    pthread_create(&thread, NULL, unknown_thread, NULL);
    pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
    {
        uint64_t outer = draft.get_parallel_id(0);
        ids[omp_get_thread_num()] = draft.get_thread_id();
#pragma omp parallel num_threads(2)
        inside(outer, initial);
    }
    DRAFT_MUST(ids[0] != ids[1] && ids[0] == draft.get_thread_id());
    printf("asked violations %d\n", draft_violations);
}

/* ---- fork -------------------- */

static void in_child(int uses_openmp)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int threads = 0, before = draft_asked;
        long begun = draft_counts[ompt_event_thread_begin];
        if (uses_openmp) {
            threads = omp_get_max_threads(); /* as set before the fork */
#pragma omp parallel reduction(+ : threads)
            threads++;
        }
        printf("child: threads %d asked %d more, thread begins %ld more\n", threads, draft_asked - before,
               draft_counts[ompt_event_thread_begin] - begun);
        fflush(stdout);
        _exit(draft_violations);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("parent: child ended %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void forks(void)
{
    in_child(1); /* before OpenMP is used */
    omp_set_num_threads(3);
    plain();
    in_child(0);
    in_child(1);
    plain();
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "plain";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(mode, "load") == 0)
        load();
    else if (strcmp(mode, "ask") == 0)
        ask();
    else if (strcmp(mode, "fork") == 0)
        forks();
    else
        plain();
    return draft_violations != 0;
}
