/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads of a team are in MPI, a third waits for the critical construct of one of them. */
#include <mpi.h>
#include <omp.h>

#include "say.h"

static int inside, tid;

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    say_verdict(3, "unknown none");
#pragma omp parallel num_threads(3)
    {
        const int me = omp_get_thread_num();
        MPI_Status status;
        int word = 0, flag = 0;

        if (me == 0) {
#pragma omp critical(talk)
            {
                tid = say_tid();
                say_set(&inside, 1);
                SAY("mpi", "", "'call':'MPI_Recv'");
                MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            }
        } else if (me == 1) {
            SAY("mpi", "", "'call':'MPI_Probe'");
            MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &flag);
        } else {
            say_await(&inside, 1);
            say(0, "openmp", "futex", "'wait':'critical','name':'talk','owner':%d", tid);
#pragma omp critical(talk)
            say_set(&inside, 2);
        }
    }
    return MPI_Finalize();
}
