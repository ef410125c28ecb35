! SPDX-License-Identifier: Apache-2.0
! The affinity format: routines with character arguments (OpenMP 5.2, 18.3.12 to 18.3.15, 21.2.6).
#include "check.h"
program affinity_display
  use omp_lib
  use checks
  implicit none
  character(len=80) :: buffer, want
  character(len=6) :: small
  character(len=40) :: lines(0:3)
  integer :: n, bad, i

  call testcase('set and get: the length and the text, padded with blanks')
  call omp_set_affinity_format('T=%n of %N')
  buffer = repeat('#', 80)
  n = omp_get_affinity_format(buffer)
  CHECK_EQ(n, 10)
  CHECK(buffer == 'T=%n of %N')
  CHECK(buffer(80:80) == ' ')

#ifndef NO_AFFINITY_TRUNCATE
  call testcase('a buffer that is too small gets the beginning; the length is the full one')
  small = '######'
  n = omp_get_affinity_format(small)
  CHECK_EQ(n, 10)
  CHECK(small(1:5) == 'T=%n ')
#endif

  call testcase('capture with the stored format')
  buffer = repeat('#', 80)
  n = omp_capture_affinity(buffer, '')
  CHECK_EQ(n, 8)
  CHECK(buffer == 'T=0 of 1')
  buffer = repeat('#', 80)
  n = omp_capture_affinity(buffer, 'level %L thread %n size %N')
  CHECK_EQ(n, 23)
  CHECK(buffer == 'level 0 thread 0 size 1')

  call testcase('long field names')
  buffer = ' '
  n = omp_capture_affinity(buffer, '%{nesting_level}/%{thread_num}/%{num_threads}/%{ancestor_tnum}')
  CHECK(buffer == '0/0/1/-1')

  call testcase('widths, zeros and right alignment')
  buffer = ' '
  n = omp_capture_affinity(buffer, '[%5n][%0.5n][%.5n]')
  CHECK(buffer == '[0    ][00000][    0]')
  CHECK_EQ(n, 21)

  call testcase('percent, and text without fields')
  buffer = ' '
  n = omp_capture_affinity(buffer, '100%% of it')
  CHECK(buffer == '100% of it')
  CHECK_EQ(n, 10)

  call testcase('in a team, each thread its own')
  lines = ' '
  bad = 0
  !$omp parallel num_threads(4) private(n) shared(lines) reduction(+: bad)
  n = omp_capture_affinity(lines(omp_get_thread_num()), 'L%L T%n/%N A%a')
  if (n /= 11 - 1) bad = bad + 1
  !$omp end parallel
  CHECK_EQ(bad, 0)
  do i = 0, 3
    write (want, '(a, i1, a)') 'L1 T', i, '/4 A0'
    CHECK(lines(i) == want)
  end do

  call testcase('the processors of the thread, its host and process')
  buffer = ' '
  n = omp_capture_affinity(buffer, '%A|%H|%P|%i')
  CHECK(n > 6)
  CHECK(index(buffer, '|') > 1)
  CHECK(scan(buffer(1:1), '0123456789') == 1)

  call testcase('trailing blanks')
  call omp_set_affinity_format('abc   ')
  n = omp_get_affinity_format(buffer)
  CHECK(buffer == 'abc')
  CHECK(n == 3 .or. n == 6)
  call finish()
end program affinity_display
