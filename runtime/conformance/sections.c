/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The sections construct (OpenMP 5.2, 11.3).
 */
#include "check.h"

CASE("each section runs once")
{
    int a[7] = {0};
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            ADD(a[0], 1);
#pragma omp section
            ADD(a[1], 1);
#pragma omp section
            ADD(a[2], 1);
#pragma omp section
            ADD(a[3], 1);
#pragma omp section
            ADD(a[4], 1);
#pragma omp section
            ADD(a[5], 1);
#pragma omp section
            ADD(a[6], 1);
        }
        for (int i = 0; i < 7; i++)
            CHECK(LOAD(a[i]) == 1); /* the barrier at the end */
    }
}

CASE("the first section needs no directive")
{
    int a[2] = {0};
#pragma omp parallel
    {
#pragma omp sections
        {
            ADD(a[0], 1);
#pragma omp section
            ADD(a[1], 1);
        }
    }
    CHECK(a[0] == 1 && a[1] == 1);
}

CASE("a single section")
{
    int a = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
            ADD(a, 1);
        }
        CHECK(LOAD(a) == 1);
    }
}

CASE("parallel sections")
{
    int a[3] = {0};
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        ADD(a[0], 1);
#pragma omp section
        ADD(a[1], 1);
#pragma omp section
        ADD(a[2], 1);
    }
    CHECK(a[0] == 1 && a[1] == 1 && a[2] == 1);
}

CASE("private and firstprivate")
{
    int x = 10, y = 20, sum = 0;
#pragma omp parallel sections private(x) firstprivate(y) num_threads(3)
    {
#pragma omp section
        {
            x = 1;
            ADD(sum, x + y);
        }
#pragma omp section
        {
            x = 2;
            ADD(sum, x + 20);
        }
    }
    CHECK(x == 10 && y == 20 && sum == 43);
}

CASE("lastprivate takes the last section's value")
{
    for (int round = 0; round < 20; round++) {
        int x = -1;
#pragma omp parallel
        {
#pragma omp sections lastprivate(x)
            {
#pragma omp section
                x = 1;
#pragma omp section
                x = 2;
#pragma omp section
                {
                    sched_yield();
                    x = 3;
                }
            }
            CHECK(x == 3);
        }
        CHECK(x == 3);
    }
}

CASE("firstprivate and lastprivate of one variable")
{
    int x = 5;
#pragma omp parallel sections firstprivate(x) lastprivate(x) num_threads(2)
    {
#pragma omp section
        CHECK(x >= 5);
#pragma omp section
        x = 100;
    }
    CHECK(x == 100);
}

CASE("reduction")
{
    int sum = 1, all = -1;
#pragma omp parallel
    {
#pragma omp sections reduction(+ : sum) reduction(& : all)
        {
#pragma omp section
            {
                sum += 10;
                all &= 0xff;
            }
#pragma omp section
            {
                sum += 20;
                all &= 0xf0f;
            }
#pragma omp section
            sum += 30;
        }
        CHECK(sum == 61 && all == 0xf);
    }
    CHECK(sum == 61 && all == 0xf);
}

CASE("nowait, many times over")
{
    static int count[50][3];
    memset(count, 0, sizeof count);
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
#pragma omp sections nowait
        {
#pragma omp section
            ADD(count[i][0], 1);
#pragma omp section
            ADD(count[i][1], 1);
#pragma omp section
            ADD(count[i][2], 1);
        }
    }
    for (int i = 0; i < 50; i++)
        CHECK(count[i][0] == 1 && count[i][1] == 1 && count[i][2] == 1);
}

CASE("two sections can run at the same time")
{
    int first = 0, second = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp sections
        {
#pragma omp section
            {
                STORE(first, 1);
                /* Whether they run on two threads is implementation defined. */
                for (int i = 0; i < 100 && !LOAD(second); i++)
                    sched_yield();
            }
#pragma omp section
            STORE(second, 1);
        }
    }
    CHECK(first == 1 && second == 1);
}

static int orphan_count;
static CHECK_NOINLINE void orphan(void)
{
#pragma omp sections
    {
#pragma omp section
        ADD(orphan_count, 1);
#pragma omp section
        ADD(orphan_count, 10);
    }
}

CASE("orphaned sections, within and without a region")
{
    orphan_count = 0;
#pragma omp parallel
    orphan();
    CHECK(orphan_count == 11);
    orphan();
    CHECK(orphan_count == 22);
}

CASE("sections in a nested team")
{
    omp_set_max_active_levels(2);
    int count = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel sections num_threads(2)
        {
#pragma omp section
            ADD(count, 1);
#pragma omp section
            ADD(count, 1);
#pragma omp section
            ADD(count, 1);
        }
    }
    CHECK(count == 6);
    omp_set_max_active_levels(1);
}

CASE("more sections than any team here")
{
    int count = 0;
#define S _Pragma("omp section") ADD(count, 1);
#pragma omp parallel sections
    {S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S S}
#undef S
    CHECK(count == 40);
}
