/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: implicit tasks whose threads have not begun them yet.
 *
 * They exist when the construct is encountered (OpenMP 6.0 section 12.1). Their slots hold earlier tasks
 * until then, but the region says all that such a task is: which slot each has, what serials they will have,
 * and their function.
 */
#include "runtimes/companion/companion.h"

#include <stddef.h>
#include <string.h>

static bool is_parallel(const aspace_t *aspace, const struct co_team *team)
{
    return team->kind == co_constant(aspace, LAY_C_RT_TEAM_PARALLEL);
}

ompd_rc_t co_unbegun_member(aspace_t *aspace, const struct co_team *team, int64_t number, struct co_task *ret)
{
    struct co_task slot;
    uint64_t address;
    if (team->first_task == 0 || team->serial == 0 || number < 0 || number >= team->nthreads)
        return ompd_rc_unavailable;
    TRY(co_member_task(aspace, team, number, &address));
    if (address == 0)
        return ompd_rc_unavailable;
    TRY(co_get_task(aspace, address, 0, &slot)); /* a slot of tasks, whatever is in it */
    const uint64_t serial = team->first_task + (uint64_t)number;
    if (slot.serial == serial)
        return ompd_rc_unavailable; /* it has begun */
    *ret = (struct co_task){.address = address,
                            .serial = serial,
                            .team = team->address,
                            .team_serial = team->serial,
                            .parent = team->parent_task,
                            .fn = team->fn,
                            .codeptr = team->codeptr,
                            .loc = team->loc,
                            .flags = co_constant(aspace, is_parallel(aspace, team) ? LAY_C_RT_TASK_IMPLICIT
                                                                                   : LAY_C_RT_TASK_INITIAL),
                            .state = co_constant(aspace, LAY_C_RT_TS_CREATED),
                            .thread_num = number,
                            .bar_seq = team->bar_gen,
                            .bar_left = team->bar_gen,
                            .creator_thread_num = -1,
                            .unbegun = true};
    return ompd_rc_ok;
}

/** What of its team is needed for PARTS of an unbegun task. */
static unsigned parts_of_team(unsigned parts)
{
    return CO_TEAM_SIZE | CO_TEAM_MEMBERS | CO_TEAM_KIND | ((parts & CO_TASK_FN) != 0 ? CO_TEAM_FN : 0) |
           ((parts & CO_TASK_PARENT) != 0 ? CO_TEAM_PARENT : 0) |
           ((parts & CO_TASK_REST) != 0 ? CO_TEAM_REST : 0);
}

/** The unbegun task of a handle, if it is of the team at ADDRESS. unavailable: it is not. */
static ompd_rc_t unbegun_of(aspace_t *aspace, const struct rtm_ref *ref, uint64_t address, unsigned parts,
                            struct co_task *ret)
{
    struct co_team team;
    struct co_task task;
    TRY(co_get_team(aspace, address, parts_of_team(parts), &team));
    if (team.serial == 0 || team.first_task == 0 || ref->serial - team.first_task >= (uint64_t)team.nthreads)
        return ompd_rc_unavailable;
    TRY(co_check_team(aspace, &team));
    TRY(co_unbegun_member(aspace, &team, (int64_t)(ref->serial - team.first_task), &task));
    if (task.address != ref->address)
        return ompd_rc_unavailable;
    *ret = task;
    return ompd_rc_ok;
}

static ompd_rc_t find_unbegun(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                              struct co_task *ret)
{
    const struct index *teams;
    TRY(co_index(aspace, CO_TEAMS_BY_FIRST_TASK, &teams));
    /* The last region that does not start behind it. */
    size_t at = index_find(teams, ref->serial);
    if (at == teams->count || teams->rows[at].key != ref->serial) {
        if (at == 0)
            return ompd_rc_unavailable;
        at--;
    }
    return unbegun_of(aspace, ref, teams->rows[at].value, parts, ret);
}

/**
 * The task of a handle that was unbegun when its region was last asked. unavailable: nothing is known of it.
 */
static ompd_rc_t still_unbegun(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                               struct co_task *ret)
{
    const uint64_t team = co_known_unbegun(aspace, ref);
    struct co_task slot;
    if (team == 0)
        return ompd_rc_unavailable;
    TRY(co_get_task(aspace, ref->address, 0, &slot));
    if (slot.serial == ref->serial)
        return ompd_rc_unavailable; /* it has begun */
    return unbegun_of(aspace, ref, team, parts, ret);
}

