// SPDX-License-Identifier: Apache-2.0
// What lies around constructs in C++: members, nested regions, tasks. print_test.py.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int arrived, taken;

extern "C" __attribute__((noinline)) void all_here()
{
    __asm__ volatile("");
}

struct Grid {
    int n;
};

struct Base {
    int inherited = 81;
};

__attribute__((noinline)) static void hold(int more)
{
    __atomic_fetch_add(&arrived, more, __ATOMIC_SEQ_CST);
    while (omp_get_thread_num() > 0 || omp_get_ancestor_thread_num(1) > 0)
        pause();
    while (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < 3)
        usleep(1000);
    all_here();
}

struct Solver : Base {
    int m = 5;

    __attribute__((noinline)) void nested(int depth)
    {
        int pass = 22;

        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            hold(omp_get_thread_num() > 0);
        } else {
            hold(omp_get_thread_num() > 0);
        }
        m += pass - 22 + depth - depth;
    }

    __attribute__((noinline)) void tasks(int width)
    {
        int height = 61;

        for (int i = 0; i < 2; i++) {
#pragma omp task
            {
                __atomic_fetch_add(&taken, 1, __ATOMIC_SEQ_CST);
                hold(1);
            }
        }
        while (__atomic_load_n(&taken, __ATOMIC_SEQ_CST) < 2)
            usleep(1000);
        __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
        hold(0);
        m += width + height;
    }

    // Its frame is gone while the tasks run.
    __attribute__((noinline)) void gone(int lost)
    {
        for (int i = 0; i < 2; i++) {
#pragma omp task
            {
                __atomic_fetch_add(&taken, 1, __ATOMIC_SEQ_CST);
                hold(1);
            }
        }
        m += lost;
    }
};

static void work(int outermost, const char *way)
{
    Solver solver;
    Grid grid = {7}, *at = &grid;
    int pass = 21;

#pragma omp parallel num_threads(3)
    {
        if (way[0] == 'n') {
            solver.nested(3);
        } else {
#pragma omp master
            {
                if (way[0] == 't') {
                    solver.tasks(60);
                } else {
                    solver.gone(62);
                    while (__atomic_load_n(&taken, __ATOMIC_SEQ_CST) < 2)
                        usleep(1000);
                    hold(1);
                }
            }
        }
    }
    if (at->n != 7 || pass != 21 || outermost != 11)
        puts("not reached");
}

int main(int argc, char **argv)
{
    omp_set_max_active_levels(2);
    work(11, argc > 1 ? argv[1] : "nested");
}
