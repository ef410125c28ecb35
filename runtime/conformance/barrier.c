/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The barrier construct and implicit barriers (OpenMP 5.2, 15.3).
 */
#include "check.h"

CASE("no thread passes before all have come")
{
    int arrived = 0;
#pragma omp parallel
    {
        int n = omp_get_num_threads();
        for (int round = 1; round <= 200; round++) {
            ADD(arrived, 1);
#pragma omp barrier
            CHECK(LOAD(arrived) == round * n);
#pragma omp barrier
        }
    }
}

CASE("one barrier a round is enough to alternate")
{
    static int a[2][MAX_THREADS];
#pragma omp parallel
    {
        int n = omp_get_num_threads(), me = omp_get_thread_num();
        a[0][me] = 0;
#pragma omp barrier
        for (int round = 0; round < 200; round++) {
            int *from = a[round & 1], *to = a[1 - (round & 1)];
            to[me] = from[(me + 1) % n] + 1;
#pragma omp barrier
            CHECK(to[(me + 2) % n] == round + 1);
        }
    }
}

CASE("plain memory is passed on")
{
    static int table[MAX_THREADS][32];
#pragma omp parallel
    {
        int n = omp_get_num_threads(), me = omp_get_thread_num();
        for (int round = 0; round < 50; round++) {
            for (int i = 0; i < 32; i++)
                table[me][i] = round + me + i;
#pragma omp barrier
            for (int t = 0; t < n; t++)
                CHECK(table[t][round % 32] == round + t + round % 32);
#pragma omp barrier
        }
    }
}

static CHECK_NOINLINE void orphan(void){
#pragma omp barrier
}

CASE("a barrier in a called function, within and without a region")
{
    int arrived = 0;
    orphan();
#pragma omp parallel
    {
        ADD(arrived, 1);
        orphan();
        CHECK(LOAD(arrived) == omp_get_num_threads());
    }
}

CASE("barriers of nested teams bind to the inner team")
{
    omp_set_max_active_levels(2);
    int outer = 0;
#pragma omp parallel num_threads(3) shared(outer)
    {
        int inner = 0, me = omp_get_thread_num();
#pragma omp parallel num_threads(2 + me) shared(inner)
        for (int round = 1; round <= 10 + 5 * me; round++) {
            ADD(inner, 1);
#pragma omp barrier
            CHECK(LOAD(inner) == round * (2 + me));
#pragma omp barrier
        }
        ADD(outer, 1);
#pragma omp barrier
        CHECK(LOAD(outer) == 3);
    }
    omp_set_max_active_levels(1);
}

CASE("a barrier completes the tasks made before it")
{
    int done = 0;
#pragma omp parallel
    {
        int n = omp_get_num_threads();
        for (int round = 1; round <= 10; round++) {
            for (int i = 0; i < 8; i++) {
#pragma omp task shared(done)
                {
                    check_disturb(i);
                    ADD(done, 1);
                }
            }
#pragma omp barrier
            CHECK(LOAD(done) == 8 * n * round);
#pragma omp barrier
        }
    }
}

CASE("a barrier completes tasks that tasks make")
{
    int done = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
            {
                for (int j = 0; j < 5; j++) {
#pragma omp task shared(done)
                    {
#pragma omp task shared(done)
                        ADD(done, 1);
                        ADD(done, 1);
                    }
                }
                ADD(done, 1);
            }
        }
#pragma omp barrier
        CHECK(LOAD(done) == 10 + 50 + 50);
    }
}

CASE("explicit and implicit barriers mixed")
{
    int a = 0, b = 0, c = 0;
#pragma omp parallel
    for (int round = 1; round <= 40; round++) {
#pragma omp for
        for (int i = 0; i < 10; i++)
            ADD(a, 1);
        CHECK(LOAD(a) == 10 * round);
#pragma omp single
        ADD(b, 1);
        CHECK(LOAD(b) == round);
#pragma omp barrier
#pragma omp sections
        {
#pragma omp section
            ADD(c, 1);
#pragma omp section
            ADD(c, 1);
        }
        CHECK(LOAD(c) == 2 * round);
    }
}

CASE("a barrier of one thread, and outside of any region")
{
    int n = 0;
#pragma omp barrier
#pragma omp parallel num_threads(1)
    {
        n++;
#pragma omp barrier
        n++;
    }
#pragma omp parallel if (0)
    {
#pragma omp barrier
        n++;
    }
    CHECK(n == 3);
}

CASE("a slow thread is waited for")
{
    int late = 0;
#pragma omp parallel shared(late)
    {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
            for (int i = 0; i < 200; i++)
                sched_yield();
            STORE(late, 1);
        }
#pragma omp barrier
        CHECK(LOAD(late) == 1);
    }
}
