/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that goes from place to place, and at each one prints what it knows of itself and waits for a
 * line:
 *   PHASE number tid thread_num team_size level explicit max_threads
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int phase;

/* The other threads of a team go no further than this barrier: they wait in the runtime. */
static void here(int is_explicit)
{
    char byte;
    printf("PHASE %d %d %d %d %d %d %d\n", ++phase, (int)syscall(SYS_gettid), omp_get_thread_num(),
           omp_get_num_threads(), omp_get_level(), is_explicit, omp_get_max_threads());
    fflush(stdout);
    while (read(0, &byte, 1) == 1 && byte != '\n')
        ;
}

static void region(int threads)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp master
        here(0);
#pragma omp barrier
    }
}

/* Becomes an OpenMP thread by its region, and ends. */
static void *foreign(void *unused)
{
    region(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    omp_set_dynamic(0);
    omp_set_max_active_levels(4);
    omp_set_num_threads(7);
    region(3); /* 1 */
    omp_set_num_threads(5);
    region(2); /* 2 */
    here(0);   /* 3 */
    region(3); /* 4: the slots of 1 */
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            region(2); /* 5: nested */
#pragma omp task if (0)
            here(1); /* 6 */
        }
#pragma omp barrier
    }
    if (pthread_create(&thread, NULL, foreign, NULL) != 0) /* 7 */
        return 1;
    pthread_join(thread, NULL);
    here(0); /* 8 */
    return 0;
}
