/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: two threads take two locks in opposite orders; a third waits at the end of the region. */
#include "verdict.h"

static omp_lock_t accounts, journal;
static int first, second;

static void transfer(void)
{
    omp_set_lock(&accounts);
    truth_set(&first, 1);
    truth_await(&second, 1);
    VERDICT_STAYS("A");
    omp_set_lock(&journal);
}

static void audit(void)
{
    omp_set_lock(&journal);
    truth_set(&second, 1);
    truth_await(&first, 1);
    VERDICT_STAYS("B");
    omp_set_lock(&accounts);
}

int main(void)
{
    VERDICT(3, 0, "deadlock", "A B",
            "Deadlock: {A} holds lock accounts and waits for lock journal at {A.at}; {B} holds lock "
            "journal and waits for lock accounts at {B.at}. 1 more thread also waits forever.");
    omp_init_lock(&accounts);
    omp_init_lock(&journal);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0)
            transfer();
        else if (omp_get_thread_num() == 1)
            audit();
        VERDICT_STAYS_SOMEWHERE("C");
    }
}
