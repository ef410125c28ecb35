! SPDX-License-Identifier: Apache-2.0
! Nested regions, 2 x 3, all working.
program f_nested
    use f_truth
    use omp_lib
    implicit none
    call truth_start('f_nested', 6, 0, 0)
    call omp_set_max_active_levels(8)
    !$omp parallel num_threads(2)
    !$omp parallel num_threads(3)
    call truth_works
    call busy_here
    !$omp end parallel
    !$omp end parallel
end program f_nested
