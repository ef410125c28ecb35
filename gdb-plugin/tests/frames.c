/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 1 computes in functions whose names are, or begin like, those of runtimes and of libc; all others
   are at the region's end. With LIBRARY the innermost ones are in a library of their own. */
#include <stdio.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

void omp_burn(void);

#ifndef PROGRAM
static volatile int stop;

NOINLINE void omp_burn(void)
{
    dprintf(1, "held\n");
    while (!stop)
        ;
}
#endif

#ifndef LIBRARY
int omp_get_thread_num(void);

NOINLINE static void read_config(void)
{
    omp_burn();
    dprintf(1, "."); /* so no call is a jump, also in optimised code */
}

NOINLINE static void clone3(void)
{
    read_config();
    dprintf(1, ".");
}

NOINLINE static void GOMP_filter(void)
{
    clone3();
    dprintf(1, ".");
}

NOINLINE static void rt_solver_step(void)
{
    GOMP_filter();
    dprintf(1, ".");
}

int main(void)
{
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1)
            rt_solver_step();
    }
    return 0;
}
#endif
