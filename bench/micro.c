/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each OpenMP construct costs: prints "NAME MINIMUM MEDIAN", ns per operation, over some samples.
 *
 * usage: OMP_NUM_THREADS=n micro [SAMPLES] [MILLISECONDS PER SAMPLE] [PART OF A NAME | =NAME,NAME,...]
 *        OMP_NUM_THREADS=n micro -n OPERATIONS NAME
 *        micro -b
 *
 * The second form runs one row's operations once and prints nothing: for counting instructions.
 * The third tells whether the runtime has bound each of its threads to one processor ("bound" or "unbound").
 * MICRO_PIN=1 keeps thread i on the i-th processor, for a runtime without OMP_PROC_BIND (but in the row that
 * nests teams: their threads are more than the processors). MICRO_WARM=MILLISECONDS runs barriers that long
 * before the first row: threads that nobody binds start on one processor and may take 100 to 200 ms to
 * spread.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
static volatile long sink;
static long g;
static int tp;
#pragma omp threadprivate(tp)
static omp_lock_t lk;
static omp_nest_lock_t nlk;
static void fork_(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp parallel
        {
            __asm__ volatile("" ::: "memory");
        }
    }
}
static void fork_red(long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : s)
        s++;
    }
    sink = s;
}
static void parfor(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp parallel for schedule(static)
        for (int j = 0; j < 64; j++)
            __asm__ volatile("" ::: "memory");
    }
}
static void barrier_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp barrier
    }
}
static void for_static(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp for schedule(static)
        for (int j = 0; j < 64; j++)
            __asm__ volatile("" ::: "memory");
    }
}
static void for_static_nw(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp for schedule(static) nowait
        for (int j = 0; j < 64; j++)
            __asm__ volatile("" ::: "memory");
    }
}
static void for_dyn1(long n)
{ /* per iteration */
#pragma omp parallel for schedule(dynamic, 1)
    for (long j = 0; j < n; j++)
        __asm__ volatile("" ::: "memory");
}
static void for_dyn1_loop(long n)
{ /* per 64-iteration loop incl. barrier */
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp for schedule(dynamic, 1)
        for (int j = 0; j < 64; j++)
            __asm__ volatile("" ::: "memory");
    }
}
static void for_guided(long n)
{
#pragma omp parallel for schedule(guided)
    for (long j = 0; j < n; j++)
        __asm__ volatile("" ::: "memory");
}
static void for_ordered(long n)
{
#pragma omp parallel for ordered schedule(static, 1)
    for (long j = 0; j < n; j++) {
#pragma omp ordered
        g++;
    }
}
static void single_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp single
        __asm__ volatile("" ::: "memory");
    }
}
static void single_nw(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp single nowait
        __asm__ volatile("" ::: "memory");
    }
}
static void sections_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp sections
        {
#pragma omp section
            __asm__ volatile("" ::: "memory");
#pragma omp section
            __asm__ volatile("" ::: "memory");
        }
    }
}
static void critical_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp critical
        g++;
    }
}
static void critical_1t(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp critical
        g++;
    }
}
static void lock_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
        omp_set_lock(&lk);
        g++;
        omp_unset_lock(&lk);
    }
}
static void lock_1t(long n)
{
    for (long i = 0; i < n; i++) {
        omp_set_lock(&lk);
        g++;
        omp_unset_lock(&lk);
    }
}
static void nestlock_1t(long n)
{
    for (long i = 0; i < n; i++) {
        omp_set_nest_lock(&nlk);
        g++;
        omp_unset_nest_lock(&nlk);
    }
}
static void reduction_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp for reduction(+ : g)
        for (int j = 0; j < 8; j++)
            g += 1;
    }
}
static void task_(long n)
{ /* master creates, team executes */
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp task
        __asm__ volatile("" ::: "memory");
    }
}
static void task_all(long n)
{ /* every thread creates n */
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp task
        __asm__ volatile("" ::: "memory");
    }
}
static void task_full(long n)
{ /* its creator runs each task at once: enough are queued, and the other thread comes for none */
    enum { QUEUED = 256 };
    static int over;
    over = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            for (long i = 0; i < QUEUED + n; i++) {
#pragma omp task
                __asm__ volatile("" ::: "memory");
            }
#pragma omp taskwait
            __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
        }
        while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
            sched_yield();
    }
}
static void task_wait(long n)
{ /* create 1 + taskwait */
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp task
        __asm__ volatile("" ::: "memory");
#pragma omp taskwait
    }
}
static void task_serial(long n)
{
    for (long i = 0; i < n; i++) { /* outside parallel */
#pragma omp task
        __asm__ volatile("" ::: "memory");
    }
}
static void task_if0(long n)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp task if (0)
        __asm__ volatile("" ::: "memory");
    }
}
static void task_dep(long n)
{
    static int x __attribute__((unused)); /* gcc sees no use in a depend clause */
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp task depend(inout : x)
        __asm__ volatile("" ::: "memory");
    }
}
static void taskwait_(long n)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp taskwait
    }
}
static void taskgroup_(long n)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp taskgroup
        {
#pragma omp task
            __asm__ volatile("" ::: "memory");
        }
    }
}
static void taskloop_(long n)
{ /* per taskloop of 16 tasks */
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp taskloop num_tasks(16)
        for (int j = 0; j < 64; j++)
            __asm__ volatile("" ::: "memory");
    }
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
static void fib_(long n)
{ /* per task; fib(16) = 3192 tasks */
    for (long i = 0; i < n; i++) {
        long r;
#pragma omp parallel
#pragma omp single
        r = fib(16);
        sink = r;
    }
}
static void nested_par(long n)
{ /* inner fork/join of 2 inside an outer team */
#pragma omp parallel num_threads(2)
    for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(2)
        __asm__ volatile("" ::: "memory");
    }
}
static void nested_serial(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
        __asm__ volatile("" ::: "memory");
    }
}
static void par_if0(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp parallel if (0)
        __asm__ volatile("" ::: "memory");
    }
}
static void tnum(long n)
{
    long s = 0;
    for (long i = 0; i < n; i++)
        s += omp_get_thread_num();
    sink = s;
}
static void tprivate(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
        __asm__ volatile("" ::: "memory");
        tp++;
    }
}
static void masked_(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp master
        __asm__ volatile("" ::: "memory");
    }
}
static void copypriv(long n)
{
#pragma omp parallel
    {
        int v __attribute__((unused)) = 0;
        for (long i = 0; i < n; i++) {
#pragma omp single copyprivate(v)
            v = i;
        }
    }
}
static const struct {
    const char *nm;
    void (*f)(long);
    double div;
} T[] = {{"fork-join", fork_, 1},
         {"fork-join-reduction", fork_red, 1},
         {"parallel-for", parfor, 1},
         {"barrier", barrier_, 1},
         {"for-static", for_static, 1},
         {"for-static-nowait", for_static_nw, 1},
         {"for-dynamic1-per-iter", for_dyn1, 1},
         {"for-dynamic1-64", for_dyn1_loop, 1},
         {"for-guided-per-iter", for_guided, 1},
         {"for-ordered-per-iter", for_ordered, 1},
         {"single", single_, 1},
         {"single-nowait", single_nw, 1},
         {"sections", sections_, 1},
         {"critical", critical_, 1},
         {"critical-1thread", critical_1t, 1},
         {"lock", lock_, 1},
         {"lock-1thread", lock_1t, 1},
         {"nestlock-1thread", nestlock_1t, 1},
         {"for-reduction", reduction_, 1},
         {"master", masked_, 1},
         {"copyprivate", copypriv, 1},
         {"task-1producer", task_, 1},
         {"task-all-produce", task_all, 1},
         {"task+taskwait", task_wait, 1},
         {"task-serial", task_serial, 1},
         {"task-if0", task_if0, 1},
         {"task-depend-chain", task_dep, 1},
         {"taskwait-empty", taskwait_, 1},
         {"taskgroup+task", taskgroup_, 1},
         {"taskloop-16", taskloop_, 1},
         {"fib16-per-task", fib_, 3192},
         {"nested-parallel-2x2", nested_par, 1},
         {"nested-parallel-1", nested_serial, 1},
         {"parallel-if0", par_if0, 1},
         {"omp_get_thread_num", tnum, 1},
         {"threadprivate-inc", tprivate, 1}};

