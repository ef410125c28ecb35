/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The depobj construct and dependence objects (OpenMP 5.2, 15.9.4).
 */
#include "check.h"

CASE("a dependence through an object")
{
    int x = 0, seen = -1;
    omp_depend_t out, in;
#pragma omp depobj(out) depend(out : x)
#pragma omp depobj(in) depend(in : x)
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(depobj : out) shared(x)
            {
                sched_yield();
                x = 9;
            }
#pragma omp task depend(depobj : in) shared(x, seen)
            seen = x;
        }
    }
    CHECK(seen == 9);
#pragma omp depobj(out) destroy
#pragma omp depobj(in) destroy
}

CASE("an object and a plain dependence on one variable")
{
    int x = 0;
    omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(depobj : d) shared(x) firstprivate(i)
            {
                CHECK(x == 2 * i);
                x++;
            }
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
            {
                CHECK(x == 2 * i + 1);
                x++;
            }
        }
    }
    CHECK(x == 100);
#pragma omp depobj(d) destroy
}

CASE("update changes the kind")
{
    int x = 0, readers = 0, seen = -1;
    omp_depend_t d;
#pragma omp depobj(d) depend(out : x)
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(depobj : d) shared(x)
            x = 5;
#pragma omp depobj(d) update(in)
            for (int i = 0; i < 5; i++) {
#pragma omp task depend(depobj : d) shared(x, readers)
                {
                    CHECK(x == 5);
                    ADD(readers, 1);
                }
            }
#pragma omp depobj(d) update(inout)
#pragma omp task depend(depobj : d) shared(readers, seen)
            seen = LOAD(readers);
        }
    }
    CHECK(seen == 5);
#pragma omp depobj(d) destroy
}

CASE("several objects on one task, and mixed with others")
{
    int x = 0, y = 0, z = 0, sum = 0;
    omp_depend_t dx, dy;
#pragma omp depobj(dx) depend(inout : x)
#pragma omp depobj(dy) depend(inout : y)
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(depobj : dx) shared(x)
            {
                sched_yield();
                x = 1;
            }
#pragma omp task depend(depobj : dy) shared(y)
            y = 20;
#pragma omp task depend(out : z) shared(z)
            z = 300;
#pragma omp task depend(depobj : dx, dy) depend(in : z) shared(x, y, z, sum)
            sum = x + y + z;
        }
    }
    CHECK(sum == 321);
#pragma omp depobj(dx) destroy
#pragma omp depobj(dy) destroy
}

CASE("undeferred tasks and taskwait with an object")
{
    int x = 0;
    omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(depobj : d) shared(x)
            {
                sched_yield();
                x = 1;
            }
#pragma omp task if (0) depend(depobj : d) shared(x)
            {
                CHECK(x == 1);
                x = 2;
            }
#pragma omp task depend(depobj : d) shared(x)
            x = 3;
#pragma omp taskwait depend(depobj : d)
            CHECK(x == 3);
        }
    }
#pragma omp depobj(d) destroy
}

CASE("mutexinoutset by an object")
{
    int x = 0, inside = 0, wrong = 0;
    omp_depend_t d;
#pragma omp depobj(d) depend(mutexinoutset : x)
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task depend(depobj : d) shared(x, inside, wrong)
            {
                ADD(wrong, ADD(inside, 1) != 1);
                x++;
                ADD(inside, -1);
            }
        }
    }
    CHECK(x == 30 && wrong == 0);
#pragma omp depobj(d) destroy
}
