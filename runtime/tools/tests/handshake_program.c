/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program for ompt_test.py: a parallel region, then what omp_control_tool answers.
 */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    char text[] = "text";
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads++;
    printf("program: threads %d\n", threads);
    printf("program: control %d\n", omp_control_tool(64, 5, text));
    printf("program: control %d\n", omp_control_tool(100, 0, NULL));
    printf("program: control %d\n", omp_control_tool(65, 0, NULL));
    fflush(stdout);
    return 0;
}
