/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worksharing construct, named by the first argument, in which members stop for ever. Each writes its
 * number and the iteration that it is in when it stops.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void stop(long long i)
{
    printf("%d %lld\n", omp_get_thread_num(), i);
    fflush(stdout);
    for (;;)
        pause();
}

/* The first member stops later than the others, so it has had more than one chunk. */
static void here(long long i, long long until)
{
    if (omp_get_thread_num() > 0 || i >= until)
        stop(i);
}

static int dynamic(const char *what)
{
    if (!strcmp(what, "dynamic")) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 3)
        for (long i = 0; i < 100; i++)
            here(i, 7);
    } else if (!strcmp(what, "monotonic")) {
#pragma omp parallel for num_threads(4) schedule(monotonic : dynamic, 3)
        for (long i = 10; i < 100; i += 2)
            here(i, 24);
    } else if (!strcmp(what, "down")) {
#pragma omp parallel num_threads(4)
#pragma omp for schedule(dynamic, 2)
        for (long i = 50; i > -51; i -= 3)
            here(-i, -30);
    } else if (!strcmp(what, "unsigned")) {
#pragma omp parallel num_threads(4)
#pragma omp for schedule(dynamic, 4)
        for (unsigned long long i = 0x7ffffffffffffff0; i < 0x8000000000000040; i++)
            here((long long)(i - 0x7ffffffffffffff0), 0);
    } else if (!strcmp(what, "guided")) {
#pragma omp parallel num_threads(4)
#pragma omp for schedule(guided)
        for (long i = 0; i < 100; i++)
            stop(i);
    } else if (!strcmp(what, "exhausted")) {
#pragma omp parallel num_threads(4)
#pragma omp for schedule(dynamic, 5)
        for (long i = 0; i < 15; i++)
            stop(i);
    } else {
        return 0;
    }
    return 1;
}

static int by_runtime(const char *what)
{
    if (!strcmp(what, "static")) {
        omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel num_threads(4)
#pragma omp for schedule(runtime)
        for (long i = 3; i < 105; i++)
            stop(i);
    } else if (!strcmp(what, "static4")) {
        omp_set_schedule(omp_sched_static, 4);
#pragma omp parallel for num_threads(4) schedule(runtime)
        for (long i = 0; i < 99; i++)
            if (i % 7 == 5 || i > 90)
                stop(i);
    } else if (!strcmp(what, "few")) {
        omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel num_threads(4)
#pragma omp for schedule(runtime)
        for (long i = 0; i < 3; i++)
            stop(i);
    } else {
        return 0;
    }
    return 1;
}

static int in_turn(const char *what)
{
    if (!strcmp(what, "ordered")) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 2) ordered
        for (long i = 0; i < 100; i++) {
#pragma omp ordered
            if (i == 9)
                stop(i);
        }
    } else if (!strcmp(what, "ordered_static")) {
#pragma omp parallel num_threads(4)
#pragma omp for schedule(static, 2) ordered
        for (long i = 0; i < 100; i++) {
#pragma omp ordered
            if (i == 9)
                stop(i);
        }
    } else if (!strcmp(what, "doacross")) {
#pragma omp parallel for num_threads(4) schedule(static, 1) ordered(1)
        for (long i = 0; i < 100; i++) {
#pragma omp ordered depend(sink : i - 1)
            if (i == 9)
                stop(i);
#pragma omp ordered depend(source)
        }
    } else {
        return 0;
    }
    return 1;
}

static int sections(const char *what)
{
    if (!strcmp(what, "sections")) {
#pragma omp parallel sections num_threads(2)
        {
#pragma omp section
            stop(0);
#pragma omp section
            stop(1);
#pragma omp section
            stop(2);
        }
    } else if (!strcmp(what, "inner_sections")) {
#pragma omp parallel num_threads(2)
#pragma omp sections
        {
#pragma omp section
            stop(0);
#pragma omp section
            stop(1);
#pragma omp section
            stop(2);
        }
    } else {
        return 0;
    }
    return 1;
}

/* A loop before it leaves its numbers in the region's memory. */
static void leave_traces(void)
{
#pragma omp parallel for num_threads(4) schedule(dynamic, 3)
    for (long i = 0; i < 100; i++)
        __asm__ volatile("" : : "r"(i));
#pragma omp parallel num_threads(4)
    for (int k = 0; k < 20; k++)
#pragma omp for schedule(guided)
        for (long i = 0; i < 100; i++)
            __asm__ volatile("" : : "r"(i));
}

static int no_loop(const char *what)
{
    static int value;
#pragma omp threadprivate(value)
    if (!strcmp(what, "region")) {
        leave_traces();
#pragma omp parallel num_threads(4)
        stop(0);
    } else if (!strcmp(what, "single")) {
        leave_traces();
#pragma omp parallel num_threads(4)
#pragma omp single copyprivate(value)
        stop(0);
    } else if (!strcmp(what, "single_alone")) {
        leave_traces();
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() > 0)
                stop(1);
#pragma omp single copyprivate(value)
            stop(0);
        }
    } else if (!strcmp(what, "inlined")) {
        leave_traces();
#pragma omp parallel num_threads(4)
#pragma omp for schedule(static)
        for (long i = 0; i < 100; i++)
            stop(i);
    } else if (!strcmp(what, "conditional")) {
        long last = 0;
        leave_traces();
#pragma omp parallel num_threads(4)
#pragma omp for schedule(static) lastprivate(conditional : last)
        for (long i = 0; i < 100; i++) {
            last = i;
            stop(i);
        }
    } else if (!strcmp(what, "task_reduction")) {
        long sum = 0;
        leave_traces();
#pragma omp parallel num_threads(4)
#pragma omp for schedule(static) reduction(task, + : sum)
        for (long i = 0; i < 100; i++) {
            sum += i;
            stop(i);
        }
    } else {
        return 0;
    }
    return 1;
}

static int around(const char *what)
{
    if (!strcmp(what, "outer")) {
        omp_set_max_active_levels(2);
        omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel num_threads(2)
#pragma omp for schedule(runtime)
        for (long i = 0; i < 10; i++)
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 0) {
                printf("%d %ld\n", omp_get_ancestor_thread_num(1), i);
                fflush(stdout);
                for (;;)
                    pause();
            }
    } else if (!strcmp(what, "nowait")) {
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(dynamic, 5) nowait
            for (long i = 0; i < 35; i++)
                if (i == 7)
                    stop(i);
#pragma omp barrier
        }
    } else {
        return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    return !(dynamic(what) || by_runtime(what) || in_turn(what) || sections(what) || no_loop(what) ||
             around(what));
}
