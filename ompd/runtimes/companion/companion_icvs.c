/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: internal control variables as numbers. Where each is kept: docs/ompd-conformance.md.
 */
#include "runtimes/companion/companion.h"

static void one(struct rtm_icv_value *ret, int64_t item)
{
    ret->item[0] = item;
    ret->count = 1;
    ret->cut = false;
}

/** The fields that were not in the first layout, of a task of that region, begun or not. */
static ompd_rc_t extra_of(aspace_t *aspace, const struct co_team *team, const struct co_task *task,
                          struct co_extra *ret)
{
    struct co_task filled = *task;
    return task->unbegun ? co_unbegun_icvs(aspace, team, &filled, ret) : co_get_extra(aspace, task, ret);
}

/** A signed number of SIZE bytes at BYTES. */
static ompd_rc_t signed_item(const aspace_t *aspace, const uint8_t *bytes, uint32_t size, int64_t *ret)
{
    uint64_t number;
    TRY(tgt_number(&aspace->tgt, bytes, size, &number));
    const unsigned shift = 64 - 8 * size;
    *ret = (int64_t)(number << shift) >> shift;
    return ompd_rc_ok;
}

/**
 * nthreads-var of a runtime of layout 1.0: the task's own first item, then what OMP_NUM_THREADS says of
 * deeper levels, unless omp_set_num_threads has set another first item. num_threads lists are not to be seen
 * there.
 */
static ompd_rc_t nthreads_by_level(aspace_t *aspace, int64_t level, struct rtm_icv_value *ret)
{
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_root_nthreads_list);
    uint64_t count;
    TRY(co_started(aspace));
    TRY(co_root_number(aspace, LAY_F_rt_root_nthreads_list_count, &count));
    if (count > field->count)
        return ompd_rc_error;
    const int64_t items = (int64_t)count, first = ret->item[0];
    for (int64_t i = level; level >= 0 && i < items && i - level < RTM_ICV_ITEMS_MAX; i++) {
        int64_t value;
        uint8_t item[8];
        TRY(co_root_bytes(aspace, (uint32_t)field->offset + (uint64_t)i * field->size, field->size, item));
        TRY(signed_item(aspace, item, field->size, &value));
        if (i == level && value != first)
            break;
        ret->item[i - level] = value;
        ret->count = (uint32_t)(i - level) + 1;
    }
    return ompd_rc_ok;
}

/**
 * nthreads-var: the task's first item and the array behind it, whoever gave it (OMP_NUM_THREADS or
 * num_threads).
 */
static ompd_rc_t nthreads(aspace_t *aspace, const struct co_task *task, const struct co_team *team,
                          struct rtm_icv_value *ret)
{
    struct co_extra extra;
    const uint32_t size = lay_size(&aspace->lay, LAY_F_rt_root_nthreads_list); /* of an i32 in an array */
    one(ret, task->nthreads);
    ompd_rc_t rc = extra_of(aspace, team, task, &extra);
    if (rc == ompd_rc_unsupported) {
        struct co_team levels;
        TRY(co_get_team(aspace, team->address, CO_TEAM_LEVEL, &levels));
        return nthreads_by_level(aspace, levels.level, ret);
    }
    TRY(rc);
    uint64_t more = extra.rest_count;
    if (more > RTM_ICV_ITEMS_MAX - 1) {
        more = RTM_ICV_ITEMS_MAX - 1;
        ret->cut = true;
    }
    uint8_t items[RTM_ICV_ITEMS_MAX * 8];
    if (more != 0)
        TRY(tgt_read(&aspace->tgt, extra.rest, more * size, items));
    for (uint64_t i = 0; i < more; i++)
        TRY(signed_item(aspace, items + i * size, size, &ret->item[i + 1]));
    ret->count = (uint32_t)more + 1;
    return ompd_rc_ok;
}

/** bind-var: the task's own policy, then those of the regions inside. */
static ompd_rc_t bind(aspace_t *aspace, const struct co_task *task, int64_t level, struct rtm_icv_value *ret)
{
    uint32_t more = 0;
    one(ret, (int64_t)task->bind);
    if (task->bind == 0) /* false: nothing is bound, whatever a list says */
        return ompd_rc_ok;
    if (level >= INT32_MAX) /* damaged, and one more would not fit */
        return ompd_rc_ok;
    ompd_rc_t rc = co_bind_list(aspace, level + 1, ret->item + 1, RTM_ICV_ITEMS_MAX - 1, &more);
    if (rc != ompd_rc_unsupported)
        TRY(rc);
    ret->count = more + 1;
    return ompd_rc_ok;
}

/* ---- implicit task's ----------------------------------------------------------------------------------- */

