/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See gomp_cases.h. Each check compares with a number computed without OpenMP, or with a count that the case
 * keeps.
 */
#define _GNU_SOURCE
#include "gomp_cases.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)
#define ADD(variable, value) __atomic_fetch_add(&(variable), (value), __ATOMIC_RELAXED)
#define GET(variable)        __atomic_load_n(&(variable), __ATOMIC_RELAXED)

static int seen[1024];

static int every(int n, int value)
{
    for (int i = 0; i < n; i++)
        if (seen[i] != value)
            return 0;
    return 1;
}

/* ---- regions ------------------------------------------------------------------------------------------- */

static int parallel(int threads)
{
    int sizes = 0, levels = 0;
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(threads) reduction(+ : sizes, levels)
    {
        ADD(seen[omp_get_thread_num()], 1);
        sizes += omp_get_num_threads();
        levels += omp_get_level();
    }
    CHECK(every(threads, 1) && seen[threads] == 0);
    CHECK(sizes == threads * threads && levels == threads);
    CHECK(omp_get_level() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel());
    int alone = 0;
#pragma omp parallel num_threads(threads) if (threads < 0)
    alone += omp_get_num_threads();
    CHECK(alone == 1);
    return 0;
}

static int proc_bind(int threads)
{
    int sum = 0, wrong = 0, before = omp_get_proc_bind();
#pragma omp parallel num_threads(threads) proc_bind(close) reduction(+ : sum, wrong)
    {
        sum++;
        wrong += before == omp_proc_bind_false && omp_get_proc_bind() != omp_proc_bind_false;
    }
#pragma omp parallel num_threads(threads) proc_bind(spread) reduction(+ : sum)
    sum++;
#pragma omp parallel num_threads(threads) proc_bind(primary) reduction(+ : sum)
    sum++;
    CHECK(sum == 3 * threads && wrong == 0);
    return 0;
}

static int nested(int threads)
{
    int before = omp_get_max_active_levels(), leaves = 0, wrong = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : leaves, wrong)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(threads) reduction(+ : leaves, wrong)
        {
            wrong += omp_get_ancestor_thread_num(1) != outer || omp_get_level() != 2;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                leaves++;
#pragma omp single
            leaves++;
        }
    }
    omp_set_max_active_levels(before);
    CHECK(leaves == 22 && wrong == 0);
    return 0;
}

static __thread int own = 5;
#pragma omp threadprivate(own)
static int threadprivate_copyin(int threads)
{
    int wrong = 0;
    own = 42;
#pragma omp parallel num_threads(threads) copyin(own) reduction(+ : wrong)
    {
        wrong += own != 42;
        own = omp_get_thread_num();
    }
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += own != omp_get_thread_num();
    CHECK(wrong == 0);
    return 0;
}

/* ---- loops --------------------------------------------------------------------------------------------- */

#define PRAGMA_(text) _Pragma(#text)
#define PRAGMA(text)  PRAGMA_(text)

/*
 * Combined (constant bounds), separate, other types and directions, and lastprivate with steps 1, -1 and
 * others.
 */
#define LOOP(name, clauses)                                                         \
    static int name(int threads)                                                    \
    {                                                                               \
        long sum = 0, want = 0, last = -1;                                          \
        unsigned long long far = 0, far_want = 0, far_last = 0;                     \
        int one = -1, minus = -1, n = threads < 0 ? 0 : 1000;                       \
        memset(seen, 0, sizeof seen);                                               \
        PRAGMA(omp parallel for num_threads(threads) clauses lastprivate(one))      \
        for (int i = 0; i < 1000; i++)                                              \
            ADD(seen[i], 1), one = i;                                               \
        CHECK(every(1000, 1) && one == 999);                                        \
        PRAGMA(omp parallel num_threads(threads))                                   \
        {                                                                           \
            for (int round = 0; round < 20; round++) {                              \
                PRAGMA(omp for nowait clauses)                                      \
                for (int i = 0; i < n; i++)                                         \
                    ADD(seen[i], 1);                                                \
            }                                                                       \
            PRAGMA(omp for clauses reduction(+ : sum) lastprivate(last))            \
            for (long i = -500; i < n + 500; i += 7)                                \
                sum += i, last = i;                                                 \
            PRAGMA(omp for clauses lastprivate(minus))                              \
            for (int i = n; i > 3; i--)                                             \
                minus = i;                                                          \
            PRAGMA(omp for clauses reduction(+ : far) lastprivate(far_last))        \
            for (unsigned long long i = UINT64_MAX - 5; i > UINT64_MAX - n; i -= 3) \
                far += i, far_last = i;                                             \
            PRAGMA(omp for clauses collapse(2))                                     \
            for (int i = 0; i < n / 100; i++)                                       \
                for (int j = 0; j < 100; j++)                                       \
                    ADD(seen[i * 100 + j], 1);                                      \
            PRAGMA(omp for clauses)                                                 \
            for (int i = n; i < 5; i++)                                             \
                ADD(seen[0], 1000);                                                 \
        }                                                                           \
        CHECK(every(1000, 22));                                                     \
        for (long i = -500; i < 1500; i += 7)                                       \
            want += i;                                                              \
        CHECK(sum == want && last == 1495 && minus == 4);                           \
        unsigned long long end = 0;                                                 \
        for (unsigned long long i = UINT64_MAX - 5; i > UINT64_MAX - 1000; i -= 3)  \
            far_want += i, end = i;                                                 \
        CHECK(far == far_want && far_last == end);                                  \
        return 0;                                                                   \
    }