enum { ROWS = sizeof T / sizeof *T, MAX_SAMPLES = 64 };

static int cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Whether ONLY asks for the row: "=NAME,NAME,..." for these rows, else a part of the name. */
static int wanted(const char *name, const char *only)
{
    if (!only)
        return 1;
    if (*only != '=')
        return strstr(name, only) != NULL;
    size_t length = strlen(name);
    for (const char *at = only + 1; *at;) {
        size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, name, n) == 0)
            return 1;
        at += n + (at[n] == ',');
    }
    return 0;
}

static int run_once(long n, const char *name)
{
    for (int t = 0; t < ROWS; t++) {
        if (strcmp(T[t].nm, name) == 0) {
            T[t].f(n);
            return 0;
        }
    }
    if (strcmp(name, "task-full-queue") == 0) { /* only for counting: a time would be that of its 256 too */
        task_full(n);
        return 0;
    }
    fprintf(stderr, "micro: no row is called '%s'\n", name);
    return 64;
}

/* With APART each thread of a team goes to a processor of its own, else all may use all of the process's. */
static void place_threads(const cpu_set_t *all, int apart)
{
#pragma omp parallel
    {
        cpu_set_t mine = *all;
        if (apart) {
            int skip = omp_get_thread_num() % CPU_COUNT(all), cpu = 0;
            while (!CPU_ISSET(cpu, all) || skip-- > 0)
                cpu++;
            CPU_ZERO(&mine);
            CPU_SET(cpu, &mine);
        }
        if (sched_setaffinity(0, sizeof mine, &mine) != 0)
            perror("micro: sched_setaffinity");
    }
}

