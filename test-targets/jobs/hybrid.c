/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of MPI and OpenMP: in step 3 two threads of one rank take two locks in different order, and the
 * other ranks wait for that rank in MPI_Allreduce. docs/jobs.md.
 *
 *   mpirun -n 8 hybrid [RANK]       RANK, 5 by default; -1: none, all of it ends
 */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 4096, STEPS = 10, WRONG_STEP = 3 };

static omp_lock_t left, right;
static double field[CELLS];
static int both; /* threads that have their first lock */

/* Not before both have one is the other one asked for: so it is no matter of time. */
static void take(omp_lock_t *first, omp_lock_t *second)
{
    int seen;

    omp_set_lock(first);
#pragma omp atomic
    both++;
    do {
#pragma omp atomic read
        seen = both;
    } while (seen < 2);
    omp_set_lock(second);
    omp_unset_lock(second);
    omp_unset_lock(first);
}

static void relax(int wrong)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 1; i < CELLS - 1; i++)
            field[i] += 1e-3 * i;
        if (wrong && omp_get_thread_num() == 1)
            take(&left, &right);
        else if (wrong && omp_get_thread_num() == 2)
            take(&right, &left);
#pragma omp barrier
    }
}

int main(int argc, char **argv)
{
    int rank, provided, wrong = argc > 1 ? atoi(argv[1]) : 5;
    double sum, all = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    omp_init_lock(&left);
    omp_init_lock(&right);
    for (int step = 0; step < STEPS; step++) {
        relax(rank == wrong && step == WRONG_STEP);
        sum = 0;
        for (int i = 0; i < CELLS; i++)
            sum += field[i];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%g\n", all);
    MPI_Finalize();
    return 0;
}