LOOP(loop_static, schedule(static))
LOOP(loop_static_chunk, schedule(static, 3))
LOOP(loop_dynamic, schedule(dynamic))
LOOP(loop_dynamic_chunk, schedule(dynamic, 7))
LOOP(loop_guided, schedule(guided))
LOOP(loop_guided_chunk, schedule(guided, 11))
LOOP(loop_monotonic_dynamic, schedule(monotonic : dynamic, 2))
LOOP(loop_monotonic_guided, schedule(monotonic : guided, 2))
LOOP(loop_auto, schedule(auto))
LOOP(loop_runtime_default, schedule(runtime))
LOOP(loop_runtime_monotonic, schedule(monotonic : runtime))
LOOP(loop_runtime_nonmonotonic, schedule(nonmonotonic : runtime))

static int loop_runtime(int threads)
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
                                        (omp_sched_t)((unsigned)omp_sched_dynamic | 0x80000000u)};
    omp_sched_t before;
    int chunk, line = 0;
    omp_get_schedule(&before, &chunk);
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds && line == 0; k++) {
        omp_set_schedule(kinds[k], (int)k);
        line = loop_runtime_default(threads);
        if (line == 0)
            line = loop_runtime_monotonic(threads);
        if (line == 0)
            line = loop_runtime_nonmonotonic(threads);
    }
    omp_set_schedule(before, chunk);
    return line;
}

/* monotonic: each thread meets its iterations in increasing order. */
static int loop_monotonic_order(int threads)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
        int before = -1;
#pragma omp for schedule(monotonic : dynamic, 3)
        for (int i = 0; i < 1000; i++) {
            wrong += i <= before;
            before = i;
        }
        before = -1;
#pragma omp for schedule(monotonic : guided)
        for (int i = 0; i < 1000; i++) {
            wrong += i <= before;
            before = i;
        }
    }
    CHECK(wrong == 0);
    return 0;
}

/* Loops, sections and singles of many regions without a barrier: a fast thread runs ahead of a slow one. */
static int nowait_mix(int threads)
{
    int sections = 0, singles = 0;
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 60; round++) {
        if (omp_get_thread_num() == round % threads)
            sched_yield();
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < 20; i++)
            ADD(seen[i], 1);
#pragma omp sections nowait
        {
#pragma omp section
            ADD(sections, 1);
#pragma omp section
            ADD(sections, 1);
#pragma omp section
            ADD(sections, 1);
        }
#pragma omp single nowait
        ADD(singles, 1);
    }
    CHECK(every(20, 60) && sections == 180 && singles == 60);
    return 0;
}

static int orphaned(int threads)
{
    int n = threads * 10, wrong = 0, data = 0;
    memset(seen, 0, sizeof seen);
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < n; i++)
        seen[i]++;
#pragma omp for schedule(dynamic) ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        wrong += ++data != i + 1;
    }
#pragma omp sections
    {
#pragma omp section
        data++;
#pragma omp section
        data++;
    }
#pragma omp single copyprivate(data)
    data++;
#pragma omp barrier
#pragma omp taskgroup
    {
#pragma omp task shared(data)
        data++;
    }
    CHECK(every(n, 1) && wrong == 0 && data == n + 4);
    return 0;
}

#define ORDERED(name, clauses)                                                                        \
    static int name(int threads)                                                                      \
    {                                                                                                 \
        int next = 0, wrong = 0, n = threads < 0 ? 0 : 200;                                           \
        unsigned long long far = UINT64_MAX - 300;                                                    \
        PRAGMA(omp parallel num_threads(threads))                                                     \
        for (int round = 0; round < 3; round++) {                                                     \
            PRAGMA(omp for ordered clauses)                                                           \
            for (int i = 0; i < n; i++) {                                                             \
                if (i % 17 == 3)                                                                      \
                    sched_yield();                                                                    \
                PRAGMA(omp ordered)                                                                   \
                {                                                                                     \
                    wrong += next != i;                                                               \
                    next = (next + 1) % n;                                                            \
                }                                                                                     \
            }                                                                                         \
            PRAGMA(omp for ordered clauses)                                                           \
            for (int i = 0; i < 99; i++) {                                                            \
                if (i % 3 == 0)                                                                       \
                    continue; /* an iteration without its ordered region passes the turn on */        \
                PRAGMA(omp ordered)                                                                   \
                {                                                                                     \
                    wrong += next % n != i / 3 * 2 + (i % 3 - 1);                                     \
                    next++;                                                                           \
                }                                                                                     \
            }                                                                                         \
            PRAGMA(omp single)                                                                        \
            next = 0, far = UINT64_MAX - 300;                                                         \
            PRAGMA(omp for ordered clauses)                                                           \
            for (unsigned long long i = UINT64_MAX - 300; i < UINT64_MAX - (unsigned)n / 4; i += 2) { \
                PRAGMA(omp ordered)                                                                   \
                {                                                                                     \
                    wrong += far != i;                                                                \
                    far += 2;                                                                         \
                }                                                                                     \
            }                                                                                         \
        }                                                                                             \
        CHECK(wrong == 0 && far == UINT64_MAX - 50);                                                  \
        return 0;                                                                                     \
    }
