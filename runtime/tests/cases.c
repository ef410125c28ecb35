/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See cases.h. Each check compares with a number computed without OpenMP, or with a count that the case keeps
 * itself.
 */
#define _GNU_SOURCE
#include "cases.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)

static int seen[1024];

static int every(int n, int value)
{
    for (int i = 0; i < n; i++)
        if (seen[i] != value)
            return 0;
    return 1;
}

static int parallel(int threads)
{
    memset(seen, 0, sizeof seen);
    int sizes = 0, levels = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sizes, levels)
    {
        seen[omp_get_thread_num()]++;
        sizes += omp_get_num_threads();
        levels += omp_get_level();
    }
    CHECK(every(threads, 1) && seen[threads] == 0);
    CHECK(sizes == threads * threads && levels == threads);
    CHECK(omp_get_level() == 0 && omp_get_num_threads() == 1 && !omp_in_parallel());
    return 0;
}

/* Teams that grow and shrink keep their threads docked; each region must run each number exactly once. */
static int sizes_change(int threads)
{
    for (int round = 0; round < 200; round++) {
        int n = 1 + round % (threads + 2);
        memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(n)
        __atomic_fetch_add(&seen[omp_get_thread_num()], 1, __ATOMIC_RELAXED);
        CHECK(every(n, 1) && seen[n] == 0);
    }
    return 0;
}

static int many_arguments(int threads)
{
    long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, sum = 0;
    double x = 0.5;
#pragma omp parallel num_threads(threads) firstprivate(a, b, c, d, e, f, g, h, i, x) reduction(+ : sum)
    sum += a + b + c + d + e + f + g + h + i + (long)(x * 2);
    CHECK(sum == 46L * threads);
    return 0;
}

static int nested(int threads)
{
    int before = omp_get_max_active_levels(), leaves = 0, wrong = 0;
    omp_set_max_active_levels(3);
    for (int round = 0; round < 20; round++) {
        leaves = 0;
#pragma omp parallel num_threads(2) reduction(+ : leaves, wrong)
        {
            int outer = omp_get_thread_num();
#pragma omp parallel num_threads(threads) reduction(+ : leaves, wrong)
            {
                wrong += omp_get_ancestor_thread_num(1) != outer || omp_get_team_size(1) != 2;
                wrong += omp_get_level() != 2 || omp_get_team_size(2) != threads;
                wrong += omp_get_ancestor_thread_num(3) != -1;
#pragma omp parallel num_threads(2) reduction(+ : leaves)
                leaves++;
            }
        }
        if (leaves != 4 * threads)
            break;
    }
    omp_set_max_active_levels(before);
    CHECK(leaves == 4 * threads && wrong == 0);
    return 0;
}

static int serialised(int threads)
{
    int wrong = 0;
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
#pragma omp parallel if (0)
        {
            wrong += omp_get_thread_num() != 0 || omp_get_num_threads() != 1 || omp_get_level() != 2;
            wrong += omp_get_ancestor_thread_num(1) != me;
#pragma omp for
            for (int i = 0; i < 3; i++)
                wrong += omp_get_thread_num() != 0;
#pragma omp parallel num_threads(1)
            wrong += omp_get_level() != 3;
        }
        wrong += omp_get_thread_num() != me || omp_get_level() != 1;
    }
    CHECK(wrong == 0);
    return 0;
}

#define LOOP(name, clauses)                                            \
    static int name(int threads)                                       \
    {                                                                  \
        long sum = 0, back = 0;                                        \
        memset(seen, 0, sizeof seen);                                  \
        _Pragma("omp parallel num_threads(threads)")                   \
        {                                                              \
            for (int round = 0; round < 20; round++) {                 \
                LOOP_PRAGMA(clauses)                                   \
                for (int i = 0; i < 1000; i++)                         \
                    __atomic_fetch_add(&seen[i], 1, __ATOMIC_RELAXED); \
            }                                                          \
            LOOP_PRAGMA(clauses reduction(+ : sum))                    \
            for (long i = -500; i < 1500; i += 7)                      \
                sum += i;                                              \
            LOOP_PRAGMA(clauses reduction(+ : back))                   \
            for (unsigned i = 4000000000u; i > 3999999000u; i -= 3)    \
                back += i;                                             \
        }                                                              \
        CHECK(every(1000, 20));                                        \
        long want = 0;                                                 \
        for (long i = -500; i < 1500; i += 7)                          \
            want += i;                                                 \
        CHECK(sum == want);                                            \
        want = 0;                                                      \
        for (unsigned i = 4000000000u; i > 3999999000u; i -= 3)        \
            want += i;                                                 \
        CHECK(!FALLS || back == want);                                 \
        return 0;                                                      \
    }
