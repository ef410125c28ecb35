/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program whose constructs can be counted by reading it: stats_test.py has the numbers. With an argument
 * it forks before it begins; the child does the same work.
 */
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int done;

static void tasks(void)
{
#pragma omp taskgroup
    for (int i = 0; i < 7; i++) {
#pragma omp task
        __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    }
#pragma omp task if (0)
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
#pragma omp taskwait
}

static void region(omp_lock_t *lock)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp barrier
#pragma omp critical(ledger)
        sum++;
        omp_set_lock(lock);
        omp_unset_lock(lock);
        if (omp_get_thread_num() == 2) {
            if (omp_test_lock(lock))
                omp_unset_lock(lock);
        }
#pragma omp single
        tasks();
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 9; i++)
            __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
#pragma omp for schedule(guided) ordered
        for (int i = 0; i < 4; i++) {
#pragma omp ordered
            __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
        }
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            usleep(20000);
        }
    }
    printf("%d %d\n", sum, done);
}

int main(int argc, char **argv)
{
    omp_lock_t lock;
    int status = 0;
    (void)argv;
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    if (argc > 1 && fork() > 0)
        wait(&status);
    region(&lock);
    omp_destroy_lock(&lock);
    fflush(stdout);
    return status != 0 || done != 8 + 9 + 4;
}
