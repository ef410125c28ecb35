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
    API_ASPACE(aspace);
    struct rtm_ref ref;
    API_TRY(api_enter_parallel(parallel_handle, &aspace));
    API_TRY(api_output(thread_handle));
    API_TRY(aspace->rt->region_thread(aspace, &parallel_handle->ref, thread_num, &ref));
    return api_code(handle_new_thread(aspace, &ref, thread_handle));
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
    return api_code(handle_new_thread(aspace, &ref, thread_handle));
}

ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle)
{
    aspace_t *aspace = NULL;
    ompd_rc_t rc = api_enter_thread(thread_handle, &aspace);
    if (rc == ompd_rc_stale_handle && thread_handle != NULL && thread_handle->tag == HANDLE_THREAD &&
        api_outlives(thread_handle->aspace))
        rc = ompd_rc_ok;
    API_TRY(rc);
    handle_free_thread(thread_handle);
    return ompd_rc_ok;
}

ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
                                     ompd_thread_handle_t *thread_handle_2, int *cmp_value)
{
    API_ASPACE(first);
    API_ASPACE(second);
    API_TRY(api_enter_thread(thread_handle_1, &first));
    API_TRY(api_enter_thread(thread_handle_2, &second));
    API_TRY(api_output(cmp_value));
    *cmp_value = api_compare(first, &thread_handle_1->ref, second, &thread_handle_2->ref);
    return ompd_rc_ok;
}

ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
                             ompd_size_t sizeof_thread_id, void *thread_id)
{
    API_ASPACE(aspace);
    uint64_t native;
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(thread_id));
    API_TRY(check_thread_id(aspace, kind, sizeof_thread_id));
    API_TRY(aspace->rt->thread_native(aspace, &thread_handle->ref, kind, &native));
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
    API_ASPACE(aspace);
    API_TRY(api_enter_thread(thread_handle, &aspace));
    API_TRY(api_output(device));
    API_TRY(aspace->rt->alive(aspace, RTM_THREAD, &thread_handle->ref));
    *device = aspace;
    return ompd_rc_ok;
}