/*
 * gcc 12 passes the step of a falling unsigned loop as a large positive one, so such a loop has no iterations
 * for any runtime.
 */
#ifdef __clang__
#define FALLS 1
#else
#define FALLS 0
#endif
#define LOOP_PRAGMA(clauses) LOOP_PRAGMA_(omp for clauses)
#define LOOP_PRAGMA_(text) _Pragma(#text)
LOOP(loop_static, schedule(static))
LOOP(loop_static_chunk, schedule(static, 3))
LOOP(loop_dynamic, schedule(dynamic))
LOOP(loop_dynamic_chunk, schedule(dynamic, 7))
LOOP(loop_guided, schedule(guided))
LOOP(loop_runtime, schedule(runtime))
LOOP(loop_auto, schedule(auto))

/* Loops without a barrier: a fast thread runs up to eight loops ahead of a slow one. */
static int loops_nowait(int threads)
{
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 100; round++) {
        if (omp_get_thread_num() == round % threads)
            sched_yield();
#pragma omp for schedule(dynamic, 2) nowait
        for (int i = 0; i < 100; i++)
            __atomic_fetch_add(&seen[i], 1, __ATOMIC_RELAXED);
    }
    CHECK(every(100, 100));
    return 0;
}

static int loop_last(int threads)
{
    int last = -1, empty = -7;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, 3) lastprivate(last)
        for (int i = 0; i < 50; i++)
            last = i;
#pragma omp for schedule(static, 4) lastprivate(empty)
        for (int i = 0; i < 3; i++)
            empty = i;
#pragma omp for schedule(dynamic)
        for (int i = 5; i < 5; i++)
            last = 1000;
    }
    CHECK(last == 49 && empty == 2);
    return 0;
}

#define ORDERED(name, clauses)                                                                 \
    static int name(int threads)                                                               \
    {                                                                                          \
        int next = 0, wrong = 0;                                                               \
        _Pragma("omp parallel num_threads(threads)")                                           \
        {                                                                                      \
            LOOP_PRAGMA(ordered clauses)                                                       \
            for (int i = 0; i < 200; i++) {                                                    \
                _Pragma("omp ordered")                                                         \
                {                                                                              \
                    wrong += next != i;                                                        \
                    next++;                                                                    \
                }                                                                              \
            }                                                                                  \
            LOOP_PRAGMA(ordered clauses)                                                       \
            for (int i = 0; i < 100; i++) {                                                    \
                if (i % 3 == 0)                                                                \
                    continue; /* an iteration without its ordered region passes the turn on */ \
                _Pragma("omp ordered") next++;                                                 \
            }                                                                                  \
        }                                                                                      \
        CHECK(wrong == 0 && next == 266);                                                      \
        return 0;                                                                              \
    }
ORDERED(ordered_static, )
ORDERED(ordered_chunk, schedule(static, 3))
ORDERED(ordered_dynamic, schedule(dynamic, 2))
ORDERED(ordered_guided, schedule(guided))

static int sections(int threads)
{
    int a = 0, b = 0, c = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 10; round++) {
#pragma omp sections
        {
#pragma omp section
            a++;
#pragma omp section
            b += 2;
#pragma omp section
            c += 3;
        }
    }
    CHECK(a == 10 && b == 20 && c == 30);
    return 0;
}

static int single_and_copyprivate(int threads)
{
    int runs = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 200; round++) {
        int value = -1;
#pragma omp single nowait
        __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
#pragma omp single copyprivate(value)
        {
            value = round;
            __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
        }
        if (value != round)
            __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
    CHECK(runs == 400 && wrong == 0);
    return 0;
}

static int master_and_masked(int threads)
{
    int masters = 0, masked = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp master
        masters += 1 + omp_get_thread_num();
#pragma omp masked
        masked += 1 + omp_get_thread_num();
    }
    CHECK(masters == 1 && masked == 1);
    return 0;
}

