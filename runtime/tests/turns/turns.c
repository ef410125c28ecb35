/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Many threads that wait for their turn: an ordered loop, by iterations and by chunks, and doacross nests.
 * Checks the order and prints how often the process gave its processor up of its own accord.
 *
 *     turns CASE THREADS ITERATIONS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static long sum, wrong;

/** Takes a while, so that those who wait are asleep; `expected` have come before. */
static void meet(long expected)
{
    usleep(500);
    if (sum != expected)
        wrong++;
    sum++;
}

static void ordered(int threads, long n)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
    for (long i = 0; i < n; i++) {
#pragma omp ordered
        meet(i);
    }
}

static void dynamic(int threads, long n)
{
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
    for (long i = 0; i < n; i++) {
#pragma omp ordered
        meet(i);
    }
}

/** Chunks whose first iterations are a power of two apart; the last iteration of each does the work. */
static void chunks(int threads, long n)
{
#pragma omp parallel for ordered schedule(static, 256) num_threads(threads)
    for (long i = 0; i < n * 256; i++) {
#pragma omp ordered
        if (i % 256 == 255)
            meet(i / 256);
    }
}

static void chain(int threads, long n)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(threads)
    for (long i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
        meet(i);
#pragma omp ordered depend(source)
    }
}

/** Rows wait for the row above: each column is a chain, and here one column works at a time. */
static void nest(int threads, long n)
{
    static char done[4096][4];
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(threads)
    for (long i = 0; i < n; i++)
        for (long j = 0; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            if (j == 0)
                usleep(500);
            if ((i > 0 && !done[i - 1][j]) || (j > 0 && !done[i][j - 1]))
                __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
            done[i][j] = 1;
#pragma omp ordered depend(source)
        }
    sum = n;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int, long);
    } cases[] = {
        {"ordered", ordered}, {"dynamic", dynamic}, {"chunks", chunks}, {"chain", chain}, {"nest", nest}};
    if (argc != 4)
        return 2;
    long n = atol(argv[3]);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run(atoi(argv[2]), n);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("sum %ld wrong %ld switches %ld\n", sum, wrong, usage.ru_nvcsw);
    return sum != n || wrong != 0;
}
