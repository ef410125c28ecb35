/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: has what ends a thread's wait come? The thread itself may learn of it much later, for it needs a
 * processor first.
 */
#include "runtimes/companion/companion.h"

#include <stddef.h>

/** Counts of barriers, which wrap round. */
static bool is_later(uint32_t count, uint32_t other)
{
    return (int32_t)(count - other) > 0;
}

ompd_rc_t co_barriers_passed(aspace_t *aspace, const struct co_team *team, uint32_t *ret)
{
    const struct index *members;
    uint32_t passed = (uint32_t)team->bar_gen;
    TRY(co_index(aspace, CO_IMPLICIT_BY_TEAM, &members));
    for (size_t i = index_find(members, team->address);
         i < members->count && members->rows[i].key == team->address; i++) {
        struct co_task task;
        TRY(co_get_task(aspace, members->rows[i].value, CO_ALL, &task));
        if (task.team_serial == team->serial && task.bar_left <= UINT32_MAX &&
            is_later((uint32_t)task.bar_left, passed))
            passed = (uint32_t)task.bar_left;
    }
    *ret = passed;
    return ompd_rc_ok;
}

bool co_is_counted(const struct co_task *task, uint32_t passed)
{
    return is_later((uint32_t)task->bar_seq, passed);
}

static ompd_rc_t barrier_flags(aspace_t *aspace, const struct co_thread *thread, const struct co_place *place,
                               uint64_t *ret)
{
    const bool at_end = thread->state == ompt_state_wait_barrier_implicit_parallel;
    struct co_task task;
    uint32_t passed = (uint32_t)place->team.bar_gen;
    TRY(co_get_task(aspace, place->task.address, CO_TASK_REST, &task));
    if (place->team.nthreads == 2) /* only there bar_gen may be behind (rt_task.bar_left) */
        TRY(co_barriers_passed(aspace, &place->team, &passed));
    if (co_is_counted(&task, passed)) {
        *ret = !at_end && place->team.cancelled != 0 ? OMPDX_WAIT_OVER : OMPDX_WAIT_LASTS;
        return ompd_rc_ok;
    }
    /* Nobody is let go from a region's end: whose count there is over has left out a barrier. */
    if (!at_end)
        *ret = OMPDX_WAIT_OVER;
    else if (co_constant(aspace, LAY_C_RT_WAITS_BEHIND_ARRIVAL) != 0)
        *ret = OMPDX_WAIT_LASTS;
    return ompd_rc_ok;
}

/** Has the iteration posted? A bit of the nest says so. Codes: ok; nomem; others: that cannot be read. */
static ompd_rc_t has_posted(aspace_t *aspace, const struct co_task *task, bool *ret)
{
    struct {
        uint64_t nest, sink;
    } at = {0};
    static const struct lay_wanted wanted[] = {{LAY_F_rt_task_doacross, 0, false},
                                               {LAY_F_rt_task_doacross_sink, sizeof at.nest, false}};
    static const uint16_t needed[] = {LAY_F_rt_task_doacross, LAY_F_rt_task_doacross_sink,
                                      LAY_F_rt_doacross_bits, 0};
    uint64_t bits, word;
    TRY(co_need(aspace, needed));
    TRY(co_get_slot(aspace, CO_TASK, task->address, wanted, sizeof wanted / sizeof wanted[0], &at));
    if (at.nest == 0)
        return ompd_rc_unavailable;
    TRY(tgt_read_pointer(&aspace->tgt, at.nest + lay_offset(&aspace->lay, LAY_F_rt_doacross_bits), &bits));
    TRY(tgt_read_pointer(&aspace->tgt, bits + at.sink / 64 * 8, &word));
    *ret = (word >> at.sink % 64 & 1) != 0;
    return ompd_rc_ok;
}

static ompd_rc_t doacross_flags(aspace_t *aspace, const struct co_place *place, ompdx_thread_info_t *info)
{
    bool posted = false;
    ompd_rc_t rc = has_posted(aspace, &place->task, &posted);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    info->wait_flags = posted || place->team.cancelled != 0 ? OMPDX_WAIT_OVER : OMPDX_WAIT_LASTS;
    if (info->wait_flags == OMPDX_WAIT_LASTS)
        info->owner_kind = ompdx_owner_somebody; /* a member of the team; which one is not recorded */
    return ompd_rc_ok;
}

ompd_rc_t co_wait_flags(aspace_t *aspace, const struct co_thread *thread, const struct co_place *place,
                        ompdx_thread_info_t *info)
{
    const bool owned = info->owner_kind == ompdx_owner_thread, self = owned && info->owner_thread == info->id;
    if (thread->wait_kind == co_constant(aspace, LAY_C_RT_WAIT_BARRIER))
        return barrier_flags(aspace, thread, place, &info->wait_flags);
    if (thread->wait_kind == co_constant(aspace, LAY_C_RT_WAIT_DOACROSS))
        return doacross_flags(aspace, place, info);
    if (info->wait_kind == ompdx_wait_ordered && owned)
        info->wait_flags = self ? OMPDX_WAIT_OVER : OMPDX_WAIT_LASTS;
    else if (owned && !self)
        info->wait_flags = OMPDX_WAIT_LASTS;
    else if (self && thread->wait_own != 0)
        info->wait_flags = OMPDX_WAIT_LASTS | OMPDX_WAIT_FOR_ITSELF;
    return ompd_rc_ok;
}
