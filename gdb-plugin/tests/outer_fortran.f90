! SPDX-License-Identifier: Apache-2.0
! As outer.c, for a variable of an internal subroutine: print_test.py.
program outer
  call work(3)
contains
  subroutine work(pass)
    integer, intent(in) :: pass
    integer :: shade, unused, arrived, now
    shade = 40 + pass
    unused = 70
    arrived = 0
    print '(a, i0, a, i0, a, i0, a)', 'TRUTH {"pass": ', pass, ', "shade": ', shade, &
      ', "unused": ', unused, '}'
    flush (6)
    !$omp parallel num_threads(4) private(now)
    !$omp atomic
    arrived = arrived + 1
    do
      !$omp atomic read
      now = arrived
      if (now == 4) exit
      call sleep(1)
    end do
    call hold()
    !$omp end parallel
  end subroutine

  subroutine hold()
    use omp_lib
    if (omp_get_thread_num() == 0) call all_here()
    do
      call sleep(1)
    end do
  end subroutine

  subroutine all_here()
  end subroutine
end program