/* Prints whether each thread of a team may use one processor only. */
static int tell_bound(void)
{
    int threads = 0, bound = 0;
#pragma omp parallel reduction(+ : threads, bound)
    {
        cpu_set_t mine;
        threads = 1;
        bound = sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) == 1;
    }
    puts(bound == threads ? "bound" : "unbound");
    return 0;
}

static void warm(double ms)
{
    for (double start = now(); now() - start < ms * 1e6;)
        barrier_(1000);
}

static void measure(int t, int samples, double ms)
{
    long n = 1;
    double e, s[MAX_SAMPLES];
    T[t].f(1);
    for (;;) {
        double a = now();
        T[t].f(n);
        e = now() - a;
        if (e > ms * 1e6 / 4 || n > 100000000)
            break;
        n *= e < ms * 1e6 / 64 ? 8 : 2;
    }
    n = (long)((double)n * (ms * 1e6 / e));
    if (n < 1)
        n = 1;
    for (int r = 0; r < samples; r++) {
        double a = now();
        T[t].f(n);
        s[r] = (now() - a) / (double)n / T[t].div;
    }
    qsort(s, (size_t)samples, sizeof *s, cmp);
    printf("%s %.2f %.2f\n", T[t].nm, s[0], s[samples / 2]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    omp_set_max_active_levels(3);
    omp_init_lock(&lk);
    omp_init_nest_lock(&nlk);
    if (argc == 4 && strcmp(argv[1], "-n") == 0)
        return run_once(atol(argv[2]), argv[3]);
    if (argc == 2 && strcmp(argv[1], "-b") == 0)
        return tell_bound();

    int samples = argc > 1 ? atoi(argv[1]) : 11;
    double ms = argc > 2 ? atof(argv[2]) : 8;
    const char *only = argc > 3 ? argv[3] : NULL;
    if (samples < 1 || samples > MAX_SAMPLES || ms <= 0) {
        fprintf(stderr, "micro: 1 to %d samples of more than 0 ms\n", MAX_SAMPLES);
        return 64;
    }
    cpu_set_t all;
    int pin = getenv("MICRO_PIN") && sched_getaffinity(0, sizeof all, &all) == 0;
    if (getenv("MICRO_WARM"))
        warm(atof(getenv("MICRO_WARM")));
    for (int t = 0; t < ROWS; t++) {
        if (!wanted(T[t].nm, only))
            continue;
        if (pin)
            place_threads(&all, T[t].f != nested_par);
        measure(t, samples, ms);
    }
    return 0;
}
