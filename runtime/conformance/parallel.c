/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The parallel construct (OpenMP 5.2, 10.1): team, clauses, data environment, the barrier at the end.
 */
#include <pthread.h>
#include "check.h"

CASE("each thread of the team runs the region once, with numbers 0 to n-1")
{
    int seen[MAX_THREADS] = {0}, size = 0;
#pragma omp parallel shared(seen, size)
    {
        int me = omp_get_thread_num();
        ADD(seen[me], 1);
        if (me == 0)
            size = omp_get_num_threads();
        CHECK(me < omp_get_num_threads());
    }
    CHECK(size == omp_get_max_threads());
    for (int i = 0; i < MAX_THREADS; i++)
        CHECK(seen[i] == (i < size));
}

CASE("num_threads gives that many threads when dyn-var is false")
{
    for (int n = 1; n <= 9; n++) {
        int count = 0;
#pragma omp parallel num_threads(n)
        {
            ADD(count, 1);
            CHECK(omp_get_num_threads() == n);
            CHECK(omp_get_team_size(1) == n);
        }
        CHECK(count == n);
    }
}

CASE("if(false) makes an inactive region of one thread")
{
    int count = 0, no = 0;
#pragma omp parallel if (no) num_threads(4)
    {
        count++;
        CHECK(omp_get_num_threads() == 1);
        CHECK(omp_get_thread_num() == 0);
        CHECK(omp_in_parallel() == 0);
        CHECK(omp_get_level() == 1);
        CHECK(omp_get_active_level() == 0);
    }
    CHECK(count == 1);
    CHECK(omp_get_level() == 0);
}

CASE("if(true) with a directive name")
{
    int count = 0, yes = 1;
#pragma omp parallel if (parallel : yes) num_threads(3)
    ADD(count, 1);
    CHECK(count == 3);
}

CASE("private copies are a thread's own")
{
    int x = 77, sum = 0;
#pragma omp parallel private(x) num_threads(4)
    {
        x = omp_get_thread_num();
#pragma omp barrier
        CHECK(x == omp_get_thread_num());
        ADD(sum, x);
    }
    CHECK(x == 77);
    CHECK(sum == 0 + 1 + 2 + 3);
}

CASE("firstprivate copies start with the value before the region")
{
    int x = 5, a[3] = {1, 2, 3};
    struct {
        char text[40];
        double d;
    } s = {"firstprivate", 2.5};
#pragma omp parallel firstprivate(x, a, s) num_threads(4)
    {
        CHECK(x == 5 && a[0] == 1 && a[1] == 2 && a[2] == 3);
        CHECK(strcmp(s.text, "firstprivate") == 0 && s.d == 2.5);
        x += 10;
        a[1] = 99;
        s.text[0] = 'F';
    }
    CHECK(x == 5 && a[1] == 2 && s.text[0] == 'f');
}

CASE("default(none) with shared, and default(shared)")
{
    int x = 0, y = 0;
#pragma omp parallel default(none) shared(x, check_failures, check_current) num_threads(4)
    {
#pragma omp atomic
        x++;
    }
#pragma omp parallel default(shared) num_threads(4)
    {
#pragma omp atomic
        y++;
    }
    CHECK(x == 4 && y == 4);
}

CASE("what any thread wrote is seen after the region")
{
    int a[MAX_THREADS];
    for (int round = 0; round < 200; round++) {
#pragma omp parallel
        a[omp_get_thread_num()] = round + omp_get_thread_num();
        for (int i = 0; i < omp_get_max_threads(); i++)
            CHECK(a[i] == round + i);
    }
}

CASE("what the encountering thread wrote before is seen in the region")
{
    for (int round = 0; round < 200; round++) {
        int a[64];
        for (int i = 0; i < 64; i++)
            a[i] = round * i;
#pragma omp parallel shared(a)
        for (int i = 0; i < 64; i++)
            CHECK(a[i] == round * i);
    }
}

CASE("the encountering thread is the primary thread")
{
    pthread_t self = pthread_self();
    int others = 0;
#pragma omp parallel num_threads(4)
    {
        int same = pthread_equal(self, pthread_self()) != 0;
        CHECK(same == (omp_get_thread_num() == 0));
        ADD(others, !same);
    }
    CHECK(others == 3);
}

CASE("teams that grow and shrink")
{
    static const int sizes[] = {1, 7, 2, 16, 3, 12, 1, 4, 16, 5};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int seen[16] = {0};
#pragma omp parallel num_threads(sizes[i])
        ADD(seen[omp_get_thread_num()], 1);
        for (int j = 0; j < 16; j++)
            CHECK(seen[j] == (j < sizes[i]));
    }
}

CASE("a thousand regions")
{
    long count = 0, expected = 0;
    for (int i = 0; i < 1000; i++) {
#pragma omp parallel reduction(+ : count)
        count += 1;
        expected += omp_get_max_threads();
    }
    CHECK(count == expected);
}

