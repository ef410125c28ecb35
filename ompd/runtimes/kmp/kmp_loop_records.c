/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: the records of a loop. There are two forms of them, for loops of 4 and of 8 bytes a number.
 */
#include "runtimes/kmp/kmp_loop_records.h"

#include <string.h>

/** Loops of a team that may be open at a time: KMP_DISP_NUM_BUFFERS at most. */
#define BUFFERS_MAX 4096u

/** steal_flag of a member's record. */
enum { STEAL_UNUSED, STEAL_CLAIMED, STEAL_READY, STEAL_THIEF };

struct form {
    uint16_t count, ub, lb, st, tc, chunk, lower, upper, iteration, turn;
};
#define FORM(bits)                                                                                           \
    {                                                                                                        \
        LAY_F_dispatch_private_info##bits##_count, LAY_F_dispatch_private_info##bits##_ub,                   \
            LAY_F_dispatch_private_info##bits##_lb, LAY_F_dispatch_private_info##bits##_st,                  \
            LAY_F_dispatch_private_info##bits##_tc, LAY_F_dispatch_private_info##bits##_parm1,               \
            LAY_F_dispatch_private_info##bits##_ordered_lower,                                               \
            LAY_F_dispatch_private_info##bits##_ordered_upper, LAY_F_dispatch_shared_info##bits##_iteration, \
            LAY_F_dispatch_shared_info##bits##_ordered_iteration                                             \
    }
static const struct form forms[] = {FORM(32), FORM(64)};
#undef FORM

static bool can_loops(const struct lay *lay)
{
    static const uint16_t ids[] = {
        LAY_F_kmp_team_dispatch,
        LAY_S_kmp_disp,
        LAY_F_kmp_disp_sh_current,
        LAY_F_kmp_disp_pr_current,
        LAY_F_kmp_disp_buffer,
        LAY_F_kmp_disp_index,
        LAY_S_dispatch_private_info,
        LAY_F_dispatch_private_info_u,
        LAY_F_dispatch_private_info_schedule,
        LAY_F_dispatch_private_info_ordered,
        LAY_F_dispatch_private_info_type_size,
        LAY_F_dispatch_shared_info_u,
        LAY_F_dispatch_shared_info_buffer_index,
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (!lay_has(lay, ids[i]))
            return false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        uint16_t id[sizeof(struct form) / sizeof(uint16_t)];
        memcpy(id, &forms[i], sizeof id);
        for (size_t k = 0; k < sizeof id / sizeof id[0]; k++)
            if (!lay_has(lay, id[k]))
                return false;
    }
    return true;
}

static ompd_rc_t get_signed(struct kmp *kmp, uint64_t address, unsigned id, int64_t *ret)
{
    uint64_t value;
    TRY(kmp_field(kmp, address, id, &value));
    *ret = lay_size(&kmp->aspace->lay, id) == 4 ? (int32_t)(uint32_t)value : (int64_t)value;
    return ompd_rc_ok;
}

/** What the loop is, from the member's record and from what all share. */
static ompd_rc_t read_numbers(struct kmp *kmp, const struct form *form, struct kmp_loop *loop)
{
    const struct lay *lay = &kmp->aspace->lay;
    const uint64_t own = loop->record + lay_offset(lay, LAY_F_dispatch_private_info_u);
    const uint64_t all = loop->shared + lay_offset(lay, LAY_F_dispatch_shared_info_u);
    TRY(kmp_field(kmp, own, form->count, &loop->count));
    TRY(get_signed(kmp, own, form->ub, &loop->ub));
    TRY(get_signed(kmp, own, form->lb, &loop->lb));
    TRY(get_signed(kmp, own, form->st, &loop->st));
    TRY(kmp_field(kmp, own, form->tc, &loop->trip));
    TRY(kmp_field(kmp, own, form->chunk, &loop->chunk));
    TRY(kmp_field(kmp, own, form->lower, &loop->lower));
    TRY(kmp_field(kmp, own, form->upper, &loop->upper));
    TRY(kmp_field(kmp, all, form->iteration, &loop->iteration));
    TRY(kmp_field(kmp, all, form->turn, &loop->turn));
    TRY(kmp_field(kmp, loop->record, LAY_F_dispatch_private_info_schedule, &loop->schedule));
    TRY(kmp_field(kmp, loop->record, LAY_F_dispatch_private_info_ordered, &loop->ordered));
    if (lay_has(lay, LAY_F_dispatch_private_info_nomerge))
        TRY(kmp_field(kmp, loop->record, LAY_F_dispatch_private_info_nomerge, &loop->sections));
    return loop->st == 0 || (loop->chunk == 0 && loop->schedule != KMP_SCHED_STATIC_BALANCED) ? ompd_rc_error
                                                                                              : ompd_rc_ok;
}

