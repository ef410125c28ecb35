/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * nteams-var and teams-thread-limit-var (OpenMP 5.2, 18.3 and 2.4).
 */
#include "check.h"

/* In a teams region itself only parallel, distribute, loop and two routines are allowed. */
static void raise_to(int *most, int n)
{
    int old = LOAD(*most);
    while (old < n && !__atomic_compare_exchange_n(most, &old, n, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}

CASE("the number of teams and the limit by routine")
{
    CHECK(omp_get_max_teams() == 0);
    CHECK(omp_get_teams_thread_limit() == 0);
    omp_set_num_teams(3);
    omp_set_teams_thread_limit(2);
    CHECK(omp_get_max_teams() == 3 && omp_get_teams_thread_limit() == 2);
    int most = 0, count = 0;
#pragma omp teams shared(most, count)
    {
        ADD(count, 1);
        CHECK(omp_get_num_teams() <= 3);
#pragma omp parallel
        raise_to(&most, omp_get_thread_limit());
    }
    CHECK(count >= 1 && count <= 3 && most >= 1 && most <= 2);
}

CASE("the clauses are stronger than the routines")
{
    int most = 0, count = 0;
    omp_set_num_teams(1);
    omp_set_teams_thread_limit(4);
#pragma omp teams num_teams(3) thread_limit(2) shared(most, count)
    {
        ADD(count, 1);
#pragma omp parallel
        raise_to(&most, omp_get_thread_limit());
    }
    CHECK(count >= 1 && count <= 3 && most >= 1 && most <= 2);
    omp_set_num_teams(0);
    omp_set_teams_thread_limit(0);
}
