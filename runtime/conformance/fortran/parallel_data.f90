! SPDX-License-Identifier: Apache-2.0
! Data-sharing of parallel: private, firstprivate, shared, default, for every sort of variable (OpenMP 5.2, 5.4).
#include "check.h"
module parallel_data_types
  implicit none
  type :: point
    integer :: x = 5
    real(8) :: y = 2.5d0
    character(len=4) :: tag = 'init'
  end type point
  type :: bag
    integer, allocatable :: items(:)
    integer :: n = 0
  end type bag
end module parallel_data_types

program parallel_data
  use omp_lib
  use checks
  use parallel_data_types
  implicit none
  integer :: i, n, bad, me
  integer :: a(5), b(-1:1, 2:4)
  integer, allocatable :: c(:), d(:, :), s, gone(:)
  integer, pointer :: p
  integer, target :: t
  type(point) :: q
  type(bag) :: g
  real(8) :: x
  complex(8) :: z
  logical(1) :: l1
  character(len=7) :: word
  integer(8) :: wide
  integer(1) :: narrow

  call testcase('private leaves the original alone')
  n = 17
  a = 4
  bad = 0
  !$omp parallel private(n, a) reduction(+: bad) num_threads(4)
  n = omp_get_thread_num()
  a = n
  !$omp barrier
  if (n /= omp_get_thread_num()) bad = bad + 1
  if (any(a /= n)) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 17)
  CHECK(all(a == 4))

  call testcase('firstprivate scalars of several types')
  n = 23
  x = 1.25d0
  z = (2.0d0, -3.0d0)
  l1 = .true.
  word = 'conform'
  wide = 2_8 ** 40
  narrow = -7_1
  bad = 0
  !$omp parallel firstprivate(n, x, z, l1, word, wide, narrow) reduction(+: bad) num_threads(4)
  if (n /= 23 .or. x /= 1.25d0 .or. z /= (2.0d0, -3.0d0)) bad = bad + 1
  if (.not. l1 .or. word /= 'conform' .or. wide /= 2_8 ** 40 .or. narrow /= -7_1) bad = bad + 1
  !$omp barrier
  n = 0
  x = 0
  z = 0
  l1 = .false.
  word = 'x'
  wide = 0
  narrow = 0
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(n == 23 .and. x == 1.25d0 .and. z == (2.0d0, -3.0d0))
  CHECK(l1 .and. word == 'conform' .and. wide == 2_8 ** 40 .and. narrow == -7_1)

  call testcase('firstprivate arrays with bounds of their own')
  a = [1, 2, 3, 4, 5]
  b = reshape([(i, i = 1, 9)], [3, 3])
  bad = 0
  !$omp parallel firstprivate(a, b) private(me) reduction(+: bad) num_threads(4)
  me = omp_get_thread_num()
  if (sum(a) /= 15 .or. sum(b) /= 45) bad = bad + 1
  if (lbound(b, 1) /= -1 .or. ubound(b, 2) /= 4) bad = bad + 1
  !$omp barrier
  a = me
  b(-1, 2) = me
  !$omp barrier
  if (any(a /= me) .or. b(-1, 2) /= me .or. b(1, 4) /= 9) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(sum(a) == 15 .and. sum(b) == 45)

  call testcase('firstprivate allocatable: allocated copies with the value')
  allocate(c(3:6), d(2, 0:1), s)
  c = [10, 20, 30, 40]
  d = 7
  s = 99
  bad = 0
  !$omp parallel firstprivate(c, d, s) private(me) reduction(+: bad) num_threads(4)
  me = omp_get_thread_num()
  if (.not. allocated(c) .or. .not. allocated(d) .or. .not. allocated(s)) then
    bad = bad + 1
  else
    if (lbound(c, 1) /= 3 .or. ubound(c, 1) /= 6 .or. sum(c) /= 100) bad = bad + 1
    if (size(d) /= 4 .or. lbound(d, 2) /= 0 .or. any(d /= 7) .or. s /= 99) bad = bad + 1
    !$omp barrier
    c = me
    s = me
    !$omp barrier
    if (any(c /= me) .or. s /= me) bad = bad + 1
  end if
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(sum(c) == 100 .and. all(d == 7) .and. s == 99)

  call testcase('firstprivate unallocated allocatable stays unallocated')
  bad = 0
  !$omp parallel firstprivate(gone) reduction(+: bad) num_threads(3)
  if (allocated(gone)) bad = bad + 1
  allocate(gone(4))
  gone = 1
  if (size(gone) /= 4) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(.not. allocated(gone))

  call testcase('private allocatable may be reallocated by each thread')
  bad = 0
  !$omp parallel private(c, me) reduction(+: bad) num_threads(4)
  me = omp_get_thread_num()
  if (allocated(c)) deallocate(c)
  allocate(c(me + 1))
  c = me
  !$omp barrier
  if (size(c) /= me + 1 .or. any(c /= me)) bad = bad + 1
  deallocate(c)
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(allocated(c))
  CHECK(sum(c) == 100)

