/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: regions.
 */
#include "runtimes/companion/companion.h"

/** The region around TEAM, whose CO_TEAM_PARENT is known. unavailable: it is an initial region, or what is
 *  around it was of a thread that fork() has left in the parent. */
static ompd_rc_t enclosing(aspace_t *aspace, const struct co_team *team, struct co_team *ret)
{
    struct co_task parent;
    bool alive;
    if (team->parent_task == 0)
        return ompd_rc_unavailable;
    TRY(co_get_task(aspace, team->parent_task, CO_TASK_TEAM, &parent));
    if (parent.serial != team->parent_serial)
        return ompd_rc_error; /* the encountering task cannot end before its region */
    TRY(co_team_of_task(aspace, &parent, CO_TEAM_SIZE, ret, &alive));
    return alive ? ompd_rc_ok : ompd_rc_unavailable;
}

ompd_rc_t co_op_region_enclosing(aspace_t *aspace, const struct rtm_ref *region, struct rtm_ref *ret)
{
    struct co_team team, outer;
    TRY(co_live_team(aspace, region, CO_TEAM_SIZE | CO_TEAM_PARENT, &team));
    TRY(enclosing(aspace, &team, &outer));
    *ret = (struct rtm_ref){outer.address, outer.serial};
    return ompd_rc_ok;
}

static ompd_rc_t team_and_number(aspace_t *aspace, const struct rtm_ref *region, int number,
                                 struct co_team *team)
{
    TRY(co_live_team(aspace, region, CO_TEAM_SIZE | CO_TEAM_MEMBERS, team));
    return number < 0 || number >= team->nthreads ? ompd_rc_bad_input : ompd_rc_ok;
}

/**
 * The implicit task of a region that says which serials its tasks have (layout 1.3): begun when its slot has
 * that serial.
 */
