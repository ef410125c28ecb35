! SPDX-License-Identifier: Apache-2.0
! Deadlock: two locks of a module in opposite orders.
module tables
    use omp_lib
    implicit none
    integer(omp_lock_kind), save :: rows, columns
end module tables

program f_crossed_locks
    use f_verdict
    use f_truth
    use omp_lib
    use tables
    implicit none
    integer(c_int), save :: first = 0, second = 0
    call verdict('f_crossed_locks.F90', 2, 'deadlock', 'A B', &
        'Deadlock: {A} holds lock tables::rows and waits for lock tables::columns at {A.at}; {B} holds lock ' // &
        'tables::columns and waits for lock tables::rows at {B.at}.')
    call omp_init_lock(rows)
    call omp_init_lock(columns)
    !$omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) then
        call omp_set_lock(rows)
        call truth_set(first, 1)
        call truth_await(second, 1)
        call stays('A', __LINE__ + 1, 'wait_lock', 'lock')
        call omp_set_lock(columns)
    else
        call omp_set_lock(columns)
        call truth_set(second, 1)
        call truth_await(first, 1)
        call stays('B', __LINE__ + 1, 'wait_lock', 'lock')
        call omp_set_lock(rows)
    end if
    !$omp end parallel
end program f_crossed_locks
