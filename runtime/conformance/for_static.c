/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The work-sharing loop with schedule(static) (OpenMP 5.2, 11.5 and 11.5.3): coverage, distribution, bounds.
 */
#include "check.h"

#define N 1000
static int seen[N], owner[N];

static void clear(void)
{
    memset(seen, 0, sizeof seen);
    memset(owner, -1, sizeof owner);
}

static int all_once(int n)
{
    for (int i = 0; i < N; i++)
        if (seen[i] != (i < n))
            return 0;
    return 1;
}

CASE("each iteration runs once, for each trip count")
{
    for (int n = 0; n < 70; n++) {
        clear();
#pragma omp parallel
        {
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++)
                ADD(seen[i], 1);
        }
        CHECK(all_once(n));
    }
}

CASE("without a schedule clause each iteration runs once")
{
    clear();
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("without a chunk size each thread gets at most one chunk, of about equal size")
{
    clear();
    int size = 0;
#pragma omp parallel
    {
#pragma omp single
        size = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            owner[i] = omp_get_thread_num();
    }
    int changes = 0, count[MAX_THREADS] = {0};
    for (int i = 0; i < N; i++) {
        count[owner[i]]++;
        changes += i > 0 && owner[i] != owner[i - 1];
    }
    CHECK(changes <= size - 1);
    for (int i = 0; i < size; i++)
        CHECK(count[i] <= (N + size - 1) / size);
}

CASE("chunks go round-robin in the order of the thread numbers")
{
    for (int chunk = 1; chunk < 40; chunk += 6) {
        clear();
#pragma omp parallel
        {
            int threads = omp_get_num_threads();
#pragma omp for schedule(static, chunk)
            for (int i = 0; i < N; i++) {
                ADD(seen[i], 1);
                CHECK(omp_get_thread_num() == i / chunk % threads);
            }
        }
        CHECK(all_once(N));
    }
}

CASE("a chunk larger than the loop gives all to thread 0")
{
    clear();
#pragma omp parallel for schedule(static, 5000)
    for (int i = 0; i < N; i++) {
        ADD(seen[i], 1);
        CHECK(omp_get_thread_num() == 0);
    }
    CHECK(all_once(N));
}

CASE("two loops of one region get the same assignment, so nowait is safe between them")
{
    int a[N], b[N];
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
#pragma omp for schedule(static) nowait
            for (int i = 0; i < N; i++)
                a[i] = i + round;
#pragma omp for schedule(static) nowait
            for (int i = 0; i < N; i++)
                b[i] = a[i] * 2;
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++)
                CHECK(b[i] == 2 * (i + round));
        }
    }
}

CASE("the same assignment with a chunk size and other bounds of the same length")
{
    int a[N + 100];
#pragma omp parallel
    {
#pragma omp for schedule(static, 7) nowait
        for (int i = 0; i < N; i++)
            a[i] = omp_get_thread_num();
#pragma omp for schedule(static, 7)
        for (int i = 5; i < N + 5; i++)
            CHECK(a[i - 5] == omp_get_thread_num());
    }
}

CASE("loops that do not run at all")
{
    int count = 0, zero = 0;
    unsigned uzero = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < zero; i++)
            ADD(count, 1);
#pragma omp for schedule(static, 3)
        for (int i = 10; i < zero; i++)
            ADD(count, 1);
#pragma omp for schedule(static)
        for (int i = zero - 5; i > 0; i--)
            ADD(count, 1);
#pragma omp for schedule(static)
        for (unsigned i = 7; i < uzero; i++)
            ADD(count, 1);
#pragma omp for schedule(static) nowait
        for (long long i = 0; i >= 1; i -= 3)
            ADD(count, 1);
    }
    CHECK(count == 0);
}

CASE("steps other than one, up and down")
{
    for (int step = 1; step < 12; step++) {
        clear();
        int n = 0;
#pragma omp parallel for schedule(static)
        for (int i = 3; i <= 900; i += step)
            ADD(seen[i], 1);
        for (int i = 3; i <= 900; i += step)
            n += seen[i] == 1;
        CHECK(n == (900 - 3) / step + 1);
        clear();
        n = 0;
#pragma omp parallel for schedule(static, 4)
        for (int i = 900; i > 3; i -= step)
            ADD(seen[i], 1);
        for (int i = 900; i > 3; i -= step)
            n += seen[i] == 1;
        CHECK(n == (900 - 3 + step - 1) / step);
    }
}

