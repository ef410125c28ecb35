/* SPDX-License-Identifier: Apache-2.0 */
/* Runs all cases of cases.c and names those that do not hold; 0 when all do. */
#include <stdio.h>

#include "cases.h"

int main(void)
{
    static const int sizes[] = {1, 2, 4, 9};
    int bad = 0;
    for (int i = 0; i < omp_case_count; i++)
        for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            int line = omp_cases[i].run(sizes[k]);
            if (line != 0)
                printf("%s with %d threads: line %d\n", omp_cases[i].name, sizes[k], line);
            bad += line != 0;
        }
    return bad != 0;
}
