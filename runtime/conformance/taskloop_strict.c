/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The strict modifier of grainsize and num_tasks (OpenMP 5.1, 2.12.2; 5.2, 12.6.1 and 12.6.2).
 */
#include "check.h"

#define N 200
static int task_of[N];

CASE("grainsize(strict: g): each task has g iterations, the last the rest")
{
    for (int g = 1; g < 60; g += 7) {
        int tasks = 0;
#pragma omp parallel
        {
#pragma omp single
            {
                int id = -1;
#pragma omp taskloop grainsize(strict : g) firstprivate(id) shared(tasks)
                for (int i = 0; i < N; i++) {
                    if (id < 0)
                        id = ADD(tasks, 1);
                    task_of[i] = id;
                }
            }
        }
        CHECK(tasks == (N + g - 1) / g);
        for (int i = 0; i < N; i++)
            CHECK(task_of[i] == task_of[i - i % g]);
        for (int i = g; i < N; i += g)
            CHECK(task_of[i] != task_of[i - 1]);
    }
}

CASE("num_tasks(strict: t): t tasks")
{
    for (int t = 1; t < 50; t += 6) {
        int tasks = 0;
#pragma omp parallel
        {
#pragma omp single
            {
                int id = -1;
#pragma omp taskloop num_tasks(strict : t) firstprivate(id) shared(tasks)
                for (int i = 0; i < N; i++) {
                    if (id < 0)
                        id = ADD(tasks, 1);
                    task_of[i] = id;
                }
            }
        }
        CHECK(tasks == (t < N ? t : N));
    }
}

CASE("downward with a step")
{
    int tasks = 0, count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            int fresh = 1;
#pragma omp taskloop grainsize(strict : 4) firstprivate(fresh) shared(tasks, count)
            for (int i = 100; i > 0; i -= 3) {
                ADD(tasks, fresh);
                fresh = 0;
                ADD(count, 1);
            }
        }
    }
    CHECK(count == 34 && tasks == 9);
}
