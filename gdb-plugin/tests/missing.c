/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for a runtime with frame pointers whose file is gone: calls the function of the user, and waits. */
#include <unistd.h>

void missing_call(void (*function)(void), int depth);
void missing_wait(void);

void __attribute__((noinline)) missing_call(void (*function)(void), int depth)
{
    volatile int room[8] = {depth};

    if (depth > 0)
        missing_call(function, depth - 1);
    else
        function();
    room[1] = room[0];
}

void __attribute__((noinline)) missing_wait(void)
{
    for (;;)
        pause();
}
