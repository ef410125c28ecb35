/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The masked construct and its older form master (OpenMP 5.2, 10.5).
 */
#include "check.h"

CASE("masked: the primary thread alone")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp masked
        {
            count++;
            CHECK(omp_get_thread_num() == 0);
        }
    }
    CHECK(count == 1);
}

CASE("filter chooses the thread")
{
    for (int k = 0; k < 4; k++) {
        int count = 0;
#pragma omp parallel num_threads(4)
        {
#pragma omp masked filter(k)
            {
                count++;
                CHECK(omp_get_thread_num() == k);
            }
        }
        CHECK(count == 1);
    }
}

CASE("a filter that names no thread of the team")
{
    int count = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp masked filter(3)
        ADD(count, 1);
#pragma omp masked filter(1000)
        ADD(count, 1);
#pragma omp masked filter(-1)
        ADD(count, 1);
    }
    CHECK(count == 0);
}

CASE("each thread evaluates the filter: several may enter")
{
    int count = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp masked filter(omp_get_thread_num() & 2)
        ADD(count, 1); /* threads 0 and 2 */
    }
    CHECK(count == 2);
}

CASE("no barrier at either end")
{
    int others = 0;
#pragma omp parallel shared(others)
    {
#pragma omp masked
        WAIT_FOR(LOAD(others) == omp_get_num_threads() - 1);
        if (omp_get_thread_num() != 0)
            ADD(others, 1);
    }
}

#if !defined __clang__ || CLANG_AT_LEAST(19) /* unknown to 14; 16 lets all threads in */
CASE("parallel masked")
{
    int count = 0;
#pragma omp parallel masked num_threads(4)
    ADD(count, 1 + omp_get_thread_num());
    CHECK(count == 1);
}
#endif

CASE("in nested teams the primary thread of each")
{
    omp_set_max_active_levels(2);
    int count = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp masked
            ADD(count, 1);
        }
    }
    CHECK(count == 3);
    omp_set_max_active_levels(1);
}

CASE("outside of a parallel region")
{
    int count = 0;
#pragma omp masked
    count++;
#pragma omp masked filter(0)
    count++;
    CHECK(count == 2);
}

CASE("tasks made by the masked thread")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp masked
        for (int i = 0; i < 30; i++) {
#pragma omp task shared(count)
            ADD(count, 1);
        }
    }
    CHECK(count == 30);
}

CASE("a loop of masked blocks")
{
    int count = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp masked filter(i % 4)
        {
            CHECK(omp_get_thread_num() == i % 4);
            ADD(count, 1);
        }
    }
    CHECK(count == 100);
}
