/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMP_STACKSIZE is there for use, and a recursion without end meets a guard: SIGSEGV and nothing else.
 */
#include "robust.h"

#include <omp.h>

static volatile int depth_wanted;

__attribute__((noinline)) static int recurse(int depth)
{
    volatile char room[1024];
    room[0] = (char)depth;
    room[1023] = (char)depth;
    if (depth >= depth_wanted)
        return room[0];
    return recurse(depth + 1) + room[1023];
}

static int mode(const char *name)
{
    if (strcmp(name, "use") == 0) { /* three quarters of it, on every thread */
        depth_wanted = 750;
        int finished = 0, team = 0;
#pragma omp parallel num_threads(4)
        {
            recurse(0);
#pragma omp atomic
            finished++;
#pragma omp single
            team = omp_get_num_threads();
        }
        return finished != team;
    }
    depth_wanted = 1 << 30;
    if (strcmp(name, "worker") == 0) {
#pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                recurse(0);
#pragma omp barrier
        }
    }
    if (strcmp(name, "task") == 0) {
#pragma omp parallel num_threads(3)
        {
#pragma omp master
            {
#pragma omp task
                recurse(0);
            }
        }
    }
    if (strcmp(name, "initial") == 0) {
#pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == 0)
                recurse(0);
#pragma omp barrier
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    static const char *const mega[] = {"OMP_STACKSIZE=1M", NULL}, *const small[] = {"OMP_STACKSIZE=128k",
                                                                                    NULL};
    static const char *const bytes[] = {"OMP_STACKSIZE=1200000B", NULL};
    if (argc > 1)
        return mode(argv[1]);
    struct outcome end = robust_again("use", 20, mega);
    EXPECT(end.exited == 0 && end.signal == 0 && !end.late);
    end = robust_again("use", 20, bytes);
    EXPECT(end.exited == 0 && end.signal == 0 && !end.late);
    static const char *const modes[] = {"worker", "task", "initial"};
    for (int i = 0; i < 3; i++) {
        end = robust_again(modes[i], 20, small);
        if (end.signal != SIGSEGV)
            printf("%s: status %d, signal %d: %s\n", modes[i], end.exited, end.signal, end.words);
        EXPECT(end.signal == SIGSEGV && !end.late);
        end = robust_again(modes[i], 20, mega);
        EXPECT(end.signal == SIGSEGV && !end.late);
    }
    return robust_end();
}