/** The task of a handle, begun or not; whether its region still lives has not been asked if it is begun. */
static ompd_rc_t task_of_handle(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts,
                                struct co_task *ret)
{
    ompd_rc_t rc = still_unbegun(aspace, ref, parts, ret);
    if (rc != ompd_rc_unavailable)
        return rc;
    TRY(co_get_task(aspace, ref->address, parts | CO_TASK_TEAM | CO_TASK_KIND, ret));
    if (ret->serial == ref->serial)
        return ompd_rc_ok;
    rc = find_unbegun(aspace, ref, parts, ret);
    return rc == ompd_rc_unavailable ? ompd_rc_stale_handle : rc;
}

ompd_rc_t co_live_task(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts, struct co_task *ret)
{
    struct co_team team;
    bool alive;
    TRY(task_of_handle(aspace, ref, parts, ret));
    if (ret->unbegun || !co_is_implicit(aspace, ret->flags))
        return ompd_rc_ok;
    /* An implicit task's slot outlives its region: a hot team keeps it for the next one. */
    TRY(co_team_of_task(aspace, ret, 0, &team, &alive));
    return alive ? ompd_rc_ok : ompd_rc_stale_handle;
}

ompd_rc_t co_live_task_team(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts, unsigned team_parts,
                            struct co_task *task, struct co_team *team)
{
    bool alive;
    TRY(task_of_handle(aspace, ref, parts, task));
    TRY(co_team_of_task(aspace, task, team_parts, team, &alive));
    return alive ? ompd_rc_ok : ompd_rc_stale_handle;
}

/* ---- all of them --------------------------------------------------------------------------------------- */

/** Rows that grow: `room` are there, `most` may be, for each task has a slot of its own. */
struct rows {
    struct index index;
    size_t room, most;
};

static ompd_rc_t add_row(aspace_t *aspace, const struct co_task *task, struct rows *rows)
{
    struct index *index = &rows->index;
    if (index->count == rows->room) {
        struct index wider = {NULL, index->count};
        const size_t room = 2 * rows->room + 64;
        TRY(brk_alloc(&aspace->brk, room * sizeof *wider.rows, &wider.rows));
        if (index->count != 0)
            memcpy(wider.rows, index->rows, index->count * sizeof *wider.rows);
        *index = wider;
        rows->room = room;
    }
    index->rows[index->count++] = (struct index_row){task->serial, task->address};
    return ompd_rc_ok;
}

/** Adds those of one region. */
static ompd_rc_t add_team(aspace_t *aspace, uint64_t address, struct rows *rows)
{
    struct co_team team;
    const struct index *begun;
    TRY(co_get_team(aspace, address, CO_ALL, &team));
    TRY(co_check_team(aspace, &team));
    TRY(co_index(aspace, CO_IMPLICIT_BY_TEAM, &begun));
    size_t there = index_find(begun, address), first = there;
    while (there < begun->count && begun->rows[there].key == address)
        there++;
    if (there - first >= (size_t)team.nthreads)
        return ompd_rc_ok;
    for (int64_t i = 0; i < team.nthreads && rows->index.count < rows->most; i++) {
        struct co_task task;
        ompd_rc_t rc = co_unbegun_member(aspace, &team, i, &task);
        if (rc == ompd_rc_unavailable)
            continue;
        TRY(rc); /* damaged, or not in the core */
        TRY(add_row(aspace, &task, rows));
    }
    return ompd_rc_ok;
}

/** Adds those of all regions to INDEX, whose rows are replaced and not changed. */
static ompd_rc_t add_unbegun(aspace_t *aspace, struct index *index)
{
    const struct index *teams;
    TRY(co_index(aspace, CO_TEAMS_BY_FIRST_TASK, &teams));
    if (teams->count == 0)
        return ompd_rc_ok;
    struct rows rows = {*index, index->count, index->count + brk_used(&aspace->brk, CO_TASK)};
    for (size_t i = 0; i < teams->count; i++) {
        /* Of a region that is damaged or not in the core those are listed that are known. */
        ompd_rc_t rc = add_team(aspace, teams->rows[i].value, &rows);
        if (rc == ompd_rc_nomem)
            return rc;
    }
    *index = rows.index;
    return ompd_rc_ok;
}

