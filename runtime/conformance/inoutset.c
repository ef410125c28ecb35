/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The inoutset dependence type (OpenMP 5.1, 2.19.11).
 */
#include "check.h"

CASE("after the out before, before the in after")
{
    for (int round = 0; round < 20; round++) {
        int x = 0, members = 0, seen = -1, early = 0;
#pragma omp parallel
        {
#pragma omp single
            {
#pragma omp task depend(out : x) shared(x)
                {
                    sched_yield();
                    STORE(x, 1);
                }
                for (int i = 0; i < 6; i++) {
#pragma omp task depend(inoutset : x) shared(x, members, early)
                    {
                        ADD(early, LOAD(x) != 1);
                        ADD(members, 1);
                    }
                }
#pragma omp task depend(in : x) shared(members, seen)
                seen = LOAD(members);
            }
        }
        CHECK(seen == 6 && early == 0);
    }
}

CASE("members of a set do not depend on each other")
{
    int x = 0, inside = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(inoutset : x) shared(inside)
            {
                ADD(inside, 1);
                for (int j = 0; j < 200 && LOAD(inside) < 2; j++)
                    sched_yield();
            }
        }
    }
    (void)x;
    CHECK(inside == 2);
}

CASE("a set after readers, and two sets with a writer between")
{
    int x = 0, readers = 0, first = 0, second = 0, wrong = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < 5; i++) {
#pragma omp task depend(in : x) shared(readers)
                ADD(readers, 1);
            }
            for (int i = 0; i < 5; i++) {
#pragma omp task depend(inoutset : x) shared(readers, first, wrong)
                {
                    ADD(wrong, LOAD(readers) != 5);
                    ADD(first, 1);
                }
            }
#pragma omp task depend(inout : x) shared(x, first, wrong)
            {
                ADD(wrong, LOAD(first) != 5);
                x = 1;
            }
            for (int i = 0; i < 5; i++) {
#pragma omp task depend(inoutset : x) shared(x, second, wrong)
                {
                    ADD(wrong, x != 1);
                    ADD(second, 1);
                }
            }
        }
    }
    CHECK(wrong == 0 && second == 5);
}

CASE("a set and mutexinoutset tasks")
{
    int x = 0, set = 0, wrong = 0, count = 0;
#pragma omp parallel
    {
#pragma omp single
        {for (int i = 0; i < 4; i++){
#pragma omp task depend(inoutset : x) shared(set)
            ADD(set, 1);
}
for (int i = 0; i < 4; i++) {
#pragma omp task depend(mutexinoutset : x) shared(set, wrong, count)
    {
        ADD(wrong, LOAD(set) != 4);
        count++;
    }
}
}
}
(void)x;
CHECK(wrong == 0 && count == 4);
}
