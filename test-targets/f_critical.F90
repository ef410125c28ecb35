! SPDX-License-Identifier: Apache-2.0
! Thread 3 is in a critical construct with a name; the others wait for it.
program f_critical
    use f_truth
    use omp_lib
    implicit none
    integer(c_int), save :: owner = 0
    call truth_start('f_critical', 4, 0, 0)
    !$omp parallel num_threads(4)
    if (omp_get_thread_num() /= 3) then
        call truth_await(owner, 1)
        call truth_waits('wait_critical', 'critical', c_null_ptr, truth_get(owner), 'till', &
            directive_line(__LINE__ + 2))
    end if
    !$omp critical(till)
    call truth_set(owner, truth_tid())
    call truth_works
    call busy_here
    !$omp end critical(till)
    !$omp end parallel
end program f_critical
