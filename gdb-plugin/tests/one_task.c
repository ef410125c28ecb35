/* SPDX-License-Identifier: Apache-2.0 */
/* A region with one task; what it prints is 10 when every line was run once by whom it is for. */
#include <stdio.h>

static int sum;

static void body(int i)
{
    __atomic_add_fetch(&sum, i, __ATOMIC_RELAXED); /* in the task */
}

int main(void)
{
    int before = 1; /* before the region */
#pragma omp parallel num_threads(2)
    {
        __atomic_add_fetch(&sum, 2, __ATOMIC_RELAXED); /* in the region */
#pragma omp single
        {
#pragma omp task
            body(5);
        }
    }
    sum += before; /* after the region */
    printf("%d\n", sum);
    return 0;
}
