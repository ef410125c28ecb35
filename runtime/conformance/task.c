/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The task construct: execution, data environment, nesting (OpenMP 5.2, 12.5).
 */
#include <pthread.h>
#include "check.h"

CASE("every task runs once")
{
    static int ran[2000];
    memset(ran, 0, sizeof ran);
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 2000; i++) {
#pragma omp task
            ADD(ran[i], 1);
        }
    }
    for (int i = 0; i < 2000; i++)
        CHECK(ran[i] == 1);
}

CASE("all threads make tasks")
{
    int count = 0;
#pragma omp parallel
    for (int i = 0; i < 200; i++) {
#pragma omp task shared(count)
        ADD(count, 1);
    }
    CHECK(count == 200 * omp_get_max_threads());
}

CASE("more tasks than any queue holds")
{
    long sum = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < 20000; i++) {
#pragma omp task shared(sum) firstprivate(i)
            ADD(sum, i);
        }
    }
    CHECK(sum == 20000L * 19999 / 2);
}

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

CASE("recursion")
{
    long result = 0;
#pragma omp parallel
    {
#pragma omp single
        result = fib(16);
    }
    CHECK(result == 987);
}

CASE("firstprivate by default, shared where asked")
{
    int good = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            int local = 41;
            for (int i = 0; i < 50; i++) {
#pragma omp task shared(good)
                ADD(good, local == 41 + i);
                local++;
            }
        }
    }
    CHECK(good == 50);
}

CASE("large values are copied when the task is made")
{
    struct {
        int a[2000];
    } big;
    int wrong = 0;
#pragma omp parallel shared(wrong) private(big)
    {
#pragma omp single
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 2000; i++)
                big.a[i] = round + i;
#pragma omp task firstprivate(big, round) shared(wrong)
            for (int i = 0; i < 2000; i += 7)
                ADD(wrong, big.a[i] != round + i);
        }
    }
    CHECK(wrong == 0);
}

#ifndef __clang__ /* refuses them */
CASE("variable length arrays are copied")
{
    int wrong = 0;
#pragma omp parallel shared(wrong)
    {
#pragma omp single
        for (int n = 1; n < 30; n++) {
            int a[n];
            for (int i = 0; i < n; i++)
                a[i] = i * n;
#pragma omp task firstprivate(a, n) shared(wrong)
            for (int i = 0; i < n; i++)
                ADD(wrong, a[i] != i * n);
        }
    }
    CHECK(wrong == 0);
}
#endif

CASE("values of every size and alignment")
{
    int wrong = 0;
#pragma omp parallel shared(wrong)
    {
#pragma omp single
        for (int i = 1; i < 20; i++) {
            char c = (char)i;
            short s = (short)-i;
            long double ld = i / 4.0L;
            double d = i * 0.5;
            char odd[7] = {(char)i, 1, 2, 3, 4, 5, (char)-i};
            _Alignas(32) double wide[4] = {i, i + 1, i + 2, i + 3};
#pragma omp task firstprivate(c, s, ld, d, odd, wide, i) shared(wrong)
            ADD(wrong, !(c == i && s == -i && ld == i / 4.0L && d == i * 0.5 && odd[0] == i &&
                         odd[6] == (char)-i && wide[3] == i + 3 && (uintptr_t)&wide % 32 == 0 &&
                         (uintptr_t)&ld % _Alignof(long double) == 0));
        }
    }
    CHECK(wrong == 0);
}

CASE("private variables of a task")
{
    int x = 5, sum = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task private(x) shared(sum) firstprivate(i)
            {
                x = i;
                check_disturb(i);
                ADD(sum, x);
            }
        }
    }
    CHECK(x == 5 && sum == 1225);
}

CASE("if(false): the encountering thread executes the task at once")
{
#pragma omp parallel
    {
        int done = 0, no = 0;
        pthread_t self = pthread_self();
#pragma omp task if (no) shared(done)
        {
            CHECK(pthread_equal(self, pthread_self()));
            done = 1;
        }
        CHECK(done == 1);
#pragma omp task if (task : no) shared(done)
        done = 2;
        CHECK(done == 2);
    }
}

CASE("an undeferred task makes tasks that are deferred")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task if (0) shared(count)
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 20);
}

static int descended;
static void descend(int n)
{
    if (n == 200)
        return;
    ADD(descended, 1);
#pragma omp task firstprivate(n)
    descend(n + 1);
}

CASE("a chain of 200 tasks each of which makes the next")
{
    descended = 0;
#pragma omp parallel
    {
#pragma omp single
        descend(0);
    }
    CHECK(descended == 200);
}

CASE("outside of a parallel region")
{
    int done = 0;
#pragma omp task shared(done)
    done++;
#pragma omp taskwait
    CHECK(done == 1);
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(done)
        ADD(done, 1);
    }
#pragma omp taskwait
    CHECK(done == 101);
}

CASE("in a region of one thread, and in an inactive one")
{
    int done = 0;
#pragma omp parallel num_threads(1)
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
        ADD(done, 1);
    }
    CHECK(done == 10);
#pragma omp parallel if (0)
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
        ADD(done, 1);
    }
    CHECK(done == 20);
}

CASE("a tied task stays on its thread")
{
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task
            {
                int me = omp_get_thread_num();
                pthread_t self = pthread_self();
#pragma omp task
                check_disturb(0);
#pragma omp taskyield
                CHECK(omp_get_thread_num() == me && pthread_equal(self, pthread_self()));
#pragma omp taskwait
                CHECK(omp_get_thread_num() == me && pthread_equal(self, pthread_self()));
            }
        }
    }
}

CASE("a region in a task")
{
    omp_set_max_active_levels(2);
    int count = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp single
        for (int i = 0; i < 6; i++) {
#pragma omp task shared(count)
            {
#pragma omp parallel num_threads(2)
                {
                    CHECK(omp_get_level() == 2);
                    ADD(count, 1);
#pragma omp barrier
                    ADD(count, 1);
                }
                CHECK(omp_get_level() == 1);
            }
        }
    }
    CHECK(count == 24);
    omp_set_max_active_levels(1);
}

CASE("the region's functions in a task")
{
#pragma omp parallel num_threads(4)
    {
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task
            {
                CHECK(omp_get_num_threads() == 4);
                CHECK(omp_get_thread_num() >= 0 && omp_get_thread_num() < 4);
                CHECK(omp_get_level() == 1 && omp_in_parallel());
                CHECK(omp_get_ancestor_thread_num(1) == omp_get_thread_num());
                CHECK(omp_in_final() == 0);
            }
        }
    }
}

CASE("the generating thread may run ahead: nobody waits for a task but at scheduling points")
{
    int gate = 0, ran = 0;
#pragma omp parallel num_threads(2) shared(gate, ran)
    {
#pragma omp single
        {
#pragma omp task shared(gate, ran)
            {
                /* Any thread may execute this; the producer opens the gate only if it is deferred. */
                for (int i = 0; i < 1000 && !LOAD(gate); i++)
                    sched_yield();
                ADD(ran, 1);
            }
            STORE(gate, 1);
        }
    }
    CHECK(ran == 1);
}

CASE("tasks of a for loop's iterations")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(count)
            ADD(count, 1);
        }
        CHECK(LOAD(count) == 100); /* the loop's barrier completes them */
    }
}
