/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One section for each construct of which a tool hears; events_expected.txt says what it is to hear. Linked
 * with trace_tool.c. Who does what is fixed: teams have one or two threads, and where a task is to be run by
 * its creator the other thread is kept busy.
 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "trace_tool.h"

#ifdef __clang__
#define NEW_CLANG (__clang_major__ >= 16)
#else
#define NEW_CLANG 0
#endif

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static int a, b, c;
static _Atomic int stage;

static void wait_for(int value)
{
    while (stage < value)
        sched_yield();
}

/* ---- regions -------------------- */

static void *foreign(void *argument)
{
#pragma omp parallel num_threads(1)
    HERE("foreign", 0);
    return argument;
}

static void regions(void)
{
    uintptr_t outer = FRAME;
    HERE("serial", 0);
    SECTION("parallel");
#pragma omp parallel num_threads(2)
    HERE("parallel", omp_get_thread_num() == 0 ? outer : 0);
    SECTION("parallel of one thread");
#pragma omp parallel num_threads(1)
    HERE("alone", outer);
    SECTION("parallel if(0)");
#pragma omp parallel if (0) num_threads(3)
    HERE("alone", outer);
    SECTION("nested parallel");
#pragma omp parallel num_threads(1)
    {
        outer = FRAME;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0)
            HERE("inner", outer);
    }
    SECTION("another thread of the program");
    pthread_t thread;
    pthread_create(&thread, NULL, foreign, NULL);
    pthread_join(thread, NULL);
    SECTION("target on the host");
#pragma omp target map(tofrom : a)
    a = 1;
    SECTION("target data, nowait");
#pragma omp target enter data map(to : a) nowait depend(inout : a)
    outer = FRAME;
    SECTION("teams");
#pragma omp teams num_teams(2) thread_limit(2)
    HERE("team", outer);
}

/* ---- worksharing -------------------- */

static void loops(void)
{
    SECTION("for static");
#pragma omp parallel num_threads(2)
#pragma omp for schedule(static)
    for (int i = 10; i < 20; i += 2)
        a = 1;
    SECTION("for static, chunks");
#pragma omp parallel num_threads(1)
#pragma omp for schedule(static, 2) nowait
    for (int i = 0; i < 5; i++)
        a = 1;
    SECTION("for dynamic");
#pragma omp parallel num_threads(1)
#pragma omp for schedule(monotonic : dynamic, 2)
    for (int i = 10; i < 20; i += 2)
        a = 1;
    SECTION("for guided");
#pragma omp parallel num_threads(1)
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 5; i++)
        a = 1;
    SECTION("for runtime");
    omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel num_threads(1)
#pragma omp for schedule(runtime) nowait
    for (int i = 0; i < 5; i++)
        a = 1;
    SECTION("distribute");
#pragma omp teams num_teams(1)
#pragma omp distribute
    for (int i = 0; i < 5; i++)
        a = 1;
    SECTION("ordered");
#pragma omp parallel num_threads(1)
#pragma omp for ordered
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
        a = 1;
    }
    SECTION("doacross");
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(static, 2)
    for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
        a = 1;
#pragma omp ordered depend(source)
    }
}

static void doacross_alone(void)
{
    SECTION("doacross alone");
#pragma omp parallel num_threads(1)
#pragma omp for ordered(1) schedule(static, 2)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
        a = 1;
#pragma omp ordered depend(source)
    }
}

static void work(void)
{
    SECTION("sections");
#pragma omp parallel num_threads(1)
#pragma omp sections
    {
#pragma omp section
        a = 1;
#pragma omp section
        a = 2;
    }
    SECTION("single");
    stage = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            wait_for(1);
#pragma omp single
        stage = 1;
    }
    SECTION("single copyprivate");
#pragma omp parallel num_threads(1)
    {
        int mine = 1;
#pragma omp single copyprivate(mine)
        mine = 2;
        (void)mine;
    }
#ifndef __clang__ /* 14 does not know it, 19 cannot translate it */
    SECTION("scope");
#pragma omp parallel num_threads(1)
#pragma omp scope
    a = 1;
#endif
    SECTION("masked");
#pragma omp parallel num_threads(2)
#pragma omp masked filter(1)
    a = 1;
    SECTION("master");
#pragma omp parallel num_threads(2)
#pragma omp master
    a = 1;
    SECTION("reduction");
    int sum = 0, many[3] = {0};
#pragma omp parallel num_threads(1) reduction(+ : sum)
    sum += 1;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(+ : many)
    for (int i = 0; i < 2; i++)
        many[i] += 1;
}

/* ---- synchronisation -------------------- */

static void synchronisation(void)
{
    SECTION("barrier");
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
    } SECTION("critical");
#pragma omp critical(named) hint(omp_sync_hint_contended)
    a = 1;
#pragma omp critical
    a = 1;
#ifndef __clang__ /* which calls libatomic */
    SECTION("atomic");
    static long double wide;
    trace_name(&wide, "&wide");
#pragma omp atomic
    wide += 1;
#endif
    SECTION("flush");
