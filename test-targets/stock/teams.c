/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A league on the host. libgomp and Companion let one thread be the initial thread of one team after the
 * other, libomp lets all teams work at once (TRUTH_TEAMS_AT_ONCE).
 */
#include "truth.h"
#include <stdlib.h>

int main(void)
{
    truth_start("teams", getenv("TRUTH_TEAMS_AT_ONCE") ? 4 : 2, 0, 0);
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
