/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The compare and fail clauses of atomic (OpenMP 5.2, 15.8.4).
 */
#include "check.h"

CASE("x = x == e ? d : x")
{
    int x = 5;
#pragma omp atomic compare
    x = x == 5 ? 7 : x;
    CHECK(x == 7);
#pragma omp atomic compare
    x = x == 5 ? 9 : x;
    CHECK(x == 7);
#pragma omp atomic compare
    if (x == 7) {
        x = 1;
    }
    CHECK(x == 1);
}

CASE("minimum and maximum by conditional assignment")
{
    int low = INT_MAX, high = INT_MIN;
    unsigned ulow = UINT_MAX;
    long long lhigh = LLONG_MIN;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
        int v = (i * 37 + omp_get_thread_num() * 1000) % 4001 - 2000;
        unsigned u = (unsigned)(v + 2000);
        long long l = (long long)v << 32;
#pragma omp atomic compare
        if (v < low) {
            low = v;
        }
#pragma omp atomic compare
        if (v > high) {
            high = v;
        }
#pragma omp atomic compare
        ulow = u < ulow ? u : ulow;
#pragma omp atomic compare
        lhigh = l > lhigh ? l : lhigh;
    }
    int elow = INT_MAX, ehigh = INT_MIN;
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < 100; i++) {
            int v = (i * 37 + t * 1000) % 4001 - 2000;
            elow = v < elow ? v : elow;
            ehigh = v > ehigh ? v : ehigh;
        }
    CHECK(low == elow && high == ehigh);
    CHECK(ulow == (unsigned)(elow + 2000) && lhigh == (long long)ehigh << 32);
}

CASE("compare and capture: a lock made of it")
{
    int lock = 0, expected = 0, inside = 0;
    long count = 0;
#pragma omp parallel num_threads(4) firstprivate(expected)
    for (int i = 0; i < 50; i++) {
        int got = 0;
        while (!got) {
#pragma omp atomic compare capture
            {
                got = lock == expected;
                if (got) {
                    lock = 1;
                }
            }
            if (!got)
                sched_yield();
        }
        CHECK(ADD(inside, 1) == 1);
        count++;
        ADD(inside, -1);
        STORE(lock, 0);
    }
    CHECK(count == 200);
}

CASE("compare and capture of the old value: one winner")
{
    int x = 0, winners = 0;
#pragma omp parallel num_threads(4) shared(x, winners)
    {
        int old;
#pragma omp atomic compare capture
        {
            old = x;
            if (x == 0) {
                x = 1;
            }
        }
        ADD(winners, old == 0);
    }
    CHECK(x == 1 && winners == 1);
}

CASE("memory orders with compare")
{
    int x = 1;
#pragma omp atomic compare seq_cst
    x = x == 1 ? 2 : x;
#pragma omp atomic compare acq_rel
    x = x == 2 ? 3 : x;
#pragma omp atomic compare relaxed
    x = x == 3 ? 4 : x;
    CHECK(x == 4);
}

#ifndef __clang__
CASE("fail and weak")
{
    int x = 4;
#pragma omp atomic compare seq_cst fail(acquire)
    x = x == 4 ? 5 : x;
    CHECK(x == 5);
    while (LOAD(x) == 5) {
#pragma omp atomic compare weak
        x = x == 5 ? 6 : x; /* may fail for no reason */
    }
    CHECK(x == 6);
}

CASE("floating point")
{
    double low = 1e300;
    float f = 2.5f;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < 100; i++) {
        double v = (double)((i * 7 + omp_get_thread_num()) % 101) - 0.5;
#pragma omp atomic compare
        low = v < low ? v : low;
    }
    CHECK(low == -0.5);
#pragma omp atomic compare
    f = f == 2.5f ? 3.5f : f;
    CHECK(f == 3.5f);
}
#endif
