! SPDX-License-Identifier: Apache-2.0
! Thread 2 holds a nest lock twice; thread 0 waits for it, thread 1 works.
program f_nest_lock
    use f_truth
    use omp_lib
    implicit none
    integer(omp_nest_lock_kind), save, target :: cabinet
    integer(c_int), save :: owner = 0
    call truth_start('f_nest_lock', 3, 0, 0)
    call omp_init_nest_lock(cabinet)
    !$omp parallel num_threads(3)
    if (omp_get_thread_num() == 2) then
        call omp_set_nest_lock(cabinet)
        call omp_set_nest_lock(cabinet)
        call truth_set(owner, truth_tid())
    else if (omp_get_thread_num() == 0) then
        call truth_await(owner, 1)
        call truth_waits('wait_lock', 'nest_lock', c_loc(cabinet), truth_get(owner), 'cabinet', __LINE__ + 1)
        call omp_set_nest_lock(cabinet)
    end if
    call truth_works
    call busy_here
    !$omp end parallel
end program f_nest_lock
