/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Random scenarios in one process, for a given time: stress [-v] [-x NAME]... [SECONDS [SEED [NUMBER or NAME
 * ...]]]
 *
 * Prints the seed and the settings first. A number starts with that scenario of the seed (0 seconds: only
 * that one is run); names keep to these scenarios, -x leaves one out. The numbers' meaning depends on both.
 * -v tells of each scenario when it starts. A check that fails, or 60 s in which no scenario ends, prints
 * seed, number and name and aborts. With STRESS_HOLD in the environment it waits there for a debugger
 * instead; STRESS_PATIENCE is another number of seconds.
 *
 * The seed also draws settings of the runtime, which decide which ways a program takes: whether cancellation
 * is in force (of two seeds one after the other in one), how threads are bound and wait, at how many counters
 * a barrier counts. They must be set before the program starts, so it executes itself again. What the
 * environment has already stays.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"

#define MAX_SCENARIOS 128

static const struct scenario *table[MAX_SCENARIOS];
static int table_size, weights;

static uint64_t seed;
static uint64_t number; /* of the scenario in hand */
static const char *volatile name = "start";
static unsigned long ended; /* scenarios, also those inside others */
static const char *left_out[MAX_SCENARIOS];
static int left_out_count, verbose;
static pid_t first_pid;
static int patience = 60; /* seconds without the end of any scenario */

/* ---- choices ------------------------------------------------------------------------------------------- */

