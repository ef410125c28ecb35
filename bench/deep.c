/* SPDX-License-Identifier: Apache-2.0 */
/* A region of THREADS threads, each DEPTH calls deep in the program's code: what `bt` has to show. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int work;

/* Where the debugger stops; what follows is there to be stepped over. */
void __attribute__((noinline)) held(void)
{
    for (int i = 0; i < 1000000; i++)
        work++;
    sleep(120);
}

static int __attribute__((noinline)) down(int depth, int thread)
{
    if (depth > 1)
        return down(depth - 1, thread) + work;
#pragma omp barrier
    if (thread == 0)
        held();
    pause();
    return work;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 4;
    int depth = argc > 2 ? atoi(argv[2]) : 200;
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += down(depth, omp_get_thread_num());
    printf("%d\n", sum);
    return 0;
}
