/* SPDX-License-Identifier: Apache-2.0 */
/* A thread of a team that gives itself another name; mark() is called before and after. */
#include <sys/prctl.h>

void mark(void);

void __attribute__((noinline)) mark(void)
{
    __asm__ volatile("");
}

int main(void)
{
    prctl(PR_SET_NAME, "phase-one");
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
            mark();
            prctl(PR_SET_NAME, "phase-two");
            mark();
        }
#pragma omp barrier
    }
    return 0;
}
