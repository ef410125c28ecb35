/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threads. OpenMP 6.0 section 41.4.
 */
#include <string.h>

#include "api/api.h"

ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                      ompd_thread_handle_t **thread_handle)
{
    TRACED(ompd_get_thread_in_parallel(parallel_handle, thread_num, thread_handle),
           ARG(POINTER, parallel_handle), ARG(NUMBER, thread_num), ARG(OUT_HEX, thread_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_parallel(parallel_handle, &aspace));
    API_TRY(api_output(thread_handle));
    API_TRY(aspace->rt->region_thread(aspace, &parallel_handle->base.ref, thread_num, &ref));
    return api_code(handle_new(aspace, HANDLE_THREAD, &ref, thread_handle));
}

/** The sizes that go with a kind. A tid is 4 bytes, but some tools keep it in 8. */
static ompd_rc_t check_thread_id(const aspace_t *aspace, ompd_thread_id_t kind, ompd_size_t size)
{
    if (kind == OMPD_THREAD_ID_PTHREAD)
        return size == aspace->tgt.sizes.sizeof_pointer ? ompd_rc_ok : ompd_rc_bad_input;
    if (kind == OMPD_THREAD_ID_LWP)
        return size == 4 || size == 8 ? ompd_rc_ok : ompd_rc_bad_input;
    return ompd_rc_unsupported;
}

ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
                                 ompd_size_t sizeof_thread_id, const void *thread_id,
                                 ompd_thread_handle_t **thread_handle)
{
    TRACED(ompd_get_thread_handle(handle, kind, sizeof_thread_id, thread_id, thread_handle),
           ARG(POINTER, handle), ARG(NUMBER, kind), ARG(NUMBER, sizeof_thread_id), ARG(POINTER, thread_id),
           ARG(OUT_HEX, thread_handle));
    API_ASPACE(aspace);
    struct rtm_ref ref;
    uint64_t native = 0;
    uint32_t native_4;
    API_TRY(api_enter_aspace(handle, &aspace));
    API_TRY(api_output(thread_id));
    API_TRY(api_output(thread_handle));
    API_TRY(check_thread_id(aspace, kind, sizeof_thread_id));
    if (sizeof_thread_id == 4) {
        memcpy(&native_4, thread_id, sizeof native_4);
        native = native_4;
    } else {
        memcpy(&native, thread_id, sizeof native);
    }
    API_TRY(aspace->rt->find_thread(aspace, kind, native, &ref));
    return api_code(handle_new(aspace, HANDLE_THREAD, &ref, thread_handle));
}

ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle)
{
    TRACED(ompd_rel_thread_handle(thread_handle), ARG(POINTER, thread_handle));
    return api_release(thread_handle, HANDLE_THREAD);
}

ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
                                     ompd_thread_handle_t *thread_handle_2, int *cmp_value)
{
    TRACED(ompd_thread_handle_compare(thread_handle_1, thread_handle_2, cmp_value),
           ARG(POINTER, thread_handle_1), ARG(POINTER, thread_handle_2), ARG(OUT_INT, cmp_value));
    API_ASPACE(first);
    API_ASPACE(second);
    API_TRY(api_enter_thread(thread_handle_1, &first));
    API_TRY(api_enter_thread(thread_handle_2, &second));
    API_TRY(api_output(cmp_value));
    *cmp_value = api_compare(first, &thread_handle_1->base.ref, second, &thread_handle_2->base.ref);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
                             ompd_size_t sizeof_thread_id, void *thread_id)
{
    TRACED(ompd_get_thread_id(thread_handle, kind, sizeof_thread_id, thread_id), ARG(POINTER, thread_handle),
           ARG(NUMBER, kind), ARG(NUMBER, sizeof_thread_id), ARG(POINTER, thread_id));
    API_ASPACE(aspace);
    uint64_t native;
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(thread_id));
    API_TRY(check_thread_id(aspace, kind, sizeof_thread_id));
    API_TRY(aspace->rt->thread_native(aspace, &thread_handle->base.ref, kind, &native));
    const uint32_t native_4 = (uint32_t)native;
    if (sizeof_thread_id == 4)
        memcpy(thread_id, &native_4, sizeof native_4);
    else
        memcpy(thread_id, &native, sizeof native);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
                                      ompd_address_space_handle_t **device)
{
    TRACED(ompd_get_device_from_thread(thread_handle, device), ARG(POINTER, thread_handle),
           ARG(OUT_HEX, device));
    API_ASPACE(aspace);
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(device));
    API_TRY(aspace->rt->alive(aspace, RTM_THREAD, &thread_handle->base.ref));
    *device = aspace;
    return ompd_rc_ok;
}
