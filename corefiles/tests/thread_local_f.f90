! SPDX-License-Identifier: Apache-2.0
! Variables of modules, by the names that the source has for them: one of each thread's own, and one that two
! modules have.
module params
  implicit none
  integer :: steps = 12, twice = 1
  integer :: seed = 40
  !$omp threadprivate(seed)
end module params
module other
  implicit none
  integer :: twice = 2
end module other
program p
  use params
  use other, only: again => twice
  use omp_lib
  implicit none
  integer :: me
  !$omp parallel private(me) num_threads(3) copyin(seed)
  me = omp_get_thread_num()
  seed = seed + me
  !$omp critical
  print '(i0, 1x, i0)', me, seed
  flush (6)
  !$omp end critical
  !$omp barrier
  if (me == 1) call sleep(1000)
  !$omp barrier
  !$omp end parallel
  print *, steps, seed, twice, again
end program p
