! SPDX-License-Identifier: Apache-2.0
! Device and resource routines on a machine without devices, and host memory by the target routines
! (OpenMP 5.2, 18.7, 18.8, 18.6).
#include "check.h"
program lib_devices
  use omp_lib
  use checks
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: host, n, bad

  call testcase('devices')
  CHECK(omp_get_num_devices() >= 0)
  host = omp_get_initial_device()
  CHECK_EQ(host, omp_get_num_devices())
  CHECK(omp_is_initial_device())
#ifndef NO_DEVICE_NUM
  CHECK_EQ(omp_get_device_num(), host)
#endif
  CHECK(omp_get_default_device() >= 0)
  call omp_set_default_device(0)
  CHECK_EQ(omp_get_default_device(), 0)

  call testcase('teams of the host')
  CHECK_EQ(omp_get_num_teams(), 1)
  CHECK_EQ(omp_get_team_num(), 0)

#ifdef __GFORTRAN__
  call testcase('kind 8 of the device number')
  call omp_set_default_device(0_8)
  CHECK_EQ(omp_get_default_device(), 0)
#endif

#ifndef NO_TARGET_ROUTINES
  call testcase('host memory by the target routines')
  call memory()
#endif

#ifndef NO_PAUSE
  call testcase('pausing gives the resources back; the next region has a team again')
  n = 0
  !$omp parallel num_threads(4) reduction(+: n)
  n = n + 1
  !$omp end parallel
  CHECK_EQ(n, 4)
  CHECK_EQ(omp_pause_resource(omp_pause_soft, host), 0)
  CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0)
  n = 0
  !$omp parallel num_threads(4) reduction(+: n)
  n = n + 1
  !$omp end parallel
  CHECK_EQ(n, 4)
  CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0)
  n = 0
  !$omp parallel num_threads(3) reduction(+: n)
  n = n + 1
  !$omp end parallel
  CHECK_EQ(n, 3)

  call testcase('pausing inside of a region is refused')
  bad = 0
  !$omp parallel num_threads(2) shared(bad)
  !$omp master
  if (omp_pause_resource(omp_pause_soft, omp_get_initial_device()) == 0) bad = bad + 1
  !$omp end master
  !$omp end parallel
  CHECK_EQ(bad, 0)
#endif

  call testcase('allocators: the default one')
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc)
  call omp_set_default_allocator(omp_large_cap_mem_alloc)
  CHECK(omp_get_default_allocator() == omp_large_cap_mem_alloc)
  call omp_set_default_allocator(omp_default_mem_alloc)

#ifndef NO_TRAITS
  call testcase('allocators with traits')
  call traits()
#endif
  call finish()

contains

  subroutine traits()
    integer(omp_allocator_handle_kind) :: a
    type(omp_alloctrait) :: t(2)
    t(1) = omp_alloctrait(omp_atk_alignment, 64)
    t(2) = omp_alloctrait(omp_atk_fallback, omp_atv_null_fb)
    a = omp_init_allocator(omp_default_mem_space, 2, t)
    CHECK(a /= omp_null_allocator)
    call omp_destroy_allocator(a)
  end subroutine traits

#ifndef NO_TARGET_ROUTINES
  subroutine memory()
    type(c_ptr) :: p
    integer, pointer :: v(:)
    integer, target :: source(10), back(10)
    integer :: i
    p = omp_target_alloc(int(40, c_size_t), int(host, c_int))
    CHECK(transfer(p, 0_c_intptr_t) /= 0)
    source = [(i * i, i = 1, 10)]
    back = 0
    i = omp_target_memcpy(p, c_loc(source), int(40, c_size_t), 0_c_size_t, 0_c_size_t, int(host, c_int), int(host, c_int))
    CHECK_EQ(i, 0)
    call c_f_pointer(p, v, [10])
    CHECK(all(v == source))
    i = omp_target_memcpy(c_loc(back), p, int(20, c_size_t), int(20, c_size_t), 0_c_size_t, int(host, c_int), &
        int(host, c_int))
    CHECK_EQ(i, 0)
    CHECK(all(back(6:10) == source(1:5)) .and. all(back(1:5) == 0))
    CHECK(omp_target_is_present(c_loc(source), int(host, c_int)) /= 0)
    call omp_target_free(p, int(host, c_int))
  end subroutine memory
#endif
end program lib_devices
