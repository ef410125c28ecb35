/* SPDX-License-Identifier: Apache-2.0 */
/* Thread 1 looks at a flag again and again, the others are at a barrier; a pthread reads. */
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "say.h"

static int flag, silent;

static void *reader(void *arg)
{
    char byte;

    SAY("read", "read", "'call':'read','descriptor':%d", silent);
    ssize_t got = read(silent, &byte, 1);
    return got == 1 ? arg : NULL;
}

int main(void)
{
    pthread_t thread;

    say_verdict(4, "none");
    silent = say_silent();
    pthread_create(&thread, NULL, reader, NULL);
#pragma omp parallel num_threads(3)
    {
        int found = 0;

        if (omp_get_thread_num() == 1) {
            say(0, "computes", "none", "%s", "");
            while (!found) {
#pragma omp atomic read
                found = flag;
            }
        }
        SAY_BARRIER();
#pragma omp barrier
        if (omp_get_thread_num() == 2) {
#pragma omp atomic write
            flag = 1;
        }
    }
    return pthread_join(thread, NULL);
}
