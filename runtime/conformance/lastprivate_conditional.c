/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The conditional modifier of lastprivate (OpenMP 5.2, 5.4.5).
 */
#include "check.h"

#define N 200

CASE("the last iteration that assigns gives the value: static")
{
    for (int last = 0; last < N; last += 13) {
        int x = -1;
#pragma omp parallel for lastprivate(conditional : x) schedule(static)
        for (int i = 0; i < N; i++) {
            if (i <= last && i % 3 == last % 3)
                x = i;
        }
        CHECK(x == last);
    }
}

CASE("static with chunks and dynamic")
{
    for (int last = 0; last < N; last += 29) {
        int x = -1, y = -1;
#pragma omp parallel for lastprivate(conditional : x) schedule(static, 4)
        for (int i = 0; i < N; i++) {
            if (i <= last)
                x = i;
        }
#pragma omp parallel for lastprivate(conditional : y) schedule(dynamic, 3)
        for (int i = 0; i < N; i++) {
            if (i <= last)
                y = i;
        }
        CHECK(x == last && y == last);
    }
}

CASE("two variables, assigned last at different iterations")
{
    int x = -1, y = -1;
#pragma omp parallel for lastprivate(conditional : x, y) schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
        if (i < 50)
            x = i;
        if (i < 150 && i % 10 == 0)
            y = i;
    }
    CHECK(x == 49 && y == 140);
}

CASE("in a parallel region, several rounds")
{
    int x = -1;
#pragma omp parallel
    for (int round = 0; round < 10; round++) {
#pragma omp for lastprivate(conditional : x)
        for (int i = 0; i < N; i++) {
            if (i % 20 == round)
                x = i + 1000 * round;
        }
        CHECK(x == 180 + round + 1000 * round);
#pragma omp barrier
    }
}

CASE("sections")
{
    int x = -1, no = 0;
#pragma omp parallel sections lastprivate(conditional : x)
    {
#pragma omp section
        x = 1;
#pragma omp section
        x = 2;
#pragma omp section
        {
            if (no)
                x = 3;
        }
    }
    CHECK(x == 2);
}

CASE("an unsigned and a floating variable")
{
    unsigned u = 0;
    double d = 0;
#pragma omp parallel for lastprivate(conditional : u, d) schedule(guided)
    for (int i = 0; i < N; i++) {
        if (i < 77)
            u = (unsigned)i;
        if (i < 100)
            d = i * 0.5;
    }
    CHECK(u == 76 && d == 49.5);
}

#ifdef __clang__ /* gcc 12 takes the largest loop variable for the last iteration */
CASE("a downward loop")
{
    int x = 0;
#pragma omp parallel for lastprivate(conditional : x) schedule(static, 3)
    for (int i = N - 1; i >= 0; i--) {
        if (i > 77)
            x = i;
    }
    CHECK(x == 78);
}
#endif
