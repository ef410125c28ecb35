/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Regions of each width that is asked for, again and again, in which the threads meet in every way: barriers,
 * tasks at a barrier, copyprivate, reductions, joins, regions inside. Each thread looks at what the others
 * have done before they met.
 *
 *     meetings WIDTH...
 *
 * Prints `widths N cpus N` and ends with 1 if somebody was late, or early.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 5, PHASES = 6, MOST = 64 };

static int here[MOST], tasks, wrong;

static void expect(int got, int wanted, const char *what, int width)
{
    if (got == wanted)
        return;
    fprintf(stderr, "%s of %d threads: %d, not %d\n", what, width, got, wanted);
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static int sum(int width)
{
    int all = 0;
    for (int i = 0; i < width; i++)
        all += here[i];
    return all;
}

static void barriers(int width)
{
    int me = omp_get_thread_num();
    for (int phase = 1; phase <= PHASES; phase++) {
        here[me] = phase;
#pragma omp barrier
        expect(sum(width), phase * width, "a barrier", width);
#pragma omp barrier
    }
}

static void tasks_and_values(int width)
{
    int value = 0;
#pragma omp task
    {
#pragma omp atomic
        tasks++;
    }
#pragma omp barrier
    expect(__atomic_load_n(&tasks, __ATOMIC_RELAXED), width, "tasks at a barrier", width);
#pragma omp single copyprivate(value)
    value = width;
    expect(value, width, "copyprivate", width);
}

static void meet(int width)
{
    int threads = 0, inner = 0;
    for (int i = 0; i < MOST; i++)
        here[i] = 0;
    tasks = 0;
#pragma omp parallel num_threads(width) reduction(+ : threads, inner)
    {
        barriers(width);
        tasks_and_values(width);
        threads++;
        if (omp_get_thread_num() == width - 1) {
#pragma omp parallel num_threads(2) reduction(+ : inner)
            {
#pragma omp barrier
                inner++;
            }
        }
    }
    expect(threads, width, "a join", width);
    expect(inner, 2, "a region inside", width);
}

int main(int argc, char **argv)
{
    omp_set_max_active_levels(2);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 1; i < argc; i++) {
            int width = atoi(argv[i]);
            meet(width < MOST ? width : MOST);
        }
    printf("widths %d cpus %d\n", argc - 1, omp_get_num_procs());
    return wrong;
}
