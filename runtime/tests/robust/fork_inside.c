/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * fork() inside of a region, by the primary thread and by others: the child has one thread, which begins
 * regions of its own; the team goes on in the parent.
 */
#include "robust.h"
#include "work.h"

static int forked_by(int who, int threads)
{
    int status = -3, sum = 0, met = 0;
#pragma omp parallel num_threads(threads) shared(status, met) reduction(+ : sum)
    {
#pragma omp barrier
        if (omp_get_thread_num() == who) {
            pid_t child = fork();
            if (child == 0)
                _exit(work(3) + work(2)); /* nested here: one thread each, unless levels allow more */
            status = robust_child_status(child, 20);
        }
#pragma omp barrier
#pragma omp atomic
        met++;
#pragma omp for schedule(dynamic)
        for (int i = 1; i <= 100; i++)
            sum += i;
    }
    EXPECT(sum == 5050);
    EXPECT(met == threads);
    return status;
}

static int forked_by_task(void)
{
    int status = -3;
#pragma omp parallel num_threads(3) shared(status)
#pragma omp single
    {
#pragma omp task shared(status)
        {
            pid_t child = fork();
            if (child == 0)
                _exit(work(2));
            status = robust_child_status(child, 20);
        }
#pragma omp taskwait
    }
    return status;
}

static int forked_and_region_left(void)
{
    /* The child returns from the region's block by exec: nothing of the runtime may stand in its way. */
    int status = -3;
#pragma omp parallel num_threads(3) shared(status)
    {
#pragma omp single
        {
            pid_t child = fork();
            if (child == 0) {
                execl("/bin/true", "true", (char *)NULL);
                _exit(9);
            }
            status = robust_child_status(child, 20);
        }
    }
    return status;
}

int main(void)
{
    for (int round = 0; round < 4; round++) {
        EXPECT(forked_by(0, 4) == 0);
        EXPECT(forked_by(1, 4) == 0);
        EXPECT(forked_by(3, 4) == 0);
        EXPECT(forked_by(0, 1) == 0);
    }
    EXPECT(forked_by_task() == 0);
    EXPECT(forked_and_region_left() == 0);
    omp_set_max_active_levels(3);
    EXPECT(forked_by(0, 3) == 0);
    EXPECT(forked_by(2, 3) == 0);
    EXPECT(work(4) == 0);
    return robust_end();
}
