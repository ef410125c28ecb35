! SPDX-License-Identifier: Apache-2.0
! No deadlock: a thread in a critical section is slow, the others wait for the section.
program f_slow_critical
    use f_verdict
    use f_truth
    use omp_lib
    implicit none
    integer(c_int), save :: held = 0
    ! In the core it is in gfortran's handler of the signal, on top of pause.
    call verdict('f_slow_critical.F90', 3, 'none', '', &
        '2 threads wait for critical ''printing'' at {B.at}, held by {A}, which {waits in pause,|is in pause(),} &
        &called from busy_here at truth.c:~.')
    !$omp parallel num_threads(3)
    if (omp_get_thread_num() == 0) then
        !$omp critical (printing)
        call truth_set(held, 1)
        call stays('A', __LINE__ + 1)
        call busy_here
        !$omp end critical (printing)
    end if
    call truth_await(held, 1)
    call stays('B', 0, 'wait_critical', 'critical')
    !$omp critical (printing)
    call truth_set(held, 2)
    !$omp end critical (printing)
    !$omp end parallel
end program f_slow_critical
