/* SPDX-License-Identifier: Apache-2.0 */
/* No deadlock: the iteration whose turn it is reads from a slow partner, the later ones wait for their
 * turn. */
#include "verdict.h"

#include <unistd.h>

static int begun;

static void receive(void)
{
    char byte;
    int from = verdict_silent_pipe();
    truth_set(&begun, 1);
    VERDICT_STAYS("A");
    if (read(from, &byte, 1) < 0)
        truth_set(&begun, 2);
}

int main(void)
{
    VERDICT(3, 0, "none", "",
            "2 threads wait for the ordered region at {B.at}, where it is the turn of {A}, which waits in "
            "read for {descriptor}, called from receive at {A.at}.");
#pragma omp parallel for ordered schedule(static, 1) num_threads(3)
    for (int i = 0; i < 3; i++) {
        truth_await(&begun, i > 0);
        if (i > 0)
            VERDICT_STAYS_IN_CLANG("B");
#pragma omp ordered
        {
            receive();
        }
    }
}