/** The implicit task whose variables those of SCOPE are: for a task of task scope, the one around it. */
static ompd_rc_t implicit_of(aspace_t *aspace, const struct co_task *task, const struct co_team *team,
                             ompd_scope_t scope, struct co_task *ret)
{
    *ret = *task;
    if (co_is_implicit(aspace, task->flags))
        return ompd_rc_ok;
    if (scope == ompd_scope_implicit_task)
        return ompd_rc_incompatible;
    return task->thread_num < 0 ? ompd_rc_unavailable : co_find_implicit(aspace, team, task->thread_num, ret);
}

/** What implicit_of() and extra_of() need. */
static ompd_rc_t live(aspace_t *aspace, const struct rtm_ref *ref, struct co_task *task, struct co_team *team)
{
    return co_live_task_team(aspace, ref, CO_TASK_RUN,
                             CO_TEAM_SIZE | CO_TEAM_MEMBERS | CO_TEAM_KIND | CO_TEAM_PARENT, task, team);
}

ompd_rc_t co_partition(aspace_t *aspace, const struct rtm_ref *ref, ompd_scope_t scope,
                       struct co_partition *ret)
{
    struct co_task task, implicit;
    struct co_team team;
    struct co_extra extra;
    uint64_t total;
    TRY(live(aspace, ref, &task, &team));
    TRY(implicit_of(aspace, &task, &team, scope, &implicit));
    TRY(extra_of(aspace, &team, &implicit, &extra));
    TRY(co_setting(aspace, LAY_F_rt_env_place_total, &total));
    struct co_partition part = {extra.place_first, extra.place_count};
    if (part.count == 0)
        part = (struct co_partition){0, (int64_t)total};
    if (part.first < 0 || part.count < 1 || total > INT32_MAX || part.first > (int64_t)total ||
        part.count > (int64_t)total - part.first) {
        tgt_say("libompd: a task's place-partition-var has places that are not there.\n");
        return ompd_rc_error;
    }
    *ret = part;
    return ompd_rc_ok;
}

static ompd_rc_t of_implicit(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref,
                             ompd_scope_t scope, struct rtm_icv_value *ret)
{
    struct co_task task, implicit;
    struct co_team team;
    struct co_extra extra;
    struct co_partition part;
    switch (icv) {
    case RTM_ICV_PLACE_PARTITION:
        TRY(co_partition(aspace, ref, scope, &part));
        ret->cut = part.count > RTM_ICV_ITEMS_MAX;
        ret->count = ret->cut ? RTM_ICV_ITEMS_MAX : (uint32_t)part.count;
        for (uint32_t i = 0; i < ret->count; i++)
            ret->item[i] = part.first + i;
        return ompd_rc_ok;
    case RTM_ICV_DEF_ALLOCATOR:
        TRY(live(aspace, ref, &task, &team));
        TRY(implicit_of(aspace, &task, &team, scope, &implicit));
        TRY(extra_of(aspace, &team, &implicit, &extra));
        one(ret, (int64_t)extra.allocator);
        return ompd_rc_ok;
    default: /* place-assignment-var: no thread is ever assigned ahead of its region */
        TRY(live(aspace, ref, &task, &team));
        TRY(implicit_of(aspace, &task, &team, scope, &implicit));
        ret->count = 0;
        ret->cut = false;
        return ompd_rc_ok;
    }
}

/* ---- task's -------------------------------------------------------------------------------------------- */

static int64_t generator(const aspace_t *aspace, const struct co_team *team)
{
    const int32_t kind = co_generator(aspace, team);
    /* A target region's team is an initial one that a task has met. */
    return kind == ompd_generator_program && team->parent_task != 0 ? ompd_generator_target : kind;
}

/** Is it a variable that each task has a copy of? */
static bool is_inherited(enum rtm_icv icv)
{
    switch (icv) {
    case RTM_ICV_NTHREADS:
    case RTM_ICV_BIND:
    case RTM_ICV_RUN_SCHED:
    case RTM_ICV_THREAD_LIMIT:
    case RTM_ICV_STRUCTURED_THREAD_LIMIT:
    case RTM_ICV_FREE_AGENT_THREAD_LIMIT:
    case RTM_ICV_MAX_ACTIVE_LEVELS:
    case RTM_ICV_DYN:
    case RTM_ICV_DEFAULT_DEVICE:
        return true;
    default:
        return false;
    }
}

