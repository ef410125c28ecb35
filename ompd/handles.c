/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

void handle_put_aspace(aspace_t *aspace)
{
    if (--aspace->references != 0)
        return;
    brk_drop(&aspace->brk);
    aspace->tag = HANDLE_RELEASED;
    tgt_free(aspace);
}

ompd_rc_t handle_new_thread(aspace_t *aspace, const struct rtm_ref *ref, ompd_thread_handle_t **ret)
{
    ompd_thread_handle_t *handle = NULL;
    TRY(tgt_alloc_zero(sizeof *handle, &handle));
    handle->tag = HANDLE_THREAD;
    handle->aspace = aspace;
    handle->ref = *ref;
    aspace->references++;
    *ret = handle;
    return ompd_rc_ok;
}

ompd_rc_t handle_new_parallel(aspace_t *aspace, const struct rtm_ref *ref, ompd_parallel_handle_t **ret)
{
    ompd_parallel_handle_t *handle = NULL;
    TRY(tgt_alloc_zero(sizeof *handle, &handle));
    handle->tag = HANDLE_PARALLEL;
    handle->aspace = aspace;
    handle->ref = *ref;
    aspace->references++;
    *ret = handle;
    return ompd_rc_ok;
}

ompd_rc_t handle_new_task(aspace_t *aspace, const struct rtm_ref *ref, ompd_task_handle_t **ret)
{
    ompd_task_handle_t *handle = NULL;
    TRY(tgt_alloc_zero(sizeof *handle, &handle));
    handle->tag = HANDLE_TASK;
    handle->aspace = aspace;
    handle->ref = *ref;
    aspace->references++;
    *ret = handle;
    return ompd_rc_ok;
}

/*
 * The tag goes first: a tool that uses a released handle then gets a code as long as its allocator leaves the
 * block.
 */

void handle_free_thread(ompd_thread_handle_t *handle)
{
    *(volatile uint32_t *)&handle->tag = HANDLE_RELEASED;
    handle_put_aspace(handle->aspace);
    tgt_free(handle);
}

void handle_free_parallel(ompd_parallel_handle_t *handle)
{
    *(volatile uint32_t *)&handle->tag = HANDLE_RELEASED;
    handle_put_aspace(handle->aspace);
    tgt_free(handle);
}

void handle_free_task(ompd_task_handle_t *handle)
{
    *(volatile uint32_t *)&handle->tag = HANDLE_RELEASED;
    handle_put_aspace(handle->aspace);
    tgt_free(handle);
}

ompd_rc_t handle_step(const struct handle_chain *chain, uint64_t from, uint64_t to, struct handle_chain *ret)
{
    struct handle_chain next = *chain;
    if (next.power == 0) { /* the walk starts here */
        next.anchor = from;
        next.power = 1;
        next.steps = 0;
    }
    if (to == from || to == next.anchor) {
        tgt_say("libompd: a chain of parents in the target leads back to itself; its memory is damaged.\n");
        return ompd_rc_error;
    }
    if (++next.steps == next.power) {
        next.anchor = to;
        next.power = next.power < 0x40000000u ? next.power * 2 : next.power;
        next.steps = 0;
    }
    *ret = next;
    return ompd_rc_ok;
}
