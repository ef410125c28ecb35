/* SPDX-License-Identifier: Apache-2.0 */
/* One member of four leaves out a barrier. */
#include <omp.h>

#include "hang.h"

int main(void)
{
#pragma omp parallel num_threads(4) /* region */
    {
        if (omp_get_thread_num() != 2) {
            say("a");
#pragma omp barrier /* a */
        } else {
            say("b");
        }
    }
}
