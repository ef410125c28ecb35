/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime has started, no region was ever open: one thread, working in serial code. */
#include "truth.h"

int main(void)
{
    truth_start("serial", 1, 0, 0);
    truth_works();
    busy_here();
}