static int barrier(int threads)
{
    int wrong = 0;
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(threads)
    for (int round = 1; round <= 200; round++) {
        __atomic_store_n(&seen[omp_get_thread_num()], round, __ATOMIC_RELAXED);
#pragma omp barrier
        for (int i = 0; i < threads; i++)
            if (__atomic_load_n(&seen[i], __ATOMIC_RELAXED) != round)
                __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
#pragma omp barrier
    }
    CHECK(wrong == 0);
    return 0;
}

static int critical(int threads)
{
    int a = 0, b = 0; /* plain: the criticals alone protect them */
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 2000; i++) {
#pragma omp critical
        a++;
#pragma omp critical(named)
        b += 2;
    }
    CHECK(a == 2000 * threads && b == 4000 * threads);
    return 0;
}

static int locks(int threads)
{
    omp_lock_t lock;
    omp_nest_lock_t nest;
    int a = 0, b = 0, tries = 0, wrong = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 1000; i++) {
        omp_set_lock(&lock);
        a++;
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            tries++;
            omp_unset_lock(&lock);
        }
        omp_set_nest_lock(&nest);
        int count = omp_test_nest_lock(&nest);
        wrong += count != 2;
        b++;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    CHECK(a == 1000 * threads && b == 1000 * threads && wrong == 0 && tries <= a && tries > 0);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return 0;
}

/* Locks touch 4 and 8 bytes and no more, whatever size the header gives them. */
static int lock_canary(int threads)
{
    struct {
        unsigned word, after;
    } lock = {7, 0xabcdef01};
    struct {
        unsigned long word, after;
    } nest = {7, 0xabcdef0123456789};
    (void)threads;
    omp_init_lock((omp_lock_t *)(void *)&lock);
    omp_set_lock((omp_lock_t *)(void *)&lock);
    omp_unset_lock((omp_lock_t *)(void *)&lock);
    omp_destroy_lock((omp_lock_t *)(void *)&lock);
    CHECK(lock.after == 0xabcdef01);
    omp_init_nest_lock((omp_nest_lock_t *)(void *)&nest);
    omp_set_nest_lock((omp_nest_lock_t *)(void *)&nest);
    omp_set_nest_lock((omp_nest_lock_t *)(void *)&nest);
    omp_unset_nest_lock((omp_nest_lock_t *)(void *)&nest);
    omp_unset_nest_lock((omp_nest_lock_t *)(void *)&nest);
    CHECK(nest.after == 0xabcdef0123456789);
    return 0;
}

static int reductions(int threads)
{
    long sum = 0;
    double product = 1;
    int most = -1, all = 1;
    long many[4] = {0, 0, 0, 0};
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(+ : sum) reduction(* : product) reduction(max : most) reduction(&& : all)
        for (int i = 1; i <= 20; i++) {
            sum += i;
            product *= i;
            most = i > most ? i : most;
            all = all && i > 0;
        }
#pragma omp for reduction(+ : many)
        for (int i = 0; i < 100; i++)
            many[i % 4] += i;
    }
    CHECK(sum == 210 && product == 2432902008176640000.0 && most == 20 && all);
    CHECK(many[0] == 1200 && many[1] == 1225 && many[2] == 1250 && many[3] == 1275);
    return 0;
}

static int private_copy = 5;
#pragma omp threadprivate(private_copy)
static int threadprivate_and_copyin(int threads)
{
    int wrong = 0;
    private_copy = 42;
#pragma omp parallel num_threads(threads) copyin(private_copy) reduction(+ : wrong)
    {
        wrong += private_copy != 42;
        private_copy = omp_get_thread_num();
    }
#pragma omp parallel num_threads(threads) reduction(+ : wrong)
    wrong += private_copy != omp_get_thread_num();
    CHECK(wrong == 0);
    return 0;
}

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
    result = fib(18);
    CHECK(result == 2584);
    return 0;
}

static int tasks_at_barrier(int threads)
{
    int done = 0, late = 0;
#pragma omp parallel num_threads(threads)
    {
        for (int i = 0; i < 500; i++) {
#pragma omp task shared(done)
            {
                __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
                if (i % 10 == 0) {
#pragma omp task shared(done)
                    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
                }
            }
        }
#pragma omp barrier
        if (__atomic_load_n(&done, __ATOMIC_RELAXED) != 550 * threads)
            __atomic_fetch_add(&late, 1, __ATOMIC_RELAXED);
    }
    CHECK(done == 550 * threads && late == 0);
    return 0;
}