ORDERED(ordered_static, )
ORDERED(ordered_static_chunk, schedule(static, 3))
ORDERED(ordered_dynamic, schedule(dynamic, 2))
ORDERED(ordered_guided, schedule(guided))
ORDERED(ordered_runtime, schedule(runtime))

/* ---- doacross ------------------------------------------------------------------------------------------ */

#define DOACROSS(name, clauses)                                                                           \
    static int name(int threads)                                                                          \
    {                                                                                                     \
        enum { N = 24 };                                                                                  \
        static int cell[N + 1][N + 1], line[200];                                                         \
        int n = threads < 0 ? 0 : N, wrong = 0;                                                           \
        memset(cell, 0, sizeof cell);                                                                     \
        memset(seen, 0, sizeof seen);                                                                     \
        memset(line, 0, sizeof line);                                                                     \
        PRAGMA(omp parallel num_threads(threads))                                                         \
        {                                                                                                 \
            PRAGMA(omp for ordered(2) clauses)                                                            \
            for (int i = 1; i <= n; i++)                                                                  \
                for (int j = 1; j <= n; j++) {                                                            \
                    PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1))                   \
                    cell[i][j] = 1 + (cell[i - 1][j] > cell[i][j - 1] ? cell[i - 1][j] : cell[i][j - 1]); \
                    PRAGMA(omp ordered depend(source))                                                    \
                }                                                                                         \
            PRAGMA(omp for ordered(1) clauses)                                                            \
            for (unsigned long long i = 3; i < 200; i++) {                                                \
                PRAGMA(omp ordered depend(sink : i - 2))                                                  \
                line[i] = i < 5 ? 1 : line[i - 2] + 1;                                                    \
                PRAGMA(omp ordered depend(source))                                                        \
            }                                                                                             \
            PRAGMA(omp for ordered(3) collapse(2) clauses)                                                \
            for (int i = 0; i < 4; i++)                                                                   \
                for (int j = 0; j < 3; j++)                                                               \
                    for (int k = 0; k < n / 6; k++) {                                                     \
                        PRAGMA(omp ordered depend(sink : i, j, k - 1))                                    \
                        if (k > 0 && GET(seen[i * 3 + j]) != k)                                           \
                            ADD(wrong, 1);                                                                \
                        __atomic_store_n(&seen[i * 3 + j], k + 1, __ATOMIC_RELAXED);                      \
                        PRAGMA(omp ordered depend(source))                                                \
                    }                                                                                     \
        }                                                                                                 \
        CHECK(cell[N][N] == 2 * N - 1 && line[199] == 99 && line[198] == 98 && wrong == 0);               \
        return 0;                                                                                         \
    }
DOACROSS(doacross_static, schedule(static))
DOACROSS(doacross_static_chunk, schedule(static, 1))
DOACROSS(doacross_dynamic, schedule(dynamic))
DOACROSS(doacross_guided, schedule(guided))
DOACROSS(doacross_runtime, schedule(runtime))

/* ---- sections, single, scope --------------------------------------------------------------------------- */

static int sections(int threads)
{
    int a = 0, b = 0, c = 0, last = 0, conditional = -1;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 10; round++) {
#pragma omp sections lastprivate(last)
        {
#pragma omp section
            a++, last = 1;
#pragma omp section
            b += 2, last = 2;
#pragma omp section
            c += 3, last = 3;
        }
#pragma omp sections firstprivate(conditional) lastprivate(conditional : conditional)
        {
#pragma omp section
            conditional = 10;
#pragma omp section
            {
                conditional = 20;
            }
#pragma omp section
            if (round > 100)
                conditional = 30;
        }
    }
    CHECK(a == 10 && b == 20 && c == 30 && last == 3 && conditional == 20);
#pragma omp parallel sections num_threads(threads)
    {
#pragma omp section
        a++;
#pragma omp section
        b++;
#pragma omp section
        c++;
#pragma omp section
        last++;
    }
    CHECK(a == 11 && b == 21 && c == 31 && last == 4);
    return 0;
}

static int single_copyprivate(int threads)
{
    int runs = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 200; round++) {
        int value = -1;
        long wide[3] = {0, 0, 0};
#pragma omp single nowait
        ADD(runs, 1);
#pragma omp single copyprivate(value, wide)
        {
            if (round % 16 == 0)
                sched_yield();
            value = round;
            wide[2] = round * 2L;
            ADD(runs, 1);
        }
        if (value != round || wide[2] != round * 2L)
            ADD(wrong, 1);
    }
    CHECK(runs == 400 && wrong == 0);
    return 0;
}

/** Who waits for the values is at a barrier, and runs tasks: nobody else could run this one. */
static int copyprivate_waiters_run_tasks(int threads)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 50; round++) {
        int value = -1, ran = 0;
#pragma omp single copyprivate(value)
        {
#pragma omp task shared(ran)
            __atomic_store_n(&ran, 1, __ATOMIC_RELEASE);
            while (!__atomic_load_n(&ran, __ATOMIC_ACQUIRE))
                sched_yield();
            value = round;
        }
        if (value != round)
            __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
    CHECK(wrong == 0);
    return 0;
}

static int masked(int threads)
{
    int masters = 0, filtered = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp masked
        masters += 1 + omp_get_thread_num();
#pragma omp masked filter(threads - 1)
        filtered += 1 + omp_get_thread_num();
    }
    CHECK(masters == 1 && filtered == threads);
    return 0;
}

