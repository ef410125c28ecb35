! SPDX-License-Identifier: Apache-2.0
! Variables of Fortran in the frames of a team, and what the program says that they are: values_test.py.
module kinds
  type point
    integer :: x
    real(8) :: y
  end type
contains
  subroutine work(pass, given, word)
    integer, intent(in) :: pass
    real(8), intent(in) :: given(:)
    character(len=*), intent(in) :: word
    integer :: numbers(3), matrix(2, 3), sized(pass)
    integer(8) :: large
    logical :: yes, no
    complex(8) :: z
    character(len=5) :: name
    real(8), allocatable :: grown(:), missing(:)
    integer, target :: aim
    integer, pointer :: to, nothing
    type(point) :: corner
    numbers = (/1, 2, 3/)
    matrix = reshape((/1, 2, 3, 4, 5, 6/), (/2, 3/))
    sized = pass
    large = 2_8**40
    yes = .true.
    no = .false.
    z = (1.5d0, -2d0)
    name = 'names'
    allocate (grown(4))
    grown = 0.25d0
    aim = 77
    to => aim
    nullify (nothing)
    corner = point(4, 0.5d0)
    print '(a, i0, a, i0, a)', 'TRUTH {"pass": "', pass, '", "large": "', large, &
      '", "numbers": "(1, 2, 3)", "matrix": "((1, 2), (3, 4), (5, 6))", "yes": ".true.", "no": ".false.", '// &
      '"z": "(1.5, -2)", "name": "\"names\"", "grown": "(0.25, 0.25, 0.25, 0.25)", "to": "77", '// &
      '"nothing": "<not associated>", "corner": "{x = 4, y = 0.5}", "sized": "(3, 3, 3)", '// &
      '"given": "(2.5, 3.5)", "word": "\"word\"", '// &
      '"missing": "<not allocated, or its elements do not lie side by side>"}'
    flush (6)
    !$omp parallel num_threads(3)
    call hold()
    !$omp end parallel
    print *, matrix, sized, large, yes, no, z, name, grown, to, corner%x, numbers, given, word, allocated(missing)
    if (associated(nothing)) print *, nothing
  end subroutine

  subroutine hold()
    do
      call sleep(1)
    end do
  end subroutine
end module

program values
  use kinds
  call work(3, (/2.5d0, 3.5d0/), 'word')
end program
