/* SPDX-License-Identifier: Apache-2.0 */
/* A member waits for a condition that only the program's first thread could signal, which waits for it at the
   end of the region. With an argument there is one more thread, that reads from a pipe. */
#include <omp.h>
#include <pthread.h>

#include "hang.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;

static void *serve(void *unused)
{
    int ends[2];
    char byte;

    say("c");
    if (pipe(ends) == 0 && read(ends[0], &byte, 1) == 1)
        pthread_cond_signal(&done);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    (void)argv;
    if (argc > 1)
        pthread_create(&thread, NULL, serve, NULL);
#pragma omp parallel num_threads(2) /* region */
    {
        if (omp_get_thread_num() == 1) {
            pthread_mutex_lock(&mutex);
            say("b");
            pthread_cond_wait(&done, &mutex); /* b */
            pthread_mutex_unlock(&mutex);
        } else {
            say("a");
        }
    }
}
