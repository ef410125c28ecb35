/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The taskloop construct (OpenMP 5.2, 12.6).
 */
#include "check.h"

#define N 300
static int seen[N], owner[N];

static int all_once(int n)
{
    int good = 1;
    for (int i = 0; i < N; i++) {
        good &= seen[i] == (i < n);
        seen[i] = 0;
    }
    return good;
}

CASE("each iteration runs once")
{
#pragma omp parallel
    {
#pragma omp single
        for (int n = 0; n < 40; n++) {
#pragma omp taskloop
            for (int i = 0; i < n; i++)
                ADD(seen[i], 1);
            CHECK(all_once(n)); /* the implicit taskgroup */
        }
    }
}

CASE("grainsize: tasks of at least g and less than 2g iterations")
{
    for (int g = 1; g < 40; g += 6) {
        static int task_of[N];
        int tasks = 0;
#pragma omp parallel
        {
#pragma omp single
            {
                int id = -1;
#pragma omp taskloop grainsize(g) firstprivate(id) shared(tasks)
                for (int i = 0; i < N; i++) {
                    if (id < 0)
                        id = ADD(tasks, 1);
                    task_of[i] = id;
                }
            }
        }
        int size[N + 1] = {0};
        for (int i = 0; i < N; i++) {
            size[task_of[i]]++;
            CHECK(i == 0 || task_of[i] == task_of[i - 1] || size[task_of[i]] == 1); /* contiguous */
        }
        for (int t = 1; t <= tasks; t++)
            CHECK(size[t] >= g && size[t] < 2 * g);
    }
}

CASE("num_tasks: as many tasks as asked for, or as iterations")
{
    for (int t = 1; t < 30; t += 4)
        for (int n = 1; n < 60; n += 13) {
            int tasks = 0;
#pragma omp parallel
            {
#pragma omp single
                {
                    int fresh = 1;
#pragma omp taskloop num_tasks(t) firstprivate(fresh) shared(tasks)
                    for (int i = 0; i < n; i++) {
                        ADD(tasks, fresh);
                        fresh = 0;
                        ADD(seen[i], 1);
                    }
                }
            }
            CHECK(tasks == (t < n ? t : n));
            CHECK(all_once(n));
        }
}

CASE("firstprivate, lastprivate, private and shared")
{
    int x = 10, last = -1, p = 5, sum = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop firstprivate(x) lastprivate(last) private(p) shared(sum) num_tasks(7)
            for (int i = 0; i < 100; i++) {
                p = i;
                last = i * 2;
                ADD(sum, x + p - i);
            }
            CHECK(last == 198);
        }
    }
    CHECK(sum == 1000 && p == 5 && x == 10 && last == 198);
}

CASE("the loop variable as lastprivate")
{
    int i;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop lastprivate(i) grainsize(5)
            for (i = 0; i < 77; i++)
                check_disturb(i);
        }
    }
    CHECK(i == 77);
}

CASE("downward, steps, 64 bits, unsigned")
{
    int a = 0, b = 0, c = 0, d = 0, e = 0;
    long long base = 1LL << 42;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop num_tasks(4) shared(a)
            for (int i = 100; i > 0; i -= 7)
                ADD(a, i);
#pragma omp taskloop grainsize(3) shared(b)
            for (long long i = base; i < base + 50; i += 5)
                ADD(b, (int)(i - base));
#pragma omp taskloop num_tasks(3) shared(c)
            for (unsigned i = UINT_MAX - 20; i < UINT_MAX; i++)
                ADD(c, 1);
#pragma omp taskloop num_tasks(3) shared(d)
            for (unsigned long long i = ULLONG_MAX; i > ULLONG_MAX - 33; i -= 4)
                ADD(d, 1);
#pragma omp taskloop num_tasks(5) shared(e)
            for (short s = -30; s < 30; s += 7)
                ADD(e, s);
        }
    }
    CHECK(a == 15 * 100 - 7 * 105);
    CHECK(b == 225 && c == 20 && d == 9 && e == -9 * 30 + 7 * 36);
}

CASE("if(false): undeferred tasks")
{
#pragma omp parallel
    {
#pragma omp single
        {
            int no = 0, me = omp_get_thread_num(), count = 0;
#pragma omp taskloop if (no) num_tasks(5) shared(count) firstprivate(me)
            for (int i = 0; i < 50; i++) {
                CHECK(omp_get_thread_num() == me);
                count++;
            }
            CHECK(count == 50);
#pragma omp taskloop if (taskloop : no) nogroup shared(count)
            for (int i = 0; i < 50; i++)
                count++;
            CHECK(count == 100);
        }
    }
}

CASE("nogroup: complete by the next taskwait or barrier")
{
    int count = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop nogroup num_tasks(10) shared(count)
            for (int i = 0; i < 100; i++)
                ADD(count, 1);
#pragma omp taskwait
            CHECK(LOAD(count) == 100);
#pragma omp taskloop nogroup shared(count)
            for (int i = 0; i < 100; i++)
                ADD(count, 1);
        }
        CHECK(LOAD(count) == 200);
    }
}

CASE("collapse")
{
    static int grid[9][11];
    memset(grid, 0, sizeof grid);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop collapse(2) num_tasks(8)
            for (int i = 0; i < 9; i++)
                for (int j = 10; j >= 0; j--)
                    ADD(grid[i][j], 1);
        }
    }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 11; j++)
            CHECK(grid[i][j] == 1);
}

CASE("every thread with its own taskloop")
{
    int count = 0;
#pragma omp parallel shared(count)
    {
#pragma omp taskloop num_tasks(5) shared(count)
        for (int i = 0; i < 50; i++)
            ADD(count, 1);
    }
    CHECK(count == 50 * omp_get_max_threads());
}

CASE("taskloop in a task, tasks in a taskloop")
{
    int count = 0;
#pragma omp parallel shared(count)
    {
#pragma omp single
        {
#pragma omp task shared(count)
            {
#pragma omp taskloop num_tasks(4) shared(count)
                for (int i = 0; i < 20; i++) {
#pragma omp task shared(count)
                    ADD(count, 1);
                }
                CHECK(LOAD(count) == 20);
            }
        }
    }
    CHECK(count == 20);
}

CASE("taskloop simd")
{
    static double a[N];
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop simd grainsize(20)
            for (int i = 0; i < N; i++)
                a[i] = i * 2.0;
        }
    }
    for (int i = 0; i < N; i++)
        CHECK(a[i] == i * 2.0);
}

CASE("outside of a parallel region")
{
#pragma omp taskloop num_tasks(4)
    for (int i = 0; i < N; i++)
        ADD(seen[i], 1);
    CHECK(all_once(N));
}

CASE("large firstprivate values are copied for each task")
{
    struct {
        int a[500];
    } big;
    int wrong = 0;
    for (int i = 0; i < 500; i++)
        big.a[i] = i;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop firstprivate(big) num_tasks(10) shared(wrong)
            for (int i = 0; i < 50; i++) {
                ADD(wrong, big.a[i * 10] != i * 10);
                big.a[i * 10] = -1;
            }
        }
    }
    CHECK(wrong == 0 && big.a[10] == 10);
}

CASE("the same loop's tasks may run on several threads, and owner's value is kept")
{
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop grainsize(10)
            for (int i = 0; i < N; i++)
                owner[i] = omp_get_thread_num();
        }
    }
    for (int i = 0; i < N; i++)
        CHECK(owner[i] >= 0 && owner[i] < omp_get_max_threads());
}
