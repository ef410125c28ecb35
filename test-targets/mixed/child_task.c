/* SPDX-License-Identifier: Apache-2.0 */
/* A task waits for any child, and the others for that task. */
#define _GNU_SOURCE
#include <omp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

static int fetch(void)
{
    int status = 0;
    const pid_t pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        for (;;)
            pause();
    }
    SAY("child", "wait4", "'call':'wait|wait4','child':'any'");
    wait(&status);
    return status;
}

int main(void)
{
    int result = 0;

    say_verdict(1, "unknown");
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(result)
        result = fetch();
#pragma omp taskwait
    }
    return result;
}
