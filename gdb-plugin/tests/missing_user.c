/* SPDX-License-Identifier: Apache-2.0 */
/* User code around frames of libmissing.so; ends in abort() with one thread, another waits in the library. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

void missing_call(void (*function)(void), int depth);
void missing_wait(void);
void user_region(void);
void *user_waiter(void *nothing);

void __attribute__((noinline)) user_region(void)
{
    if (getenv("MISSING_HOLD"))
        for (;;)
            pause();
    abort();
}

void *__attribute__((noinline)) user_waiter(void *nothing)
{
    missing_wait();
    return nothing;
}

int main(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, user_waiter, NULL))
        return 2;
    usleep(200000);
    missing_call(user_region, 2);
    return 0;
}