static int barrier(int threads)
{
    int wrong = 0;
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(threads)
    for (int round = 1; round <= 100; round++) {
        __atomic_store_n(&seen[omp_get_thread_num()], round, __ATOMIC_RELAXED);
#pragma omp barrier
        for (int i = 0; i < threads; i++)
            if (GET(seen[i]) != round)
                ADD(wrong, 1);
#pragma omp barrier
    }
    CHECK(wrong == 0);
    return 0;
}

static int critical(int threads)
{
    int a = 0, b = 0, c = 0; /* plain: the criticals alone protect them */
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 1000; i++) {
#pragma omp critical
        a++;
#pragma omp critical(gomp_cases_named)
        b += 2;
#pragma omp critical(gomp_cases_hinted) hint(omp_sync_hint_contended)
        c++;
    }
    CHECK(a == 1000 * threads && b == 2000 * threads && c == 1000 * threads);
    return 0;
}

/* What is not one instruction: reductions of several variables and big atomics, by GOMP_atomic_start. */
static int atomics_and_reductions(int threads)
{
    long sum = 0, most = -1;
    double product = 1;
    long many[4] = {0, 0, 0, 0};
    _Complex double z = 0;
    long double wide = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(+ : sum) reduction(* : product) reduction(max : most)
        for (int i = 1; i <= 20; i++)
            sum += i, product *= i, most = i > most ? i : most;
#pragma omp for schedule(dynamic) reduction(+ : many)
        for (int i = 0; i < 100; i++)
            many[i % 4] += i;
        for (int i = 0; i < 100; i++) {
#pragma omp atomic
            wide += 1;
        }
#pragma omp for reduction(+ : z)
        for (int i = 0; i < 100; i++)
            z += 1;
    }
    CHECK(sum == 210 && product == 2432902008176640000.0 && most == 20);
    CHECK(many[0] == 1200 && many[1] == 1225 && many[2] == 1250 && many[3] == 1275);
    CHECK(wide == 100 * threads && __real__ z == 100);
    return 0;
}

static int lastprivate_conditional(int threads)
{
    int x = -1, y = -1, n = threads < 0 ? 0 : 300;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, 4) lastprivate(conditional : x)
        for (int i = 0; i < n; i++)
            if (i % 7 == 2)
                x = i;
#pragma omp for schedule(static, 5) lastprivate(conditional : y)
        for (int i = 0; i < n; i++)
            if (i < 123)
                y = i;
    }
    CHECK(x == 296 && y == 122);
    return 0;
}

static int scan(int threads)
{
    enum { N = 500 };
    static long before[N], with[N];
    long sum = 0;
    int n = threads < 0 ? 0 : N;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(inscan, + : sum)
        for (int i = 0; i < n; i++) {
            sum += i;
#pragma omp scan inclusive(sum)
            with[i] = sum;
        }
    }
    CHECK(sum == (long)N * (N - 1) / 2);
    sum = 0;
#pragma omp parallel for num_threads(threads) reduction(inscan, + : sum)
    for (int i = 0; i < n; i++) {
        before[i] = sum;
#pragma omp scan exclusive(sum)
        sum += i;
    }
    for (long i = 0; i < N; i++)
        CHECK(with[i] == i * (i + 1) / 2 && before[i] == i * (i - 1) / 2);
    return 0;
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static int tasks_recursive(int threads)
{
    long result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    result = fib(16);
    CHECK(result == 987);
    return 0;
}

static int tasks_at_barrier(int threads)
{
    int done = 0, late = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(done)
            {
                ADD(done, 1);
                if (i % 10 == 0) {
#pragma omp task shared(done)
                    ADD(done, 1);
                }
            }
        }
#pragma omp barrier
        if (GET(done) != 110 * threads * round)
            ADD(late, 1);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < threads; i++) {
#pragma omp task shared(done)
            ADD(done, 0);
        }
    }
    CHECK(late == 0 && done == 330 * threads);
    return 0;
}

struct wide {
    char bytes[9000];
};
struct aligned {
    _Alignas(128) long value[4];
};

/*
 * The task's copy of its data: sizes, alignment, and arrays whose length is known at run time (a copy
 * function).
 */
static int task_data(int threads)
{
    int wrong = 0, length = 10 + threads;
#pragma omp parallel num_threads(threads)
    {
        struct wide wide;
        struct aligned aligned;
        long vla[length];
        for (int i = 0; i < 20; i++) {
            char small = (char)i;
            memset(&wide, i, sizeof wide);
            aligned.value[3] = i;
            for (int k = 0; k < length; k++)
                vla[k] = i * 100 + k;
#pragma omp task firstprivate(wide, aligned, vla, small) shared(wrong)
            {
                int bad = small != i || aligned.value[3] != i || ((uintptr_t)&aligned & 127) != 0;
                for (unsigned k = 0; k < sizeof wide.bytes; k++)
                    bad += wide.bytes[k] != (char)i;
                for (int k = 0; k < length; k++)
                    bad += vla[k] != i * 100 + k;
                if (bad)
                    ADD(wrong, 1);
            }
#pragma omp task firstprivate(vla) if (i % 2) shared(wrong)
            {
                if (vla[length - 1] != i * 100 + length - 1)
                    ADD(wrong, 1);
                vla[length - 1] = -1; /* its own, also when undeferred */
            }
            if (vla[length - 1] != i * 100 + length - 1)
                ADD(wrong, 1);
        }
    }
    CHECK(wrong == 0);
    return 0;
}

