! SPDX-License-Identifier: Apache-2.0
! The checks of all conformance programs. A program names its cases, checks within them outside of parallel regions
! (the threads only leave results in memory), and calls finish at its end. Only failures are printed.
module checks
  implicit none
  private
  public :: testcase, check, check_eq, finish
  integer, save :: cases = 0, failures = 0
  character(len=96), save :: title = 'no case'

  interface check_eq
    module procedure check_eq_i4, check_eq_i8
  end interface

contains

  subroutine testcase(name)
    character(len=*), intent(in) :: name
    cases = cases + 1
    title = name
  end subroutine testcase

  subroutine check(condition, file, line)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: file
    integer, intent(in) :: line
    if (condition) return
    failures = failures + 1
    print '(a, a, a, i0, 1x, a)', 'FAIL ', file, ':', line, trim(title)
  end subroutine check

  subroutine check_eq_i4(got, want, file, line)
    integer, intent(in) :: got, want, line
    character(len=*), intent(in) :: file
    if (got == want) return
    failures = failures + 1
    print '(a, a, a, i0, 1x, a, a, i0, a, i0)', 'FAIL ', file, ':', line, trim(title), ': is ', got, ', should be ', want
  end subroutine check_eq_i4

  subroutine check_eq_i8(got, want, file, line)
    integer(8), intent(in) :: got, want
    integer, intent(in) :: line
    character(len=*), intent(in) :: file
    if (got == want) return
    failures = failures + 1
    print '(a, a, a, i0, 1x, a, a, i0, a, i0)', 'FAIL ', file, ':', line, trim(title), ': is ', got, ', should be ', want
  end subroutine check_eq_i8

  subroutine finish()
    print '(a, i0)', 'cases ', cases
    if (failures > 0) stop 1
  end subroutine finish
end module checks
