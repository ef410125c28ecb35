/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Processes and devices. OpenMP 6.0 section 41.2.
 */
#include "api/api.h"

ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
                                  ompd_address_space_handle_t **host_handle)
{
    TRACED(ompd_process_initialize(context, host_handle), ARG(POINTER, context), ARG(OUT_HEX, host_handle));
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    API_TRY(api_output(context));
    API_TRY(api_output(host_handle));
    __attribute__((cleanup(tgt_free_guard))) aspace_t *aspace = NULL;
    API_TRY(tgt_alloc_zero(sizeof *aspace, &aspace));
    aspace->tag = HANDLE_ASPACE;
    aspace->references = 1;
    aspace->session = tgt_lib.session;
    aspace->tgt.reads = &aspace->reads;
    API_TRY(tgt_open(&aspace->tgt, context));
    API_TRY(kept_new(&aspace->kept));
    ompd_rc_t rc = rtm_detect(aspace);
    if (rc != ompd_rc_ok) {
        kept_free(aspace->kept);
        return api_code(rc);
    }
    *host_handle = aspace;
    aspace = NULL; /* the tool's now */
    return ompd_rc_ok;
}

ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *host_handle,
                                 ompd_address_space_context_t *device_context, ompd_device_t kind,
                                 ompd_size_t sizeof_id, void *id, ompd_address_space_handle_t **device_handle)
{
    TRACED(ompd_device_initialize(host_handle, device_context, kind, sizeof_id, id, device_handle),
           ARG(POINTER, host_handle), ARG(POINTER, device_context), ARG(NUMBER, kind), ARG(NUMBER, sizeof_id),
           ARG(POINTER, id), ARG(OUT_HEX, device_handle));
    API_ASPACE(aspace);
    (void)kind;
    (void)sizeof_id;
    API_TRY(api_enter_aspace(host_handle, &aspace));
    API_TRY(api_output(device_context));
    API_TRY(api_output(id));
    API_TRY(api_output(device_handle));
    return ompd_rc_unsupported; /* no runtime here offloads: there is no device but the host */
}

ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle)
{
    TRACED(ompd_rel_address_space_handle(handle), ARG(POINTER, handle));
    aspace_t *aspace = NULL;
    API_TRY(api_enter_aspace(handle, &aspace));
    /* Handles below it may follow later: they are stale from now on, and the last one frees the memory. */
    aspace->brk.open = false;
    brk_drop(&aspace->brk);
    kept_drop(aspace->kept);
    aspace->released = true;
    handle_put_aspace(aspace);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
                                          ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes, int *count)
{
    TRACED(ompd_get_device_thread_id_kinds(device_handle, kinds, thread_id_sizes, count),
           ARG(POINTER, device_handle), ARG(OUT_HEX, kinds), ARG(OUT_HEX, thread_id_sizes),
           ARG(OUT_INT, count));
    API_ASPACE(aspace);
    API_TRY(api_enter_aspace(device_handle, &aspace));
    API_TRY(api_output(kinds));
    API_TRY(api_output(thread_id_sizes));
    API_TRY(api_output(count));
    __attribute__((cleanup(tgt_free_guard))) ompd_thread_id_t *kind_list = NULL;
    ompd_size_t *size_list = NULL;
    API_TRY(tgt_alloc(2 * sizeof *kind_list, &kind_list));
    API_TRY(tgt_alloc(2 * sizeof *size_list, &size_list));
    kind_list[0] = OMPD_THREAD_ID_PTHREAD;
    size_list[0] = aspace->tgt.sizes.sizeof_pointer;
    kind_list[1] = OMPD_THREAD_ID_LWP; /* 8 is taken as well, but each kind is listed once */
    size_list[1] = 4;
    *kinds = kind_list;
    *thread_id_sizes = size_list;
    *count = 2;
    kind_list = NULL;
    return ompd_rc_ok;
}
