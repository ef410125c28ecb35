/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * reduction and in_reduction on taskloop (OpenMP 5.2, 5.5.8 and 5.5.10).
 */
#include "check.h"

CASE("sum, product, minimum, maximum")
{
    long sum = 5;
    int product = 3, low = 1000, high = -1000;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(+ : sum) reduction(* : product) reduction(min : low)                      \
    reduction(max : high) num_tasks(9)
            for (int i = 1; i <= 100; i++) {
                sum += i;
                product *= i % 20 == 0 ? 2 : 1;
                low = -i < low ? -i : low;
                high = i > high ? i : high;
            }
            CHECK(sum == 5055 && product == 96 && low == -100 && high == 100);
        }
    }
    CHECK(sum == 5055 && product == 96 && low == -100 && high == 100);
}

CASE("an array")
{
    int a[10] = {0};
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(+ : a) grainsize(7)
            for (int i = 0; i < 1000; i++)
                a[i % 10]++;
        }
    }
    for (int i = 0; i < 10; i++)
        CHECK(a[i] == 100);
}

/* clang 14 to 22 tells the runtime the size of one element for a section through a pointer. */
#ifndef __clang__
CASE("arrays and sections")
{
    int a[10] = {0};
    double b[20], *p = b;
    for (int i = 0; i < 20; i++)
        b[i] = 1;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(+ : a, p [5:10]) grainsize(7)
            for (int i = 0; i < 1000; i++) {
                a[i % 10]++;
                p[5 + i % 10] += 0.5;
            }
        }
    }
    for (int i = 0; i < 10; i++)
        CHECK(a[i] == 100);
    for (int i = 0; i < 20; i++)
        CHECK(b[i] == (i >= 5 && i < 15 ? 51 : 1));
}
#endif

CASE("one iteration, none")
{
    int sum = 7, n = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(+ : sum)
            for (int i = 0; i < n; i++)
                sum += 1;
#pragma omp taskloop reduction(+ : sum)
            for (int i = 0; i < n + 1; i++)
                sum += 1;
        }
    }
    CHECK(sum == 8);
}

CASE("many in a row")
{
    long total = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int round = 0; round < 60; round++) {
            long sum = 0;
#pragma omp taskloop reduction(+ : sum) num_tasks(4)
            for (int i = 0; i < 20; i++)
                sum += i;
            CHECK(sum == 190);
            total += sum;
        }
    }
    CHECK(total == 60 * 190);
}

CASE("in_reduction in a taskgroup with task_reduction")
{
    int sum = 1;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum)
            {
#pragma omp taskloop in_reduction(+ : sum) num_tasks(5)
                for (int i = 0; i < 50; i++)
                    sum += i;
#pragma omp taskloop in_reduction(+ : sum) nogroup
                for (int i = 0; i < 50; i++)
                    sum += 1;
            }
            CHECK(sum == 1 + 1225 + 50);
        }
    }
}

CASE("taskloop in the tasks of another taskloop")
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(+ : sum) num_tasks(4)
            for (int i = 0; i < 8; i++) {
                int inner = 0;
#pragma omp taskloop reduction(+ : inner) num_tasks(3)
                for (int j = 0; j < 9; j++)
                    inner += j;
                sum += inner;
            }
        }
    }
    CHECK(sum == 8 * 36);
}

CASE("taskloop simd with reduction")
{
    double sum = 0.5;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop simd reduction(+ : sum)
            for (int i = 0; i < 400; i++)
                sum += i;
        }
    }
    CHECK(sum == 79800.5);
}

CASE("undeferred tasks")
{
    int sum = 47, no = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(+ : sum) if (no)
            for (int i = 0; i < 10; i++)
                sum += i;
        }
    }
    CHECK(sum == 92);
}

struct pair {
    long a, b;
};
#pragma omp declare reduction(add           \
                              : struct pair \
                              : omp_out.a += omp_in.a, omp_out.b += omp_in.b) initializer(omp_priv = {0, 0})

CASE("a declared reduction")
{
    struct pair p = {1, 2};
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop reduction(add : p) num_tasks(6)
            for (int i = 0; i < 60; i++) {
                p.a += i;
                p.b -= i;
            }
        }
    }
    CHECK(p.a == 1771 && p.b == -1768);
}
