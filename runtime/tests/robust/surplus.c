/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads that a region has no use for: they sleep on, they cost the others no system call, other teams take
 * them before there are new ones, and there are never more threads than OMP_THREAD_LIMIT allows.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <omp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "robust.h"
#include "work.h"

#define WIDE     32
#define REGIONS  1000
#define BARRIERS 20000

/* ---- system calls: the runtime's own, since this function stands before the C library's ---------------- */

static atomic_long futexes;

long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    register long d __asm__("r10") = va_arg(list, long);
    register long e __asm__("r8") = va_arg(list, long);
    register long f __asm__("r9") = va_arg(list, long);
    va_end(list);
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
    if (number == SYS_futex)
        futexes++;
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

/* ---- threads ------------------------------------------------------------------------------------------- */

/** The state of a thread, and how often it was taken from a processor. */
static char state_of(int tid, long *switches)
{
    char path[64], line[256], state = 0;
    long count;
    *switches = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "State:", 6) == 0)
            sscanf(line + 6, " %c", &state);
        else if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1 ||
                 sscanf(line, "nonvoluntary_ctxt_switches: %ld", &count) == 1)
            *switches += count;
    }
    if (file != NULL)
        fclose(file);
    return state;
}

static long switches_of(const int *tids, int n)
{
    long sum = 0, one;
    for (int i = 0; i < n; i++) {
        state_of(tids[i], &one);
        sum += one;
    }
    return sum;
}

/** Waits until all of them sleep, and for some time have; -1: they do not within a minute. */
static long settled(const int *tids, int n)
{
    long before = -1, now = 0, one;
    double end = robust_seconds() + 60;
    for (int quiet = 0; quiet < 5;) {
        if (robust_seconds() > end)
            return -1;
        usleep(10000);
        int asleep = 0;
        for (int i = 0; i < n; i++)
            asleep += state_of(tids[i], &one) == 'S';
        now = switches_of(tids, n);
        quiet = asleep == n && now == before ? quiet + 1 : 0;
        before = now;
    }
    return now;
}

static void wide(int *tids, int n)
{
#pragma omp parallel num_threads(n)
    {
        tids[omp_get_thread_num()] = (int)syscall(SYS_gettid);
#pragma omp barrier
    }
}

static int narrow(void)
{
    int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
    n++;
    return n;
}

/** A region of WIDE threads, then of two; then waits until the others sleep. Returns how many they are.
 *  *switches: how often they have given up a processor so far, -1 when they do not come to rest. */
static int surplus(int tids[WIDE], long *switches)
{
    int now[2], idle = 0;
    wide(tids, WIDE);
    EXPECT(narrow() == 2);
    wide(now, 2);
    for (int i = 0; i < WIDE; i++)
        if (tids[i] != now[0] && tids[i] != now[1])
            tids[idle++] = tids[i];
    *switches = settled(tids, idle);
    return idle;
}

/** Who is in no region is not woken by one. */
static void sleep_on(void)
{
    int tids[WIDE], wrong = 0;
    long before;
    int idle = surplus(tids, &before);
    EXPECT(idle == WIDE - 2);
    for (int i = 0; i < REGIONS; i++)
        wrong += narrow() != 2;
    EXPECT(wrong == 0);
    EXPECT(before >= 0 && switches_of(tids, idle) - before <= idle);
}

/** Futex calls of 20,000 barriers of two threads. */
static long calls_of_barriers(void)
{
    long before = futexes;
#pragma omp parallel num_threads(2)
    for (int i = 0; i < BARRIERS; i++) {
#pragma omp barrier
    }
    return futexes - before;
}

/** Barriers of two threads need few calls, also when the team has been wider. One run of many has to show
 *  it: a thread that finds no processor on a busy machine must sleep. */
static int no_calls(void)
{
    int tids[WIDE];
    long fewest = LONG_MAX, settled_at;
    EXPECT(surplus(tids, &settled_at) == WIDE - 2 && settled_at >= 0);
    for (double end = robust_seconds() + 100; fewest > BARRIERS / 4 && robust_seconds() < end;) {
        long calls = calls_of_barriers();
        fewest = calls < fewest ? calls : fewest;
    }
    EXPECT(fewest <= BARRIERS / 4);
    return robust_end();
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static int nest(int outer, int inner)
{
    int n = 0;
#pragma omp parallel num_threads(outer) reduction(+ : n)
    {
#pragma omp parallel num_threads(inner) reduction(+ : n)
        n++;
    }
    return n;
}

/** Only one member of the outer team has an inner one at any time, each another. */
static int in_turn(int outer, int inner)
{
    int n = 0;
#pragma omp parallel num_threads(outer)
    {
        for (int i = 0; i < outer; i++) {
            if (omp_get_thread_num() == i) {
#pragma omp parallel num_threads(inner) reduction(+ : n)
                n++;
            }
#pragma omp barrier
        }
    }
    return n;
}

/** Never more threads than the widest shape needs, whatever comes after what. */
static void shapes(int threads)
{
    static const int orders[][5] = {{1, 2, 4, 8, 16}, {16, 8, 4, 2, 1}, {4, 16, 1, 8, 2}};
    int most = 0;
    omp_set_max_active_levels(3);
    for (unsigned k = 0; k < sizeof orders / sizeof *orders * 20; k++)
        for (int i = 0; i < 5; i++) {
            int outer = orders[k / 20][i] > threads ? threads : orders[k / 20][i];
            int n = nest(outer, threads / outer);
            EXPECT(n == threads);
            most = robust_threads() > most ? robust_threads() : most;
        }
    for (int i = 2; i < threads; i *= 2) {
        EXPECT(in_turn(i, threads - i + 1) == i * (threads - i + 1));
        most = robust_threads() > most ? robust_threads() : most;
    }
    EXPECT(most <= threads);
    omp_set_max_active_levels(1);
}

/** Any shape; with a limit fewer threads come, and each region is right with those. */
static int shapes_limited(void)
{
    int limit = omp_get_thread_limit(), most = 0, wrong = 0;
    omp_set_max_active_levels(3);
    for (int i = 0; i < 300; i++) {
        int outer = 1 + i % 7, inner = 1 + i / 7 % 9, n = nest(outer, inner);
        wrong += n < 1 || n > outer * inner;
        n = in_turn(outer, inner);
        wrong += n < 1 || n > outer * inner;
        most = robust_threads() > most ? robust_threads() : most;
    }
    EXPECT(wrong == 0);
    EXPECT(most <= limit);
    EXPECT(work(limit) == 0);
    shapes(limit);
    return robust_end();
}

/** Wide and narrow in turn, with tasks: who comes back is counted rightly. */
static int alternate(void)
{
    int wrong = 0;
    for (int i = 0; i < 150; i++)
        wrong += work(2 + i * 7 % 5);
    return wrong;
}

int main(int argc, char **argv)
{
    static const char *const limited[] = {"OMP_THREAD_LIMIT=8", NULL};
    (void)argv;
    omp_set_dynamic(0);
    if (argc > 1)
        return shapes_limited();
    shapes(16);
    EXPECT(alternate() == 0);
    sleep_on();
    struct outcome again = robust_again("limited", 100, limited);
    EXPECT(again.exited == 0);
    fputs(again.words, stdout);
    return no_calls();
}
