/* SPDX-License-Identifier: Apache-2.0 */
/** @file Says whether the kernel calls it secure; no OpenMP. */
#include <stdio.h>
#include <sys/auxv.h>

int main(void)
{
    printf("secure %d\n", getauxval(AT_SECURE) != 0);
    return 0;
}