uint64_t stress_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + 0x9e3779b97f4a7c15u * (b + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

int pick(struct run *r, int n)
{
    r->state = stress_mix(r->state, 1);
    return (int)(r->state >> 33) % n;
}

struct run branch(const struct run *r, int salt, int threads)
{
    struct run mine = *r;
    mine.state = stress_mix(r->state, 1000 + (uint64_t)salt);
    mine.threads *= threads;
    return mine;
}

int team_size(struct run *r)
{
    int most = STRESS_THREADS / r->threads;
    most = most > 8 ? 8 : most < 1 ? 1 : most;
    int n = 1 + pick(r, 8);
    return n > most ? most : n;
}

void disturb(struct run *r)
{
    switch (pick(r, 24)) {
    case 0:
    case 1:
        sched_yield();
        break;
    case 2:
        nanosleep(&(struct timespec){0, 1000 * (1 + pick(r, 100))}, NULL);
        break;
    case 3:
    case 4:
    case 5:
        for (volatile int i = pick(r, 3000); i > 0; i--)
            ;
        break;
    default:
        break;
    }
}

/* ---- what went wrong ----------------------------------------------------------------------------------- */

static _Noreturn void stop(const char *text)
{
    /* write(): a child of fork(), or a signal handler, may be the one that tells. */
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(3);
    if (getenv("STRESS_HOLD") != NULL)
        for (;;)
            pause();
    abort();
}

void stress_fail(const char *file, int line, const char *what, long long got, long long wanted)
{
    char text[512];
    snprintf(text, sizeof text,
             "seed %llu: scenario %llu (%s)%s failed: %s:%d: %s: %lld, not %lld; thread %d of %d, level %d\n",
             (unsigned long long)seed, (unsigned long long)number, name,
             getpid() == first_pid ? "" : " in a child", file, line, what, got, wanted, omp_get_thread_num(),
             omp_get_num_threads(), omp_get_level());
    stop(text);
}

void check_all_once(const char *file, int line, const int *hits, long n)
{
    for (long i = 0; i < n; i++)
        if (hits[i] != 1) {
            char what[96];
            snprintf(what, sizeof what, "times that item %ld of %ld was done", i, n);
            stress_fail(file, line, what, hits[i], 1);
        }
}

static _Noreturn void hangs(const char *who)
{
    char text[256];
    snprintf(text, sizeof text, "seed %llu: scenario %llu (%s)%s hangs: nothing has ended for %d s\n",
             (unsigned long long)seed, (unsigned long long)number, name, who, patience);
    stop(text);
}

static void alarmed(int number_of_signal)
{
    (void)number_of_signal;
    hangs(" in a child");
}

static void crashed(int number_of_signal)
{
    char text[256];
    signal(SIGABRT, SIG_DFL);
    snprintf(text, sizeof text, "seed %llu: scenario %llu (%s)%s crashed: signal %d in process %d\n",
             (unsigned long long)seed, (unsigned long long)number, name,
             getpid() == first_pid ? "" : " in a child", number_of_signal, (int)getpid());
    stop(text);
}

static void *watch(void *argument)
{
    (void)argument;
    unsigned long seen = LOAD(ended);
    for (int quiet = 0; quiet < patience; quiet++) {
        sleep(1);
        unsigned long now = LOAD(ended);
        if (now != seen)
            quiet = 0;
        seen = now;
    }
    hangs("");
}

void *take(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (memory == NULL)
        stop("no memory\n");
    return memory;
}

/* ---- the run ------------------------------------------------------------------------------------------- */

static void add_table(const struct scenario *list, char **names, int count)
{
    for (; list->name != NULL; list++) {
        int wanted = count == 0;
        for (int i = 0; i < count; i++)
            wanted |= strcmp(names[i], list->name) == 0;
        for (int i = 0; i < left_out_count; i++)
            wanted &= strcmp(left_out[i], list->name) != 0;
        if (!wanted || table_size == MAX_SCENARIOS)
            continue;
        table[table_size++] = list;
        weights += list->weight;
    }
}

static int suits(const struct scenario *s, const struct run *r)
{
    if (s->flags & RUN_MAIN && r->depth > 0)
        return 0;
    if (s->flags & RUN_TOP && !r->top)
        return 0;
    if (s->flags & RUN_NAMES && r->child)
        return 0;
    return !(s->flags & RUN_OUTER) || (r->depth <= 2 && r->threads <= STRESS_THREADS / 2);
}

static const struct scenario *draw(struct run *r)
{
    for (int tries = 0; tries < 100; tries++) {
        int at = pick(r, weights), i = 0;
        while (at >= table[i]->weight)
            at -= table[i++]->weight;
        if (suits(table[i], r))
            return table[i];
    }
    return NULL;
}

void run_some(struct run *r, int n)
{
    for (int i = 0; i < n; i++) {
        struct run inner = branch(r, i, 1);
        inner.depth++;
        const struct scenario *s = draw(&inner);
        if (s == NULL)
            return;
        s->run(&inner);
        ADD(ended, 1);
    }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/**
 * Of each variable one value, NULL for none; more likely is what stands there more often. Threads that spin
 * as long as they wait make everything slow here, where a scenario has 24 on a few processors.
 */
static const struct setting {
    const char *variable;
    const char *values[8];
    int count;
} settings[] = {
    {"OMP_CANCELLATION", {"false", "true"}, 2},
    {"OMPC_BARRIER_CLUSTER", {NULL, NULL, "0", "1", "1", "2", "3"}, 7},
    {"OMP_PROC_BIND", {NULL, NULL, "false", "close", "spread"}, 5},
    {"OMP_WAIT_POLICY", {NULL, NULL, NULL, "passive", "passive", "active"}, 6},
    {"OMP_MAX_TASK_PRIORITY", {NULL, NULL, "10"}, 3},
};

/** Sets what the seed draws, and starts anew with it. */
static void again(char **argv)
{
    if (getenv("STRESS_STARTED") != NULL)
        return;
    char drawn_from[32];
    for (uint64_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        uint64_t drawn = i == 0 ? seed : stress_mix(seed, i) >> 33;
        const char *value = settings[i].values[drawn % (uint64_t)settings[i].count];
        if (value != NULL)
            setenv(settings[i].variable, value, 0);
    }
    snprintf(drawn_from, sizeof drawn_from, "%llu", (unsigned long long)seed);
    setenv("STRESS_STARTED", drawn_from, 1);
    setenv("OMP_MAX_ACTIVE_LEVELS", "10", 1);
    setenv("OMP_DYNAMIC", "false", 1);
    setenv("OMP_STACKSIZE", "1M", 0);
    execv("/proc/self/exe", argv);
    stop("cannot execute itself\n");
}

static void tell_settings(void)
{
    printf("seed %llu:", (unsigned long long)seed);
    for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (getenv(settings[i].variable) != NULL)
            printf(" %s=%s", settings[i].variable, getenv(settings[i].variable));
    printf("\n");
    const char *cancellation = getenv("OMP_CANCELLATION");
    if (omp_get_cancellation() != (cancellation != NULL && strcmp(cancellation, "true") == 0))
        stop("OMP_CANCELLATION is not in force\n");
}

static uint64_t any_seed(void)
{
    const char *drawn_from = getenv("STRESS_STARTED");
    return drawn_from != NULL ? strtoull(drawn_from, NULL, 10)
                              : (uint64_t)time(NULL) << 16 ^ (uint64_t)getpid();
}

int main(int argc, char **argv)
{
    double limit = 30;
    uint64_t first = 0;
    int one = 0, at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        verbose |= strcmp(argv[at], "-v") == 0;
        if (strcmp(argv[at], "-x") == 0 && at + 1 < argc && left_out_count < MAX_SCENARIOS)
            left_out[left_out_count++] = argv[++at];
    }
    if (at < argc)
        limit = atof(argv[at++]);
    seed = at < argc ? strtoull(argv[at++], NULL, 10) : any_seed();
    again(argv);
    if (getenv("STRESS_PATIENCE") != NULL)
        patience = atoi(getenv("STRESS_PATIENCE"));
    if (at < argc && strspn(argv[at], "0123456789") == strlen(argv[at])) {
        first = strtoull(argv[at++], NULL, 10);
        one = limit == 0;
    }
    const struct scenario *lists[] = {scenarios_regions, scenarios_loops,   scenarios_program,
                                      scenarios_tasks,   scenarios_depend,  scenarios_cancel,
                                      scenarios_sync,    scenarios_process, scenarios_order};
    for (unsigned i = 0; i < sizeof lists / sizeof lists[0]; i++)
        add_table(lists[i], argv + at, argc - at);
    if (weights == 0)
        stop("no scenario has such a name\n");
    setvbuf(stdout, NULL, _IOLBF, 0);
    tell_settings();

    first_pid = getpid();
    signal(SIGALRM, alarmed);
    signal(SIGSEGV, crashed);
    signal(SIGBUS, crashed);
    signal(SIGILL, crashed);
    signal(SIGFPE, crashed);
    pthread_t watcher;
    pthread_create(&watcher, NULL, watch, NULL);
    pthread_detach(watcher);
    double start = seconds();
    for (number = first; number == first || (!one && seconds() - start < limit); number++) {
        struct run r = {.state = stress_mix(seed, number), .threads = 1, .top = 1};
        const struct scenario *s = draw(&r);
        if (s == NULL)
            continue;
        name = s->name;
        if (verbose)
            printf("%.2f s: %llu %s\n", seconds() - start, (unsigned long long)number, name);
        s->run(&r);
        ADD(ended, 1);
    }
    printf("seed %llu: %lu scenarios in %.0f s, all held\n", (unsigned long long)seed, LOAD(ended),
           seconds() - start);
    return 0;
}