CASE("forty shared variables reach the region")
{
    int a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9;
    long b0 = 10, b1 = 11, b2 = 12, b3 = 13, b4 = 14, b5 = 15, b6 = 16, b7 = 17, b8 = 18, b9 = 19;
    double c0 = 20, c1 = 21, c2 = 22, c3 = 23, c4 = 24, c5 = 25, c6 = 26, c7 = 27, c8 = 28, c9 = 29;
    char d0 = 30, d1 = 31, d2 = 32, d3 = 33, d4 = 34, d5 = 35, d6 = 36, d7 = 37, d8 = 38, d9 = 39;
    double total = 0;
#pragma omp parallel num_threads(4) shared(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9)         \
    shared(b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9) \
        shared(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9)
    {
        double sum = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
        sum += (double)(b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9);
        sum += c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9;
        sum += d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8 + d9;
        CHECK(sum == 780);
#pragma omp barrier
#pragma omp critical
        {
            a0++, a9++, b0++, b9++, c0++, c9++, d0++, d9++;
            total += sum;
        }
    }
    CHECK(total == 4 * 780);
    CHECK(a0 == 4 && a9 == 13 && b0 == 14 && b9 == 23 && c0 == 24 && c9 == 33 && d0 == 34 && d9 == 43);
}

CASE("forty firstprivate values reach the region")
{
    char a = 1;
    short b = 2;
    int c = 3;
    long d = 4;
    float e = 5;
    double f = 6;
    long double g = 7;
    void *h = &a;
    int32_t i0 = 10, i1 = 11, i2 = 12, i3 = 13, i4 = 14, i5 = 15, i6 = 16, i7 = 17;
    int64_t j0 = -1, j1 = -2, j2 = -3, j3 = -4, j4 = -5, j5 = -6, j6 = -7, j7 = -8;
#pragma omp parallel num_threads(4) firstprivate(a, b, c, d, e, f, g, h) \
    firstprivate(i0, i1, i2, i3, i4, i5, i6, i7, j0, j1, j2, j3, j4, j5, j6, j7)
    {
        CHECK(a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 && h != NULL);
        CHECK(i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 == 108);
        CHECK(j0 + j1 + j2 + j3 + j4 + j5 + j6 + j7 == -36);
        a = 2, c = 4, j7 = 0;
    }
    CHECK(a == 1 && c == 3 && j7 == -8);
}

CASE("a variable length array is private and firstprivate")
{
    int n = 37 + (omp_get_max_threads() > 1000);
    int a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = b[i] = i;
#pragma omp parallel private(a) firstprivate(b) num_threads(4)
    {
        for (int i = 0; i < n; i++) {
            CHECK(b[i] == i);
            a[i] = b[i] = omp_get_thread_num();
        }
#pragma omp barrier
        for (int i = 0; i < n; i++)
            CHECK(a[i] == omp_get_thread_num() && b[i] == omp_get_thread_num());
    }
    for (int i = 0; i < n; i++)
        CHECK(a[i] == i && b[i] == i);
}

static int orphan_count;
static CHECK_NOINLINE void orphan(void)
{
#pragma omp for
    for (int i = 0; i < 100; i++)
        ADD(orphan_count, 1);
}

CASE("work-sharing in a called function binds to the caller's region")
{
    orphan_count = 0;
#pragma omp parallel
    orphan();
    CHECK(orphan_count == 100);
    orphan();
    CHECK(orphan_count == 200);
}

CASE("the clauses' expressions are evaluated in the enclosing context")
{
    int n = 3, count = 0;
#pragma omp parallel num_threads(n + 1) firstprivate(n) if (n == 3)
    {
        n = 0;
        ADD(count, 1);
    }
    CHECK(count == 4 && n == 3);
}

CASE("proc_bind policies do not change what runs")
{
    int count = 0;
#pragma omp parallel proc_bind(close) num_threads(4)
    ADD(count, 1);
#pragma omp parallel proc_bind(spread) num_threads(4)
    ADD(count, 1);
    CHECK(count == 8);
}

CASE("a region of one thread by num_threads is not active")
{
#pragma omp parallel num_threads(1)
    {
        CHECK(omp_in_parallel() == 0);
        CHECK(omp_get_level() == 1);
        CHECK(omp_get_active_level() == 0);
        CHECK(omp_get_num_threads() == 1);
    }
}

CASE("local variables of the region are a thread's own")
{
    int *addresses[4];
#pragma omp parallel num_threads(4)
    {
        int local = omp_get_thread_num();
        addresses[omp_get_thread_num()] = &local;
#pragma omp barrier
        for (int i = 0; i < 4; i++)
            CHECK(*addresses[i] == i);
#pragma omp barrier
    }
}
