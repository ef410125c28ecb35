! SPDX-License-Identifier: Apache-2.0
! Three threads wait for their turn in an ordered loop; iteration 1 is in the ordered region.
program f_ordered
    use f_truth
    use omp_lib
    implicit none
    integer(c_int), save :: owner = 0
    integer :: i
    call truth_start('f_ordered', 4, 0, 0)
    !$omp parallel do ordered num_threads(4) schedule(static, 1)
    do i = 1, 4
        if (i > 1) then
            call truth_await(owner, 1)
            ! No line: gfortran gives the call that enters the region the line of the loop's first statement.
            call truth_waits('wait_ordered', 'ordered', c_null_ptr, truth_get(owner), '', 0)
        end if
        !$omp ordered
        call truth_set(owner, truth_tid())
        call truth_works
        call busy_here
        !$omp end ordered
    end do
    !$omp end parallel do
end program f_ordered
