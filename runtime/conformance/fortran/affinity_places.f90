! SPDX-License-Identifier: Apache-2.0
! The place routines, with OMP_PROC_BIND=close and a place for each of the first two processors that may be used (or the
! only one), whose numbers are in CONFORMANCE_CPUS too (OpenMP 5.2, 18.3.2 to 18.3.9).
#include "check.h"
program affinity_places
  use omp_lib
  use checks
  implicit none
  integer :: places, n, i, bad, ids(64), nums(64), part, cpus(2)
  character(len=32) :: words

  call get_environment_variable('CONFORMANCE_CPUS', words)
  cpus = -1
  read (words, *, iostat=n) cpus
  places = omp_get_num_places()
  call testcase('places and their processors')
  CHECK_EQ(places, count(cpus >= 0))
  do i = 0, places - 1
    CHECK_EQ(omp_get_place_num_procs(i), 1)
    ids = -1
    call omp_get_place_proc_ids(i, ids)
    CHECK_EQ(ids(1), cpus(i + 1))
    CHECK(ids(2) == -1)
  end do

  call testcase('a place that does not exist has no processors')
  CHECK_EQ(omp_get_place_num_procs(-1), 0)
  CHECK_EQ(omp_get_place_num_procs(places), 0)

  call testcase('the place of the thread and its partition')
  CHECK(omp_get_place_num() >= 0 .and. omp_get_place_num() < places)
  part = omp_get_partition_num_places()
  CHECK_EQ(part, places)
  nums = -1
  call omp_get_partition_place_nums(nums)
  CHECK(all(nums(1:part) == [(i, i = 0, part - 1)]))
  CHECK_EQ(nums(part + 1), -1)

  call testcase('proc_bind ICV')
  CHECK_EQ(int(omp_get_proc_bind()), int(omp_proc_bind_close))

  call testcase('close: threads stand at consecutive places from that of the primary thread')
  nums = -1
  !$omp parallel num_threads(4) shared(nums)
  nums(omp_get_thread_num() + 1) = omp_get_place_num()
  !$omp end parallel
  bad = 0
  do i = 1, 4
    if (nums(i) < 0 .or. nums(i) >= places) bad = bad + 1
  end do
  CHECK_EQ(bad, 0)
  if (places == 2) then
    CHECK_EQ(nums(1), nums(2))
    CHECK_EQ(nums(3), nums(4))
    CHECK(nums(1) /= nums(3))
  end if

  call testcase('spread divides the partition')
  bad = 0
  n = min(places, 2)
  !$omp parallel num_threads(2) proc_bind(spread) reduction(+: bad)
  if (places == 2) then
    if (omp_get_partition_num_places() /= 1) bad = bad + 1
  end if
  if (omp_get_place_num() < 0) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  CHECK_EQ(omp_get_partition_num_places(), places)

  call testcase('the clause with the primary policy: everybody where the primary thread is')
  nums = -1
  !$omp parallel num_threads(3) proc_bind(master) shared(nums)
  nums(omp_get_thread_num() + 1) = omp_get_place_num()
  !$omp end parallel
  CHECK(all(nums(1:3) == nums(1)))
  call finish()
end program affinity_places
