! SPDX-License-Identifier: Apache-2.0
! A single construct with its executor inside; the others wait at the barrier that ends it.
program f_single
    use f_truth
    use omp_lib
    implicit none
    integer(c_int), save :: inside = 0
#ifdef __GFORTRAN__
    character(*), parameter :: waits = explicit_barrier
#else
    character(*), parameter :: waits = 'wait_barrier_implicit_workshare'
#endif
    call truth_start('f_single', 4, 0, 0)
    !$omp parallel num_threads(4)
    ! Thread 1 enters first, so it is the executor.
    if (omp_get_thread_num() /= 1) then
        call truth_await(inside, 1)
        call truth_barrier(waits, 0)
    end if
    !$omp single
    call truth_set(inside, 1)
    call truth_works
    call busy_here
    !$omp end single
    ! Behind it, or gfortran would leave it to the barrier that ends the region.
    call truth_set(inside, 2)
    !$omp end parallel
end program f_single
