/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The ordered construct without depend (OpenMP 5.2, 15.10.2).
 */
#include "check.h"

#define N 200
static int next, order[N];

static void note(int i)
{
    order[next++] = i; /* no atomic: ordered regions exclude each other and pass memory on */
    check_disturb(i);
}

static int in_order(int n)
{
    int good = next == n;
    for (int i = 0; i < n; i++)
        good &= order[i] == i;
    next = 0;
    return good;
}

CASE("ordered regions run in the order of the iterations: static")
{
#pragma omp parallel for ordered schedule(static)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        note(i);
    }
    CHECK(in_order(N));
}

CASE("static with chunks")
{
    for (int chunk = 1; chunk < 30; chunk += 7) {
#pragma omp parallel for ordered schedule(static, chunk)
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            note(i);
        }
        CHECK(in_order(N));
    }
}

CASE("dynamic with chunks")
{
    for (int chunk = 1; chunk < 30; chunk += 7) {
#pragma omp parallel for ordered schedule(dynamic, chunk)
        for (int i = 0; i < N; i++) {
#pragma omp ordered
            note(i);
        }
        CHECK(in_order(N));
    }
}

CASE("guided and auto")
{
#pragma omp parallel for ordered schedule(guided, 2)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        note(i);
    }
    CHECK(in_order(N));
#pragma omp parallel for ordered schedule(auto)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        note(i);
    }
    CHECK(in_order(N));
}

CASE("schedule(runtime) of each kind")
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (unsigned k = 0; k < 4; k++)
        for (int chunk = 0; chunk < 8; chunk += 3) {
            omp_set_schedule(kinds[k], chunk);
#pragma omp parallel for ordered schedule(runtime)
            for (int i = 0; i < N; i++) {
#pragma omp ordered
                note(i);
            }
            CHECK(in_order(N));
        }
}

CASE("iterations without an ordered region do not stop the others")
{
    int count = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0) {
#pragma omp ordered
            {
                CHECK(count * 3 == i);
                count++;
            }
        }
    }
    CHECK(count == (N + 2) / 3);
    count = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < N; i++) {
        if (i == N - 1) {
#pragma omp ordered
            count++;
        }
    }
    CHECK(count == 1);
#pragma omp parallel for ordered schedule(static)
    for (int i = 0; i < N; i++) {
        if (i < 0) {
#pragma omp ordered
            count++;
        }
    }
    CHECK(count == 1);
}

static CHECK_NOINLINE void orphan(int i)
{
#pragma omp ordered
    note(i);
}

CASE("an ordered region in a called function")
{
#pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < N; i++)
        orphan(i);
    CHECK(in_order(N));
}

CASE("ordered threads, and code before and after the region")
{
    static int before[N], after[N];
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
#pragma omp parallel for ordered schedule(dynamic, 3)
    for (int i = 0; i < N; i++) {
        ADD(before[i], 1);
#pragma omp ordered threads
        note(i);
        ADD(after[i], 1);
    }
    CHECK(in_order(N));
    for (int i = 0; i < N; i++)
        CHECK(before[i] == 1 && after[i] == 1);
}

CASE("downward loops and steps")
{
    int last = 1000, count = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 999; i > 0; i -= 7) {
#pragma omp ordered
        {
            CHECK(i < last);
            last = i;
            count++;
        }
    }
    CHECK(count == 143 && last == 5);
}

CASE("64-bit and unsigned loops")
{
    long long last = -1;
    int count = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (long long i = 0; i < 100LL << 33; i += 1LL << 33) {
#pragma omp ordered
        {
            CHECK(i > last);
            last = i;
            count++;
        }
    }
    CHECK(count == 100);
    unsigned long long high = ULLONG_MAX - 100;
    count = 0;
#pragma omp parallel for ordered schedule(static, 3)
    for (unsigned long long i = ULLONG_MAX - 100; i < ULLONG_MAX; i++) {
#pragma omp ordered
        {
            CHECK(i == high);
            high++;
            count++;
        }
    }
    CHECK(count == 100);
    count = 0;
#pragma omp parallel for ordered schedule(guided)
    for (unsigned long long i = ULLONG_MAX - 100; i < ULLONG_MAX; i++) {
#pragma omp ordered
        count++;
    }
    CHECK(count == 100);
}

CASE("several ordered loops in one region, without barriers")
{
    static int count[20];
    memset(count, 0, sizeof count);
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
#pragma omp for ordered schedule(dynamic, 2) nowait
        for (int i = 0; i < 40; i++) {
#pragma omp ordered
            {
                CHECK(count[round] == i);
                count[round]++;
            }
        }
    }
    for (int round = 0; round < 20; round++)
        CHECK(count[round] == 40);
}

CASE("ordered with collapse")
{
    int last = -1;
#pragma omp parallel for ordered collapse(2) schedule(dynamic, 3)
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 9; j++) {
#pragma omp ordered
            {
                CHECK(i * 9 + j == last + 1);
                last = i * 9 + j;
            }
        }
    CHECK(last == 107);
}

CASE("no iterations, one iteration")
{
    int n = 0, count = 0;
#pragma omp parallel
    {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < n; i++) {
#pragma omp ordered
            count++;
        }
#pragma omp for ordered schedule(static)
        for (int i = 0; i < n + 1; i++) {
#pragma omp ordered
            count++;
        }
    }
    CHECK(count == 1);
}

CASE("outside of a parallel region")
{
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        note(i);
    }
    CHECK(in_order(N));
}

CASE("ordered reads what the previous region wrote: a running sum")
{
    static double sums[N];
    double sum = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < N; i++) {
        double x = i * 0.5;
#pragma omp ordered
        {
            sum += x;
            sums[i] = sum;
        }
    }
    for (int i = 0; i < N; i++)
        CHECK(sums[i] == 0.25 * i * (i + 1));
}

CASE("ordered simd inside simd keeps the order")
{
    int last = -1;
#pragma omp simd
    for (int i = 0; i < 50; i++) {
#pragma omp ordered simd
        {
            CHECK(i == last + 1);
            last = i;
        }
    }
    CHECK(last == 49);
}

CASE("ordered in a nested team")
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
        int count = 0;
#pragma omp parallel for ordered schedule(dynamic) num_threads(2) shared(count)
        for (int i = 0; i < 30; i++) {
#pragma omp ordered
            {
                CHECK(count == i);
                count++;
            }
        }
        CHECK(count == 30);
    }
    omp_set_max_active_levels(1);
}
