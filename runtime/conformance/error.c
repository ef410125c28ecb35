/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The error directive at execution, severity warning; nothing and assumes (OpenMP 5.2, 8.5, 8.4, 8.3).
 */
#include "check.h"

CASE("a warning does not end the program")
{
    int reached = 0;
    fflush(stdout);
#pragma omp error at(execution) severity(warning) message("conformance: this warning is wanted")
    reached = 1;
    CHECK(reached == 1);
}

CASE("a warning without a text, and in a parallel region")
{
    int reached = 0;
#pragma omp error at(execution) severity(warning)
#pragma omp parallel num_threads(2)
    {
#pragma omp masked
        {
#pragma omp error at(execution) severity(warning) message("conformance: wanted, too")
        } ADD(reached, 1);
    }
    CHECK(reached == 2);
}

#ifndef __clang__ /* wants a literal */
CASE("a message in a variable")
{
    const char *text = "conformance: wanted, from a variable";
    int reached = 0;
#pragma omp error at(execution) severity(warning) message(text)
    reached = 1;
    CHECK(reached == 1);
}
#endif

CASE("nothing")
{
    int x = 0;
#pragma omp nothing
    x++;
    CHECK(x == 1);
}
