/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of an OpenMP construct, with a function inlined into it, on the compiler's own runtime. gcc
 * describes it as a function within main. One line of JSON: [thread, address of its variable mine[1]] of
 * each, then all wait in read().
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 2, INLINED_LINE = __LINE__ + 8, CALL_LINE = __LINE__ + 27 };
static int ends[2];
static volatile int sink;

static inline __attribute__((always_inline)) void inlined_into_the_body(void)
{
    char byte;

    if (read(ends[0], &byte, 1) < 0)
        sink = 1;
}

int main(void)
{
    if (pipe(ends))
        return 1;
    printf("{\"inlined\": %d, \"call\": %d, \"threads\": [", INLINED_LINE, CALL_LINE);
#pragma omp parallel num_threads(THREADS)
    {
        omp_lock_t mine[2];

        omp_init_lock(&mine[1]);
#pragma omp critical
        printf("[%ld, %llu], ", syscall(SYS_gettid), (unsigned long long)(uintptr_t)&mine[1]);
#pragma omp barrier
#pragma omp master
        puts("null]}"), fflush(stdout);
        inlined_into_the_body();
        omp_destroy_lock(&mine[1]);
    }
}