static int tasks_big_private(int threads)
{
    struct block {
        char bytes[9000];
    } block;
    struct block2 {
        char bytes[700];
    } block2;
    int wrong = 0;
    memset(&block, 'x', sizeof block);
    memset(&block2, 'y', sizeof block2);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(block, block2) shared(wrong)
        for (unsigned k = 0; k < sizeof block; k++)
            if (block.bytes[k] != 'x' || block2.bytes[k % 700] != 'y')
                __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
    CHECK(wrong == 0);
    return 0;
}

static int taskwait_waits_for_children_only(int threads)
{
    int children = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 100; round++) {
        children = 0;
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(children)
            __atomic_fetch_add(&children, 1, __ATOMIC_RELAXED);
        }
#pragma omp taskwait
        wrong += __atomic_load_n(&children, __ATOMIC_RELAXED) != 10;
    }
    CHECK(wrong == 0);
    return 0;
}

static int taskgroup_waits_for_descendants(int threads)
{
    int count = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 0; round < 50; round++) {
        count = 0;
#pragma omp taskgroup
        {
            for (int i = 0; i < 5; i++) {
#pragma omp task shared(count)
                {
#pragma omp task shared(count)
                    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
                    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
                }
            }
        }
        wrong += __atomic_load_n(&count, __ATOMIC_RELAXED) != 10;
    }
    CHECK(wrong == 0);
    return 0;
}

static int undeferred_and_final(int threads)
{
    int wrong = 0, ran = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 100; i++) {
        int me = omp_get_thread_num();
#pragma omp task if (0) shared(wrong, ran)
        {
            wrong += omp_get_thread_num() != me;
            ran++;
#pragma omp task shared(ran)
            __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
#pragma omp taskwait
        }
#pragma omp task final(1) shared(wrong, ran)
        {
            int inside = 0;
            wrong += !omp_in_final();
#pragma omp task shared(inside)
            inside = omp_in_final() ? 1 : -1;
            wrong += inside != 1; /* an included task is complete when its construct is */
            __atomic_fetch_add(&ran, 1, __ATOMIC_RELAXED);
        }
#pragma omp taskwait
    }
    CHECK(wrong == 0 && ran == 300);
    return 0;
}

static int untied(int threads)
{
    int done = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 50; i++) {
#pragma omp task untied shared(done)
        {
#pragma omp task shared(done)
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
#pragma omp taskwait
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
#pragma omp taskyield
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
        }
#pragma omp task untied if (0) shared(done)
        {
#pragma omp task shared(done)
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
#pragma omp taskwait
            __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK(done == 250);
    return 0;
}

static int depend_chain(int threads)
{
    int x = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 500; i++) {
#pragma omp task depend(inout : x) shared(x, wrong)
        {
            wrong += x != i;
            x++;
        }
    }
    CHECK(x == 500 && wrong == 0);
    return 0;
}

static int depend_readers_and_writers(int threads)
{
    int x = 0, readers = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int round = 1; round <= 50; round++) {
#pragma omp task depend(out : x) shared(x, wrong, readers)
        {
            wrong += __atomic_load_n(&readers, __ATOMIC_RELAXED) != 4 * (round - 1);
            x = round;
        }
        for (int r = 0; r < 4; r++) {
#pragma omp task depend(in : x) shared(x, wrong, readers)
            {
                if (x != round)
                    __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
                __atomic_fetch_add(&readers, 1, __ATOMIC_RELAXED);
            }
        }
    }
    CHECK(readers == 200 && wrong == 0);
    return 0;
}

/* A wavefront: each cell after its upper and left neighbours. */
static int depend_wavefront(int threads)
{
    enum { N = 20 };
    static int cell[N + 1][N + 1];
    memset(cell, 0, sizeof cell);
    cell[0][0] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
            cell[i][j] = 1 + (cell[i - 1][j] > cell[i][j - 1] ? cell[i - 1][j] : cell[i][j - 1]);
        }
    CHECK(cell[N][N] == 2 * N - 1);
    return 0;
}

static int depend_undeferred_and_taskwait(int threads)
{
    int x = 0, y = 0, wrong = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 100; i++) {
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

static int depend_mutexinoutset(int threads)
{
    int x = 0, plain = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task depend(mutexinoutset : x) shared(plain)
            plain++;
        }
    }
    CHECK(x == 0);
    CHECK(plain == 100);
    return 0;
}

