/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the cases of gomp_cases.h and names those that do not hold; 0 when all do. Arguments: team sizes, then
 * names.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gomp_cases.h"

static int run(const struct omp_case *cases, int count, int threads, const char *only)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        if (only != NULL && strcmp(only, cases[i].name) != 0)
            continue;
        int line = cases[i].run(threads);
        if (line != 0)
            printf("%s with %d threads: line %d\n", cases[i].name, threads, line);
        bad += line != 0;
    }
    return bad;
}

int main(int argc, char **argv)
{
    static const int usual[] = {1, 2, 4, 16};
    int sizes[16], n = 0, bad = 0;
    const char *only = NULL;
    for (int i = 1; i < argc; i++)
        if (isdigit((unsigned char)argv[i][0]) && n < 16)
            sizes[n++] = atoi(argv[i]);
        else
            only = argv[i];
    if (n == 0)
        memcpy(sizes, usual, sizeof usual), n = 4;
    for (int k = 0; k < n; k++) {
        bad += run(gomp_cases, gomp_case_count, sizes[k], only);
        bad += run(gomp_calls, gomp_call_count, sizes[k], only);
    }
    return bad != 0;
}
