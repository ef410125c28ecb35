! SPDX-License-Identifier: Apache-2.0
!
! Threadprivate variables and common blocks (OpenMP 5.2 section 5.2): initial values, persistence, copyin,
! copyprivate, threads that come later. flang calls __kmpc_threadprivate_cached for them, gfortran uses TLS.
#define CHECK(x) call check((x), __LINE__)

module private_state
    implicit none
    integer, save :: x = 7
    real(8), save :: v(100) = 1.5d0
    integer, save :: late = 21
    !$omp threadprivate(x, v, late)
contains
    subroutine put_late(n)
        integer, intent(in) :: n
        late = n
    end subroutine put_late
    integer function get_late()
        get_late = late
    end function get_late
end module private_state

subroutine bump(n)
    implicit none
    integer :: n, a, b(5)
    common /blk/ a, b
    !$omp threadprivate(/blk/)
    a = a + n
    b = a
end subroutine bump

block data initial_values
    implicit none
    integer :: a, b(5)
    common /blk/ a, b
    !$omp threadprivate(/blk/)
    data a /3/, b /5*4/
end block data initial_values

program fortran_threadprivate
    use omp_lib
    use private_state
    use fortran_check
    implicit none
    integer :: a, b(5), bad
    integer, save :: z = 11
    common /blk/ a, b
    !$omp threadprivate(/blk/, z)

    call late_comer
    bad = 0
    !$omp parallel num_threads(4) reduction(+: bad)
    if (omp_get_thread_num() /= 0) then
        if (z /= 11) bad = bad + 1
        z = 100 + omp_get_thread_num()
    end if
    if (x /= 7 .or. any(v /= 1.5d0)) bad = bad + 1
    if (a /= 3 .or. any(b /= 4)) bad = bad + 1
    !$omp end parallel
    CHECK(bad == 0)
    CHECK(z == 11)

    z = 5
    !$omp parallel num_threads(4) reduction(+: bad) copyin(z)
    if (z /= 5) bad = bad + 1
    z = 200 + omp_get_thread_num()
    !$omp end parallel
    CHECK(bad == 0)
    CHECK(z == 200)

    ! What one region leaves, the next of the same size finds.
    !$omp parallel num_threads(4) reduction(+: bad)
    if (z /= 200 + omp_get_thread_num()) bad = bad + 1
    x = omp_get_thread_num()
    v = x
    call bump(omp_get_thread_num())
    !$omp end parallel
    CHECK(bad == 0)
    !$omp parallel num_threads(4) reduction(+: bad)
    if (a /= 3 + omp_get_thread_num() .or. any(b /= a)) bad = bad + 1
    if (x /= omp_get_thread_num() .or. any(v /= x)) bad = bad + 1
    !$omp end parallel
    CHECK(bad == 0)

    ! flang 19 and 22 forget what stands behind a common block in copyin: it stands last.
    a = 50
    b = 60
    x = 9
    v = 2.5d0
    !$omp parallel num_threads(4) reduction(+: bad) copyin(x, v, /blk/)
    if (a /= 50 .or. any(b /= 60)) bad = bad + 1
    if (x /= 9 .or. any(v /= 2.5d0)) bad = bad + 1
    a = -1
    !$omp end parallel
    CHECK(bad == 0)
    CHECK(a == -1)

    !$omp parallel num_threads(4) reduction(+: bad)
    !$omp single
    x = 77
    !$omp end single copyprivate(x)
    if (x /= 77) bad = bad + 1
    !$omp end parallel
    CHECK(bad == 0)

    ! Threads that were not there before start with the first value.
    !$omp parallel num_threads(9) reduction(+: bad)
    if (omp_get_thread_num() >= 4 .and. z /= 11) bad = bad + 1
    !$omp end parallel
    CHECK(bad == 0)
    print '(a)', 'OK'

contains

    ! A worker is the first to touch the variable: the primary's copy is the variable all the same.
    subroutine late_comer
        !$omp parallel num_threads(4)
        if (omp_get_thread_num() == 2) call put_late(100)
        !$omp end parallel
        CHECK(get_late() == 21)
        call put_late(5)
        bad = 0
        !$omp parallel num_threads(4) reduction(+: bad) copyin(late)
        if (get_late() /= 5) bad = bad + 1
        !$omp end parallel
        CHECK(bad == 0)
    end subroutine late_comer
end program fortran_threadprivate
