! SPDX-License-Identifier: Apache-2.0
! A pointer that points to nothing. gfortran's runtime handles the signal, prints, and raises it again.
program f_null
    use omp_lib
    implicit none
    integer, pointer :: table(:)

    nullify (table)
    !$omp parallel num_threads(3)
    if (omp_get_thread_num() == 1) table(3) = 1
    !$omp barrier
    !$omp end parallel
    print *, associated(table)
end program f_null