static int task_clauses(int threads)
{
    int wrong = 0, ran = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 50; i++) {
        int me = omp_get_thread_num();
#pragma omp task if (0) shared(wrong, ran)
        {
            wrong += omp_get_thread_num() != me;
            ADD(ran, 1);
#pragma omp task shared(ran)
            ADD(ran, 1);
#pragma omp taskwait
        }
#pragma omp task final(1) mergeable shared(wrong, ran)
        {
            int inside = 0;
            wrong += !omp_in_final();
#pragma omp task shared(inside)
            inside = omp_in_final() ? 1 : -1;
            wrong += inside != 1; /* an included task is complete when its construct is */
            ADD(ran, 1);
        }
#pragma omp task untied priority(3) shared(ran)
        {
            ADD(ran, 1);
#pragma omp taskyield
            ADD(ran, 1);
        }
#pragma omp taskyield
#pragma omp taskwait
    }
    CHECK(wrong == 0 && ran == 250);
    return 0;
}

static int taskwait_and_taskgroup(int threads)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 20; round++) {
        int children = 0, all = 0;
#pragma omp task shared(children)
        ADD(children, 1);
#pragma omp task shared(children)
        ADD(children, 1);
#pragma omp taskwait
        wrong += GET(children) != 2;
#pragma omp taskgroup
        {
            for (int i = 0; i < 5; i++) {
#pragma omp task shared(all)
                {
#pragma omp task shared(all)
                    ADD(all, 1);
                    ADD(all, 1);
                }
            }
#pragma omp taskgroup
            {
#pragma omp task shared(all)
                ADD(all, 1);
            }
        }
        wrong += GET(all) != 11;
    }
    CHECK(wrong == 0);
    return 0;
}

static int depend_order(int threads)
{
    enum { N = 12 };
    static int cell[N + 1][N + 1];
    int x = 0, readers = 0, wrong = 0, plain = 0;
    memset(cell, 0, sizeof cell);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int round = 1; round <= 30; round++) {
#pragma omp task depend(out : x) shared(x, wrong, readers)
            {
                if (GET(readers) != 3 * (round - 1))
                    ADD(wrong, 1);
                x = round;
            }
            for (int r = 0; r < 3; r++) {
#pragma omp task depend(in : x) shared(x, wrong, readers)
                {
                    if (x != round)
                        ADD(wrong, 1);
                    ADD(readers, 1);
                }
            }
        }
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(mutexinoutset : plain) shared(plain)
            plain++;
        }
#pragma omp task depend(in : plain) shared(plain, wrong)
        if (plain != 50)
            ADD(wrong, 1);
        for (int i = 1; i <= N; i++)
            for (int j = 1; j <= N; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
                cell[i][j] = 1 + (cell[i - 1][j] > cell[i][j - 1] ? cell[i - 1][j] : cell[i][j - 1]);
            }
    }
    CHECK(readers == 90 && wrong == 0 && cell[N][N] == 2 * N - 1);
    return 0;
}

static int depend_objects_and_iterators(int threads)
{
    int x = 0, wrong = 0, many[8] = {0};
    omp_depend_t object, set;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp depobj(object) depend(inout : x)
#pragma omp depobj(set) depend(mutexinoutset : x)
        for (int i = 0; i < 40; i++) {
#pragma omp task depend(depobj : object) shared(x, wrong)
            {
                if (x != i * 3)
                    ADD(wrong, 1);
                x++;
            }
#pragma omp task depend(depobj : set) shared(x)
            x++;
#pragma omp task depend(depobj : set) shared(x)
            x++;
        }
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(x, wrong)
        if (x != 120)
            ADD(wrong, 1);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : many[i]) shared(many)
                many[i]++;
            }
#pragma omp task depend(iterator(i = 0 : 8), inout : many[i]) shared(many, wrong)
            for (int i = 0; i < 8; i++)
                if (many[i] != round + 1)
                    ADD(wrong, 1);
        }
#pragma omp taskwait
#pragma omp depobj(object) destroy
#pragma omp depobj(set) destroy
    }
    CHECK(wrong == 0);
    return 0;
}

static int depend_waits(int threads)
{
    int x = 0, y = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 60; i++) {
#pragma omp task depend(out : x) shared(x)
        x = i + 1;
#pragma omp task depend(out : y) shared(y)
        y = i + 1;
#pragma omp task if (0) depend(in : x) shared(x, wrong)
        wrong += x != i + 1;
#pragma omp taskwait depend(in : y)
        wrong += y != i + 1;
    }
    CHECK(wrong == 0);
    return 0;
}

static int detach(int threads)
{
    int ended = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 20; i++) {
        omp_event_handle_t event;
        int x = 0;
#pragma omp task detach(event) shared(ended)
        ADD(ended, 1);
#pragma omp task firstprivate(event) shared(ended)
        {
            ADD(ended, 1);
            omp_fulfill_event(event);
        }
#pragma omp taskwait
        wrong += GET(ended) != 2 * (i + 1);
#pragma omp task detach(event) depend(out : x) shared(x)
        {
            x = 1;
            omp_fulfill_event(event);
        }
#pragma omp task depend(in : x) shared(x, wrong)
        if (x != 1)
            ADD(wrong, 1);
#pragma omp taskwait
#pragma omp task if (0) detach(event) shared(x)
        {
            x = 2;
            omp_fulfill_event(event);
        }
        wrong += x != 2;
    }
    CHECK(wrong == 0);
    return 0;
}