static int loops_in_tasks_region(int threads)
{
    int total = 0;
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < 20; round++) {
#pragma omp single nowait
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(total)
            __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 10; i++)
            __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
    }
    CHECK(total == 600);
    return 0;
}

static int region_in_task(int threads)
{
    int total = 0, before = omp_get_max_active_levels();
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(total)
        {
#pragma omp parallel num_threads(2)
            __atomic_fetch_add(&total, 1, __ATOMIC_RELAXED);
        }
    }
    omp_set_max_active_levels(before);
    CHECK(total == (threads == 1 ? 20 : 20));
    return 0;
}

static void *foreign_main(void *argument)
{
    int *threads = argument, sum = 0;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(*threads) reduction(+ : sum)
        sum += 1;
    }
    return (void *)(long)sum;
}

/* Threads of the program each lead teams of their own, at the same time, and end. */
static int foreign_threads(int threads)
{
    for (int round = 0; round < 5; round++) {
        pthread_t id[3];
        for (int i = 0; i < 3; i++)
            CHECK(pthread_create(&id[i], NULL, foreign_main, &threads) == 0);
        for (int i = 0; i < 3; i++) {
            void *sum;
            pthread_join(id[i], &sum);
            CHECK((long)sum == 20L * threads);
        }
    }
    return 0;
}

/* The child of fork() has one thread; its regions get threads of their own. */
static int fork_child(int threads)
{
    int sum = 0, status = 0;
#pragma omp parallel if (0)
#pragma omp parallel num_threads(threads)
    __asm__ volatile("" ::: "memory"); /* a team that the thread keeps and whose threads the child has not */
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(10);
#pragma omp parallel if (0)
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum++;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum++;
        _exit(sum == 2 * threads ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum++;
    CHECK(sum == threads);
    return 0;
}

static int icvs(int threads)
{
    int wrong = 0, chunk;
    omp_sched_t kind;
    int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    omp_set_schedule(omp_sched_guided, 5);
#pragma omp parallel reduction(+ : wrong) private(kind, chunk)
    {
        wrong += omp_get_num_threads() != threads || omp_get_max_threads() != threads;
        omp_get_schedule(&kind, &chunk);
        wrong += kind != omp_sched_guided || chunk != 5;
        omp_set_num_threads(7); /* this task's own data environment */
        wrong += omp_get_max_threads() != 7;
    }
    CHECK(wrong == 0 && omp_get_max_threads() == threads);
    omp_set_schedule(omp_sched_static, 0);
    omp_set_num_threads(before);
    return 0;
}

#define CASE(name)  \
    {               \
#name, name \
    }
const struct omp_case omp_cases[] = {
    CASE(parallel),
    CASE(sizes_change),
    CASE(many_arguments),
    CASE(nested),
    CASE(serialised),
    CASE(loop_static),
    CASE(loop_static_chunk),
    CASE(loop_dynamic),
    CASE(loop_dynamic_chunk),
    CASE(loop_guided),
    CASE(loop_runtime),
    CASE(loop_auto),
    CASE(loops_nowait),
    CASE(loop_last),
    CASE(ordered_static),
    CASE(ordered_chunk),
    CASE(ordered_dynamic),
    CASE(ordered_guided),
    CASE(sections),
    CASE(single_and_copyprivate),
    CASE(master_and_masked),
    CASE(barrier),
    CASE(critical),
    CASE(locks),
    CASE(lock_canary),
    CASE(reductions),
    CASE(threadprivate_and_copyin),
    CASE(tasks_recursive),
    CASE(tasks_at_barrier),
    CASE(tasks_big_private),
    CASE(taskwait_waits_for_children_only),
    CASE(taskgroup_waits_for_descendants),
    CASE(undeferred_and_final),
    CASE(untied),
    CASE(depend_chain),
    CASE(depend_readers_and_writers),
    CASE(depend_wavefront),
    CASE(depend_undeferred_and_taskwait),
    CASE(depend_mutexinoutset),
    CASE(loops_in_tasks_region),
    CASE(region_in_task),
    CASE(foreign_threads),
    CASE(fork_child),
    CASE(icvs),
};
const int omp_case_count = sizeof omp_cases / sizeof *omp_cases;