/** Parts of a task and its team that ICV needs. */
static void parts_of(enum rtm_icv icv, unsigned *task, unsigned *team)
{
    *task = is_inherited(icv) ? CO_TASK_ICVS : 0;
    *team = CO_TEAM_SIZE;
    switch (icv) {
    case RTM_ICV_BIND:
    case RTM_ICV_LEVELS:
    case RTM_ICV_ACTIVE_LEVELS:
        *team |= CO_TEAM_LEVEL;
        break;
    case RTM_ICV_LEAGUE_SIZE:
    case RTM_ICV_TEAM_NUM:
        *team |= CO_TEAM_LEAGUE;
        break;
    case RTM_ICV_TEAM_GENERATOR:
        *team |= CO_TEAM_KIND | CO_TEAM_PARENT;
        break;
    case RTM_ICV_THREAD_NUM:
        *task |= CO_TASK_RUN;
        break;
    default:
        break;
    }
}

static ompd_rc_t of_task(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                         struct rtm_icv_value *ret)
{
    struct co_task task;
    struct co_team team;
    struct co_extra extra;
    unsigned task_parts, team_parts;
    parts_of(icv, &task_parts, &team_parts);
    TRY(co_live_task_team(aspace, ref, task_parts, team_parts, &task, &team));
    if (scope == ompd_scope_implicit_task && !co_is_implicit(aspace, task.flags))
        return ompd_rc_incompatible;
    if (task.unbegun && is_inherited(icv)) {
        TRY(co_get_team(aspace, team.address, CO_ALL, &team));
        TRY(co_unbegun_icvs(aspace, &team, &task, &extra));
    }
    switch (icv) {
    case RTM_ICV_NTHREADS:
        return nthreads(aspace, &task, &team, ret);
    case RTM_ICV_BIND:
        return bind(aspace, &task, team.level, ret);
    case RTM_ICV_RUN_SCHED:
        one(ret, (int64_t)task.sched);
        ret->item[1] = task.chunk;
        ret->count = 2;
        return ompd_rc_ok;
    case RTM_ICV_THREAD_LIMIT:
    case RTM_ICV_STRUCTURED_THREAD_LIMIT: /* no thread is reserved for free agents */
        one(ret, task.thread_limit);
        return ompd_rc_ok;
    case RTM_ICV_FREE_AGENT_THREAD_LIMIT: /* one is for structured parallelism: the primary thread */
        if (task.thread_limit < 1)
            return ompd_rc_error; /* no runtime writes that: the slot is damaged */
        one(ret, task.thread_limit - 1);
        return ompd_rc_ok;
    case RTM_ICV_MAX_ACTIVE_LEVELS:
        one(ret, task.max_active_levels);
        return ompd_rc_ok;
    case RTM_ICV_DYN:
        one(ret, task.dyn != 0);
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
        if (task.thread_num < 0)
            return ompd_rc_unavailable;
        one(ret, task.thread_num);
        return ompd_rc_ok;
    case RTM_ICV_TASK_TEAM_SIZE:
        one(ret, team.nthreads);
        return ompd_rc_ok;
    case RTM_ICV_LEAGUE_SIZE:
        one(ret, team.num_teams);
        return ompd_rc_ok;
    case RTM_ICV_TEAM_NUM:
        one(ret, team.team_num);
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
    case RTM_ICV_FREE_AGENT: /* Companion has none */
        one(ret, 0);
        return ompd_rc_ok;
    default: /* RTM_ICV_TEAM_GENERATOR */
        one(ret, generator(aspace, &team));
        return ompd_rc_ok;
    }
}

/* ---- process's ----------------------------------------------------------------------------------------- */

static ompd_rc_t of_root(aspace_t *aspace, unsigned id, struct rtm_icv_value *ret)
{
    const uint16_t ids[] = {(uint16_t)id, 0};
    int64_t number;
    TRY(co_need(aspace, ids));
    TRY(co_root_signed(aspace, id, &number));
    one(ret, number);
    return ompd_rc_ok;
}

/** The same of a number without a sign. */
static ompd_rc_t of_root_unsigned(aspace_t *aspace, unsigned id, struct rtm_icv_value *ret)
{
    uint64_t number;
    TRY(co_root_number(aspace, id, &number));
    one(ret, (int64_t)number);
    return ompd_rc_ok;
}

static ompd_rc_t of_constant(aspace_t *aspace, unsigned id, struct rtm_icv_value *ret)
{
    const uint16_t ids[] = {(uint16_t)id, 0};
    TRY(co_need(aspace, ids));
    one(ret, (int64_t)co_constant(aspace, id));
    return ompd_rc_ok;
}

static ompd_rc_t of_settings(aspace_t *aspace, unsigned id, struct rtm_icv_value *ret)
{
    uint64_t number;
    TRY(co_setting(aspace, id, &number));
    one(ret, (int64_t)number);
    return ompd_rc_ok;
}

