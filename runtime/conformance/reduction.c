/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The reduction clause on parallel and work-sharing constructs (OpenMP 5.2, 5.5.8).
 */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include "check.h"

#define N         300
#define PRAGMA(x) _Pragma(#x)

#define ARITHMETIC(type, name)                                                                      \
    CASE("+ - * min max on " name)                                                                  \
    {                                                                                               \
        type sum = 1, difference = 2, product = 1, low = 50, high = 2;                              \
        PRAGMA(omp parallel for reduction(+ : sum) reduction(- : difference) reduction(* : product)          \
               reduction(min : low) reduction(max : high))                                          \
        for (int i = 1; i <= 60; i++) {                                                             \
            sum += (type)(i % 3);                                                                   \
            difference -= (type)(i % 2);                                                            \
            if (i % 12 == 0)                                                                        \
                product *= 2;                                                                       \
            low = (type)i < low ? (type)i : low;                                                    \
            high = (type)i > high ? (type)i : high;                                                 \
        }                                                                                           \
        CHECK(sum == (type)61);                                                                     \
        CHECK(difference == (type)(2 - 30));                                                        \
        CHECK(product == (type)32);                                                                 \
        CHECK(low == 1 && high == 60);                                                              \
    }
ARITHMETIC(signed char, "signed char")
ARITHMETIC(unsigned char, "unsigned char")
ARITHMETIC(short, "short")
ARITHMETIC(int, "int")
ARITHMETIC(unsigned, "unsigned")
ARITHMETIC(long, "long")
ARITHMETIC(unsigned long long, "unsigned long long")
ARITHMETIC(float, "float")
ARITHMETIC(double, "double")
ARITHMETIC(long double, "long double")

#define LOGIC(type, name)                                                                              \
    CASE("& | ^ && || on " name)                                                                       \
    {                                                                                                  \
        type a = (type)~0, o = 0, x = 0;                                                               \
        int all = 1, any = 0, none = 0, notall = 1;                                                    \
        PRAGMA(omp parallel for reduction(& : a) reduction(| : o) reduction(^ : x) reduction(&& : all)       \
               reduction(|| : any) reduction(|| : none) reduction(&& : notall))                        \
        for (int i = 0; i < N; i++) {                                                                  \
            a &= (type) ~(i == 100 ? 2 : i == 200 ? 8 : 0);                                            \
            o |= (type)(i == 7 ? 16 : i == 290 ? 1 : 0);                                               \
            x ^= (type)(i % 128);                                                                      \
            all = all && i >= 0;                                                                       \
            any = any || i == N - 1;                                                                   \
            none = none || i < 0;                                                                      \
            notall = notall && i != 150;                                                               \
        }                                                                                              \
        type expected = 0;                                                                             \
        for (int i = 0; i < N; i++)                                                                    \
            expected ^= (type)(i % 128);                                                               \
        CHECK(a == (type)~10 && o == 17 && x == expected);                                             \
        CHECK(all == 1 && any == 1 && none == 0 && notall == 0);                                       \
    }
LOGIC(unsigned char, "unsigned char")
LOGIC(short, "short")
LOGIC(int, "int")
LOGIC(unsigned long, "unsigned long")

CASE("the original value takes part")
{
    int sum = 1000, product = 3, low = -7, high = 7, both = 6;
#pragma omp parallel num_threads(4) reduction(+ : sum) reduction(* : product) reduction(min : low)           \
    reduction(max : high) reduction(& : both)
    {
        CHECK(sum == 0 && product == 1 && low == INT_MAX && high == INT_MIN && both == -1);
        sum += 1;
        product *= 2;
        low = low > 3 ? 3 : low;
        high = high < 3 ? 3 : high;
        both &= 3;
    }
    CHECK(sum == 1004 && product == 48 && low == -7 && high == 7 && both == 2);
}

CASE("identities of floating-point minimum and maximum")
{
    double low = 1e300, high = -1e300;
    float flow = INFINITY, fhigh = -INFINITY;
#pragma omp parallel for reduction(min : low, flow) reduction(max : high, fhigh)
    for (int i = 0; i < N; i++) {
        double v = (i - 150) * 1e280;
        low = v < low ? v : low;
        high = v > high ? v : high;
        flow = (float)i < flow ? (float)i : flow;
        fhigh = (float)i > fhigh ? (float)i : fhigh;
    }
    CHECK(low == -150 * 1e280 && high == 149 * 1e280 && flow == 0 && fhigh == N - 1);
}

CASE("complex sums and products")
{
    double complex sum = 0, product = 1;
    float complex small = 1 + I;
#pragma omp parallel for reduction(+ : sum, small) reduction(* : product)
    for (int i = 0; i < 40; i++) {
        sum += i - i * I;
        small += I;
        product *= I;
    }
    CHECK(creal(sum) == 780 && cimag(sum) == -780);
    CHECK(crealf(small) == 1 && cimagf(small) == 41);
    CHECK(creal(product) == 1 && cimag(product) == 0);
}

CASE("an array")
{
    int a[50], b[3][4] = {{0}};
    for (int i = 0; i < 50; i++)
        a[i] = i;
#pragma omp parallel for reduction(+ : a, b)
    for (int i = 0; i < 1000; i++) {
        a[i % 50] += 1;
        b[i % 3][i % 4] += 1;
    }
    int total = 0;
    for (int i = 0; i < 50; i++)
        CHECK(a[i] == i + 20);
    for (int i = 0; i < 12; i++)
        total += b[i / 4][i % 4];
    CHECK(total == 1000);
}

