/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The taskwait construct (OpenMP 5.2, 15.5).
 */
#include "check.h"

CASE("children are complete")
{
#pragma omp parallel
    for (int round = 0; round < 50; round++) {
        int count = 0;
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(count)
            {
                check_disturb(i);
                ADD(count, 1);
            }
        }
#pragma omp taskwait
        CHECK(LOAD(count) == 10);
    }
}

CASE("what the children wrote is seen")
{
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 50; round++) {
            int a[40];
            for (int i = 0; i < 40; i++) {
#pragma omp task shared(a) firstprivate(i, round)
                a[i] = i * round;
            }
#pragma omp taskwait
            for (int i = 0; i < 40; i++)
                CHECK(a[i] == i * round);
        }
    }
}

CASE("grandchildren need not be complete, but are after the region")
{
    int grandchildren = 0;
#pragma omp parallel shared(grandchildren)
    {
#pragma omp single
        {
            int children = 0;
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(children, grandchildren)
                {
#pragma omp task shared(grandchildren)
                    ADD(grandchildren, 1);
                    ADD(children, 1);
                }
            }
#pragma omp taskwait
            CHECK(LOAD(children) == 10);
        }
    }
    CHECK(grandchildren == 10);
}

CASE("at each level of a tree")
{
    int total = 0;
#pragma omp parallel shared(total)
    {
#pragma omp single
        for (int i = 0; i < 6; i++) {
#pragma omp task shared(total)
            {
                int mine = 0;
                for (int j = 0; j < 6; j++) {
#pragma omp task shared(mine)
                    {
                        int deep = 0;
                        for (int k = 0; k < 6; k++) {
#pragma omp task shared(deep)
                            ADD(deep, 1);
                        }
#pragma omp taskwait
                        ADD(mine, deep);
                    }
                }
#pragma omp taskwait
                CHECK(mine == 36);
                ADD(total, mine);
            }
        }
    }
    CHECK(total == 216);
}

CASE("without children")
{
    int n = 0;
#pragma omp taskwait
#pragma omp parallel
    {
#pragma omp taskwait
        ADD(n, 1);
#pragma omp taskwait
    }
    CHECK(n == omp_get_max_threads());
}

CASE("children made in different places of one task")
{
#pragma omp parallel
    {
        int a = 0, b = 0;
#pragma omp task shared(a)
        a = 1;
#pragma omp taskwait
        CHECK(a == 1);
#pragma omp for
        for (int i = 0; i < 4; i++) {
#pragma omp task shared(b)
            ADD(b, 1);
#pragma omp taskwait
            CHECK(LOAD(b) >= 1);
        }
    }
}

CASE("in an undeferred and in a final task")
{
#pragma omp parallel
    {
#pragma omp single
        {
            int count = 0;
#pragma omp task if (0) shared(count)
            {
                for (int i = 0; i < 10; i++) {
#pragma omp task shared(count)
                    ADD(count, 1);
                }
#pragma omp taskwait
                CHECK(LOAD(count) == 10);
            }
#pragma omp task final(1) shared(count)
            {
#pragma omp task shared(count)
                ADD(count, 1);
#pragma omp taskwait
                CHECK(LOAD(count) == 11);
            }
#pragma omp taskwait
        }
    }
}

CASE("one child waits long, the parent's thread may do other tasks meanwhile")
{
    int others = 0, gate = 0;
#pragma omp parallel shared(others, gate)
    {
#pragma omp single
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(others)
                ADD(others, 1);
            }
#pragma omp task shared(gate)
            {
                int done = 0;
#pragma omp task shared(done)
                {
                    for (int i = 0; i < 100; i++)
                        sched_yield();
                    STORE(done, 1);
                }
#pragma omp taskwait
                CHECK(LOAD(done) == 1);
                STORE(gate, 1);
            }
#pragma omp taskwait
            CHECK(LOAD(gate) == 1 && LOAD(others) == 20);
        }
    }
}
