/* SPDX-License-Identifier: Apache-2.0 */
/* Runs all cases of the table CASES (CASE_COUNT of them) and names those that do not hold; 0 when all do. */
#include <stdio.h>

#include "cases.h"

#ifndef CASES
#define CASES      omp_cases
#define CASE_COUNT omp_case_count
#endif

int main(void)
{
    static const int sizes[] = {1, 2, 4, 9, 16};
    int bad = 0;
    for (int i = 0; i < CASE_COUNT; i++)
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            int line = CASES[i].run(sizes[k]);
            if (line != 0)
                printf("%s with %d threads: line %d\n", CASES[i].name, sizes[k], line);
            bad += line != 0;
        }
    return bad != 0;
}
