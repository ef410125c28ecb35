/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: control variables, as each task keeps them.
 */
#include "runtimes/kmp/kmp.h"

/** libomp's numbers of schedules, and those of omp_sched_t. */
static int64_t schedule(uint64_t kind)
{
    switch (kind & 0xff) {
    case 33: /* static, chunked */
    case 34: /* static */
    case 40: /* greedy */
    case 41: /* balanced */
        return 1;
    case 35:
        return 2; /* dynamic */
    case 36:
    case 42: /* iterative */
    case 43: /* analytical */
        return 3;
    case 38:
        return 4; /* auto */
    default:
        return 0;
    }
}

/** Has this kind a chunk size? */
static bool has_chunk(uint64_t kind)
{
    kind &= 0xff;
    return kind == 33 || kind == 35 || kind == 36;
}

static ompd_rc_t number(aspace_t *aspace, uint64_t icvs, unsigned id, int64_t *ret)
{
    const struct lay *lay = &aspace->lay;
    uint8_t bytes[8];
    if (!lay_has(lay, id) || lay_size(lay, id) > sizeof bytes)
        return ompd_rc_unsupported;
    TRY(tgt_read(&aspace->tgt, icvs + lay_offset(lay, id), lay_size(lay, id), bytes));
    uint64_t value;
    TRY(tgt_number(&aspace->tgt, bytes, lay_size(lay, id), &value));
    *ret = lay_size(lay, id) == 4 ? (int32_t)value : lay_size(lay, id) == 1 ? (int8_t)value : (int64_t)value;
    return ompd_rc_ok;
}

/** What the row says by itself. unsupported: nothing. */
static ompd_rc_t of_row(const struct world *world, const struct world_task *task, enum rtm_icv icv,
                        int64_t *ret)
{
    const struct world_team *team = &world->teams[task->team];
    const bool is_explicit = (task->flags & ompt_task_explicit) != 0;
    switch (icv) {
    case RTM_ICV_LEVELS:
        *ret = team->level;
        break;
    case RTM_ICV_ACTIVE_LEVELS:
        *ret = team->active_level;
        break;
    case RTM_ICV_TASK_TEAM_SIZE:
        *ret = team->size;
        break;
    case RTM_ICV_FINAL_TASK:
        *ret = (task->flags & (uint32_t)ompt_task_final) != 0;
        break;
    case RTM_ICV_EXPLICIT_TASK:
        *ret = is_explicit;
        break;
    case RTM_ICV_IMPLICIT_TASK:
        *ret = !is_explicit;
        break;
    case RTM_ICV_FREE_AGENT:
        *ret = 0;
        break;
    case RTM_ICV_TEAM_GENERATOR:
        *ret = team->kind;
        break;
    case RTM_ICV_LEAGUE_SIZE:
        *ret = team->league_size > 0 ? team->league_size : 1;
        break;
    case RTM_ICV_TEAM_NUM:
        if (team->unknown[ompdx_parallel_fact_team_num] != NULL)
            return ompd_rc_unavailable;
        *ret = team->team_num > 0 ? team->team_num : 0;
        break;
    case RTM_ICV_THREAD_NUM:
        if (task->thread == WORLD_NONE)
            return ompd_rc_unavailable;
        *ret = task->thread_num;
        break;
    default:
        return ompd_rc_unsupported;
    }
    return ompd_rc_ok;
}

static unsigned field_of(enum rtm_icv icv)
{
    switch (icv) {
    case RTM_ICV_NTHREADS:
        return LAY_F_kmp_internal_control_nproc;
    case RTM_ICV_THREAD_LIMIT:
        return LAY_F_kmp_internal_control_thread_limit;
    case RTM_ICV_MAX_ACTIVE_LEVELS:
        return LAY_F_kmp_internal_control_max_active_levels;
    case RTM_ICV_RUN_SCHED:
        return LAY_F_kmp_internal_control_sched_type;
    case RTM_ICV_DYN:
        return LAY_F_kmp_internal_control_dynamic;
    case RTM_ICV_BIND:
        return LAY_F_kmp_internal_control_proc_bind;
    case RTM_ICV_DEFAULT_DEVICE:
        return LAY_F_kmp_internal_control_default_device;
    default:
        return 0;
    }
}

static ompd_rc_t process(aspace_t *aspace, enum rtm_icv icv, int64_t *ret)
{
    uint64_t value;
    uint8_t bytes[4];
    if (icv != RTM_ICV_CANCEL || !lay_has(&aspace->lay, LAY_V_kmp_cancellation))
        return ompd_rc_unsupported;
    TRY(tgt_read(&aspace->tgt, lay_variable(&aspace->lay, LAY_V_kmp_cancellation), sizeof bytes, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, sizeof bytes, &value));
    *ret = value != 0;
    return ompd_rc_ok;
}

ompd_rc_t kmp_icv(aspace_t *aspace, const struct world *world, enum rtm_icv icv, int32_t index,
                  ompd_scope_t scope, struct rtm_icv_value *ret)
{
    int64_t value = 0, chunk = 0;
    (void)scope;
    if (index == WORLD_NONE) {
        TRY(process(aspace, icv, &value));
    } else {
        const struct world_task *task = &world->tasks[index];
        const unsigned field = field_of(icv);
        if (field == 0) {
            TRY(of_row(world, task, icv, &value));
        } else {
            if (task->icvs == 0)
                return ompd_rc_unsupported;
            TRY(number(aspace, task->icvs, field, &value));
        }
        if (icv == RTM_ICV_RUN_SCHED) {
            TRY(number(aspace, task->icvs, LAY_F_kmp_internal_control_chunk, &chunk));
            chunk = has_chunk((uint64_t)value) ? chunk : 0;
            value = schedule((uint64_t)value);
        } else if (icv == RTM_ICV_DYN) {
            value = value != 0;
        }
    }
    ret->item[0] = value;
    ret->item[1] = chunk;
    ret->count = icv == RTM_ICV_RUN_SCHED ? 2 : 1;
    ret->cut = false;
    return ompd_rc_ok;
}
