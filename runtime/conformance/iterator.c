/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Iterators in the depend clause (OpenMP 5.2, 3.2.6).
 */
#include "check.h"

#define N 16

CASE("a task depends on a range")
{
    int a[N], sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < N; i++) {
#pragma omp task depend(out : a[i]) shared(a) firstprivate(i)
                {
                    check_disturb(i);
                    a[i] = i;
                }
            }
#pragma omp task depend(iterator(k = 0 : N), in : a[k]) shared(a, sum)
            for (int i = 0; i < N; i++)
                sum += a[i];
        }
    }
    CHECK(sum == N * (N - 1) / 2);
}

CASE("a range with a step, and a length known at run time")
{
    int a[40], sum = 0, n = 40;
    for (int i = 0; i < 40; i++)
        a[i] = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < n; i += 4) {
#pragma omp task depend(out : a[i]) shared(a) firstprivate(i)
                {
                    sched_yield();
                    a[i] = 1;
                }
            }
#pragma omp task depend(iterator(k = 0 : n : 4), in : a[k]) shared(a, sum) firstprivate(n)
            for (int i = 0; i < n; i += 4)
                sum += a[i];
        }
    }
    CHECK(sum == 10);
}

CASE("a downward range")
{
    int a[N], sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < N; i++) {
#pragma omp task depend(out : a[i]) shared(a) firstprivate(i)
                a[i] = 2;
            }
#pragma omp task depend(iterator(k = N - 1 : -1 : -1), inout : a[k]) shared(a, sum)
            for (int i = 0; i < N; i++)
                sum += a[i];
        }
    }
    CHECK(sum == 2 * N);
}

#if !defined __clang__ || CLANG_AT_LEAST(19) /* 14 and 16 tell the runtime six elements of eight */
CASE("two iterators: a block of a matrix")
{
    int m[6][6], sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++) {
#pragma omp task depend(out : m[i][j]) shared(m) firstprivate(i, j)
                    m[i][j] = i * 6 + j;
                }
#pragma omp task depend(iterator(i = 1 : 5, j = 2 : 4), in : m[i][j]) shared(m, sum)
            for (int i = 1; i < 5; i++)
                for (int j = 2; j < 4; j++)
                    sum += m[i][j];
        }
    }
    int expected = 0;
    for (int i = 1; i < 5; i++)
        for (int j = 2; j < 4; j++)
            expected += i * 6 + j;
    CHECK(sum == expected);
}
#endif

CASE("out with an iterator: the readers wait for the writer")
{
    int a[N], good = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(iterator(k = 0 : N), out : a[k]) shared(a)
            for (int i = 0; i < N; i++) {
                check_disturb(i);
                a[i] = 3 * i;
            }
            for (int i = 0; i < N; i++) {
#pragma omp task depend(in : a[i]) shared(a, good) firstprivate(i)
                ADD(good, a[i] == 3 * i);
            }
        }
    }
    CHECK(good == N);
}

CASE("an empty range, and an iterator of a given type")
{
    CHECK_UNUSED int a[4], n = 0;
    int ran = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(iterator(k = 0 : n), in : a[k]) shared(ran)
            ADD(ran, 1);
#pragma omp task depend(iterator(long long k = 0 : 4), inout : a[k]) shared(ran)
            ADD(ran, 1);
#pragma omp task depend(iterator(unsigned char k = 1 : 3), inout : a[k]) shared(ran)
            ADD(ran, 1);
        }
    }
    CHECK(ran == 2 + 1);
}

CASE("iterators together with plain dependences")
{
    int a[N], x = 0, result = -1;
    for (int i = 0; i < N; i++)
        a[i] = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task depend(out : x) shared(x)
            x = 7;
            for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : a[i]) shared(a) firstprivate(i)
                a[i]++;
            }
#pragma omp task depend(in : x) depend(iterator(k = 0 : N), in : a[k]) shared(a, x, result)
            {
                result = x;
                for (int i = 0; i < N; i++)
                    result += a[i];
            }
        }
    }
    CHECK(result == 7 + N);
}