/** The record of member NUMBER for its loops. */
static uint64_t member_disp(const struct kmp *kmp, uint64_t dispatch, uint64_t member)
{
    return dispatch + member * lay_size(&kmp->aspace->lay, LAY_S_kmp_disp);
}

/** What member I, whose record of this loop is RECORD, has not begun. */
static ompd_rc_t read_share(struct kmp *kmp, const struct form *form, const struct kmp_loop *loop, uint64_t i,
                            uint64_t record, struct kmp_share *ret)
{
    const uint64_t own = record + lay_offset(&kmp->aspace->lay, LAY_F_dispatch_private_info_u);
    const uint64_t chunks = loop->trip / loop->chunk + (loop->trip % loop->chunk != 0 ? 1 : 0);
    const uint64_t small = chunks / loop->nproc, extras = chunks % loop->nproc;
    uint64_t flag, end;
    const uint64_t dealt = i * small + (i < extras ? i : extras);
    struct kmp_share share = {dealt, dealt, dealt};
    TRY(kmp_field(kmp, record, LAY_F_dispatch_private_info_steal_flag, &flag));
    if (flag > STEAL_THIEF)
        return ompd_rc_error;
    if (flag == STEAL_UNUSED || flag == STEAL_CLAIMED) {
        share.end = dealt + small + (i < extras ? 1 : 0);
    } else if (flag == STEAL_READY) {
        TRY(kmp_field(kmp, own, form->count, &share.next));
        TRY(kmp_field(kmp, own, form->ub, &end));
        share.end = end;
    }
    *ret = share;
    return share.end <= chunks ? ompd_rc_ok : ompd_rc_error;
}

static ompd_rc_t read_shares(struct kmp *kmp, const struct form *form, uint64_t dispatch,
                             struct kmp_loop *loop)
{
    struct kmp_share *shares = NULL;
    uint64_t mine, buffer;
    if (!lay_has(&kmp->aspace->lay, LAY_F_dispatch_private_info_steal_flag))
        return ompd_rc_ok;
    if (loop->trip > UINT64_MAX / 2 - loop->chunk)
        return ompd_rc_error;
    TRY(brk_alloc(&kmp->aspace->brk, loop->nproc * sizeof *shares, &shares));
    TRY(kmp_field(kmp, member_disp(kmp, dispatch, loop->tid), LAY_F_kmp_disp_buffer, &mine));
    for (uint64_t i = 0; i < loop->nproc; i++) {
        TRY(kmp_field(kmp, member_disp(kmp, dispatch, i), LAY_F_kmp_disp_buffer, &buffer));
        TRY(read_share(kmp, form, loop, i, buffer + (loop->record - mine), &shares[i]));
    }
    loop->shares = shares;
    return ompd_rc_ok;
}

/** Is the record one of the member's buffers, and does the team count this loop as the member does? */
static ompd_rc_t check_record(struct kmp *kmp, uint64_t disp, struct kmp_loop *loop)
{
    const uint64_t bytes = lay_size(&kmp->aspace->lay, LAY_S_dispatch_private_info);
    uint64_t buffer, index, in_team;
    TRY(kmp_field(kmp, disp, LAY_F_kmp_disp_buffer, &buffer));
    TRY(kmp_field(kmp, disp, LAY_F_kmp_disp_index, &index));
    TRY(kmp_field(kmp, loop->shared, LAY_F_dispatch_shared_info_buffer_index, &in_team));
    if (bytes == 0 || loop->record < buffer || (loop->record - buffer) % bytes != 0 ||
        (loop->record - buffer) / bytes >= BUFFERS_MAX || in_team + 1 != index)
        return ompd_rc_error;
    loop->sequence = index;
    return ompd_rc_ok;
}

