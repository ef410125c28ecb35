/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The single construct (OpenMP 5.2, 11.1).
 */
#include "check.h"

CASE("one thread executes the block, all wait for it")
{
    int count = 0;
#pragma omp parallel
    for (int i = 1; i <= 100; i++) {
#pragma omp single
        {
            check_disturb(i);
            count++; /* no atomic: one thread, and the barriers order the rounds */
        }
        CHECK(count == i);
#pragma omp barrier
    }
    CHECK(count == 100);
}

CASE("nowait: each of many blocks runs once")
{
    static int count[300];
    memset(count, 0, sizeof count);
#pragma omp parallel
    for (int i = 0; i < 300; i++) {
#pragma omp single nowait
        ADD(count[i], 1);
    }
    for (int i = 0; i < 300; i++)
        CHECK(count[i] == 1);
}

CASE("nowait does not hold the others")
{
    int others = 0;
#pragma omp parallel shared(others)
    {
        int executed = 0;
#pragma omp single nowait
        {
            executed = 1;
            WAIT_FOR(LOAD(others) == omp_get_num_threads() - 1);
        }
        if (!executed)
            ADD(others, 1);
    }
}

CASE("private and firstprivate")
{
    int x = 3, y = 4, got = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp single private(x) firstprivate(y)
        {
            x = 10;
            got = x + y;
            y = 99;
        }
    }
    CHECK(x == 3 && y == 4 && got == 14);
}

CASE("single outside of a parallel region")
{
    int count = 0;
#pragma omp single
    count++;
#pragma omp single nowait
    count++;
    CHECK(count == 2);
}

static int orphan_count;
static CHECK_NOINLINE void orphan(void)
{
#pragma omp single
    orphan_count++;
}

CASE("single in a called function")
{
    orphan_count = 0;
#pragma omp parallel
    for (int i = 0; i < 10; i++)
        orphan();
    CHECK(orphan_count == 10);
}

CASE("single in nested teams: one thread of each")
{
    omp_set_max_active_levels(2);
    int count = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp single
            ADD(count, 1);
        }
    }
    CHECK(count == 3);
    omp_set_max_active_levels(1);
}

CASE("single mixed with other work-sharing, without barriers")
{
    int singles = 0, iterations = 0, sections = 0;
#pragma omp parallel
    for (int i = 0; i < 30; i++) {
#pragma omp single nowait
        ADD(singles, 1);
#pragma omp for schedule(dynamic) nowait
        for (int j = 0; j < 10; j++)
            ADD(iterations, 1);
#pragma omp sections nowait
        {
#pragma omp section
            ADD(sections, 1);
#pragma omp section
            ADD(sections, 1);
        }
#pragma omp single nowait
        ADD(singles, 1);
    }
    CHECK(singles == 60 && iterations == 300 && sections == 60);
}

CASE("tasks of a single run before its barrier lets go")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(count)
            ADD(count, 1);
        }
        CHECK(LOAD(count) == 50);
    }
}

CASE("what the single's thread wrote is seen by all")
{
    static int a[200];
#pragma omp parallel
    for (int round = 0; round < 30; round++) {
#pragma omp single
        for (int i = 0; i < 200; i++)
            a[i] = round * i;
        for (int i = 0; i < 200; i += 17)
            CHECK(a[i] == round * i);
#pragma omp barrier
    }
}
