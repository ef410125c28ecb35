/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The critical construct (OpenMP 5.2, 15.2).
 */
#include "check.h"

static long counter;

CASE("one thread at a time: unnamed")
{
    counter = 0;
#pragma omp parallel
    for (int i = 0; i < 500; i++) {
#pragma omp critical
        {
            long x = counter;
            if (i % 50 == 0)
                sched_yield();
            counter = x + 1;
        }
    }
    CHECK(counter == 500L * omp_get_max_threads());
}

CASE("one thread at a time: named")
{
    counter = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 500; i++) {
#pragma omp critical(a_name)
        {
            long x = counter;
            if (i % 50 == 0)
                sched_yield();
            counter = x + 1;
        }
    }
    CHECK(counter == 2000);
}

static CHECK_NOINLINE void same_name(void)
{
#pragma omp critical(shared_name)
    {
        long x = counter;
        sched_yield();
        counter = x + 1;
    }
}

CASE("the same name at two places is one lock")
{
    counter = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 60; i++) {
        if ((i + omp_get_thread_num()) & 1) {
            same_name();
        } else {
#pragma omp critical(shared_name)
            {
                long x = counter;
                sched_yield();
                counter = x + 1;
            }
        }
    }
    CHECK(counter == 240);
}

CASE("different names do not exclude each other")
{
    int inside[2] = {0, 0};
#pragma omp parallel num_threads(2) shared(inside)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical(left)
            {
                STORE(inside[0], 1);
                WAIT_FOR(LOAD(inside[1]));
            }
        } else {
#pragma omp critical(right)
            {
                STORE(inside[1], 1);
                WAIT_FOR(LOAD(inside[0]));
            }
        }
    }
    CHECK(inside[0] && inside[1]);
}

CASE("criticals of different names nest")
{
    counter = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(outer)
        {
#pragma omp critical(inner)
            {
#pragma omp critical
                counter++;
            }
        }
    }
    CHECK(counter == 400);
}

CASE("hints change nothing of the meaning")
{
    counter = 0;
#if !defined __clang__ || CLANG_AT_LEAST(16)
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(hint_none) hint(omp_sync_hint_none)
        counter++;
    }
    CHECK(counter == 400);
#endif
    counter = 400;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(hint_contended) hint(omp_sync_hint_contended)
        counter++;
    }
    CHECK(counter == 800);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(hint_uncontended) hint(omp_sync_hint_uncontended)
        counter++;
    }
    CHECK(counter == 1200);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(hint_speculative) hint(omp_sync_hint_speculative)
        counter++;
    }
    CHECK(counter == 1600);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp critical(hint_both) hint(omp_sync_hint_contended | omp_sync_hint_nonspeculative)
        counter++;
    }
    CHECK(counter == 2000);
}

CASE("exclusion among all threads, of nested teams too")
{
    omp_set_max_active_levels(2);
    counter = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(3)
        for (int i = 0; i < 50; i++) {
#pragma omp critical(all_teams)
            {
                long x = counter;
                if (i % 10 == 0)
                    sched_yield();
                counter = x + 1;
            }
        }
    }
    CHECK(counter == 450);
    omp_set_max_active_levels(1);
}

CASE("exclusion among tasks")
{
    counter = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 200; i++) {
#pragma omp task
            {
#pragma omp critical(in_tasks)
                {
                    long x = counter;
                    check_disturb(i);
                    counter = x + 1;
                }
            }
        }
    }
    CHECK(counter == 200);
}

CASE("outside of a parallel region")
{
    counter = 0;
#pragma omp critical
    counter++;
#pragma omp critical(alone)
    counter++;
    CHECK(counter == 2);
}

CASE("memory passes from one region to the next")
{
    static int a[64];
    memset(a, 0, sizeof a);
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 200; i++) {
#pragma omp critical(passes)
        {
            int first = a[0];
            for (int j = 0; j < 64; j++) {
                CHECK(a[j] == first);
                a[j]++;
            }
        }
    }
    CHECK(a[0] == 800 && a[63] == 800);
}
