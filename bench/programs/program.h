/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the whole programs of the benchmark share: arguments, the clock, and how they report.
 *
 * usage: PROGRAM [SIZE] [REPEATS]
 *
 * A program computes its task REPEATS times, checks each result, and prints the seconds that the computations
 * took together. A wrong result ends it with status 1.
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
static inline int repeat(int argc, char **argv, int size, int repeats, int smallest, double (*work)(int size))
{
    double seconds = 0;
    if (argc > 1)
        size = atoi(argv[1]);
    if (argc > 2)
        repeats = atoi(argv[2]);
    if (size < smallest || repeats < 1) {
        fprintf(stderr, "usage: %s [SIZE, at least %d] [REPEATS]\n", argv[0], smallest);
        return 64;
    }
    for (int i = 0; i < repeats; i++) {
        double took = work(size);
        if (took < 0) {
            fprintf(stderr, "%s: the result is wrong\n", argv[0]);
            return 1;
        }
        seconds += took;
    }
    printf("%.6f\n", seconds);
    return 0;
}

#endif
