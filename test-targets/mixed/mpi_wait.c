/* SPDX-License-Identifier: Apache-2.0 */
/* MPI's own thread waits for a request, a pthread reads, and the team is idle. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "say.h"

static int silent;

static void *reader(void *arg)
{
    char byte;

    SAY("read", "read", "'call':'read','descriptor':%d", silent);
    ssize_t got = read(silent, &byte, 1);
    return got == 1 ? arg : NULL;
}

int main(int argc, char **argv)
{
    MPI_Request request;
    pthread_t thread;
    int provided, value = 0, sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    say_verdict(2, "none unknown");
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num();
    silent = say_silent();
    pthread_create(&thread, NULL, reader, NULL);
    MPI_Irecv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    SAY("mpi", "", "'call':'MPI_Wait'");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}