static ompd_rc_t read_recorded(struct kmp *kmp, uint64_t dispatch, uint64_t disp, struct kmp_loop *loop)
{
    uint64_t bytes;
    TRY(kmp_field(kmp, disp, LAY_F_kmp_disp_sh_current, &loop->shared));
    TRY(check_record(kmp, disp, loop));
    TRY(kmp_field(kmp, loop->record, LAY_F_dispatch_private_info_type_size, &bytes));
    if (bytes != 4 && bytes != 8)
        return ompd_rc_error;
    const struct form *form = &forms[bytes == 8 ? 1 : 0];
    TRY(read_numbers(kmp, form, loop));
    return loop->schedule == KMP_SCHED_STEAL ? read_shares(kmp, form, dispatch, loop) : ompd_rc_ok;
}

/** Threads meet at no barrier inside of a loop: a member that is at one was in a loop that was cancelled. */
static bool is_elsewhere(const struct world *world, const struct world_task *task)
{
    const struct world_thread *thread = &world->threads[task->thread];
    const bool leaves = thread->wait_kind == ompdx_wait_none && (thread->wait_flags & OMPDX_WAIT_OVER) != 0;
    return thread->idle ||
           (thread->team == task->team && (leaves || thread->wait_kind == ompdx_wait_barrier));
}

static bool waits_in_nest(const struct world *world, const struct world_task *task)
{
    const struct world_thread *thread = &world->threads[task->thread];
    return thread->team == task->team && thread->wait_kind == ompdx_wait_ordered &&
           thread->wait_call != NULL && strstr(thread->wait_call, "doacross") != NULL;
}

ompd_rc_t kmp_read_loop(struct kmp *kmp, const struct world_task *task, struct kmp_loop *ret)
{
    const struct lay *lay = &kmp->aspace->lay;
    struct kmp_loop loop = {0};
    uint64_t dispatch, info = 0, from_thread;
    if (!can_loops(lay))
        return ompd_rc_unsupported;
    if (task->team == WORLD_NONE || task->thread == WORLD_NONE || task->thread_num < 0)
        return ompd_rc_unavailable;
    const struct world_team *team = &kmp->world->teams[task->team];
    if (team->size <= 1 || task->thread_num >= team->size || is_elsewhere(kmp->world, task))
        return ompd_rc_unavailable;
    loop.nproc = (uint64_t)team->size;
    loop.tid = (uint64_t)task->thread_num;
    TRY(kmp_field(kmp, team->address, LAY_F_kmp_team_dispatch, &dispatch));
    const uint64_t disp = member_disp(kmp, dispatch, loop.tid);
    if (kmp->world->threads[task->thread].team == task->team && lay_has(lay, LAY_F_kmp_info_dispatch)) {
        TRY(kmp_field(kmp, kmp->world->threads[task->thread].address, LAY_F_kmp_info_dispatch, &from_thread));
        if (from_thread != disp)
            return ompd_rc_error;
    }
    TRY(kmp_field(kmp, disp, LAY_F_kmp_disp_pr_current, &loop.record));
    if (lay_has(lay, LAY_F_kmp_disp_doacross_info) && lay_has(lay, LAY_F_kmp_disp_doacross_flags))
        TRY(kmp_field(kmp, disp, LAY_F_kmp_disp_doacross_info, &info));
    if (info != 0)
        TRY(kmp_field(kmp, disp, LAY_F_kmp_disp_doacross_flags, &loop.doacross));
    if (loop.record == 0 && loop.doacross == 0)
        return ompd_rc_unavailable;
    loop.waits = loop.doacross != 0 && waits_in_nest(kmp->world, task);
    if (loop.record != 0)
        TRY(read_recorded(kmp, dispatch, disp, &loop));
    *ret = loop;
    return ompd_rc_ok;
}
