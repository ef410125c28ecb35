! SPDX-License-Identifier: Apache-2.0
! A message that nobody sends, received in a master construct.
program f_mpi
  use omp_lib
  use say_in_fortran
  implicit none
  include 'mpif.h'
  integer :: value, ierr, provided, status(MPI_STATUS_SIZE)

  call mpi_init_thread(MPI_THREAD_FUNNELED, provided, ierr)
  call say_verdict(2, "none unknown"//c_null_char)
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) call says(0, "openmp", "futex", "'wait':'barrier'", 0)
  !$omp master
  call says(__LINE__ + 1, "mpi", "", "'call':'MPI_Recv'", 0)
  call mpi_recv(value, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, status, ierr)
  call say_after()
  !$omp end master
  !$omp end parallel
  call mpi_finalize(ierr)
end program
