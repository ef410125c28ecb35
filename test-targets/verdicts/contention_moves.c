/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: three threads hand two locks round without end. Whatever moment is looked at, somebody goes
 * on. */
#include "verdict.h"

static omp_lock_t pair[2];
static volatile long rounds;

__attribute__((noinline)) static void work(void)
{
    for (int i = 0; i < 200; i++)
        rounds = rounds + 1;
}

int main(void)
{
    VERDICT(1, 0, "none", "", "");
    omp_init_lock(&pair[0]);
    omp_init_lock(&pair[1]);
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            VERDICT_STAYS("A");
            busy_here();
        }
        for (;;) {
            omp_set_lock(&pair[0]);
            work();
            omp_set_lock(&pair[1]);
            work();
            omp_unset_lock(&pair[0]);
            work();
            omp_unset_lock(&pair[1]);
        }
    }
}
