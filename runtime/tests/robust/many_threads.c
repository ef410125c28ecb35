/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A team of 2,000 threads on whatever there is of processors, with stacks of 64 kB: regions, barriers, a
 * loop, a reduction, tasks, a lock. Run with OMP_STACKSIZE=64k, which the program sets for itself.
 */
#include "robust.h"
#include "work.h"

enum { MANY = 2000 };

static int region(void)
{
    static int seen[MANY];
    int team = 0, wrong = 0, sum = 0, tasks = 0, locked = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    memset(seen, 0, sizeof seen);
#pragma omp parallel num_threads(MANY) reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
        if (me < MANY)
            seen[me]++;
        else
            wrong++;
#pragma omp single
        team = omp_get_num_threads();
        wrong += seen[(me + 1) % team] != 1;
#pragma omp barrier
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 1; i <= 4000; i++)
            sum += i;
        wrong += sum != 4000 * 4001 / 2;
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
#pragma omp task shared(tasks)
#pragma omp atomic
        tasks++;
#pragma omp barrier
        wrong += tasks != team;
    }
    omp_destroy_lock(&lock);
    wrong += locked != team;
    for (int i = 0; i < team; i++)
        wrong += seen[i] != 1;
    return wrong != 0 ? -wrong : team;
}

int main(int argc, char **argv)
{
    static const char *const small[] = {"OMP_STACKSIZE=64k", "OMP_DYNAMIC=false", "OMP_THREAD_LIMIT=4000",
                                        NULL};
    if (argc > 1) {
        int first = region(), second = region();
        int few = work(3), third = region();
        printf("teams of %d, %d, %d\n", first, second, third);
        return !(first >= 1 && second >= 1 && third >= 1 && few == 0 && strcmp(argv[1], "go") == 0);
    }
    struct outcome end = robust_again("go", 50, small);
    printf("status %d, signal %d: %.400s", end.exited, end.signal, end.words);
    EXPECT(!end.late);
    EXPECT(end.exited == 0 && end.signal == 0);
    EXPECT(strstr(end.words, "teams of 2000, 2000, 2000\n") != NULL);
    return robust_end();
}
