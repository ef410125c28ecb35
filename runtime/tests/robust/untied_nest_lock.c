/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An untied task that goes on in another thread keeps its nestable locks, also when the thread that had taken
 * them lives on and wants them. clang makes a part of what stands between two scheduling points, and with
 * priorities the parts go to and fro; gcc's tasks stay where they are.
 */
#include <omp.h>

#include "robust.h"

enum { THREADS = 4, TASKS = 50, PARTS = 40 };

static omp_nest_lock_t locks[TASKS], shared_lock;
static int held[TASKS], in_shared, overlaps, moved, wrong;

/** The task's own lock, twice more in each part. */
static void one(int k, int i)
{
    omp_set_nest_lock(&locks[k]);
    if (omp_test_nest_lock(&locks[k]) != 2 * i + 2)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    held[k] = 2 * i + 2;
}

static void own_locks(void)
{
    for (int k = 0; k < TASKS; k++) {
#pragma omp task untied firstprivate(k) priority(1 + k % 8)
        {
            int first = omp_get_thread_num();
            for (int i = 0; i < PARTS; i++) {
                one(k, i);
                if (omp_get_thread_num() != first)
                    __atomic_add_fetch(&moved, 1, __ATOMIC_RELAXED);
#pragma omp taskyield
            }
            for (int i = 0; i < held[k]; i++)
                omp_unset_nest_lock(&locks[k]);
            int free = omp_test_nest_lock(&locks[k]);
            if (free != 1)
                __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
            omp_unset_nest_lock(&locks[k]);
        }
    }
#pragma omp taskwait
}

/** Tasks that do not wait for it while others have it over several of their parts. */
static void one_lock(void)
{
    for (int k = 0; k < TASKS; k++) {
#pragma omp task untied firstprivate(k) priority(1 + k % 8)
        {
            for (int turn = 0; turn < PARTS; turn++) {
                if (omp_test_nest_lock(&shared_lock) == 1) {
                    int alone = __atomic_add_fetch(&in_shared, 1, __ATOMIC_SEQ_CST) == 1;
#pragma omp taskyield
                    alone &= omp_test_nest_lock(&shared_lock) == 2;
#pragma omp taskyield
                    alone &= __atomic_sub_fetch(&in_shared, 1, __ATOMIC_SEQ_CST) == 0;
                    omp_unset_nest_lock(&shared_lock);
                    omp_unset_nest_lock(&shared_lock);
                    if (!alone)
                        __atomic_add_fetch(&overlaps, 1, __ATOMIC_RELAXED);
                }
#pragma omp taskyield
            }
        }
    }
#pragma omp taskwait
}

static int in_child(void)
{
    for (int k = 0; k < TASKS; k++)
        omp_init_nest_lock(&locks[k]);
    omp_init_nest_lock(&shared_lock);
    /* Where threads have one processor it may take a while until a task is taken by another one. */
    for (int turn = 0; turn < 10 || (turn < 500 && moved == 0); turn++) {
#pragma omp parallel num_threads(THREADS)
#pragma omp single
        {
            own_locks();
            one_lock();
        }
    }
    printf("moved %d, wrong %d, overlaps %d\n", moved, wrong, overlaps);
#ifdef __clang__
    if (moved == 0)
        return 2;
#endif
    return wrong != 0 || overlaps != 0;
}

int main(int argc, char **argv)
{
    static const char *const settings[] = {"OMP_MAX_TASK_PRIORITY=10", NULL};
    (void)argv;
    if (argc > 1)
        return in_child();
    struct outcome outcome = robust_again("child", 100, settings); /* it may hang */
    EXPECT(outcome.exited == 0);
    if (outcome.exited != 0)
        printf("%d, signal %d\n%s", outcome.exited, outcome.signal, outcome.words);
    return robust_end();
}
