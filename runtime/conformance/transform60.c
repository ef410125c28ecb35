/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The loop transformations of OpenMP 6.0: reverse and interchange (6.0, 11).
 */
#include "check.h"

CASE("reverse: the order is turned round")
{
    int last = 100;
#pragma omp reverse
    for (int i = 0; i < 100; i++) {
        CHECK(i == last - 1);
        last = i;
    }
    CHECK(last == 0);
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma omp reverse
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK(sum == 4950);
}

CASE("interchange: the inner loop goes outside")
{
    int last = -1;
#pragma omp interchange
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++) {
            CHECK(j * 7 + i == last + 1);
            last = j * 7 + i;
        }
    CHECK(last == 34);
    static int seen[7][5];
#pragma omp parallel for
#pragma omp interchange
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++)
            ADD(seen[i][j], 1);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 5; j++)
            CHECK(seen[i][j] == 1);
}
