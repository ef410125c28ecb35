/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

ompd_rc_t api_code(ompd_rc_t rc)
{
    if (!tgt_lib.ready)
        return rc;
    if (rc == ompd_rc_incomplete && tgt_lib.version < OMPD_VERSION_51)
        return ompd_rc_ok;
    if (rc == ompd_rc_callback_error && tgt_lib.version < OMPD_VERSION_51)
        return ompd_rc_error;
    if (rc == ompd_rc_incompatible_handle && tgt_lib.version < OMPD_VERSION_60)
        return ompd_rc_stale_handle;
    return rc;
}

void api_leave(aspace_t **aspace)
{
    if (*aspace != NULL && !(*aspace)->brk.open)
        brk_drop(&(*aspace)->brk);
}

/** A pointer to anything with a tag: is it of the wanted sort? */
static ompd_rc_t check_tag(const void *handle, enum handle_tag wanted)
{
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    if (handle == NULL)
        return ompd_rc_stale_handle;
    const uint32_t tag = *(const uint32_t *)handle;
    if (tag == (uint32_t)wanted)
        return ompd_rc_ok;
    switch (tag) {
    case HANDLE_ASPACE:
    case HANDLE_THREAD:
    case HANDLE_PARALLEL:
    case HANDLE_TASK:
        return ompd_rc_incompatible_handle;
    default:
        return ompd_rc_stale_handle;
    }
}

/**
 * The handle is ours; a handle of a released address space is stale, and so is one from before the last
 * ompd_finalize: its context and its memory belong to callbacks that may be gone.
 */
static ompd_rc_t enter(const aspace_t *aspace, aspace_t **ret)
{
    if (aspace->released || aspace->session != tgt_lib.session)
        return ompd_rc_stale_handle;
    *ret = (aspace_t *)aspace;
    (*ret)->reads = 0;
    return ompd_rc_ok;
}

ompd_rc_t api_enter_aspace(const ompd_address_space_handle_t *handle, aspace_t **ret)
{
    TRY(check_tag(handle, HANDLE_ASPACE));
    return enter(handle, ret);
}

ompd_rc_t api_enter_thread(const ompd_thread_handle_t *handle, aspace_t **ret)
{
    TRY(check_tag(handle, HANDLE_THREAD));
    return enter(handle->base.aspace, ret);
}

ompd_rc_t api_enter_parallel(const ompd_parallel_handle_t *handle, aspace_t **ret)
{
    TRY(check_tag(handle, HANDLE_PARALLEL));
    return enter(handle->base.aspace, ret);
}

ompd_rc_t api_enter_task(const ompd_task_handle_t *handle, aspace_t **ret)
{
    TRY(check_tag(handle, HANDLE_TASK));
    return enter(handle->base.aspace, ret);
}

ompd_rc_t api_release(void *handle, enum handle_tag tag)
{
    API_TRY(check_tag(handle, tag));
    /* A handle from before the last ompd_finalize is stale: its memory is that of other callbacks. */
    if (((struct handle *)handle)->aspace->session != tgt_lib.session)
        return ompd_rc_stale_handle;
    handle_free(handle);
    return ompd_rc_ok;
}

/** -1, 0, 1: differences of 64-bit numbers do not fit an int. */
static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

int api_compare(const aspace_t *aspace_1, const struct rtm_ref *ref_1, const aspace_t *aspace_2,
                const struct rtm_ref *ref_2)
{
    if (aspace_1 != aspace_2)
        return order((uintptr_t)aspace_1, (uintptr_t)aspace_2);
    if (ref_1->serial != ref_2->serial)
        return order(ref_1->serial, ref_2->serial);
    return order(ref_1->address, ref_2->address);
}

ompd_rc_t api_enter_any(const void *handle, enum handle_tag *tag, const struct rtm_ref **ref, aspace_t **ret)
{
    if (!tgt_lib.ready)
        return ompd_rc_callback_error;
    if (handle == NULL)
        return ompd_rc_stale_handle;
    const enum handle_tag found = (enum handle_tag) * (const uint32_t *)handle;
    switch (found) {
    case HANDLE_ASPACE:
        TRY(api_enter_aspace(handle, ret));
        *ref = NULL;
        break;
    case HANDLE_THREAD:
        TRY(api_enter_thread(handle, ret));
        *ref = &((const ompd_thread_handle_t *)handle)->base.ref;
        break;
    case HANDLE_PARALLEL:
        TRY(api_enter_parallel(handle, ret));
        *ref = &((const ompd_parallel_handle_t *)handle)->base.ref;
        break;
    case HANDLE_TASK:
        TRY(api_enter_task(handle, ret));
        *ref = &((const ompd_task_handle_t *)handle)->base.ref;
        break;
    default:
        return ompd_rc_stale_handle;
    }
    *tag = found;
    return ompd_rc_ok;
}
