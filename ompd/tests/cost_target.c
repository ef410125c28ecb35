/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cost_target THREADS barrier|lock: thread 0 of a region stays where it is, all others wait for the others
 * at a barrier or for its lock. Prints each thread's number, its two numbers of the system's, and where the
 * layout table is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static omp_lock_t lock;
static atomic_int told;

static void tell(void)
{
#pragma omp critical
    printf("THREAD %d %ld %llu\n", omp_get_thread_num(), syscall(SYS_gettid),
           (unsigned long long)pthread_self());
    atomic_fetch_add(&told, 1);
}

static void stay(void)
{
    while (atomic_load(&told) != omp_get_num_threads())
        ;
    printf("HELD %llu\n", (unsigned long long)(uintptr_t)dlsym(RTLD_DEFAULT, "rt_layout_table"));
    fflush(stdout);
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    const int threads = argc > 2 ? atoi(argv[1]) : 1, at_lock = argc > 2 && strcmp(argv[2], "lock") == 0;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(threads)
    {
        tell();
        if (omp_get_thread_num() == 0)
            stay();
        if (at_lock)
            omp_set_lock(&lock);
#pragma omp barrier
    }
    return 1;
}
