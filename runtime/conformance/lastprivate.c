/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The lastprivate clause on loops (OpenMP 5.2, 5.4.5).
 */
#include "check.h"

CASE("the sequentially last iteration gives the value: static")
{
    for (int n = 1; n < 40; n++) {
        int x = -1;
#pragma omp parallel for lastprivate(x) schedule(static)
        for (int i = 0; i < n; i++)
            x = i;
        CHECK(x == n - 1);
    }
}

CASE("static with chunks, monotonic dynamic, monotonic guided, runtime")
{
    for (int n = 1; n < 60; n += 7) {
        int a = -1, b = -1, c = -1, d = -1;
#pragma omp parallel
        {
#pragma omp for lastprivate(a) schedule(static, 3)
            for (int i = 0; i < n; i++)
                a = i;
#pragma omp for lastprivate(b) schedule(monotonic : dynamic, 2)
            for (int i = 0; i < n; i++) {
                b = i;
                check_disturb(i);
            }
#pragma omp for lastprivate(c) schedule(monotonic : guided)
            for (int i = 0; i < n; i++)
                c = i;
#pragma omp for lastprivate(d) schedule(runtime)
            for (int i = 0; i < n; i++)
                d = i;
            CHECK(a == n - 1 && b == n - 1 && c == n - 1 && d == n - 1);
        }
        CHECK(a == n - 1 && b == n - 1 && c == n - 1 && d == n - 1);
    }
}

CASE("arrays and structures")
{
    int a[5] = {0};
    struct {
        double d;
        char text[20];
    } s = {0, ""};
#pragma omp parallel for lastprivate(a, s)
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 5; j++)
            a[j] = i * j;
        s.d = i;
        snprintf(s.text, sizeof s.text, "%d", i);
    }
    for (int j = 0; j < 5; j++)
        CHECK(a[j] == 99 * j);
    CHECK(s.d == 99 && strcmp(s.text, "99") == 0);
}

CASE("firstprivate and lastprivate of one variable")
{
    int x = 10;
#pragma omp parallel for firstprivate(x) lastprivate(x) schedule(static, 1)
    for (int i = 0; i < 50; i++) {
        CHECK(x == 10 || x < 50 + 10);
        x = i == 49 ? 1000 : x;
    }
    CHECK(x == 1000);
}

CASE("the loop variable itself")
{
    int i;
#pragma omp parallel for lastprivate(i)
    for (i = 0; i < 37; i++)
        check_disturb(i);
    CHECK(i == 37);
    long long j;
#pragma omp parallel for lastprivate(j) schedule(static, 3)
    for (j = 100; j > 3; j -= 4)
        check_disturb((int)j);
    CHECK(j == 0);
}

CASE("with collapse: the last of all")
{
    int x = -1, i, j;
#pragma omp parallel for collapse(2) lastprivate(x, i, j) schedule(static, 5)
    for (i = 0; i < 9; i++)
        for (j = 0; j < 7; j++)
            x = i * 100 + j;
    CHECK(x == 806);
    CHECK(i == 9 && j == 7);
}

CASE("downward loops and steps")
{
    int x = -1;
#pragma omp parallel for lastprivate(x) schedule(static, 2)
    for (int i = 100; i > 0; i -= 7)
        x = i;
    CHECK(x == 2);
}

CASE("nowait and a barrier")
{
    int x = -1;
#pragma omp parallel
    {
#pragma omp for lastprivate(x) nowait
        for (int i = 0; i < 20; i++)
            x = i;
#pragma omp barrier
        CHECK(x == 19);
    }
}

CASE("simd and for simd")
{
    int x = -1, y = -1;
#pragma omp simd lastprivate(x)
    for (int i = 0; i < 50; i++)
        x = 2 * i;
#pragma omp parallel for simd lastprivate(y)
    for (int i = 0; i < 50; i++)
        y = 3 * i;
    CHECK(x == 98 && y == 147);
}

CASE("ordered loops")
{
    int x = -1;
#pragma omp parallel for ordered lastprivate(x) schedule(dynamic)
    for (int i = 0; i < 30; i++) {
#pragma omp ordered
        x = i;
    }
    CHECK(x == 29);
}
