/* SPDX-License-Identifier: Apache-2.0 */
/* One thread in a section; the others found none and wait at the end of the construct. */
#include "truth.h"

int main(void)
{
    truth_start("sections", 4, 0, 1);
#pragma omp parallel num_threads(4)
    {
        /* Which thread gets the section is the implementation's business: that one takes its word back. */
        truth_barrier(TRUTH_LAST_WORKSHARE, 0);
#pragma omp sections
        {
#pragma omp section
            {
                truth_works();
                busy_here();
            }
        }
    }
}
