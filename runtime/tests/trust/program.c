/* SPDX-License-Identifier: Apache-2.0 */
/** @file An OpenMP program that says whether the kernel calls it secure, and how many threads it had. */
#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    printf("secure %d threads %d\n", getauxval(AT_SECURE) != 0, threads);
    return 0;
}
