! SPDX-License-Identifier: Apache-2.0
! Thread 0 holds a lock and works; the others wait for it.
program f_lock
    use f_truth
    use omp_lib
    implicit none
    integer(omp_lock_kind), save, target :: ledger
    integer(c_int), save :: owner = 0
    call truth_start('f_lock', 4, 0, 0)
    call omp_init_lock(ledger)
    !$omp parallel num_threads(4)
    if (omp_get_thread_num() == 0) then
        call omp_set_lock(ledger)
        call truth_set(owner, truth_tid())
        call truth_works
        call busy_here
    end if
    call truth_await(owner, 1)
    call truth_waits('wait_lock', 'lock', c_loc(ledger), truth_get(owner), 'ledger', __LINE__ + 1)
    call omp_set_lock(ledger)
    !$omp end parallel
end program f_lock
