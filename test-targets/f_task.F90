! SPDX-License-Identifier: Apache-2.0
! Thread 0 makes a task and works; one of the others executes the task inside the barrier.
program f_task
    use f_truth
    use omp_lib
    implicit none
    call truth_start('f_task', 3, 0, 1)
    call truth_tasks(1, 1, 0, 0, 0, 0)
    !$omp parallel num_threads(3)
    if (omp_get_thread_num() == 0) then
        !$omp task
        call truth_task_works
        call busy_here
        !$omp end task
        call truth_works
        call busy_here
    end if
    call truth_barrier(explicit_barrier, directive_line(__LINE__ + 1))
    !$omp barrier
    !$omp end parallel
end program f_task
