/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The work-sharing loop with schedule(dynamic) (OpenMP 5.2, 11.5.3).
 */
#include "check.h"

#define N 600
static int seen[N], owner[N];

static void clear(void)
{
    memset(seen, 0, sizeof seen);
}

static int all_once(int n)
{
    for (int i = 0; i < N; i++)
        if (seen[i] != (i < n))
            return 0;
    return 1;
}

CASE("each iteration runs once, for each trip count and chunk")
{
    static const int chunks[] = {1, 2, 7, 64, 10000};
    for (unsigned c = 0; c < 5; c++)
        for (int n = 0; n < 60; n += 1 + (int)c) {
            clear();
#pragma omp parallel for schedule(dynamic, chunks[c])
            for (int i = 0; i < n; i++)
                ADD(seen[i], 1);
            CHECK(all_once(n));
        }
}

CASE("the default chunk")
{
    clear();
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("a chunk is executed by one thread")
{
    for (int chunk = 2; chunk < 50; chunk += 9) {
#pragma omp parallel for schedule(dynamic, chunk)
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
            check_disturb(i);
        }
        for (int i = 0; i < N; i++)
            CHECK(owner[i] == owner[i - i % chunk]);
    }
}

CASE("with the monotonic modifier a thread's iterations ascend")
{
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(monotonic : dynamic, 3)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
            check_disturb(i);
        }
    }
}

CASE("with the nonmonotonic modifier each iteration runs once")
{
    clear();
#pragma omp parallel for schedule(nonmonotonic : dynamic, 3)
    for (int i = 0; i < N; i++) {
        ADD(seen[i], 1);
        check_disturb(i);
    }
    CHECK(all_once(N));
}

CASE("a thread held in its chunk leaves all other chunks to the others")
{
    int done = 0;
#pragma omp parallel shared(done)
    {
        int threads = omp_get_num_threads();
#pragma omp for schedule(monotonic : dynamic, 1)
        for (int i = 0; i < 100; i++) {
            if (i == 0 && threads > 1)
                WAIT_FOR(LOAD(done) == 99);
            else
                ADD(done, 1);
        }
    }
    CHECK(done >= 99);
}

CASE("many loops without barriers between them")
{
    static int count[100];
    memset(count, 0, sizeof count);
#pragma omp parallel
    for (int round = 0; round < 100; round++) {
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < 50; i++) {
            ADD(count[round], 1);
            if (omp_get_thread_num() == round % 3)
                check_disturb(i);
        }
    }
    for (int round = 0; round < 100; round++)
        CHECK(count[round] == 50);
}

CASE("downward and with steps")
{
    for (int step = 1; step < 9; step += 2) {
        clear();
        int n = 0;
#pragma omp parallel for schedule(dynamic, 3)
        for (int i = 590; i >= 5; i -= step)
            ADD(seen[i], 1);
        for (int i = 590; i >= 5; i -= step)
            n += seen[i] == 1;
        CHECK(n == (590 - 5) / step + 1);
    }
}

CASE("near the ends of int and of unsigned")
{
    int count = 0;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : count)
    for (int i = INT_MAX - 100; i < INT_MAX; i++)
        count++;
    CHECK(count == 100);
    count = 0;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : count)
    for (int i = INT_MIN + 100; i > INT_MIN; i--)
        count++;
    CHECK(count == 100);
    count = 0;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : count)
    for (unsigned i = UINT_MAX - 90; i < UINT_MAX; i += 3)
        count++;
    CHECK(count == 30);
    count = 0;
#pragma omp parallel for schedule(dynamic, 5) reduction(+ : count)
    for (int i = INT_MIN; i < -(1 << 26); i += 1 << 26)
        count++;
    CHECK(count == 31);
}

CASE("64-bit loops, signed and unsigned")
{
    long long base = -(1LL << 41);
    long count = 0;
#pragma omp parallel for schedule(dynamic, 9) reduction(+ : count)
    for (long long i = base; i < base + 1000; i++)
        count += i - base;
    CHECK(count == 499500);
    count = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : count)
    for (long long i = LLONG_MIN; i < -(1LL << 58); i += 1LL << 58)
        count++;
    CHECK(count == 31);
    count = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : count)
    for (unsigned long long i = ULLONG_MAX - 64; i < ULLONG_MAX - 5; i += 5)
        count++;
    CHECK(count == 12);
    count = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : count)
    for (unsigned long long i = 0x8000000000000010ull; i > 0x7ffffffffffffff0ull; i--)
        count++;
    CHECK(count == 32);
}

CASE("no iterations")
{
    int count = 0, n = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++)
            ADD(count, 1);
#pragma omp for schedule(dynamic, 4) nowait
        for (long long i = 5; i < n; i++)
            ADD(count, 1);
#pragma omp for schedule(dynamic, 4)
        for (unsigned long long i = 5; i < (unsigned long long)n; i++)
            ADD(count, 1);
    }
    CHECK(count == 0);
}

CASE("the barrier at the loop's end")
{
    static int a[N];
#pragma omp parallel
    for (int round = 1; round <= 30; round++) {
#pragma omp for schedule(dynamic, 5)
        for (int i = 0; i < N; i++)
            a[i] = round;
        for (int i = 0; i < N; i += 41)
            CHECK(a[i] == round);
#pragma omp barrier
    }
}

CASE("a region whose combined loop is dynamic, many times")
{
    for (int round = 0; round < 200; round++) {
        int count = 0;
#pragma omp parallel for schedule(dynamic, 4)
        for (int i = 0; i < 30; i++)
            ADD(count, 1);
        CHECK(count == 30);
    }
}

CASE("loop in a nested team beside a loop of the outer team")
{
    omp_set_max_active_levels(2);
    int inner = 0, outer = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(3)
    for (int i = 0; i < 6; i++) {
        ADD(outer, 1);
#pragma omp parallel for schedule(dynamic, 2) num_threads(2)
        for (int j = 0; j < 20; j++)
            ADD(inner, 1);
    }
    CHECK(outer == 6 && inner == 120);
    omp_set_max_active_levels(1);
}

CASE("outside of any parallel region")
{
    int last = -1;
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 20; i++) {
        CHECK(i == last + 1);
        last = i;
    }
    CHECK(last == 19);
}

CASE("pointers and narrow variables")
{
    clear();
#pragma omp parallel for schedule(dynamic, 7)
    for (int *p = seen; p < seen + N; p++)
        ADD(*p, 1);
    CHECK(all_once(N));
    int count = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : count)
    for (short s = 100; s > -100; s -= 3)
        count++;
    CHECK(count == 67);
}
