! SPDX-License-Identifier: Apache-2.0
! Thread 0 waits in taskwait for a child task, which a thread executes inside the barrier.
program f_taskwait
    use f_truth
    use omp_lib
    implicit none
    integer(c_int), save :: begun = 0
    call truth_start('f_taskwait', 4, 0, 1)
    call truth_tasks(1, 1, 0, 0, 0, 0)
    !$omp parallel num_threads(4)
    if (omp_get_thread_num() == 0) then
        !$omp task
        call truth_set(begun, 1)
        call truth_task_works
        call busy_here
        !$omp end task
        call truth_await(begun, 1)
        call truth_waits('wait_taskwait', 'taskwait', c_null_ptr, 0, '', directive_line(__LINE__ + 1))
        !$omp taskwait
    end if
    call truth_barrier(explicit_barrier, directive_line(__LINE__ + 1))
    !$omp barrier
    !$omp end parallel
end program f_taskwait
