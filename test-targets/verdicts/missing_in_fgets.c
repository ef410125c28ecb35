/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: a team waits at a barrier for a thread that waits for a person's answer. */
#include "verdict.h"

#include <stdio.h>

static void ask(void)
{
    char answer[16];
    FILE *from = fdopen(verdict_silent_pipe(), "r");
    VERDICT_STAYS("A");
    if (from && fgets(answer, sizeof answer, from))
        fclose(from);
}

int main(void)
{
    VERDICT(4, 0, "none", "",
            "The team of 4 waits at the barrier at {B.at} for {A}, which waits in fgets for "
            "{descriptor}, called from ask at {A.at}.");
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 3)
            ask();
        VERDICT_STAYS("B");
#pragma omp barrier
    }
}
