/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The work-sharing loop with schedule(guided) (OpenMP 5.2, 11.5.3).
 */
#include "check.h"

#define N 2000
static int seen[N], owner[N];

static int all_once(int n)
{
    int good = 1;
    for (int i = 0; i < N; i++) {
        good &= seen[i] == (i < n);
        seen[i] = 0;
    }
    return good;
}

CASE("each iteration runs once, for each trip count and chunk")
{
    static const int chunks[] = {1, 3, 20, 100000};
    for (unsigned c = 0; c < 4; c++)
        for (int n = 0; n < 80; n += 1 + (int)c) {
#pragma omp parallel for schedule(guided, chunks[c])
            for (int i = 0; i < n; i++)
                ADD(seen[i], 1);
            CHECK(all_once(n));
        }
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("no chunk is smaller than the chunk size, but the last one")
{
    for (int chunk = 2; chunk < 60; chunk += 7) {
#pragma omp parallel for schedule(guided, chunk)
        for (int i = 0; i < N; i++) {
            owner[i] = omp_get_thread_num();
            check_disturb(i);
        }
        /* Neighbouring chunks of one thread cannot be told apart: a run is a sum of chunks. */
        int length = 0;
        for (int i = 0; i < N; i++) {
            length++;
            if (i + 1 < N && owner[i + 1] != owner[i]) {
                CHECK(length >= chunk);
                length = 0;
            }
        }
    }
}

CASE("with the monotonic modifier a thread's iterations ascend")
{
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(monotonic : guided, 2)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
        }
    }
}

CASE("with the nonmonotonic modifier each iteration runs once")
{
#pragma omp parallel for schedule(nonmonotonic : guided, 2)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("downward and with steps")
{
    for (int step = 1; step < 9; step += 2) {
        int n = 0;
        memset(seen, 0, sizeof seen);
#pragma omp parallel for schedule(guided)
        for (int i = 1990; i > 5; i -= step)
            ADD(seen[i], 1);
        for (int i = 1990; i > 5; i -= step)
            n += seen[i] == 1;
        CHECK(n == (1990 - 5 + step - 1) / step);
    }
    memset(seen, 0, sizeof seen);
}

CASE("near the ends of int and of unsigned")
{
    int count = 0;
#pragma omp parallel for schedule(guided) reduction(+ : count)
    for (int i = INT_MAX - 300; i < INT_MAX; i++)
        count++;
    CHECK(count == 300);
    count = 0;
#pragma omp parallel for schedule(guided, 7) reduction(+ : count)
    for (int i = INT_MIN + 300; i > INT_MIN; i--)
        count++;
    CHECK(count == 300);
    count = 0;
#pragma omp parallel for schedule(guided, 7) reduction(+ : count)
    for (unsigned i = UINT_MAX - 900; i < UINT_MAX - 2; i += 3)
        count++;
    CHECK(count == 300);
}

CASE("64-bit loops, signed and unsigned")
{
    long count = 0;
#pragma omp parallel for schedule(guided) reduction(+ : count)
    for (long long i = -(1LL << 41); i < -(1LL << 41) + 1000; i++)
        count++;
    CHECK(count == 1000);
    count = 0;
#pragma omp parallel for schedule(guided, 5) reduction(+ : count)
    for (unsigned long long i = ULLONG_MAX - 1000; i < ULLONG_MAX - 1; i += 2)
        count++;
    CHECK(count == 500);
    count = 0;
#pragma omp parallel for schedule(guided) reduction(+ : count)
    for (unsigned long long i = 0x8000000000000100ull; i > 0x7fffffffffffff00ull; i--)
        count++;
    CHECK(count == 512);
    count = 0;
#pragma omp parallel for schedule(guided) reduction(+ : count)
    for (long long i = LLONG_MAX; i > 1LL << 57; i -= 1LL << 57)
        count++;
    CHECK(count == 63);
}

CASE("no iterations")
{
    int count = 0, n = 0;
#pragma omp parallel
    {
#pragma omp for schedule(guided)
        for (int i = 0; i < n; i++)
            ADD(count, 1);
#pragma omp for schedule(guided, 9)
        for (unsigned long long i = 9; i < (unsigned long long)n; i++)
            ADD(count, 1);
    }
    CHECK(count == 0);
}

CASE("many loops without barriers between them")
{
    static int count[60];
    memset(count, 0, sizeof count);
#pragma omp parallel
    for (int round = 0; round < 60; round++) {
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < 100; i++)
            ADD(count[round], 1);
    }
    for (int round = 0; round < 60; round++)
        CHECK(count[round] == 100);
}

CASE("the barrier at the loop's end")
{
#pragma omp parallel
    for (int round = 1; round <= 20; round++) {
#pragma omp for schedule(guided, 3)
        for (int i = 0; i < N; i++)
            owner[i] = -round;
        for (int i = 0; i < N; i += 97)
            CHECK(owner[i] == -round);
#pragma omp barrier
    }
}

CASE("outside of any parallel region")
{
    int last = -1;
#pragma omp for schedule(guided)
    for (int i = 0; i < 50; i++) {
        CHECK(i == last + 1);
        last = i;
    }
    CHECK(last == 49);
}
