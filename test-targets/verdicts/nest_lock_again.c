/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: a task may take its nest lock again; here it has it three times and works. */
#include "verdict.h"

#include <unistd.h>

static omp_nest_lock_t tree;
static int taken;

static void descend(int depth)
{
    omp_set_nest_lock(&tree);
    if (depth > 1) {
        descend(depth - 1);
    } else {
        truth_set(&taken, 1);
        VERDICT_STAYS("A");
        pause();
    }
    omp_unset_nest_lock(&tree);
}

int main(void)
{
    VERDICT(2, 0, "none", "",
            "1 thread waits for nest lock tree at {B.at}, held by {A}, which waits in pause, called from "
            "descend at {A.at}.");
    omp_init_nest_lock(&tree);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            descend(3);
        truth_await(&taken, 1);
        VERDICT_STAYS("B");
        omp_set_nest_lock(&tree);
    }
}