CASE("array sections, of arrays and of pointers")
{
    int a[20] = {0};
    long *p = (long *)calloc(30, sizeof *p);
    int low = 5, length = 10;
#pragma omp parallel for reduction(+ : a [low:length], p[:30])
    for (int i = 0; i < 600; i++) {
        a[5 + i % 10] += 1;
        p[i % 30] += i;
    }
    for (int i = 0; i < 20; i++)
        CHECK(a[i] == (i >= 5 && i < 15 ? 60 : 0));
    for (int i = 0; i < 30; i++)
        CHECK(p[i] == 20 * i + 30 * 190);
    free(p);
}

CASE("a variable length array, and a large section")
{
    int n = 5000 + (omp_get_max_threads() > 10000);
    double big[n];
    for (int i = 0; i < n; i++)
        big[i] = 1;
#pragma omp parallel for reduction(+ : big[:n])
    for (int i = 0; i < 3 * n; i++)
        big[i % n] += 0.5;
    for (int i = 0; i < n; i++)
        CHECK(big[i] == 2.5);
}

CASE("on parallel, for and sections of one region")
{
    int region = 0, loop = 0, section = 0;
#pragma omp parallel reduction(+ : region)
    {
        region += 1;
#pragma omp for reduction(+ : loop)
        for (int i = 0; i < 100; i++)
            loop += i;
        CHECK(loop == 4950);
#pragma omp sections reduction(+ : section)
        {
#pragma omp section
            section += 5;
#pragma omp section
            section += 7;
        }
        CHECK(section == 12);
    }
    CHECK(region == omp_get_max_threads() && loop == 4950 && section == 12);
}

CASE("nowait: the result is there after the next barrier")
{
    long a = 0, b = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : a) nowait
        for (int i = 0; i < N; i++)
            a += i;
#pragma omp for reduction(+ : b) schedule(dynamic) nowait
        for (int i = 0; i < N; i++)
            b += 2 * i;
#pragma omp barrier
        CHECK(a == N * (N - 1) / 2 && b == N * (N - 1));
    }
}

CASE("many reductions in a row")
{
    for (int round = 0; round < 200; round++) {
        int sum = round;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += i;
        CHECK(sum == round + 45);
    }
}

CASE("many reductions in a row in one region")
{
    int sum = 0;
#pragma omp parallel
    for (int round = 0; round < 100; round++) {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += i;
        CHECK(sum == 45 * (round + 1));
#pragma omp barrier
    }
}

CASE("with each schedule")
{
    long a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel for schedule(static, 3) reduction(+ : a)
    for (int i = 0; i < N; i++)
        a += i;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : b)
    for (int i = 0; i < N; i++)
        b += i;
#pragma omp parallel for schedule(guided) reduction(+ : c)
    for (int i = 0; i < N; i++)
        c += i;
#pragma omp parallel for schedule(runtime) reduction(+ : d)
    for (int i = 0; i < N; i++)
        d += i;
    CHECK(a == 44850 && b == a && c == a && d == a);
}

CASE("threads without an iteration add the identity")
{
    int sum = 5, product = 5, low = 5;
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : low)
    for (int i = 0; i < 1; i++) {
        sum += 1;
        product *= 2;
        low = 4;
    }
    CHECK(sum == 6 && product == 10 && low == 4);
    int n = 0;
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : low)
    for (int i = 0; i < n; i++)
        sum = product = low = -1;
    CHECK(sum == 6 && product == 10 && low == 4);
}

CASE("parallel for simd and simd")
{
    int sum = 0;
    double total = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += i;
#pragma omp simd reduction(+ : total)
    for (int i = 0; i < N; i++)
        total += i;
    CHECK(sum == 44850 && total == 44850);
}

CASE("nested regions with reductions at both levels")
{
    omp_set_max_active_levels(2);
    int outer = 0;
#pragma omp parallel num_threads(3) reduction(+ : outer)
    {
        int inner = 0;
#pragma omp parallel for num_threads(2) reduction(+ : inner)
        for (int i = 0; i < 10; i++)
            inner += i;
        outer += inner;
    }
    CHECK(outer == 135);
    omp_set_max_active_levels(1);
}

static CHECK_NOINLINE int orphan(void)
{
    static int sum;
#pragma omp single
    sum = 0;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 20; i++)
        sum += i;
    return sum;
}

CASE("a loop with reduction in a called function")
{
    CHECK(orphan() == 190);
#pragma omp parallel
    CHECK(orphan() == 190);
}

CASE("thirty variables in one clause")
{
    int a[10] = {0};
    int b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0, b9 = 0;
    double c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0, c8 = 0, c9 = 0;
#pragma omp parallel for reduction(+ : a, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9)                            \
    reduction(+ : c0, c1, c2, c3, c4, c5, c6, c7, c8, c9)
    for (int i = 0; i < 100; i++) {
        a[i % 10]++;
        b0++, b1 += 1, b2 += 2, b3 += 3, b4 += 4, b5 += 5, b6 += 6, b7 += 7, b8 += 8, b9 += 9;
        c0++, c1 += 1, c2 += 2, c3 += 3, c4 += 4, c5 += 5, c6 += 6, c7 += 7, c8 += 8, c9 += 9;
    }
    CHECK(b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9 == 4600);
    CHECK(c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 == 4600);
    CHECK(a[0] == 10 && a[9] == 10);
}

CASE("bool with && and ||")
{
    bool all = true, any = false;
#pragma omp parallel for reduction(&& : all) reduction(|| : any)
    for (int i = 0; i < N; i++) {
        all = all && i < N;
        any = any || i == 3;
    }
    CHECK(all && any);
}