#ifndef NO_PRIVATE_INIT
  call testcase('private derived type gets its default values')
  q%x = 1
  q%y = 1
  q%tag = 'none'
  bad = 0
  !$omp parallel private(q) reduction(+: bad) num_threads(4)
  if (q%x /= 5 .or. q%y /= 2.5d0 .or. q%tag /= 'init') bad = bad + 1
  q%x = omp_get_thread_num()
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(q%x, 1)
#endif

  call testcase('firstprivate derived type')
  q = point(3, 4.5d0, 'abcd')
  bad = 0
  !$omp parallel firstprivate(q) reduction(+: bad) num_threads(4)
  if (q%x /= 3 .or. q%y /= 4.5d0 .or. q%tag /= 'abcd') bad = bad + 1
  !$omp barrier
  q%x = -1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(q%x, 3)

#ifndef NO_FIRSTPRIVATE_COMPONENTS
  call testcase('firstprivate derived type with allocatable components: a deep copy')
  allocate(g%items(4))
  g%items = [1, 2, 3, 4]
  g%n = 4
  bad = 0
  !$omp parallel firstprivate(g) reduction(+: bad) num_threads(4)
  if (.not. allocated(g%items)) then
    bad = bad + 1
  else
    if (sum(g%items) /= 10 .or. g%n /= 4) bad = bad + 1
    !$omp barrier
    g%items = omp_get_thread_num()
    !$omp barrier
    if (any(g%items /= omp_get_thread_num())) bad = bad + 1
  end if
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(sum(g%items) == 10)
#endif

  call testcase('firstprivate pointer points to the same target')
  t = 12
  p => t
  bad = 0
  !$omp parallel firstprivate(p) shared(t) reduction(+: bad) num_threads(4)
  if (.not. associated(p, t)) bad = bad + 1
  nullify(p)
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK(associated(p, t))

  call testcase('default(none) with everything listed')
  n = 3
  bad = 0
  !$omp parallel default(none) shared(n) private(i) reduction(+: bad) num_threads(4)
  i = n
  if (i /= 3) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call testcase('default(private) and default(firstprivate)')
  n = 8
  bad = 0
  !$omp parallel default(private) reduction(+: bad) num_threads(4)
  n = omp_get_thread_num()
  !$omp barrier
  if (n /= omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(n, 8)
  !$omp parallel default(firstprivate) reduction(+: bad) num_threads(4)
  if (n /= 8) bad = bad + 1
  n = n + omp_get_thread_num()
  !$omp barrier
  if (n /= 8 + omp_get_thread_num()) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(n, 8)

  call testcase('assumed-shape, assumed-size and explicit-shape dummies')
  call dummies(a, a(2:5:2), size(a))

  call testcase('variables of a block are of its thread')
  bad = 0
  !$omp parallel num_threads(4) reduction(+: bad)
  block
    integer :: mine
    mine = omp_get_thread_num()
    !$omp barrier
    if (mine /= omp_get_thread_num()) bad = bad + 1
  end block
  !$omp end parallel
  CHECK_EQ(bad, 0)

  call finish()

contains

  subroutine dummies(whole, part, m)
    integer, intent(in) :: m
    integer, intent(inout) :: whole(m)
    integer, intent(inout) :: part(:)
    integer :: wrong
    whole = [1, 2, 3, 4, 5]
    wrong = 0
    !$omp parallel firstprivate(whole) shared(part) reduction(+: wrong) num_threads(4)
    if (sum(whole) /= 15 .or. size(part) /= 2) wrong = wrong + 1
    !$omp barrier
    whole = 0
    !$omp end parallel
    CHECK_EQ(wrong, 0)
    CHECK_EQ(sum(whole), 15)
    part = 9
    CHECK_EQ(sum(whole), 1 + 9 + 3 + 9 + 5)
  end subroutine dummies
end program parallel_data
