/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

#include <string.h>

void handle_put_aspace(aspace_t *aspace)
{
    if (--aspace->references != 0)
        return;
    brk_drop(&aspace->brk);
    kept_free(aspace->kept);
    tgt_free(aspace->stock);
    tgt_free(aspace->row_memory);
    aspace->tag = HANDLE_RELEASED;
    tgt_free(aspace);
}

ompd_rc_t handle_new(aspace_t *aspace, enum handle_tag tag, const struct rtm_ref *ref, void *ret)
{
    const size_t bytes = tag == HANDLE_THREAD     ? sizeof(struct _ompd_thread_handle)
                         : tag == HANDLE_PARALLEL ? sizeof(struct _ompd_parallel_handle)
                                                  : sizeof(struct _ompd_task_handle);
    struct handle *handle = NULL;
    TRY(tgt_alloc_zero(bytes, &handle));
    *handle = (struct handle){tag, aspace, *ref};
    aspace->references++;
    memcpy(ret, &handle, sizeof handle);
    return ompd_rc_ok;
}

void handle_free(void *released)
{
    struct handle *handle = released;
    /* The tag first: as long as the tool's allocator leaves the block alone, a use after this is noticed. */
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