static ompd_rc_t task_by_serial(aspace_t *aspace, const struct co_team *team, int number, struct rtm_ref *ret)
{
    struct co_task task = {.serial = team->first_task + (uint64_t)number, .team = team->address};
    struct co_task slot;
    TRY(co_member_task(aspace, team, number, &task.address));
    if (task.address == 0)
        return ompd_rc_unavailable;
    TRY(co_get_task(aspace, task.address, 0, &slot));
    if (slot.serial != task.serial)
        co_know_unbegun(aspace, &task);
    *ret = (struct rtm_ref){task.address, task.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_region_task(aspace_t *aspace, const struct rtm_ref *region, int number, struct rtm_ref *ret)
{
    struct co_team team;
    struct co_task task;
    TRY(team_and_number(aspace, region, number, &team));
    if (!aspace->brk.open && team.first_task != 0)
        return task_by_serial(aspace, &team, number, ret);
    ompd_rc_t rc = co_find_implicit(aspace, &team, number, &task);
    if (rc == ompd_rc_unavailable)
        rc = co_unbegun_member(aspace, &team, number, &task);
    TRY(rc);
    *ret = (struct rtm_ref){task.address, task.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_region_thread(aspace_t *aspace, const struct rtm_ref *region, int number, struct rtm_ref *ret)
{
    struct co_team team;
    struct co_task task;
    struct co_thread thread;
    TRY(team_and_number(aspace, region, number, &team));
    if (aspace->brk.open) { /* the task tells, and it is in the cache */
        ompd_rc_t rc = co_find_implicit(aspace, &team, number, &task);
        if (rc == ompd_rc_ok && task.thread != 0) {
            TRY(co_get_thread(aspace, task.thread, 0, &thread));
            if (thread.serial != 0) {
                *ret = (struct rtm_ref){thread.address, thread.serial};
                return ompd_rc_ok;
            }
        } else if (rc != ompd_rc_ok && rc != ompd_rc_unavailable) {
            return rc;
        }
    }
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_member_thread);
    const uint64_t size = lay_size(&aspace->lay, LAY_S_rt_member);
    uint8_t bytes[8];
    uint64_t address;
    TRY(brk_array(&aspace->tgt, &aspace->brk, team.members, size * (uint64_t)team.nthreads,
                  size * (uint64_t)number + (uint32_t)field->offset, field->size, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, field->size, &address));
    if (address == 0)
        return ompd_rc_unavailable;
    TRY(co_get_thread(aspace, address, 0, &thread));
    if (thread.serial == 0)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){address, thread.serial};
    return ompd_rc_ok;
}

int32_t co_generator(const aspace_t *aspace, const struct co_team *team)
{
    if (team->kind == co_constant(aspace, LAY_C_RT_TEAM_INITIAL))
        return ompd_generator_program;
    if (team->kind == co_constant(aspace, LAY_C_RT_TEAM_TEAMS))
        return ompd_generator_teams;
    return ompd_generator_parallel;
}

ompd_rc_t co_op_region_info(aspace_t *aspace, const struct rtm_ref *region, ompdx_parallel_info_t *ret)
{
    struct co_team team, outer;
    TRY(co_live_team(aspace, region, CO_ALL, &team));
    ompdx_parallel_info_t info = {.id = team.serial,
                                  .parent_task = team.parent_task != 0 ? team.parent_serial : 0,
                                  .function = team.fn,
                                  .codeptr = team.codeptr,
                                  .kind = co_generator(aspace, &team),
                                  .level = (int32_t)team.level,
                                  .active_level = (int32_t)team.active_level,
                                  .team_size = (int32_t)team.nthreads,
                                  .league_size = -1,
                                  .team_num = -1};
    if (info.kind == ompd_generator_teams) {
        info.league_size = (int32_t)team.num_teams;
        info.team_num = (int32_t)team.team_num;
    }
    ompd_rc_t rc = enclosing(aspace, &team, &outer);
    if (rc == ompd_rc_ok && outer.address == team.address)
        rc = ompd_rc_error;
    if (rc != ompd_rc_unavailable) {
        TRY(rc);
        info.parent = outer.serial;
    }
    TRY(co_source(aspace, team.loc, &info.source));
    *ret = info;
    return ompd_rc_ok;
}

ompd_rc_t co_op_region_arrivals(aspace_t *aspace, const struct rtm_ref *region, int **ret, int *count)
{
    struct co_team team;
    const struct index *members;
    __attribute__((cleanup(tgt_free_guard))) struct index_row *rows = NULL;
    TRY(co_live_team(aspace, region, CO_ALL, &team));
    TRY(co_index(aspace, CO_IMPLICIT_BY_TEAM, &members));
    const size_t first = index_find(members, team.address);
    size_t last = first;
    while (last < members->count && members->rows[last].key == team.address)
        last++;
    /* Who could not be read has not therefore not arrived. */
    if (co_has_holes(aspace, CO_TASK) && (int64_t)(last - first) < team.nthreads)
        return ompd_rc_device_read_error;
    TRY(tgt_alloc((last - first) * sizeof *rows, &rows));
    struct index arrived = {rows, 0};
    uint32_t passed;
    TRY(co_barriers_passed(aspace, &team, &passed));
    for (size_t i = first; i < last && arrived.count < (size_t)team.nthreads; i++) {
        struct co_task task;
        TRY(co_get_task(aspace, members->rows[i].value, CO_ALL, &task));
        if (task.team_serial != team.serial || task.thread_num < 0 || task.thread_num >= team.nthreads)
            continue;
        if (co_is_counted(&task, passed))
            rows[arrived.count++] = (struct index_row){(uint64_t)task.thread_num, 0};
    }
    index_sort(&arrived);
    int *numbers = NULL;
    if (arrived.count != 0)
        TRY(tgt_alloc(arrived.count * sizeof *numbers, &numbers));
    for (size_t i = 0; i < arrived.count; i++)
        numbers[i] = (int)rows[i].key;
    *ret = numbers;
    *count = (int)arrived.count;
    return ompd_rc_ok;
}
