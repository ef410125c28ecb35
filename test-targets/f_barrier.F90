! SPDX-License-Identifier: Apache-2.0
! An explicit barrier at which thread 2 is missing.
program f_barrier
    use f_truth
    use omp_lib
    implicit none
    call truth_start('f_barrier', 4, 0, 0)
    !$omp parallel num_threads(4)
    if (omp_get_thread_num() == 2) then
        call truth_works
        call busy_here
    end if
    call truth_barrier(explicit_barrier, directive_line(__LINE__ + 1))
    !$omp barrier
    !$omp end parallel
end program f_barrier
