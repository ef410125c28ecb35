/* SPDX-License-Identifier: Apache-2.0 */
/* The parent waits for its child, which hangs in a region of its own. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static void child(void)
{
    say_verdict(3, "unknown");
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            SAY("signal", "pause", "'call':'pause'");
            pause();
        } else {
            SAY_BARRIER();
        }
    }
    _exit(3);
}

int main(void)
{
    int sum = 0, status;

    say_verdict(1, "unknown");
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_thread_num();
    pid_t pid = fork();
    if (pid == 0)
        child();
    SAY("child", "wait4", "'call':'waitpid|wait4','child':%d", (int)pid);
    waitpid(pid, &status, 0);
    return sum;
}
