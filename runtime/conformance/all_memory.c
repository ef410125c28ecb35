/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * omp_all_memory in the depend clause (OpenMP 5.1, 2.19.11; 5.2, 15.9.5).
 */
#include "check.h"

CASE("waits for all dependent siblings before, and all after wait for it")
{
    for (int round = 0; round < 20; round++) {
        int a = 0, b = 0, c = 0, all = 0, after = 0, wrong = 0;
#pragma omp parallel
        {
#pragma omp single
            {
#pragma omp task depend(out : a) shared(a)
                {
                    sched_yield();
                    a = 1;
                }
#pragma omp task depend(out : b) shared(b)
                b = 1;
#pragma omp task depend(in : c) shared(c)
                ADD(c, 1);
#pragma omp task depend(inout : omp_all_memory) shared(a, b, c, all, wrong)
                {
                    wrong += !(a == 1 && b == 1 && LOAD(c) == 1);
                    STORE(all, 1);
                }
#pragma omp task depend(in : a) shared(all, after, wrong)
                {
                    ADD(wrong, LOAD(all) != 1);
                    ADD(after, 1);
                }
#pragma omp task depend(inout : b) shared(all, after, wrong)
                {
                    ADD(wrong, LOAD(all) != 1);
                    ADD(after, 1);
                }
            }
        }
        CHECK(wrong == 0 && after == 2);
    }
}

CASE("a chain of them, with others between")
{
    int next = 0, wrong = 0;
    int x[4] = {0};
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task depend(out : omp_all_memory) shared(next, wrong, x) firstprivate(i)
            {
                wrong += next != i;
                for (int j = 0; j < 4; j++)
                    wrong += x[j] != i;
                next++;
            }
            for (int j = 0; j < 4; j++) {
#pragma omp task depend(inout : x[j]) shared(x) firstprivate(j)
                x[j]++;
            }
        }
    }
    CHECK(next == 30 && wrong == 0);
}

CASE("together with a named dependence, and undeferred")
{
    int x = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(out : x) shared(x)
            {
                sched_yield();
                x = 1;
            }
#pragma omp task depend(inout : omp_all_memory) depend(in : x) if (0) shared(x)
            CHECK(x == 1);
#pragma omp task depend(inout : x) shared(x)
            x = 2;
#pragma omp taskwait depend(inout : omp_all_memory)
            CHECK(x == 2);
        }
    }
}

CASE("tasks without dependences are not waited for")
{
    int ran = 0, x = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(ran)
                ADD(ran, 1);
            }
#pragma omp task depend(out : omp_all_memory) shared(x)
            x = 1;
        }
    }
    CHECK(ran == 10 && x == 1);
}
