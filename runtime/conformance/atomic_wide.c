/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The atomic construct on types that need a lock: long double, complex (OpenMP 5.2, 15.8.4).
 */
#include <complex.h>
#include "check.h"

CASE("long double: update")
{
    long double x = 0, y = 1;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic
        x += 0.5L;
#pragma omp atomic
        y = y * -1.0L;
    }
    CHECK(x == 400 && y == 1);
}

CASE("long double: read, write and capture")
{
    long double x = 1, v = 0, sum = 0;
#pragma omp atomic read
    v = x;
    CHECK(v == 1);
#pragma omp atomic write
    x = 2.25L;
    CHECK(x == 2.25L);
#pragma omp parallel num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
        long double old;
#pragma omp atomic capture
        {
            old = x;
            x += 1;
        }
        sum += old;
    }
    CHECK(x == 402.25L);
    CHECK(sum == 400 * 2.25L + 399 * 200);
}

#ifdef __clang__ /* gcc refuses complex types */
CASE("float complex and double complex: update")
{
    float complex f = 0;
    double complex d = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 200; i++) {
#pragma omp atomic
        f += 1 + 2 * I;
#pragma omp atomic
        d -= 1 - 0.5 * I;
    }
    CHECK(crealf(f) == 800 && cimagf(f) == 1600);
    CHECK(creal(d) == -800 && cimag(d) == 400);
}

CASE("double complex: whole reads and writes")
{
    static double complex z;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 300; i++) {
        if (omp_get_thread_num() & 1) {
            double complex v = i + i * I;
#pragma omp atomic write
            z = v;
        } else {
            double complex v;
#pragma omp atomic read
            v = z;
            CHECK(creal(v) == cimag(v));
        }
    }
}

CASE("long double complex")
{
    long double complex z = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        z += 1 + I;
    }
    CHECK(creall(z) == 400 && cimagl(z) == 400);
}

#endif

CASE("atomics of several types at once do not disturb each other")
{
    long double a = 0;
    double b = 0;
    int c = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
#pragma omp atomic
        a += 1;
#pragma omp atomic
        b += 1;
#pragma omp atomic
        c += 1;
    }
    CHECK(a == 400 && b == 400 && c == 400);
}
