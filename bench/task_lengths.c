/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tasks of a known length cost: prints "SHAPE LENGTH TIME SHARE" for each row. LENGTH is the task's own
 * work in ns, TIME the median over some samples in ns for each task, SHARE what part of the tasks ran on
 * other threads than the first.
 *
 * usage: OMP_NUM_THREADS=n task_lengths [SAMPLES] [MILLISECONDS PER SAMPLE] [SHAPE[,SHAPE...]]
 *        task_lengths -c          prints how many steps of work take a microsecond
 * TASK_STEPS=NUMBER is what -c has printed, so that all processes do the same work; else it is measured.
 *
 * Shapes: loop (no tasks: one thread does all the work), one (one thread creates all tasks), all (each thread
 * creates its part), fib (tasks that create tasks; LENGTH 0), change (one thread creates; the tasks take 10
 * ns for some 10 ms and then 100 us for 10 ms, again and again; LENGTH 0, TIME is that of a task of 100 us
 * and of the short ones that belong to it), loop-change and loop-fib (the same work without tasks).
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_SAMPLES = 64, FIB = 16, FIB_TASKS = 3192, LONG_TASKS = 100, SHORT_FOR_A_LONG = 4000 };
static const double LENGTHS[] = {0, 15, 50, 150, 500, 1500, 5000, 50000};
#define LONG_NS  100000
#define SHORT_NS 10

static double steps_per_ns;
static _Thread_local long done; /* tasks run by this thread */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int cmp(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Steps that depend on each other, so that their time is not a matter of the processor's width. */
static __attribute__((noinline)) void work(long steps)
{
    unsigned long x = 1;
    for (long i = 0; i < steps; i++)
        __asm__ volatile("imul $3, %0, %0" : "+r"(x));
    done++;
}

static long steps_of(double ns)
{
    return (long)(ns * steps_per_ns + 0.5);
}

/* Of the quickest of many: what else runs on the machine only makes it longer. */
static double calibrate(void)
{
    enum { STEPS = 200000, TRIES = 200 };
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        double start = now();
        work(STEPS);
        double took = now() - start;
        if (took < best)
            best = took;
    }
    return STEPS / best;
}

/* ---- shapes: each runs n tasks, or the work of n tasks ----------------------------------------------- */

static void loop(long n, long steps)
{
    for (long i = 0; i < n; i++)
        work(steps);
}

static void one(long n, long steps)
{
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < n; i++) {
#pragma omp task firstprivate(steps)
        work(steps);
    }
}

static void all(long n, long steps)
{
#pragma omp parallel firstprivate(steps)
    {
        long part = n / omp_get_num_threads();
        for (long i = 0; i < part; i++) {
#pragma omp task firstprivate(steps)
            work(steps);
        }
    }
}

static int fib_tasks(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    {
        done++;
        a = fib_tasks(n - 1);
    }
#pragma omp task shared(b)
    {
        done++;
        b = fib_tasks(n - 2);
    }
#pragma omp taskwait
    return a + b;
}

static void fib(long n, long steps)
{
    (void)steps;
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < n; i += FIB_TASKS)
        if (fib_tasks(FIB) != 987)
            abort();
}

static __attribute__((noinline)) int fib_plain(int n)
{
    done++;
    return n < 2 ? n : fib_plain(n - 1) + fib_plain(n - 2);
}

static void loop_fib(long n, long steps)
{
    (void)steps;
    for (long i = 0; i < n; i += FIB_TASKS) {
        if (fib_plain(FIB) != 987)
            abort();
        done--; /* the outermost call is no task */
    }
}

/* n: tasks of both lengths, LONG_TASKS long ones behind their short ones, and so on */
static long change_steps(long i, long few, long many)
{
    long cycle = LONG_TASKS * (1L + SHORT_FOR_A_LONG);
    return i % cycle < LONG_TASKS * (long)SHORT_FOR_A_LONG ? few : many;
}

