/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock across teams: a thread of each of two inner teams holds a lock that the other's needs. */
#include "verdict.h"

static omp_lock_t north, south;
static int holds[2];

int main(void)
{
    VERDICT(4, 0, "deadlock", "A B",
            "Deadlock: {A} holds lock north and waits for lock south at {A.at}; {B} holds lock south and "
            "waits for lock north at {B.at}. 2 more threads also wait forever.");
    omp_init_lock(&north);
    omp_init_lock(&south);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int half = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0 && half == 0) {
                omp_set_lock(&north);
                truth_set(&holds[0], 1);
                truth_await(&holds[1], 1);
                VERDICT_STAYS("A");
                omp_set_lock(&south);
            } else if (omp_get_thread_num() == 0) {
                omp_set_lock(&south);
                truth_set(&holds[1], 1);
                truth_await(&holds[0], 1);
                VERDICT_STAYS("B");
                omp_set_lock(&north);
            }
            VERDICT_STAYS("C");
#pragma omp barrier
        }
    }
}
