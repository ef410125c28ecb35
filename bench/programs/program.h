/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the whole programs of the benchmark share: arguments, the clock, and how they report.
 *
 * usage: PROGRAM [SIZE] [REPEATS]
 *
 * A program computes its task REPEATS times after one that is not counted, checks each result, and prints one
 * line of seconds for each repeat. A wrong result ends it with status 1.
 */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void *need(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/** `work` computes and checks one task of that size, and returns the seconds of the computation, or less than
 * 0. */
static inline int repeat(int argc, char **argv, int size, int smallest, double (*work)(int size))
{
    int repeats = 3;
    if (argc > 1)
        size = atoi(argv[1]);
    if (argc > 2)
        repeats = atoi(argv[2]);
    if (size < smallest || repeats < 1) {
        fprintf(stderr, "usage: %s [SIZE, at least %d] [REPEATS]\n", argv[0], smallest);
        return 64;
    }
    for (int i = 0; i <= repeats; i++) {
        double took = work(size);
        if (took < 0) {
            fprintf(stderr, "%s: the result is wrong\n", argv[0]);
            return 1;
        }
        if (i > 0)
            printf("%.6f\n", took);
    }
    return 0;
}

#endif