static ompd_rc_t of_process(aspace_t *aspace, enum rtm_icv icv, struct rtm_icv_value *ret)
{
    TRY(co_started(aspace));
    switch (icv) {
    case RTM_ICV_NUM_PROCS:
        return of_root_unsigned(aspace, LAY_F_rt_root_procs, ret);
    case RTM_ICV_STACKSIZE:
        TRY(of_root_unsigned(aspace, LAY_F_rt_root_stacksize, ret));
        return ret->item[0] == 0 ? of_root(aspace, LAY_F_rt_root_stacksize_default, ret) : ompd_rc_ok;
    case RTM_ICV_WAIT_POLICY:
        return of_root_unsigned(aspace, LAY_F_rt_root_wait_policy, ret);
    case RTM_ICV_DEBUG:
        TRY(of_root_unsigned(aspace, LAY_F_rt_root_debug, ret));
        ret->item[0] = ret->item[0] != 0;
        return ompd_rc_ok;
    case RTM_ICV_NTEAMS:
        return of_root(aspace, LAY_F_rt_root_nteams, ret);
    case RTM_ICV_TEAMS_THREAD_LIMIT:
        return of_root(aspace, LAY_F_rt_root_teams_thread_limit, ret);
    case RTM_ICV_CANCEL:
        return of_root(aspace, LAY_F_rt_root_cancellation, ret);
    case RTM_ICV_DISPLAY_AFFINITY:
        return of_root(aspace, LAY_F_rt_root_display_affinity, ret);
    case RTM_ICV_MAX_TASK_PRIORITY:
        return of_root(aspace, LAY_F_rt_root_max_task_priority, ret);
    case RTM_ICV_DEVICE_NUM:
        return of_constant(aspace, LAY_C_RT_DEVICE_NUM, ret);
    case RTM_ICV_NUM_DEVICES:
        return of_constant(aspace, LAY_C_RT_NUM_DEVICES, ret);
    case RTM_ICV_DEF_SCHED:
        return of_constant(aspace, LAY_C_RT_DEF_SCHED, ret);
    case RTM_ICV_TARGET_OFFLOAD:
        return of_settings(aspace, LAY_F_rt_env_target_offload, ret);
    case RTM_ICV_TOOL:
        return of_settings(aspace, LAY_F_rt_env_tool, ret);
    case RTM_ICV_AVAILABLE_DEVICES: /* as many as num-devices-var says: none */
        TRY(of_constant(aspace, LAY_C_RT_NUM_DEVICES, ret));
        ret->count = 0;
        return ompd_rc_ok;
    default:
        return ompd_rc_unsupported;
    }
}

ompd_rc_t co_op_icv(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                    struct rtm_icv_value *ret)
{
    struct co_team team;
    if (ref == NULL)
        return of_process(aspace, icv, ret);
    switch (icv) {
    case RTM_ICV_TEAM_SIZE:
    case RTM_ICV_REGION_LEVELS:
    case RTM_ICV_REGION_ACTIVE_LEVELS:
        TRY(co_live_team(aspace, ref, icv == RTM_ICV_TEAM_SIZE ? CO_TEAM_SIZE : CO_TEAM_SIZE | CO_TEAM_LEVEL,
                         &team));
        one(ret, icv == RTM_ICV_TEAM_SIZE       ? team.nthreads
                 : icv == RTM_ICV_REGION_LEVELS ? team.level
                                                : team.active_level);
        return ompd_rc_ok;
    case RTM_ICV_DEF_ALLOCATOR:
    case RTM_ICV_PLACE_PARTITION:
    case RTM_ICV_PLACE_ASSIGNMENT:
        return of_implicit(aspace, icv, ref, scope, ret);
    default:
        return of_task(aspace, icv, ref, scope, ret);
    }
}

ompd_rc_t co_op_initial_task(aspace_t *aspace, struct rtm_ref *ret)
{
    const struct index *teams;
    TRY(co_index(aspace, CO_TEAMS_BY_SERIAL, &teams));
    for (size_t i = 0; i < teams->count; i++) {
        struct co_team team;
        struct co_task task;
        TRY(co_get_team(aspace, teams->rows[i].value, CO_ALL, &team));
        if (generator(aspace, &team) != ompd_generator_program)
            continue;
        TRY(co_check_team(aspace, &team));
        TRY(co_find_implicit(aspace, &team, 0, &task));
        *ret = (struct rtm_ref){task.address, task.serial};
        return ompd_rc_ok;
    }
    /* Where teams could not be read, "it has ended" would be a guess. */
    return co_has_holes(aspace, CO_TEAM) ? ompd_rc_device_read_error : ompd_rc_unavailable;
}