/* ---- taskloop ------------------------------------------------------------------------------------------ */

static int taskloop(int threads)
{
    int n = threads < 0 ? 0 : 100, last = -1, total = 0, wrong = 0;
    unsigned long long far = 0;
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskloop lastprivate(last)
        for (int i = 0; i < n; i++)
            ADD(seen[i], 1), last = i;
        wrong += last != 99;
#pragma omp taskloop grainsize(7)
        for (int i = 0; i < n; i++)
            ADD(seen[i], 1);
#pragma omp taskloop grainsize(strict : 7) untied
        for (int i = 0; i < n; i++)
            ADD(seen[i], 1);
#pragma omp taskloop num_tasks(9) priority(2)
        for (int i = n - 1; i >= 0; i--)
            ADD(seen[i], 1);
#pragma omp taskloop num_tasks(strict : 9) if (threads > 100)
        for (long i = 0; i < n; i += 2)
            ADD(seen[i], 1), ADD(seen[i + 1], 1);
#pragma omp taskloop collapse(2) mergeable
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < n / 10; j++)
                ADD(seen[i * 10 + j], 1);
#pragma omp taskloop lastprivate(far)
        for (unsigned long long i = UINT64_MAX; i > UINT64_MAX - 100; i -= 3)
            ADD(total, 1), far = i;
        wrong += total != 34 || far != UINT64_MAX - 99;
#pragma omp taskloop lastprivate(far) final(1)
        for (unsigned long long i = UINT64_MAX - 50; i < UINT64_MAX - 1; i += 7)
            ADD(total, 1), far = i;
        wrong += total != 41 || far != UINT64_MAX - 8;
#pragma omp taskloop
        for (int i = n; i < 3; i++)
            ADD(total, 1000);
#pragma omp taskgroup
        {
#pragma omp taskloop nogroup num_tasks(5)
            for (int i = 0; i < n; i++)
                ADD(seen[i], 1);
        }
    }
    CHECK(wrong == 0 && total == 41 && every(100, 7));
    return 0;
}

/* ---- task reductions ----------------------------------------------------------------------------------- */

struct pair {
    long a, b;
};
#pragma omp declare reduction(pairs                                           \
                              : struct pair                                   \
                              : omp_out.a += omp_in.a, omp_out.b *= omp_in.b) \
    initializer(omp_priv = (struct pair){0, 1})

static int taskgroup_reduction(int threads)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 5; round++) {
        long sum = 3, many[5] = {0};
        struct pair pair = {1, 2};
        int length = 5 + threads;
        int vla[length];
        memset(vla, 0, sizeof vla);
#pragma omp taskgroup task_reduction(+ : sum, many) task_reduction(pairs : pair) task_reduction(+ : vla)
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum) in_reduction(pairs : pair) shared(many, vla)
                {
                    sum += i;
                    pair.a += 1;
                    pair.b *= i == 7 ? 5 : 1;
#pragma omp task in_reduction(+ : sum, many, vla)
                    {
                        sum++;
                        many[i % 5]++;
                        vla[i % length] += 2;
                    }
                }
            }
#pragma omp taskgroup task_reduction(max : length)
            {
#pragma omp task in_reduction(+ : sum) in_reduction(max : length)
                sum += 1000, length = length > 3 ? length : 3;
            }
        }
        long all = 0;
        for (int i = 0; i < 5 + threads; i++)
            all += vla[i];
        wrong += sum != 3 + 190 + 20 + 1000 || many[2] != 4 || pair.a != 21 || pair.b != 10 || all != 40;
    }
    CHECK(wrong == 0);
    return 0;
}

static int taskloop_reduction(int threads)
{
    long sum = 0, inner = 0;
    int n = threads < 0 ? 0 : 100, none = 4;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) num_tasks(8)
        for (int i = 0; i < n; i++)
            sum += i;
#pragma omp taskloop reduction(+ : none)
        for (int i = n; i < 5; i++)
            none++;
#pragma omp taskgroup task_reduction(+ : inner)
        {
#pragma omp taskloop in_reduction(+ : inner) grainsize(9)
            for (int i = 0; i < n; i++)
                inner += i;
#pragma omp taskloop in_reduction(+ : inner) nogroup
            for (unsigned long long i = 0; i < 10; i++)
                inner += 1;
        }
    }
    CHECK(sum == 4950 && inner == 4960 && none == 4);
    return 0;
}

static int parallel_reduction_task(int threads)
{
    long sum = 5, product = 1;
#pragma omp parallel num_threads(threads) reduction(task, + : sum) reduction(task, * : product)
    {
        sum += 1;
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
#pragma omp single nowait
        {
#pragma omp task in_reduction(* : product)
            product *= 6;
        }
    }
    CHECK(sum == 5 + threads * 46L && product == 6);
    return 0;
}

