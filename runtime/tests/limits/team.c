/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Prints the size of a team. Arguments: how it is asked for (clause, routine, environment), and the number.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 0, size = 0;
    const char *how = argc > 1 ? argv[1] : "environment";
    omp_set_dynamic(getenv("TEAM_DYNAMIC") != NULL);
    if (strcmp(how, "routine") == 0)
        omp_set_num_threads(n);
    if (strcmp(how, "clause") == 0) {
#pragma omp parallel num_threads(n) reduction(max : size)
        size = omp_get_num_threads();
    } else {
#pragma omp parallel reduction(max : size)
        size = omp_get_num_threads();
    }
    printf("size %d of %d, levels %d\n", size, omp_get_num_procs(), omp_get_max_active_levels());
    return 0;
}
