/* SPDX-License-Identifier: Apache-2.0 */
/* Hangs: one thread sets a simple lock that it already holds, because its caller has set it. The observer
 * could unset it. */
#include "verdict.h"

static omp_lock_t table;

static void insert(void)
{
    omp_set_lock(&table);
    omp_unset_lock(&table);
}

static void grow(void)
{
    omp_set_lock(&table);
    VERDICT_STAYS_SOMEWHERE("A");
    insert();
}

int main(void)
{
    VERDICT(
        1, 0, "suspected", "A",
        "Suspected deadlock: {A} waits for lock table at self_lock.c:10, which it already holds. This is "
        "not proved: only {observer}, which is not an OpenMP thread, may still go on and could release it.");
    omp_init_lock(&table);
#pragma omp parallel num_threads(1)
    grow();
}
