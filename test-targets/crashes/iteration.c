/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends by SIGSEGV in an iteration of a loop of the sort that its argument names: "dynamic", "static",
 * "taskloop", "sections"; it says before in which one.
 */
#include <stdio.h>
#include <string.h>

static int *volatile none;
static volatile int sink;

static void work(int i, int bad)
{
    if (i == bad) {
        printf("iteration %d\n", i);
        fflush(stdout);
        *none = 1;
    }
    sink = i;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";

#pragma omp parallel num_threads(2)
    {
        if (!strcmp(how, "dynamic")) {
#pragma omp for schedule(dynamic, 4)
            for (int i = 0; i < 100; i++)
                work(i, 37);
        } else if (!strcmp(how, "static")) {
#pragma omp for schedule(static)
            for (int i = 0; i < 100; i++)
                work(i, 37);
        } else if (!strcmp(how, "sections")) {
#pragma omp sections
            {
#pragma omp section
                work(0, 1);
#pragma omp section
                work(1, 1);
            }
        } else {
#pragma omp single
#pragma omp taskloop num_tasks(10)
            for (int i = 0; i < 100; i++)
                work(i, 37);
        }
    }
    return 0;
}
