/* SPDX-License-Identifier: Apache-2.0 */
/* A message that nobody sends, received by a thread of a team that holds what another one wants. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

#include "say.h"

static pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
static int held, tid;

int main(int argc, char **argv)
{
    int provided, value = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    say_verdict(3, "none unknown");
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            pthread_mutex_lock(&box);
            tid = say_tid();
            say_set(&held, 1);
            SAY("mpi", "", "'call':'MPI_Recv'");
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            pthread_mutex_unlock(&box);
        } else if (omp_get_thread_num() == 1) {
            say_await(&held, 1);
            SAY_MUTEX("box", &box, tid);
            pthread_mutex_lock(&box);
            pthread_mutex_unlock(&box);
        } else {
            SAY_BARRIER();
        }
    }
    return MPI_Finalize();
}
