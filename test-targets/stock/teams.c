/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A league on the host. gcc's library lets one thread be the initial thread of one team after the other,
 * LLVM's lets all teams work at once.
 */
#include "truth.h"

#ifdef __clang__
enum { TEAMS = 2 };
#else
enum { TEAMS = 1 };
#endif

int main(void)
{
    truth_start("teams", 2 * TEAMS, 0, 0);
#pragma omp teams num_teams(2) thread_limit(4)
    {
#pragma omp parallel num_threads(2)
        {
            truth_root(omp_get_team_num());
            if (omp_get_thread_num() == 1) {
                truth_works();
                busy_here();
            }
            truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
            truth_root(0);
        }
    }
}
