! SPDX-License-Identifier: Apache-2.0
! What the Fortran test programs share: a check that ends the program with the line where it failed.
module fortran_check
    implicit none
contains
    subroutine check(good, line)
        logical, intent(in) :: good
        integer, intent(in) :: line
        if (good) return
        print '(a,i0)', 'FAILED line ', line
        stop 1
    end subroutine check
end module fortran_check
