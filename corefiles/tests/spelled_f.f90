! SPDX-License-Identifier: Apache-2.0
! Locks wherever Fortran lets one put them; each worker waits for one, and the program prints what its source
! calls each.
module places
  use omp_lib
  use iso_c_binding
  implicit none
  type inner
    integer :: k
    integer(omp_lock_kind) :: lock
  end type
  type, extends(inner) :: outer
    type(inner) :: in(2, 3)
    integer(omp_lock_kind) :: own
  end type
  integer(omp_lock_kind), target :: plain, row(4), plane(-1:2, 3)
  type(inner), target :: cell, cells(5)
  type(outer), target :: whole
  integer(omp_lock_kind), allocatable, target :: given(:)
  integer(omp_lock_kind), pointer :: alone
  type(inner), pointer :: one
  integer, parameter :: most = 16
  integer(c_intptr_t) :: address(most)
  integer :: tid(most), held = 0
  character(40) :: text(most)
  interface
    integer(c_int) function gettid() bind(c)
      import c_int
    end function
    integer(c_int) function usleep(time) bind(c)
      import c_int
      integer(c_int), value :: time
    end function
  end interface
contains
  subroutine add(lock, name)
    integer(omp_lock_kind), target, intent(inout) :: lock
    character(*), intent(in) :: name
    call omp_init_lock(lock)
    call omp_set_lock(lock)
    held = held + 1
    address(held) = not(transfer(c_loc(lock), 0_c_intptr_t)) ! disguised: no pointer of its own leads to a lock
    text(held) = name
  end subroutine
  subroutine take(lock)
    integer(omp_lock_kind), intent(inout) :: lock
    call omp_set_lock(lock)
  end subroutine
  subroutine wait_for(number)
    integer, intent(in) :: number
    integer(omp_lock_kind), pointer :: lock
    call c_f_pointer(transfer(not(address(number)), c_null_ptr), lock)
    tid(number) = gettid()
    call take(lock)
  end subroutine
end module

program spelled_f
  use places
  implicit none
  integer(omp_lock_kind), target :: common_lock, other_lock
  common /shared/ common_lock, other_lock
  integer :: i, ignored
  allocate (given(7), alone, one)
  call add(plain, 'places::plain')
  call add(row(3), 'places::row(3)')
  call add(plane(0, 2), 'places::plane(0,2)')
  call add(cell%lock, 'places::cell%lock')
  call add(cells(4)%lock, 'places::cells(4)%lock')
  call add(whole%in(2, 3)%lock, 'places::whole%in(2,3)%lock')
  call add(whole%own, 'places::whole%own')
  call add(given(5), 'places::given(5)')
  call add(alone, 'places::alone')
  call add(one%lock, 'places::one%lock')
  call add(common_lock, 'common_lock')
  call add(other_lock, 'other_lock')
  !$omp parallel num_threads(held + 1) private(i, ignored)
  if (omp_get_thread_num() > 0) then
    call wait_for(omp_get_thread_num())
  else
    do while (any(tid(:held) == 0))
      ignored = usleep(1000)
    end do
    write (*, '(a)', advance='no') '{"waits": ['
    do i = 1, held
      write (*, '(a,i0,a,i0,a)', advance='no') merge('  ', ', ', i == 1)//'[', tid(i), ', ', not(address(i)), &
        ', "'//trim(text(i))//'"]'
    end do
    write (*, '(a)') ']}'
    flush (6)
    read (*, *)
  end if
  !$omp end parallel
end program
