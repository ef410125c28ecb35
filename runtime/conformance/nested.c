/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Nested parallel regions and the routines that tell about them (OpenMP 5.2, 10.1, 18.2.15 to 18.2.21).
 */
#include "check.h"

CASE("two levels: levels, sizes, ancestors")
{
    omp_set_max_active_levels(2);
    int count = 0;
#pragma omp parallel num_threads(3) shared(count)
    {
        int outer = omp_get_thread_num();
        CHECK(omp_get_level() == 1 && omp_get_active_level() == 1);
#pragma omp parallel num_threads(2) shared(count)
        {
            CHECK(omp_get_level() == 2 && omp_get_active_level() == 2);
            CHECK(omp_get_num_threads() == 2 && omp_get_team_size(2) == 2 && omp_get_team_size(1) == 3);
            CHECK(omp_get_team_size(0) == 1);
            CHECK(omp_get_ancestor_thread_num(0) == 0);
            CHECK(omp_get_ancestor_thread_num(1) == outer);
            CHECK(omp_get_ancestor_thread_num(2) == omp_get_thread_num());
            ADD(count, 1);
        }
        CHECK(omp_get_level() == 1 && omp_get_thread_num() == outer && omp_get_num_threads() == 3);
    }
    CHECK(count == 6);
    omp_set_max_active_levels(1);
}

CASE("levels out of range")
{
    CHECK(omp_get_ancestor_thread_num(-1) == -1 && omp_get_team_size(-1) == -1);
    CHECK(omp_get_ancestor_thread_num(1) == -1 && omp_get_team_size(1) == -1);
#pragma omp parallel num_threads(2)
    {
        CHECK(omp_get_ancestor_thread_num(2) == -1 && omp_get_team_size(2) == -1);
        CHECK(omp_get_ancestor_thread_num(-5) == -1 && omp_get_team_size(1000) == -1);
    }
}

CASE("beyond max-active-levels the regions have one thread")
{
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(4)
        {
            CHECK(omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
            CHECK(omp_get_level() == 2 && omp_get_active_level() == 1);
            CHECK(omp_in_parallel() != 0);
#pragma omp parallel num_threads(4)
            {
                CHECK(omp_get_num_threads() == 1 && omp_get_level() == 3);
                CHECK(omp_get_team_size(1) == 3 && omp_get_team_size(2) == 1 && omp_get_team_size(3) == 1);
            }
        }
    }
}

CASE("max-active-levels 0 serialises all")
{
    omp_set_max_active_levels(0);
    CHECK(omp_get_max_active_levels() == 0);
    int count = 0;
#pragma omp parallel num_threads(4)
    {
        count++;
        CHECK(omp_get_num_threads() == 1 && omp_get_level() == 1 && omp_get_active_level() == 0);
    }
    CHECK(count == 1);
    omp_set_max_active_levels(1);
}

CASE("four levels of two")
{
    omp_set_max_active_levels(4);
    int count = 0;
#pragma omp parallel num_threads(2) shared(count)
#pragma omp parallel num_threads(2) shared(count)
#pragma omp parallel num_threads(2) shared(count)
#pragma omp parallel num_threads(2) shared(count)
    {
        CHECK(omp_get_level() == 4);
        for (int i = 1; i <= 4; i++)
            CHECK(omp_get_team_size(i) == 2 && omp_get_ancestor_thread_num(i) >= 0 &&
                  omp_get_ancestor_thread_num(i) < 2);
        ADD(count, 1);
    }
    CHECK(count == 16);
    omp_set_max_active_levels(1);
}

CASE("work-sharing, single and barriers of several inner teams at once")
{
    omp_set_max_active_levels(2);
    int loops = 0, singles = 0;
#pragma omp parallel num_threads(4) shared(loops, singles)
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(3) shared(loops, singles)
        {
#pragma omp for schedule(dynamic, 2)
            for (int i = 0; i < 20; i++)
                ADD(loops, 1);
#pragma omp single
            ADD(singles, 1);
#pragma omp barrier
        }
    }
    CHECK(loops == 400 && singles == 20);
    omp_set_max_active_levels(1);
}

CASE("an inner region in a loop of the outer one")
{
    omp_set_max_active_levels(2);
    long sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < 20; i++) {
        long inner = 0;
#pragma omp parallel for num_threads(2) reduction(+ : inner)
        for (int j = 0; j < 20; j++)
            inner += i * j;
        sum += inner;
    }
    CHECK(sum == 190 * 190);
    omp_set_max_active_levels(1);
}

CASE("an inactive region between active ones")
{
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel if (0)
        {
            CHECK(omp_get_level() == 2 && omp_get_active_level() == 1);
#pragma omp parallel num_threads(2)
            {
                CHECK(omp_get_level() == 3 && omp_get_active_level() == 2);
                CHECK(omp_get_num_threads() == 2 && omp_get_team_size(2) == 1);
            }
        }
    }
    omp_set_max_active_levels(1);
}

CASE("tasks of inner and outer teams")
{
    omp_set_max_active_levels(2);
    int inner = 0, outer = 0;
#pragma omp parallel num_threads(2) shared(inner, outer)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(outer)
            ADD(outer, 1);
        }
#pragma omp parallel num_threads(2) shared(inner)
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(inner)
                ADD(inner, 1);
            }
#pragma omp taskwait
        }
    }
    CHECK(outer == 20 && inner == 40);
    omp_set_max_active_levels(1);
}

CASE("teams of different sizes at the same level, again and again")
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < 10; round++) {
        int count = 0;
#pragma omp parallel num_threads(3) shared(count)
#pragma omp parallel num_threads(1 + (omp_get_thread_num() + round) % 4) shared(count)
        ADD(count, 1);
        int expected = 0;
        for (int i = 0; i < 3; i++)
            expected += 1 + (i + round) % 4;
        CHECK(count == expected);
    }
    omp_set_max_active_levels(1);
}
