/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads: 0 holds one lock that 1 waits for, and one, a nest lock and two critical regions that nobody
 * waits for; it has given back another lock. Each says at which place it is.
 */
#include <stdio.h>
#include <unistd.h>

/* As gcc's and clang's omp.h have them, or larger. */
typedef struct {
    unsigned long memory[2];
} lock;
void omp_init_lock(lock *);
void omp_set_lock(lock *);
void omp_unset_lock(lock *);
void omp_init_nest_lock(lock *);
void omp_set_nest_lock(lock *);
int omp_get_thread_num(void);
int omp_get_place_num(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);

static lock wanted, unwanted, released, nest;
static int taken;

static void say_place(void)
{
    int ids[4096] = {0}, place = omp_get_place_num(), n = place < 0 ? 0 : omp_get_place_num_procs(place);

    if (n > 4096)
        n = 0;
    if (n > 0)
        omp_get_place_proc_ids(place, ids);
    printf("thread %d %d %d", omp_get_thread_num(), (int)getpid(), place);
    for (int i = 0; i < n; i++)
        printf(" %d", ids[i]);
    printf("\n");
    fflush(stdout);
}

static void hold(void)
{
    omp_set_lock(&released);
    omp_set_lock(&wanted);
    omp_set_lock(&unwanted);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_lock(&released);
#pragma omp critical(quiet)
    {
#pragma omp critical
        {
            __atomic_store_n(&taken, 1, __ATOMIC_SEQ_CST);
            for (;;)
                pause();
        }
    }
}

int main(void)
{
    omp_init_lock(&wanted);
    omp_init_lock(&unwanted);
    omp_init_lock(&released);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(say)
        say_place();
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            hold();
        while (!__atomic_load_n(&taken, __ATOMIC_SEQ_CST))
            usleep(1000);
        omp_set_lock(&wanted);
    }
    return 0;
}