#pragma omp flush
    SECTION("lock");
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_test_lock(&lock);
    omp_unset_lock(&lock);
    omp_test_lock(&lock);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    omp_init_lock_with_hint(&lock, omp_sync_hint_uncontended);
    omp_destroy_lock(&lock);
    SECTION("nest lock");
    omp_init_nest_lock(&nest_lock);
    omp_set_nest_lock(&nest_lock);
    omp_set_nest_lock(&nest_lock);
    omp_test_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_test_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    omp_destroy_nest_lock(&nest_lock);
    omp_init_nest_lock_with_hint(&nest_lock, omp_sync_hint_speculative);
    omp_destroy_nest_lock(&nest_lock);
    SECTION("control tool");
    printf("answer %d\n", omp_control_tool(65, 7, "text"));
    printf("answer %d\n", omp_control_tool(omp_control_tool_pause, 0, NULL));
#if !defined __clang__ || NEW_CLANG
    SECTION("error");
#pragma omp error at(execution) severity(warning) message("wanted")
#endif
}

/* ---- tasks -------------------- */

static void tasks(void)
{
    uintptr_t outer = FRAME;
    SECTION("task in a team of one");
#pragma omp task
    HERE("task", outer);
    SECTION("task if(0)");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        outer = FRAME;
#pragma omp task if (0)
        HERE("task", outer);
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("task, taskwait");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        outer = FRAME;
#pragma omp task untied mergeable
        HERE("task", outer);
#pragma omp task final(1)
        {
#pragma omp task
            a = 1;
        }
#pragma omp taskwait
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("taskyield");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task
        {
#pragma omp task
            a = 1;
#pragma omp taskyield
        }
#pragma omp taskwait
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("taskgroup");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
        {
#pragma omp task
            a = 1;
        }
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("task reduction");
    stage = 0;
    int sum = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp taskgroup task_reduction(+ : sum)
        {
#pragma omp task in_reduction(+ : sum)
            sum += 1;
        }
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("taskloop");
#pragma omp parallel num_threads(1)
#pragma omp taskloop num_tasks(2)
    for (int i = 10; i < 20; i += 2)
        a = 1;
}

static void dependences(void)
{
    SECTION("depend");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : a)
        c = 1;
#pragma omp task depend(in : a) depend(inout : b)
        c = 2;
#pragma omp task depend(mutexinoutset : b)
        c = 3;
#if NEW_CLANG
#pragma omp task depend(inoutset : c)
        a = 4;
#endif
#if NEW_CLANG
#pragma omp task depend(inout : omp_all_memory)
        a = 5;
#endif
#pragma omp taskwait
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("task if(0) depend");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : a)
        c = 1;
#pragma omp task depend(in : a) if (0)
        c = 2;
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("taskwait depend");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : a)
        c = 1;
#pragma omp taskwait depend(in : a)
        stage = 1;
    } else {
        wait_for(1);
    }
}

static void detached(void)
{
    SECTION("detach, fulfilled late");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_event_handle_t event = (omp_event_handle_t)0; /* its owner runs the newest task first */
#pragma omp task shared(event)
        omp_fulfill_event(event);
#pragma omp task detach(event)
        a = 1;
#pragma omp taskwait
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("detach if(0), fulfilled late");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) if (0)
        a = 1;
        omp_fulfill_event(event);
#pragma omp taskwait
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("detach if(0), fulfilled early");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) if (0)
        omp_fulfill_event(event);
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("detach if(0), fulfilled early by another thread");
    stage = 0;
    static omp_event_handle_t shown;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) if (0)
        {
            shown = event;
            stage = 1;
            wait_for(2);
        }
    } else {
        wait_for(1);
        omp_fulfill_event(shown);
        stage = 2;
    }
    SECTION("detach in a final task, fulfilled late");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task final(1) if (0)
        {
            omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
            a = 1;
            omp_fulfill_event(event);
        }
        stage = 1;
    } else {
        wait_for(1);
    }
    SECTION("detach, fulfilled early");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event)
        omp_fulfill_event(event);
#pragma omp taskwait
        stage = 1;
    } else {
        wait_for(1);
    }
}

/* ---- cancellation (OMP_CANCELLATION=true) -------------------- */

static void cancellation(void)
{
    SECTION("cancel parallel");
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        a = 1;
    } else {
        for (;;) {
#pragma omp cancellation point parallel
        }
    }
    SECTION("cancel for");
#pragma omp parallel num_threads(1)
#pragma omp for
    for (int i = 0; i < 3; i++) {
#pragma omp cancel for if (i == 1)
        a = 1;
    }
    SECTION("cancel sections");
#pragma omp parallel num_threads(1)
#pragma omp sections
    {
#pragma omp section
        {
#pragma omp cancel sections
            a = 1;
        }
#pragma omp section
        a = 2;
    }
    SECTION("cancel taskgroup");
    stage = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp taskgroup
        {
#pragma omp task
            a = 1;
#pragma omp task
            {
#pragma omp cancel taskgroup
                a = 1;
            }
        }
        stage = 1;
    } else {
        wait_for(1);
    }
}

int main(void)
{
    omp_get_thread_num(); /* the runtime starts, and the tool with it */
    trace_name(&lock, "&lock");
    trace_name(&nest_lock, "&nest_lock");
    trace_name(&a, "&a");
    trace_name(&b, "&b");
    trace_name(&c, "&c");
    regions();
    loops();
    doacross_alone();
    work();
    synchronisation();
    tasks();
    dependences();
    detached();
    cancellation();
    SECTION("end");
    return 0;
}
