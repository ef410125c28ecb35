/* SPDX-License-Identifier: Apache-2.0 */
/* Teams in target regions in teams: the host executes them. libgomp begins with level 0 in each. */
#include "truth.h"

/* libgomp's routines know nothing of what is outside a target region: there a team has a root of its own. */
static void apart(int level, int root)
{
    truth_root(omp_get_level() == level ? root : 0);
}

static void innermost(void)
{
#pragma omp target
    {
        apart(0, 3);
        truth_works();
        busy_here();
    }
}

static void inner(void)
{
#pragma omp target
#pragma omp parallel num_threads(3)
    {
        apart(1, 2);
        if (omp_get_thread_num() == 1)
            innermost();
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
        truth_root(0);
    }
}

static void outer(void)
{
#pragma omp target
#pragma omp parallel num_threads(2)
    {
        apart(1, 1);
        if (omp_get_thread_num() == 0)
            inner();
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
        truth_root(0);
    }
}

int main(void)
{
    truth_start("target_nested", 5, 0, 0);
    omp_set_max_active_levels(4);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            outer();
        truth_barrier(TRUTH_EXPLICIT_BARRIER, 0);
#pragma omp barrier
        truth_root(0);
    }
}