CASE("a loop over all of a small range near the ends of int")
{
    int low = 0, high = 0;
#pragma omp parallel for schedule(static) reduction(+ : low, high)
    for (int i = INT_MIN; i < INT_MIN + 100; i++) {
        low++;
        high += i < INT_MIN + 50;
    }
    CHECK(low == 100 && high == 50);
    int count = 0;
#pragma omp parallel for schedule(static, 3) reduction(+ : count)
    for (int i = INT_MAX - 100; i < INT_MAX; i++)
        count++;
    CHECK(count == 100);
    count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (int i = INT_MIN; i < -(1 << 24); i += 1 << 24)
        count++;
    CHECK(count == 127);
}

CASE("unsigned loops with values above INT_MAX")
{
    unsigned sum = 0, count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count, sum)
    for (unsigned i = UINT_MAX - 50; i < UINT_MAX; i++) {
        count++;
        sum += UINT_MAX - i;
    }
    CHECK(count == 50 && sum == 50 * 51 / 2);
    count = 0;
#pragma omp parallel for schedule(static, 2) reduction(+ : count)
    for (unsigned i = 0x7fffffff; i <= 0x80000010; i += 2)
        count++;
    CHECK(count == 9);
}

CASE("64-bit loops, signed and unsigned, beyond 32 bits")
{
    long long base = 1LL << 40;
    long count = 0;
    unsigned long long high = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (long long i = base; i < base + 1000; i++)
        count += i - base;
    CHECK(count == 499500);
    count = 0;
#pragma omp parallel for schedule(static, 3) reduction(+ : count)
    for (long long i = base; i < base * 1000; i += base)
        count++;
    CHECK(count == 999);
    count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count) reduction(max : high)
    for (unsigned long long i = ULLONG_MAX - 20; i < ULLONG_MAX; i++) {
        count++;
        high = i > high ? i : high;
    }
    CHECK(count == 20 && high == ULLONG_MAX - 1);
    count = 0;
#pragma omp parallel for schedule(static, 2) reduction(+ : count)
    for (unsigned long long i = ULLONG_MAX; i > ULLONG_MAX - 33; i -= 4)
        count++;
    CHECK(count == 9);
}

CASE("narrow loop variables")
{
    int count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (char c = 'a'; c <= 'z'; c++)
        count++;
    CHECK(count == 26);
    count = 0;
#pragma omp parallel for schedule(static, 2) reduction(+ : count)
    for (short s = -300; s < 300; s += 7)
        count++;
    CHECK(count == 86);
    count = 0;
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (unsigned char c = 200; c < 255; c++)
        count++;
    CHECK(count == 55);
}

CASE("a loop over pointers")
{
    clear();
#pragma omp parallel for schedule(static)
    for (int *p = seen; p < seen + N; p += 3)
        ADD(*p, 1);
    for (int i = 0; i < N; i++)
        CHECK(seen[i] == (i % 3 == 0));
    clear();
#pragma omp parallel for schedule(static, 5)
    for (int *p = seen + N - 1; p >= seen + 1; p--)
        ADD(*p, 1);
    CHECK(seen[0] == 0 && seen[1] == 1 && seen[N - 1] == 1);
}

CASE("the loop variable is private, also one of the enclosing scope")
{
    int i = 42;
    clear();
#pragma omp parallel shared(i)
    {
#pragma omp for schedule(static)
        for (i = 0; i < N; i++) {
            int before = i;
            check_disturb(i);
            CHECK(i == before);
            ADD(seen[i], 1);
        }
    }
    CHECK(all_once(N));
}

CASE("the barrier at the loop's end")
{
    int a[N];
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++)
            a[i] = round;
        for (int i = 0; i < N; i += 37)
            CHECK(a[i] == round);
#pragma omp barrier
    }
}

CASE("a loop outside of any parallel region")
{
    clear();
#pragma omp for schedule(static)
    for (int i = 0; i < 50; i++)
        seen[i]++;
#pragma omp for schedule(static, 3)
    for (int i = 50; i < N; i++)
        seen[i]++;
    CHECK(all_once(N));
}

CASE("the monotonic modifier")
{
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(monotonic : static, 3)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
        }
    }
}

CASE("chunk sizes from an expression that needs 64 bits of loop")
{
    long long chunk = 1LL << 33;
    int threads_of[6];
#pragma omp parallel
    {
        int threads = omp_get_num_threads();
#pragma omp for schedule(static, chunk)
        for (long long i = 0; i < 6; i++)
            threads_of[i] = omp_get_thread_num();
#pragma omp single
        for (int i = 0; i < 6; i++)
            CHECK(threads_of[i] == 0 && threads > 0);
    }
}

#if GCC_AT_LEAST(9) || CLANG_AT_LEAST(9)
CASE("the condition i != end")
{
    clear();
#pragma omp parallel for schedule(static)
    for (int i = 0; i != N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
    clear();
#pragma omp parallel for schedule(static, 4)
    for (int i = N - 1; i != -1; i--)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}
#endif