static int worksharing_reduction_task(int threads)
{
    long loop = 1, dynamic = 2, sections = 3, scope = 4;
    int n = threads < 0 ? 0 : 50;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 3; round++) {
#pragma omp for reduction(task, + : loop)
        for (int i = 0; i < n; i++) {
            loop++;
#pragma omp task in_reduction(+ : loop)
            loop += i;
        }
#pragma omp for schedule(dynamic, 3) reduction(task, + : dynamic)
        for (unsigned long long i = 0; i < (unsigned)n; i++) {
#pragma omp task in_reduction(+ : dynamic)
            dynamic += (long)i;
        }
#pragma omp sections reduction(task, + : sections)
        {
#pragma omp section
            {
#pragma omp task in_reduction(+ : sections)
                sections += 10;
            }
#pragma omp section
            sections += 20;
        }
#pragma omp scope reduction(task, + : scope)
        {
#pragma omp task in_reduction(+ : scope)
            scope += 7;
        }
    }
    CHECK(loop == 1 + 3 * (50 + 1225) && dynamic == 2 + 3 * 1225 && sections == 3 + 90);
    CHECK(scope == 4 + 21L * threads);
    return 0;
}

/* ---- cancellation -------------------------------------------------------------------------------------- */

static int cancel_loop(int threads)
{
    int ran = 0, after = 0, n = threads < 0 ? 0 : 10000;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 3; round++) {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++) {
            ADD(ran, 1);
#pragma omp cancel for if (i >= 5)
#pragma omp cancellation point for
        }
#pragma omp for
        for (int i = 0; i < n; i++) {
#pragma omp cancel for
            ADD(ran, 1);
        }
#pragma omp for schedule(dynamic, 10)
        for (int i = 0; i < 100; i++)
            ADD(after, 1);
    }
    CHECK(after == 300 && (omp_get_cancellation() ? ran < 30000 : ran == 60000));
    return 0;
}

static int cancel_sections(int threads)
{
    int ran = 0, after = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 3; round++) {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
                ADD(ran, 1);
            }
#pragma omp section
            {
#pragma omp cancellation point sections
                ADD(after, 0);
            }
        }
#pragma omp single
        after++;
    }
    CHECK(after == 3 && ran == (omp_get_cancellation() ? 0 : 3));
    return 0;
}

/* Whoever waits in a barrier of the region is let go; regions behind it are whole again. */
static int cancel_parallel(int threads)
{
    int late = 0, sum = 0, singles = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(threads)
        {
            if (omp_get_thread_num() == threads - 1) {
#pragma omp cancel parallel
            }
#pragma omp barrier
            ADD(late, 1);
#pragma omp cancellation point parallel
            ADD(late, 1);
        }
#pragma omp parallel num_threads(threads)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                ADD(sum, 1);
#pragma omp single
            singles++;
        }
    }
    CHECK(sum == 50 && singles == 5);
    CHECK(late == (omp_get_cancellation() ? 0 : 10 * threads));
    return 0;
}

static int cancel_taskgroup(int threads)
{
    int ran = 0, after = 0, whole = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 5; round++) {
#pragma omp taskgroup
        {
            for (int i = 0; i < 100; i++) {
#pragma omp task shared(ran)
                {
                    if (i == 0) {
#pragma omp cancel taskgroup
                    }
#pragma omp cancellation point taskgroup
                    ADD(ran, 1);
                }
            }
        }
        after++;
#pragma omp taskgroup
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(whole)
            ADD(whole, 1);
        }
    }
    CHECK(after == 5 && whole == 100 && (omp_get_cancellation() ? ran <= 500 : ran == 500));
    return 0;
}

/* ---- teams and target ---------------------------------------------------------------------------------- */

/* The compiler refuses these calls right inside teams. */
static __attribute__((noinline)) int thread_limit(void)
{
    return omp_get_thread_limit();
}
static __attribute__((noinline)) int level(void)
{
    return omp_get_level();
}
static __attribute__((noinline)) void count_team(int *count)
{
    ADD(*count, 1);
}

static int teams(int threads)
{
    int numbers = 0, counts = 0, wrong = 0, sum = 0;
#pragma omp teams num_teams(4) thread_limit(threads) reduction(+ : numbers, counts, wrong)
    {
        numbers += omp_get_team_num();
        counts += omp_get_num_teams();
        wrong += thread_limit() != threads || level() != 0;
    }
    CHECK(numbers == (counts == 16 ? 6 : numbers) && counts == 16 && wrong == 0);
    CHECK(omp_get_team_num() == 0 && omp_get_num_teams() == 1);
    memset(seen, 0, sizeof seen);
#pragma omp teams num_teams(3)
#pragma omp distribute parallel for num_threads(threads)
    for (int i = 0; i < 500; i++)
        ADD(seen[i], 1);
    CHECK(every(500, 1));
#pragma omp teams distribute num_teams(2) reduction(+ : sum) dist_schedule(static, 5)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK(sum == 4950);
    return 0;
}

static int target(int threads)
{
    int a[100], sum = 0, own_copy = 5, wrong = 0;
    double scalar = 2.5;
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma omp target map(tofrom : a, sum, wrong) firstprivate(own_copy)
    {
        wrong += !omp_is_initial_device() || omp_get_level() != 0 || omp_in_parallel();
        own_copy += 3;
        for (int i = 0; i < 100; i++)
            sum += a[i];
#pragma omp parallel for num_threads(threads)
        for (int i = 0; i < 100; i++)
            a[i] = a[i] + own_copy;
    }
    CHECK(sum == 4950 && own_copy == 5 && wrong == 0 && a[10] == 18);
    sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum, wrong)
    {
        int value = omp_get_thread_num(), got = -1, size = omp_get_num_threads();
#pragma omp target map(tofrom : got, wrong)
        {
            got = value;
            wrong += omp_get_thread_num() != 0 || omp_get_num_threads() != 1 || omp_get_level() != 0;
        }
        wrong += got != value || omp_get_thread_num() != value || omp_get_num_threads() != size;
        sum++;
    }
    CHECK(sum == threads && wrong == 0);
    sum = 0;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(4) map(tofrom : sum)              \
    reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK(sum == 4950);
    int limit = 0, teams_seen = 0;
