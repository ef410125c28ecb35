/* SPDX-License-Identifier: Apache-2.0 */
/* A tool of 5.0 and a debugger of 5.0 and later, with the names of their day; compiled, never run. */
#include <omp-tools.h>
#include <string.h>

static ompt_enumerate_states_t enumerate_states;
static ompt_get_task_info_t get_task_info;
static ompt_data_t none = ompt_data_none;

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
    thread->value = (kind == ompt_thread_initial) ? ompt_id_none : 1;
}

static void on_master(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      const void *codeptr)
{
    if (endpoint == ompt_scope_begin && parallel != NULL && codeptr != NULL)
        *task = none;
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                           ompt_data_t *task, const void *codeptr)
{
    (void)parallel, (void)codeptr, (void)endpoint;
    task->value = (kind == ompt_sync_region_barrier || kind == ompt_sync_region_barrier_implicit);
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                      ompt_id_t id, const void *codeptr)
{
    (void)kind, (void)endpoint, (void)device, (void)codeptr;
    task->value = id;
}

static void on_complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin,
                        int owned)
{
    const ompt_record_ompt_t *record = (const ompt_record_ompt_t *)buffer;
    ompt_record_master_t master = record->record.master;
    ompt_record_target_t target = record->record.target;
    ompt_record_target_data_op_t op = record->record.target_data_op;
    ompt_record_target_map_t map = record->record.target_map;
    ompt_record_target_kernel_t kernel = record->record.target_kernel;
    (void)device, (void)bytes, (void)begin, (void)owned;
    (void)master, (void)target, (void)op, (void)map, (void)kernel;
}

static int tool_initialize(ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data)
{
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    ompt_callback_master_t master = on_master;
    ompt_callback_sync_region_t sync_region = on_sync_region;
    ompt_callback_target_t target = on_target;
    ompt_callback_buffer_complete_t complete = on_complete;
    int state = ompt_state_undefined;
    const char *name;
    ompt_frame_t *frame;
    enumerate_states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set_callback(ompt_callback_master, (ompt_callback_t)master);
    set_callback(ompt_callback_sync_region_wait, (ompt_callback_t)sync_region);
    if (set_callback(ompt_callback_target, (ompt_callback_t)target) == ompt_set_never)
        tool_data->ptr = (void *)ompt_addr_none;
    while (enumerate_states(state, &state, &name))
        if (state == ompt_state_wait_barrier || state == ompt_state_wait_barrier_implicit)
            break;
    if (get_task_info(0, NULL, NULL, &frame, NULL, NULL) == 2 &&
        frame->exit_frame_flags == ompt_frame_runtime)
        frame = NULL;
    return complete != NULL && initial_device_num >= 0;
}

static void tool_finalize(ompt_data_t *tool_data)
{
    tool_data->value = ompt_time_none + ompt_hwid_none + ompt_mutex_impl_none;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
    static ompt_start_tool_result_t result = {tool_initialize, tool_finalize, ompt_data_none};
    return omp_version >= 201811 && strlen(runtime_version) > 0 ? &result : NULL;
}

/* In 5.0 the wait id of ompd_get_state had the type of OMPT. */
ompd_rc_t state_of(ompd_thread_handle_t *thread, ompd_word_t *state, ompt_wait_id_t *wait_id);
ompd_rc_t state_of(ompd_thread_handle_t *thread, ompd_word_t *state, ompt_wait_id_t *wait_id)
{
    ompd_address_t address = {ompd_segment_none, 0};
    return address.segment == OMPD_SEGMENT_UNSPECIFIED ? ompd_get_state(thread, state, wait_id)
                                                       : ompd_rc_error;
}

ompd_rc_t all_icvs(ompd_address_space_handle_t *handle);
ompd_rc_t all_icvs(ompd_address_space_handle_t *handle)
{
    ompd_icv_id_t id = ompd_icv_undefined;
    ompd_scope_t scope = ompd_scope_global;
    const char *name;
    ompd_word_t value;
    ompd_rc_t rc = ompd_rc_ok;
    int more = 1;
    while (more && rc == ompd_rc_ok) {
        rc = ompd_enumerate_icvs(handle, id, &id, &name, &scope, &more);
        if (rc == ompd_rc_ok)
            ompd_get_icv_from_scope(handle, scope, id, &value);
    }
    return rc;
}
