/* SPDX-License-Identifier: Apache-2.0 */
/* What `ompd catch` stops at, each a known number of times: 1 region of 2 threads that has 1 explicit
   barrier, 1 loop, 3 tasks, a critical construct and a lock in each thread. */
#include <dirent.h>
#include <omp.h>
#include <sched.h>

static omp_lock_t lock;
static int sum;

/* A pause returns without waiting for the threads that it ends. */
static void await_one_thread(void)
{
    for (int threads = 0; threads != 1; sched_yield()) {
        DIR *tasks = opendir("/proc/self/task");
        threads = 0;
        if (!tasks)
            return;
        for (struct dirent *entry; (entry = readdir(tasks));)
            threads += entry->d_name[0] != '.';
        closedir(tasks);
    }
}

int main(void)
{
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum++;
        omp_set_lock(&lock);
        sum++;
        omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
            __atomic_add_fetch(&sum, 1, __ATOMIC_RELAXED);
#pragma omp master
        for (int i = 0; i < 3; i++) {
#pragma omp task
            __atomic_add_fetch(&sum, 1, __ATOMIC_RELAXED);
        }
    }
    omp_pause_resource_all(omp_pause_hard); /* the second thread ends */
    await_one_thread();
    return sum == 11 ? 0 : 1;
}