#pragma omp target teams num_teams(2) thread_limit(3) map(tofrom : limit, teams_seen)
    {
        count_team(&teams_seen);
        if (omp_get_team_num() == 0)
            limit = thread_limit();
    }
    CHECK(limit == 3 && teams_seen >= 1);
    CHECK(omp_get_num_teams() == 1 && omp_get_thread_limit() > 3 && scalar == 2.5);
    return 0;
}

static int target_tasks(int threads)
{
    int x = 0, y = 0, wrong = 0, n = 30;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < n; i++) {
        int copy[40];
        for (int k = 0; k < 40; k++)
            copy[k] = i + k;
#pragma omp target nowait depend(inout : x) map(tofrom : x, wrong) firstprivate(copy)
        {
            wrong += x != copy[0] || copy[39] != copy[0] + 39;
            x++;
        }
#pragma omp task depend(out : y) shared(y)
        y = i + 1;
#pragma omp target depend(in : y) map(tofrom : y, wrong)
        wrong += y != i + 1;
#pragma omp target enter data map(to : y) depend(inout : y) nowait
#pragma omp target update to(y) depend(in : y)
#pragma omp target exit data map(from : y) depend(inout : y)
        memset(copy, 255, sizeof copy);
#pragma omp taskwait
        wrong += x != i + 1;
    }
    CHECK(wrong == 0 && x == n);
    return 0;
}

static int target_data(int threads)
{
    int a[10] = {0}, *p = a, wrong = 0;
#pragma omp target data map(tofrom : a) use_device_ptr(p) if (threads > 0)
    {
        wrong += p != a;
#pragma omp target map(alloc : a)
        a[3] = 7;
#pragma omp target update from(a)
    }
#pragma omp target enter data map(to : a)
#pragma omp target map(tofrom : a) device(omp_get_initial_device())
    a[4] = 8;
#pragma omp target exit data map(from : a)
    CHECK(a[3] == 7 && a[4] == 8 && wrong == 0);
    return 0;
}

/* ---- threads of the program ---------------------------------------------------------------------------- */

static void *foreign_main(void *argument)
{
    int *threads = argument;
    long sum = 0, tasks = 0;
    for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(*threads) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10; i++)
                sum++;
#pragma omp single
            {
#pragma omp task shared(tasks)
                ADD(tasks, 1);
            }
        }
    }
    return (void *)(sum + tasks);
}

static int foreign_threads(int threads)
{
    pthread_t id[3];
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&id[i], NULL, foreign_main, &threads) == 0);
    for (int i = 0; i < 3; i++) {
        void *sum;
        pthread_join(id[i], &sum);
        CHECK((long)sum == 110);
    }
    return 0;
}

#define CASE(name)  \
    {               \
#name, name \
    }
const struct omp_case gomp_cases[] = {
    CASE(parallel),
    CASE(proc_bind),
    CASE(nested),
    CASE(threadprivate_copyin),
    CASE(loop_static),
    CASE(loop_static_chunk),
    CASE(loop_dynamic),
    CASE(loop_dynamic_chunk),
    CASE(loop_guided),
    CASE(loop_guided_chunk),
    CASE(loop_monotonic_dynamic),
    CASE(loop_monotonic_guided),
    CASE(loop_auto),
    CASE(loop_runtime),
    CASE(loop_monotonic_order),
    CASE(nowait_mix),
    CASE(orphaned),
    CASE(ordered_static),
    CASE(ordered_static_chunk),
    CASE(ordered_dynamic),
    CASE(ordered_guided),
    CASE(ordered_runtime),
    CASE(doacross_static),
    CASE(doacross_static_chunk),
    CASE(doacross_dynamic),
    CASE(doacross_guided),
    CASE(doacross_runtime),
    CASE(sections),
    CASE(single_copyprivate),
    CASE(copyprivate_waiters_run_tasks),
    CASE(masked),
    CASE(barrier),
    CASE(critical),
    CASE(atomics_and_reductions),
    CASE(lastprivate_conditional),
    CASE(scan),
    CASE(tasks_recursive),
    CASE(tasks_at_barrier),
    CASE(task_data),
    CASE(task_clauses),
    CASE(taskwait_and_taskgroup),
    CASE(depend_order),
    CASE(depend_objects_and_iterators),
    CASE(depend_waits),
    CASE(detach),
    CASE(taskloop),
    CASE(taskgroup_reduction),
    CASE(taskloop_reduction),
    CASE(parallel_reduction_task),
    CASE(worksharing_reduction_task),
    CASE(cancel_loop),
    CASE(cancel_sections),
    CASE(cancel_parallel),
    CASE(cancel_taskgroup),
    CASE(teams),
    CASE(target),
    CASE(target_tasks),
    CASE(target_data),
    CASE(foreign_threads),
};
const int gomp_case_count = sizeof gomp_cases / sizeof *gomp_cases;
