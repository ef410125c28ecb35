/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * schedule(runtime), schedule(auto) and run-sched-var (OpenMP 5.2, 11.5.3, 18.2.12 and 18.2.13).
 */
#include "check.h"

#define N 500
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

#define KIND(k) ((omp_sched_t)((unsigned)(k) & ~(unsigned)omp_sched_monotonic))

CASE("omp_get_schedule tells what omp_set_schedule set")
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    for (unsigned k = 0; k < 3; k++)
        for (int chunk = 1; chunk < 300; chunk += 37) {
            omp_sched_t kind;
            int got = -1;
            omp_set_schedule(kinds[k], chunk);
            omp_get_schedule(&kind, &got);
            CHECK(KIND(kind) == kinds[k] && got == chunk);
        }
    omp_sched_t kind;
    int got;
    omp_set_schedule(omp_sched_auto, 5);
    omp_get_schedule(&kind, &got);
    CHECK(KIND(kind) == omp_sched_auto);
}

CASE("a chunk below one means the kind's default")
{
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(omp_sched_dynamic, 0);
    omp_get_schedule(&kind, &chunk);
    CHECK(KIND(kind) == omp_sched_dynamic && chunk <= 1);
    omp_set_schedule(omp_sched_static, -3);
    omp_get_schedule(&kind, &chunk);
    CHECK(KIND(kind) == omp_sched_static && chunk < 1);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("each iteration runs once with each kind")
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (unsigned k = 0; k < 4; k++)
        for (int chunk = 0; chunk < 30; chunk += 6) {
            omp_set_schedule(kinds[k], chunk);
#pragma omp parallel for schedule(runtime)
            for (int i = 0; i < 333; i++)
                ADD(seen[i], 1);
            CHECK(all_once(333));
        }
}

CASE("runtime as static with a chunk goes round-robin")
{
    for (int chunk = 1; chunk < 20; chunk += 5) {
        omp_set_schedule(omp_sched_static, chunk);
#pragma omp parallel
        {
            int threads = omp_get_num_threads();
#pragma omp for schedule(runtime)
            for (int i = 0; i < N; i++)
                CHECK(omp_get_thread_num() == i / chunk % threads);
        }
    }
}

CASE("runtime as static without a chunk gives one chunk a thread")
{
    omp_set_schedule(omp_sched_static, 0);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++)
        owner[i] = omp_get_thread_num();
    int changes = 0;
    for (int i = 1; i < N; i++)
        changes += owner[i] != owner[i - 1];
    CHECK(changes < omp_get_max_threads());
}

CASE("runtime as dynamic keeps chunks whole")
{
    omp_set_schedule(omp_sched_dynamic, 10);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < N; i++) {
        owner[i] = omp_get_thread_num();
        check_disturb(i);
    }
    for (int i = 0; i < N; i++)
        CHECK(owner[i] == owner[i - i % 10]);
}

CASE("the schedule is the data environment's: a change in the region does not leave it")
{
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(omp_sched_guided, 8);
#pragma omp parallel num_threads(4)
    {
        omp_sched_t mine;
        int size;
        omp_get_schedule(&mine, &size);
        CHECK(KIND(mine) == omp_sched_guided && size == 8);
        omp_set_schedule(omp_sched_dynamic, 3 + omp_get_thread_num());
#pragma omp barrier
        omp_get_schedule(&mine, &size);
        CHECK(KIND(mine) == omp_sched_dynamic && size == 3 + omp_get_thread_num());
    }
    omp_get_schedule(&kind, &chunk);
    CHECK(KIND(kind) == omp_sched_guided && chunk == 8);
}

CASE("schedule(auto)")
{
#pragma omp parallel for schedule(auto)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
    long count = 0;
#pragma omp parallel for schedule(auto) reduction(+ : count)
    for (unsigned long long i = ULLONG_MAX - 100; i < ULLONG_MAX; i++)
        count++;
    CHECK(count == 100);
}

CASE("runtime with modifiers in the directive")
{
    omp_set_schedule(omp_sched_dynamic, 3);
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(monotonic : runtime)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
        }
#pragma omp for schedule(nonmonotonic : runtime)
        for (int i = 0; i < N; i++)
            ADD(seen[i], 1);
    }
    CHECK(all_once(N));
}

CASE("a monotonic kind by omp_set_schedule")
{
    omp_set_schedule((omp_sched_t)((unsigned)omp_sched_dynamic | (unsigned)omp_sched_monotonic), 4);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK(KIND(kind) == omp_sched_dynamic && chunk == 4);
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(runtime)
        for (int i = 0; i < N; i++) {
            CHECK(i > last);
            last = i;
            check_disturb(i);
        }
    }
}

CASE("64-bit, unsigned and downward loops with schedule(runtime)")
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    for (unsigned k = 0; k < 4; k++) {
        long a = 0, b = 0, c = 0, d = 0;
        unsigned zero = 0;
        omp_set_schedule(kinds[k], 7);
#pragma omp parallel
        {
#pragma omp for schedule(runtime) reduction(+ : a)
            for (long long i = -5000000000; i < -4999999000; i++)
                a++;
#pragma omp for schedule(runtime) reduction(+ : b)
            for (unsigned long long i = ULLONG_MAX - 5; i > ULLONG_MAX - 105; i--)
                b++;
#pragma omp for schedule(runtime) reduction(+ : c) nowait
            for (int i = 100; i >= -100; i -= 3)
                c++;
#pragma omp for schedule(runtime) reduction(+ : d)
            for (unsigned i = 0; i < zero; i++)
                d++;
        }
        CHECK(a == 1000 && b == 100 && c == 67 && d == 0);
    }
}

CASE("outside of any parallel region")
{
    omp_set_schedule(omp_sched_dynamic, 3);
    int last = -1;
#pragma omp for schedule(runtime)
    for (int i = 0; i < 50; i++) {
        CHECK(i == last + 1);
        last = i;
    }
    CHECK(last == 49);
}
