/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Calls of MPI on a stack. MPI mostly polls: a thread in it is not asleep, and yet waits.
 */
#ifndef INSPECT_ACTIVITY_MPI_H
#define INSPECT_ACTIVITY_MPI_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Is it a function of MPI's by its name, in C or Fortran, also in a file that is not MPI's (a tool's
 * wrapper, or a static program)? */
bool mpi_is_function(const struct mdl_frame *f);
/** The call of MPI that the user's code has made: its name as in C ("MPI_Recv"), in A, and the number of its
 *  frame; NULL: the thread is in none. */
const char *mpi_call(const struct mdl_thread *t, struct arena *a, int *frame);

#ifdef __cplusplus
}
#endif
#endif
