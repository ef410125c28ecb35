/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A process with several lives, for the debugger: what it does is said by its argument, "region", "fork" or
 * "exec". In each region every thread notes what it is, by OpenMP and the kernel; thread 0 calls held().
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** What the debugger compares the extension's answers with. */
struct said {
    int tid, thread_num, team_size, level;
} said[8];
/** Threads of the region, for the debugger; and how many have noted themselves. */
int team;
static int ready;

__attribute__((noinline)) void held(void)
{
    __atomic_store_n(&ready, 0, __ATOMIC_SEQ_CST);
}

static void region(int threads)
{
    team = threads;
#pragma omp parallel num_threads(threads)
    {
        struct said me = {gettid(), omp_get_thread_num(), omp_get_num_threads(), omp_get_level()};
        said[me.thread_num] = me;
        __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
        if (me.thread_num == 0) {
            while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < threads)
                usleep(1000);
            held();
        } else {
            while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) > 0)
                usleep(1000);
        }
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "region";
    region(2);
    if (strcmp(what, "fork") == 0) {
        pid_t child = fork();
        if (child < 0)
            return 3;
        region(child ? 4 : 3);
        if (child)
            waitpid(child, NULL, 0);
    } else if (strcmp(what, "exec") == 0) {
        execl("/proc/self/exe", argv[0], "region", (char *)NULL);
        return 3;
    }
    return 0;
}
