/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlock: a circle through a lock, a nestable lock and a critical. With OMP_DEBUG=enabled it is told where
 * each was taken: the lock by omp_test_lock, the nestable lock the first time; what was given back does not
 * disturb. */
#include "verdict.h"

static omp_lock_t gate, passing;
static omp_nest_lock_t book;
static int taken[3];

static void stay_with_the_lock(void)
{
    omp_set_lock(&passing);
    while (!omp_test_lock(&gate))
        ;
    verdict_line("gate", __LINE__ - 2);
    omp_unset_lock(&passing);
    truth_set(&taken[0], 1);
    truth_await(&taken[1], 1);
    VERDICT_STAYS("A");
    omp_set_nest_lock(&book);
}

static void stay_with_the_nest_lock(void)
{
    omp_set_nest_lock(&book);
    verdict_line("book", __LINE__ - 1);
    omp_set_nest_lock(&book);
    omp_set_nest_lock(&book);
    omp_unset_nest_lock(&book);
    truth_set(&taken[1], 1);
    truth_await(&taken[2], 1);
    VERDICT_STAYS_IN_CLANG("B");
#pragma omp critical(print)
    {
    }
}

static void stay_in_the_critical(void)
{
    verdict_line("print", TRUTH_CLANG_LINE(__LINE__ + 1));
#pragma omp critical(print)
    {
        truth_set(&taken[2], 1);
        truth_await(&taken[0], 1);
        VERDICT_STAYS("C");
        omp_set_lock(&gate);
    }
}

int main(void)
{
    VERDICT(
        3, 0, "deadlock", "A B C",
        "Deadlock: {A} holds lock gate, taken at {gate.at}, and waits for nest lock book at {A.at}; {B} "
        "holds "
        "nest lock book, taken at {book.at}, and waits for critical 'print' at {B.at}; {C} holds critical "
        "'print', taken at {print.at}, and waits for lock gate at {C.at}.");
    omp_init_lock(&gate);
    omp_init_lock(&passing);
    omp_init_nest_lock(&book);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0)
            stay_with_the_lock();
        else if (omp_get_thread_num() == 1)
            stay_with_the_nest_lock();
        else
            stay_in_the_critical();
    }
}
