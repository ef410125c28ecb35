/* SPDX-License-Identifier: Apache-2.0 */
/** @file A library that somebody wants loaded: it says that its code has run. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void run(void)
{
    if (write(STDOUT_FILENO, "intruder\n", 9) != 9)
        _exit(1);
}
