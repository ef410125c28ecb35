! SPDX-License-Identifier: Apache-2.0
! With cancellation off, the default, cancel does nothing (OpenMP 5.2, 16.1).
#include "check.h"
program cancel_off
  use omp_lib
  use checks
  implicit none
  integer :: n, k, c(50)

  call testcase('the ICV')
  CHECK(.not. omp_get_cancellation())

  call testcase('cancel parallel is ignored')
  n = 0
  !$omp parallel shared(n)
  !$omp cancel parallel
  !$omp barrier
  !$omp atomic
  n = n + 1
  !$omp end parallel
  CHECK_EQ(n, omp_get_max_threads())

  call testcase('cancel do is ignored')
  c = 0
  !$omp parallel do shared(c)
  do k = 1, 50
    c(k) = 1
    !$omp cancel do
    c(k) = 2
    !$omp cancellation point do
    c(k) = 3
  end do
  CHECK(all(c == 3))

  call testcase('cancel taskgroup is ignored')
  n = 0
  !$omp parallel shared(n)
  !$omp single
  !$omp taskgroup
  do k = 1, 20
    !$omp task shared(n)
    !$omp cancel taskgroup
    !$omp atomic
    n = n + 1
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  CHECK_EQ(n, 20)
  call finish()
end program cancel_off