ompd_rc_t co_all_tasks(aspace_t *aspace, const struct index **ret)
{
    struct brk *brk = &aspace->brk;
    const struct index *begun;
    *ret = &brk->index[CO_TASKS_BY_SERIAL];
    if (brk->index_ready[CO_TASKS_BY_SERIAL])
        return ompd_rc_ok;
    TRY(co_index(aspace, CO_BEGUN_TASKS_BY_SERIAL, &begun));
    struct index all = *begun;
    TRY(add_unbegun(aspace, &all));
    index_sort(&all);
    brk->index[CO_TASKS_BY_SERIAL] = all;
    brk->index_ready[CO_TASKS_BY_SERIAL] = true;
    return ompd_rc_ok;
}

/* ---- their variables ----------------------------------------------------------------------------------- */

/** What the region itself says of them. */
struct given {
    uint64_t rest, rest_count, bind;
};

static ompd_rc_t get_given(aspace_t *aspace, const struct co_team *team, struct given *ret)
{
    static const struct lay_wanted fields[] = {
        {LAY_F_rt_team_nthreads_rest, offsetof(struct given, rest), false},
        {LAY_F_rt_team_nthreads_rest_count, offsetof(struct given, rest_count), false},
        {LAY_F_rt_team_bind, offsetof(struct given, bind), false},
    };
    static const uint16_t ids[] = {LAY_F_rt_team_nthreads_rest, LAY_F_rt_team_nthreads_rest_count,
                                   LAY_F_rt_team_bind, 0};
    TRY(co_need(aspace, ids));
    return co_get_slot(aspace, CO_TEAM, team->address, fields, sizeof fields / sizeof fields[0], ret);
}

/** A signed number of SIZE bytes, which is one that numbers have. */
static ompd_rc_t read_signed(aspace_t *aspace, uint64_t address, uint32_t size, int64_t *ret)
{
    uint8_t bytes[8];
    uint64_t number;
    if (size != 4 && size != 8)
        return ompd_rc_incompatible;
    TRY(tgt_read(&aspace->tgt, address, size, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, size, &number));
    *ret = size == 4 ? (int32_t)(uint32_t)number : (int64_t)number;
    return ompd_rc_ok;
}

/** The places of member NUMBER, which the encountering thread has assigned. */
static ompd_rc_t get_part(aspace_t *aspace, const struct co_team *team, int64_t number,
                          struct co_extra *extra)
{
    static const uint16_t ids[] = {LAY_F_rt_member_part_first, LAY_F_rt_member_part_count, 0};
    TRY(co_need(aspace, ids));
    const uint64_t member = team->members + lay_size(&aspace->lay, LAY_S_rt_member) * (uint64_t)number;
    const struct lay_entry *first = lay_at(&aspace->lay, ids[0]), *count = lay_at(&aspace->lay, ids[1]);
    TRY(read_signed(aspace, member + (uint32_t)first->offset, first->size, &extra->place_first));
    return read_signed(aspace, member + (uint32_t)count->offset, count->size, &extra->place_count);
}

ompd_rc_t co_unbegun_icvs(aspace_t *aspace, const struct co_team *team, struct co_task *task,
                          struct co_extra *extra)
{
    static const uint16_t binding_id[] = {LAY_F_rt_root_binding, 0};
    struct co_task parent;
    struct given given;
    uint64_t binding;
    if (!is_parallel(aspace, team) || team->parent_task == 0)
        return ompd_rc_unavailable;
    TRY(co_get_task(aspace, team->parent_task, CO_TASK_ICVS, &parent));
    if (parent.serial != team->parent_serial)
        return ompd_rc_error;
    TRY(co_get_extra(aspace, &parent, extra));
    TRY(get_given(aspace, team, &given));
    TRY(co_started(aspace));
    TRY(co_need(aspace, binding_id));
    TRY(co_root_number(aspace, LAY_F_rt_root_binding, &binding));
    task->nthreads = parent.nthreads;
    task->thread_limit = parent.thread_limit;
    task->max_active_levels = parent.max_active_levels;
    task->sched = parent.sched;
    task->chunk = parent.chunk;
    task->dyn = parent.dyn;
    task->bind = parent.bind;
    task->default_device = parent.default_device;
    if (given.rest_count != 0) {
        extra->rest = given.rest;
        extra->rest_count = given.rest_count;
    }
    if (extra->rest_count != 0) {
        const uint32_t item = lay_size(&aspace->lay, LAY_F_rt_root_nthreads_list); /* of an i32 in an array */
        TRY(read_signed(aspace, extra->rest, item, &task->nthreads));
        extra->rest += item;
        extra->rest_count--;
    }
    if (binding != 0) {
        task->bind = given.bind;
        TRY(get_part(aspace, team, task->thread_num, extra));
    }
    return ompd_rc_ok;
}