static void change(long n, long steps)
{
    long few = steps_of(SHORT_NS), many = steps_of(LONG_NS);
    (void)steps;
#pragma omp parallel
#pragma omp master
    for (long i = 0; i < n; i++) {
        long mine = change_steps(i, few, many);
#pragma omp task firstprivate(mine)
        work(mine);
    }
}

static void loop_change(long n, long steps)
{
    long few = steps_of(SHORT_NS), many = steps_of(LONG_NS);
    (void)steps;
    for (long i = 0; i < n; i++)
        work(change_steps(i, few, many));
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

struct shape {
    const char *name;
    void (*run)(long n, long steps);
    int lengths; /* whether it has a row for each length */
    long unit;   /* n is a multiple of it */
    long per;    /* tasks of which TIME is told */
};

static const struct shape SHAPES[] = {
    {"loop", loop, 1, 1, 1},
    {"one", one, 1, 1, 1},
    {"all", all, 1, 1, 1},
    {"loop-fib", loop_fib, 0, FIB_TASKS, 1},
    {"fib", fib, 0, FIB_TASKS, 1},
    {"loop-change", loop_change, 0, LONG_TASKS *(1L + SHORT_FOR_A_LONG), 1 + SHORT_FOR_A_LONG},
    {"change", change, 0, LONG_TASKS *(1L + SHORT_FOR_A_LONG), 1 + SHORT_FOR_A_LONG},
};

/* Whether LIST, "NAME,NAME,...", has the name; no list has all. */
static int wanted(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (const char *at = list; at != NULL && *at; at += strspn(at, ",")) {
        size_t n = strcspn(at, ",");
        if (n == length && memcmp(at, name, n) == 0)
            return 1;
        at += n;
    }
    return list == NULL;
}

/* Tasks that all threads have run since the last call, and in *OTHERS those of all but this thread. */
static long tasks_done(long *others)
{
    long sum = 0, mine = done;
#pragma omp parallel reduction(+ : sum)
    {
        sum += done;
        done = 0;
    }
    *others = sum - mine;
    return sum;
}

static void row(const struct shape *shape, double length, int samples, double ms)
{
    long steps = steps_of(length), others, threads = omp_get_max_threads();
    /* 20 ns and the work for each task; a divisor of all thread counts in use, so that `all` loses none */
    long n = (long)(ms * 1e6 / (length + 20)) / threads * threads;
    if (n < threads)
        n = threads;
    n = (n + shape->unit - 1) / shape->unit * shape->unit;
    shape->run(n, steps); /* unmeasured: threads, memory, and what the runtime learns */
    tasks_done(&others);
    double times[MAX_SAMPLES];
    for (int i = 0; i < samples; i++) {
        double start = now();
        shape->run(n, steps);
        times[i] = (now() - start) / (double)n * (double)shape->per;
    }
    long sum = tasks_done(&others);
    if (sum != n * samples) {
        fprintf(stderr, "task_lengths: %s %.0f: %ld tasks ran, not %ld\n", shape->name, length, sum,
                n * samples);
        exit(1);
    }
    qsort(times, (size_t)samples, sizeof *times, cmp);
    printf("%s %.0f %.2f %.3f\n", shape->name, length, times[samples / 2], (double)others / (double)sum);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "-c") == 0) {
        printf("%.1f\n", calibrate() * 1000);
        return 0;
    }
    int samples = argc > 1 ? atoi(argv[1]) : 5;
    double ms = argc > 2 ? atof(argv[2]) : 5;
    const char *only = argc > 3 ? argv[3] : NULL;
    if (samples < 1 || samples > MAX_SAMPLES || ms <= 0) {
        fprintf(stderr, "task_lengths: 1 to %d samples of more than 0 ms\n", MAX_SAMPLES);
        return 64;
    }
    const char *given = getenv("TASK_STEPS");
    steps_per_ns = given ? atof(given) / 1000 : calibrate();
    for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
        if (!wanted(SHAPES[s].name, only))
            continue;
        for (size_t i = 0; i < (SHAPES[s].lengths ? sizeof LENGTHS / sizeof *LENGTHS : 1); i++)
            row(&SHAPES[s], LENGTHS[i], samples, ms);
    }
    return 0;
}
