/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/bounds.h"

#include "ompd/fuzz/call.h"

/**
 * Reads of a call about one entity, beside the directory: of a slot two or three, where its fields lie
 * apart.
 */
#define PLACES 40

/** Classes, named by the functions that are not in the largest one: those that may read whole slabs. */
enum class { SLABS, NOTHING, TABLE, ROOT, ENTITY };
/*
 * Texts of control variables are SLABS as well: a list of places, or a string of 1 MB in steps of 256 bytes.
 */

static const uint8_t classes[CALL_COUNT] = {
    [CALL_ompd_device_initialize] = NOTHING,
    [CALL_ompd_enumerate_icvs] = NOTHING,
    [CALL_ompd_enumerate_states] = NOTHING,
    [CALL_ompd_finalize] = NOTHING,
    [CALL_ompd_get_api_version] = NOTHING,
    [CALL_ompd_get_device_thread_id_kinds] = NOTHING,
    [CALL_ompd_get_version_string] = NOTHING,
    [CALL_ompd_initialize] = NOTHING,
    [CALL_ompd_parallel_handle_compare] = NOTHING,
    [CALL_ompd_rel_address_space_handle] = NOTHING,
    [CALL_ompd_rel_display_control_vars] = NOTHING,
    [CALL_ompd_rel_parallel_handle] = NOTHING,
    [CALL_ompd_rel_task_handle] = NOTHING,
    [CALL_ompd_rel_thread_handle] = NOTHING,
    [CALL_ompd_task_handle_compare] = NOTHING,
    [CALL_ompd_thread_handle_compare] = NOTHING,
    [CALL_ompdx_get_frame_rules] = NOTHING,
    [CALL_ompdx_layout_add] = NOTHING,
    [CALL_ompdx_stop_begin] = NOTHING,
    [CALL_ompdx_trace] = NOTHING,
    [CALL_ompdx_stop_end] = NOTHING,
    [CALL_ompd_process_initialize] = TABLE,
    [CALL_ompd_get_omp_version] = ROOT,
    [CALL_ompd_get_omp_version_string] = ROOT,
    [CALL_ompd_get_curr_parallel_handle] = ENTITY,
    [CALL_ompd_get_curr_task_handle] = ENTITY,
    [CALL_ompd_get_device_from_thread] = ENTITY,
    [CALL_ompd_get_enclosing_parallel_handle] = ENTITY,
    [CALL_ompd_get_generating_task_handle] = ENTITY,
    [CALL_ompd_get_icv_from_scope] = ENTITY,
    [CALL_ompd_get_scheduling_task_handle] = ENTITY,
    [CALL_ompd_get_state] = ENTITY,
    [CALL_ompd_get_task_frame] = ENTITY,
    [CALL_ompd_get_task_function] = ENTITY,
    [CALL_ompd_get_task_in_parallel] = ENTITY,
    [CALL_ompd_get_task_parallel_handle] = ENTITY,
    [CALL_ompd_get_thread_id] = ENTITY,
    [CALL_ompd_get_thread_in_parallel] = ENTITY,
    [CALL_ompd_get_tool_data] = ENTITY,
    [CALL_ompdx_get_parallel_info] = ENTITY,
    [CALL_ompdx_get_runtime_info] = ENTITY,
};

uint64_t bounds_reads(unsigned function, bool in_bracket)
{
    switch ((enum class)classes[function]) {
    case NOTHING:
        return 0;
    case TABLE:
        return 3;
    case ROOT:
        return 1;
    case ENTITY:
        /*
         * In a bracket the first one reads the slabs. Outside, the directory is read when a slab may be new,
         * and once more before a pointer is refused.
         */
        return in_bracket ? BOUNDS_ALL : 2 * (4 + BOUNDS_BLOCKS) + PLACES;
    default:
        return BOUNDS_ALL;
    }
}
