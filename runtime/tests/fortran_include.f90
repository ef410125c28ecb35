! SPDX-License-Identifier: Apache-2.0
!
! The include file omp_lib.h; compiled in free form and in fixed form.
      program fortran_include
      use fortran_check
      implicit none
      include 'omp_lib.h'
      integer(omp_lock_kind) simple(2)
      integer(omp_nest_lock_kind) nest(2)
      type(omp_alloctrait) traits(1)
      integer(omp_allocator_handle_kind) allocator
      integer(omp_sched_kind) kind
      integer chunk, n
      call omp_set_num_threads(3)
      n = 0
!$omp parallel reduction(+: n)
      n = n + omp_get_num_threads()
!$omp end parallel
      call check(n == 9, 19)
      call omp_set_schedule(omp_sched_guided, 5)
      call omp_get_schedule(kind, chunk)
      call check(iand(kind, 7) == omp_sched_guided, 22)
      call check(chunk == 5, 23)
      simple(2) = 77
      call omp_init_lock(simple(1))
      call omp_set_lock(simple(1))
      call check(.not. omp_test_lock(simple(1)), 27)
      call omp_unset_lock(simple(1))
      call omp_destroy_lock(simple(1))
      call check(simple(2) == 77, 30)
      nest(2) = 77
      call omp_init_nest_lock(nest(1))
      call omp_set_nest_lock(nest(1))
      call check(omp_test_nest_lock(nest(1)) == 2, 34)
      call omp_unset_nest_lock(nest(1))
      call omp_unset_nest_lock(nest(1))
      call omp_destroy_nest_lock(nest(1))
      call check(nest(2) == 77, 38)
      traits(1)%key = omp_atk_alignment
      traits(1)%value = 128
      allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
      call check(allocator /= omp_null_allocator, 42)
      call omp_destroy_allocator(allocator)
      call check(omp_get_place_num_procs(9999) == 0, 44)
      call check(omp_get_wtime() > 0, 45)
      print '(a)', 'OK'
      end program fortran_include
