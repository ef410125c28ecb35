/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks run other programs: one waits for its end in system(), one reads what it prints. */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "say.h"

static char line[64];
static int begun;

int main(void)
{
    say_verdict(3, "unknown");
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task
        {
            say_set(&begun, 1);
            SAY("child", "wait4", "'call':'system'");
            int status = system("exec sleep 600");
            exit(status);
        }
#pragma omp task
        {
            say_await(&begun, 1);
            say_set(&begun, 2);
            FILE *from = popen("exec sleep 600", "r");
            SAY("read", "read", "'call':'fgets','descriptor':%d", fileno(from));
            char *got = fgets(line, sizeof(line), from);
            exit(!got);
        }
        say_await(&begun, 2);
        say(0, "openmp", "futex", "%s", "'wait':'taskwait'");
#pragma omp taskwait
    }
}
