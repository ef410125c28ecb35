/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program of `./dev demo`: it hangs, in a way that a stack trace alone does not explain.
 *
 * A simulation with three threads. One holds the grid's lock and wants to write to the log; one writes to the
 * log and wants the grid's lock. The third has a team of its own, whose two threads wait for the same lock.
 * Eight tasks are queued that nobody gets to run. After a while the watchdog notices and calls `stuck`.
 */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { ROWS = 8 };

static omp_lock_t grid_lock;
static double grid[ROWS];
static int grid_locked, log_taken;

/* A debugger stops here: the program makes no progress any more. */
__attribute__((noinline)) void stuck(int sig)
{
    (void)sig;
    static const char text[] = "demo: no progress\n";
    if (write(2, text, sizeof text - 1) < 0)
        _exit(1);
}

static void wait_until(int *flag)
{
    int value = 0;
    while (!value) {
#pragma omp atomic read
        value = *flag;
        usleep(1000);
    }
}

static void announce(int *flag)
{
#pragma omp atomic write
    *flag = 1;
}

static void relax(int row)
{
    grid[row] = 0.5 * (grid[row] + row);
}

static void update_grid(void)
{
    omp_set_lock(&grid_lock);
    for (int row = 0; row < ROWS; row++) {
#pragma omp task firstprivate(row) depend(inout : grid[row / 2])
        relax(row);
    }
    announce(&grid_locked);
    wait_until(&log_taken);
#pragma omp critical(log)
    puts("grid updated");
    omp_unset_lock(&grid_lock);
}

static void write_log(void)
{
#pragma omp critical(log)
    {
        announce(&log_taken);
        wait_until(&grid_locked);
        omp_set_lock(&grid_lock);
        printf("first cell: %g\n", grid[0]);
        omp_unset_lock(&grid_lock);
    }
}

static void check_borders(void)
{
    wait_until(&grid_locked);
#pragma omp parallel num_threads(2)
    {
        int border = omp_get_thread_num() ? ROWS - 1 : 0;
        omp_set_lock(&grid_lock);
        if (grid[border] < 0)
            puts("a border is below zero");
        omp_unset_lock(&grid_lock);
    }
}

int main(void)
{
    omp_init_lock(&grid_lock);
    omp_set_max_active_levels(2);
    signal(SIGALRM, stuck);
    alarm(2);
#pragma omp parallel num_threads(3)
    {
        switch (omp_get_thread_num()) {
        case 0:
            update_grid();
            break;
        case 1:
            write_log();
            break;
        default:
            check_borders();
        }
    }
    omp_destroy_lock(&grid_lock);
    return 0;
}
