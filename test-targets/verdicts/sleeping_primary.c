/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: the primary thread sleeps in user code, the others have done their part. */
#include "verdict.h"

#include <unistd.h>

int main(void)
{
    VERDICT(4, 0, "none", "",
            "The team of 4 waits at the barrier at {B.at} for {A}, which waits in pause, called from ~ at "
            "{A.at}.");
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) {
            VERDICT_STAYS("A");
            pause();
        }
        VERDICT_STAYS("B");
#pragma omp barrier
    }
}
