/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Eight threads of the program's own at the same time, each an initial thread with teams of its own.
 * Criticals, atomics and locks hold between all of them; threadprivate variables, single and tasks stay
 * within a team.
 */
#include <pthread.h>

#include "robust.h"
#include "work.h"

enum { THREADS = 8, ROUNDS = 60 };

static int mine = -1, in_critical, in_lock;
#pragma omp threadprivate(mine)
static omp_lock_t lock;
static pthread_barrier_t gate;

static void *one(void *argument)
{
    int *bad = argument;
    pthread_barrier_wait(&gate);
    for (int round = 0; round < ROUNDS; round++) {
        int singles = 0, tasks = 0, team = 0, wrong = 0;
#pragma omp parallel num_threads(2 + round % 2) shared(singles, tasks, team) reduction(+ : wrong)
        {
            mine = omp_get_thread_num();
#pragma omp single
            {
                singles++;
                team = omp_get_num_threads();
            }
            for (int i = 0; i < 5; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
                tasks++;
            }
#pragma omp critical
            in_critical++;
            omp_set_lock(&lock);
            in_lock++;
            omp_unset_lock(&lock);
#pragma omp barrier
            wrong += mine != omp_get_thread_num() || singles != 1 || tasks != 5 * team;
        }
        *bad += wrong;
        *bad += round % 20 == 0 ? work(3) : 0;
#pragma omp critical
        in_critical += 1000000;
        if (team < 1)
            (*bad)++;
    }
    return NULL;
}

int main(void)
{
    pthread_t handles[THREADS];
    int bad[THREADS] = {0};
    omp_init_lock(&lock);
    pthread_barrier_init(&gate, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&handles[i], NULL, one, &bad[i]) == 0);
    EXPECT(work(3) == 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(handles[i], NULL);
        EXPECT(bad[i] == 0);
    }
    EXPECT(in_critical / 1000000 == THREADS * ROUNDS);
    EXPECT(in_critical % 1000000 == in_lock);
    EXPECT(in_lock >= THREADS * ROUNDS);
    omp_destroy_lock(&lock);
    EXPECT(work(4) == 0);
    return robust_end();
}
