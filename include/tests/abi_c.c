/* SPDX-License-Identifier: Apache-2.0 */
/* What C makes of the headers, for abi_test.cc: sizes in the same order, 0 at the end. */
#include "omp-tools.h"
#include "omp.h"

size_t abi_c_sizes(size_t index);

size_t abi_c_sizes(size_t index)
{
    static const size_t sizes[] = {
        sizeof(omp_sched_t),
        sizeof(omp_lock_t),
        sizeof(omp_nest_lock_t),
        sizeof(omp_depend_t),
        sizeof(omp_event_handle_t),
        sizeof(omp_allocator_handle_t),
        sizeof(omp_memspace_handle_t),
        sizeof(omp_interop_t),
        sizeof(omp_alloctrait_t),
        sizeof(omp_alloctrait_value_t),
        sizeof(ompt_task_flag_t),
        sizeof(ompt_parallel_flag_t),
        sizeof(ompt_frame_t),
        sizeof(ompt_record_ompt_t),
        sizeof(ompd_callbacks_t),
        sizeof(ompd_rc_t),
        sizeof(ompd_frame_info_t),
        sizeof(ompd_device_type_sizes_t),
        0,
    };
    return index < sizeof(sizes) / sizeof(sizes[0]) ? sizes[index] : 0;
}

_Static_assert(_Alignof(omp_lock_t) == 8, "omp_lock_t");
_Static_assert(_Alignof(omp_nest_lock_t) == 8, "omp_nest_lock_t");
_Static_assert((omp_uintptr_t)omp_atv_default == (omp_uintptr_t)-1, "omp_atv_default");
_Static_assert(omp_sched_monotonic == 0x80000000u, "omp_sched_monotonic");
_Static_assert(ompt_task_merged == 0x80000000u, "ompt_task_merged");
_Static_assert(offsetof(ompd_callbacks_t, get_thread_context_for_thread_id) == 80, "ompd_callbacks_t");
