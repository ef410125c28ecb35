/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: one thread takes a simple lock that it has, and no other thread is left that could release it. */
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
    VERDICT(1, 0, "deadlock", "A",
            "Deadlock: {A} waits for lock table at self_lock_alone.c:9, which it already holds.");
    truth_alone();
    omp_init_lock(&table);
#pragma omp parallel num_threads(1)
    grow();
}
