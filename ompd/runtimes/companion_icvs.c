/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: internal control variables.
 */
#include "runtimes/companion.h"

static void one(struct rtm_icv_value *ret, int64_t item)
{
    ret->item[0] = item;
    ret->count = 1;
}

/**
 * nthreads-var: the task's own first item, then what OMP_NUM_THREADS says of deeper levels. A first item that
 * is not the list's was set by omp_set_num_threads, which in Companion replaces the list.
 */
static ompd_rc_t nthreads(aspace_t *aspace, const struct co_task *task, int64_t level,
                          struct rtm_icv_value *ret)
{
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_root_nthreads_list);
    struct co_root root;
    TRY(co_get_root(aspace, &root));
    if (root.nthreads_list_count > field->count)
        return ompd_rc_error;
    one(ret, task->nthreads);
    const int64_t items = (int64_t)root.nthreads_list_count;
    if (level < 0 || level + 1 >= items)
        return ompd_rc_ok;
    for (int64_t i = level; i < items && i - level < RTM_ICV_ITEMS_MAX; i++) {
        uint64_t item;
        TRY(tgt_number(&aspace->tgt, aspace->brk.root + field->offset + (uint64_t)i * field->size,
                       field->size, &item));
        const unsigned shift = 64 - 8 * field->size;
        int64_t value = (int64_t)(item << shift) >> shift;
        if (i == level && value != task->nthreads)
            return ompd_rc_ok;
        ret->item[i - level] = value;
        ret->count = (uint32_t)(i - level) + 1;
    }
    return ompd_rc_ok;
}

static ompd_rc_t of_task(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref,
                         struct rtm_icv_value *ret)
{
    struct co_task task;
    struct co_team team;
    bool alive;
    TRY(co_live_task(aspace, ref, &task));
    TRY(co_team_of_task(aspace, &task, &team, &alive));
    if (!alive)
        return ompd_rc_stale_handle;
    switch (icv) {
    case RTM_ICV_NTHREADS:
        return nthreads(aspace, &task, team.level, ret);
    case RTM_ICV_RUN_SCHED:
        ret->item[0] = (int64_t)task.sched;
        ret->item[1] = task.chunk;
        ret->count = 2;
        return ompd_rc_ok;
    case RTM_ICV_THREAD_LIMIT:
        one(ret, task.thread_limit);
        return ompd_rc_ok;
    case RTM_ICV_MAX_ACTIVE_LEVELS:
        one(ret, task.max_active_levels);
        return ompd_rc_ok;
    case RTM_ICV_DYN:
        one(ret, task.dyn != 0);
        return ompd_rc_ok;
    case RTM_ICV_BIND:
        one(ret, (int64_t)task.bind);
        return ompd_rc_ok;
    case RTM_ICV_DEFAULT_DEVICE:
        one(ret, task.default_device);
        return ompd_rc_ok;
    case RTM_ICV_LEVELS:
        one(ret, team.level);
        return ompd_rc_ok;
    case RTM_ICV_ACTIVE_LEVELS:
        one(ret, team.active_level);
        return ompd_rc_ok;
    case RTM_ICV_THREAD_NUM:
        one(ret, task.thread_num);
        return ompd_rc_ok;
    case RTM_ICV_FINAL_TASK:
        one(ret, (task.flags & co_constant(aspace, LAY_C_RT_TASK_FINAL)) != 0);
        return ompd_rc_ok;
    case RTM_ICV_EXPLICIT_TASK:
        one(ret, (task.flags & co_constant(aspace, LAY_C_RT_TASK_EXPLICIT)) != 0);
        return ompd_rc_ok;
    case RTM_ICV_IMPLICIT_TASK:
        one(ret, co_is_implicit(aspace, task.flags));
        return ompd_rc_ok;
    case RTM_ICV_TEAM_GENERATOR:
        one(ret, co_generator(aspace, &team));
        return ompd_rc_ok;
    default:
        return ompd_rc_unsupported;
    }
}

static ompd_rc_t of_process(aspace_t *aspace, enum rtm_icv icv, struct rtm_icv_value *ret)
{
    struct co_root root;
    TRY(co_get_root(aspace, &root));
    switch (icv) {
    case RTM_ICV_NUM_PROCS:
        one(ret, (int64_t)root.procs);
        return ompd_rc_ok;
    case RTM_ICV_STACKSIZE:
        one(ret, (int64_t)root.stacksize);
        return ompd_rc_ok;
    case RTM_ICV_WAIT_POLICY:
        one(ret, (int64_t)root.wait_policy);
        return ompd_rc_ok;
    case RTM_ICV_DEBUG:
        one(ret, root.debug != 0);
        return ompd_rc_ok;
    default:
        return ompd_rc_unsupported;
    }
}

ompd_rc_t co_op_icv(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, struct rtm_icv_value *ret)
{
    struct co_team team;
    if (ref == NULL)
        return of_process(aspace, icv, ret);
    if (icv != RTM_ICV_TEAM_SIZE && icv != RTM_ICV_REGION_LEVELS && icv != RTM_ICV_REGION_ACTIVE_LEVELS)
        return of_task(aspace, icv, ref, ret);
    TRY(co_live_team(aspace, ref, &team));
    if (icv == RTM_ICV_TEAM_SIZE)
        one(ret, team.nthreads);
    else
        one(ret, icv == RTM_ICV_REGION_LEVELS ? team.level : team.active_level);
    return ompd_rc_ok;
}

ompd_rc_t co_op_initial_task(aspace_t *aspace, struct rtm_ref *ret)
{
    const struct index *teams;
    TRY(co_index(aspace, CO_TEAMS_BY_SERIAL, &teams));
    for (size_t i = 0; i < teams->count; i++) {
        struct co_team team;
        struct co_task task;
        TRY(co_get_team(aspace, teams->rows[i].value, &team));
        if (co_generator(aspace, &team) != ompd_generator_program)
            continue;
        TRY(co_check_team(aspace, &team));
        TRY(co_find_implicit(aspace, &team, 0, &task));
        *ret = (struct rtm_ref){task.address, task.serial};
        return ompd_rc_ok;
    }
    return ompd_rc_unavailable;
}
