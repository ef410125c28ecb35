/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop with the schedule that the first argument names. Each member writes which iteration it is in when it
 * waits there for ever.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int omp_get_thread_num(void);

static void here(long i, int waits)
{
    if (waits) {
        printf("%d %ld\n", omp_get_thread_num(), i);
        fflush(stdout);
        for (;;)
            pause();
    }
}
int main(int argc, char **argv)
{
    const char *w = argv[1];
    long n = argc > 2 ? atol(argv[2]) : 100;
    if (!strcmp(w, "dynamic")) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 3)
        for (long i = 0; i < n; i++)
            here(i, i >= 7 || omp_get_thread_num() > 0);
    } else if (!strcmp(w, "monotonic")) {
#pragma omp parallel for num_threads(4) schedule(monotonic : dynamic, 3)
        for (long i = 10; i < n; i += 2)
            here(i, i >= 24 || omp_get_thread_num() > 0);
    } else if (!strcmp(w, "guided")) {
#pragma omp parallel for num_threads(4) schedule(guided)
        for (long i = 0; i < n; i++)
            here(i, 1);
    } else if (!strcmp(w, "static")) {
#pragma omp parallel for num_threads(4) schedule(static)
        for (long i = 0; i < n; i++)
            here(i, i % 7 == 5);
    } else if (!strcmp(w, "static3")) {
#pragma omp parallel for num_threads(4) schedule(static, 3)
        for (long i = 0; i < n; i++)
            here(i, i > 17);
    } else if (!strcmp(w, "runtime")) {
#pragma omp parallel num_threads(4)
        {
#pragma omp for schedule(runtime) nowait
            for (long i = 0; i < n; i++)
                here(i, i % 7 == 5);
        }
    } else if (!strcmp(w, "ordered")) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 2) ordered
        for (long i = 0; i < n; i++) {
#pragma omp ordered
            here(i, i == 9);
        }
    } else if (!strcmp(w, "doacross")) {
#pragma omp parallel for num_threads(4) schedule(static, 1) ordered(1)
        for (long i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
            here(i, i == 9);
#pragma omp ordered depend(source)
        }
    } else if (!strcmp(w, "sections")) {
#pragma omp parallel sections num_threads(2)
        {
#pragma omp section
            here(0, 1);
#pragma omp section
            here(1, 1);
#pragma omp section
            here(2, 1);
        }
    } else if (!strcmp(w, "taskloop")) {
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(10)
        for (long i = 0; i < n; i++)
            here(i, 1);
    }
}
