/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_constructs.h"

#include <string.h>

#include "runtimes/gomp/gomp_call.h"
#include "runtimes/gomp/gomp_records.h"

/** Taskgroups around one another; a target that has more is damaged. */
#define GROUPS_MAX 256u

static const uint16_t needed[] = {LAY_S_gomp_work_share,
                                  LAY_F_gomp_thread_work_share,
                                  LAY_F_gomp_thread_last_work_share,
                                  LAY_F_gomp_thread_static_trip,
                                  LAY_F_gomp_team_prev_work_share,
                                  LAY_F_gomp_team_prev_last_work_share,
                                  LAY_F_gomp_team_prev_static_trip,
                                  LAY_F_gomp_team_work_shares,
                                  LAY_F_gomp_work_share_sched,
                                  LAY_F_gomp_work_share_chunk_size,
                                  LAY_F_gomp_work_share_end,
                                  LAY_F_gomp_work_share_incr,
                                  LAY_F_gomp_work_share_next,
                                  LAY_F_gomp_work_share_threads_completed};

bool gomp_has_constructs(const aspace_t *aspace)
{
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!lay_has(&aspace->lay, needed[i]))
            return false;
    return lay_size(&aspace->lay, LAY_S_gomp_work_share) <= BRK_SLOT_BYTES_MAX;
}

/* ---- where a member is --------------------------------------------------------------------------------- */

static ompd_rc_t number_of(const aspace_t *aspace, const uint8_t *bytes, unsigned id, uint64_t *ret)
{
    return lay_get(&aspace->tgt, &aspace->lay, bytes, id, ret);
}

/** The thread works in the task's team itself. */
static ompd_rc_t by_record(aspace_t *aspace, const struct world_thread *thread, uint64_t team,
                           struct gomp_where *ret)
{
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    uint64_t trip, in;
    TRY(brk_spot(&aspace->tgt, &aspace->brk, GOMP_SPOTS_RECORDS, thread->address,
                 lay_size(&aspace->lay, LAY_S_gomp_thread), bytes));
    TRY(number_of(aspace, bytes, LAY_F_gomp_thread_team, &in));
    if (in != team)
        return ompd_rc_unavailable; /* it starts an inner region, or has not begun this one */
    TRY(number_of(aspace, bytes, LAY_F_gomp_thread_work_share, &ret->work_share));
    TRY(number_of(aspace, bytes, LAY_F_gomp_thread_last_work_share, &ret->last));
    TRY(number_of(aspace, bytes, LAY_F_gomp_thread_static_trip, &trip));
    ret->trip = (int64_t)trip;
    return ompd_rc_ok;
}

/** The thread has created INNER in the task's team: its record of that team is kept there. */
static ompd_rc_t by_inner_team(aspace_t *aspace, struct pages *pages, uint64_t inner, struct gomp_where *ret)
{
    const struct lay *lay = &aspace->lay;
    uint64_t trip;
    TRY(pages_number(aspace, pages, inner + lay_offset(lay, LAY_F_gomp_team_prev_work_share), 8,
                     &ret->work_share));
    TRY(pages_number(aspace, pages, inner + lay_offset(lay, LAY_F_gomp_team_prev_last_work_share), 8,
                     &ret->last));
    TRY(pages_number(aspace, pages, inner + lay_offset(lay, LAY_F_gomp_team_prev_static_trip), 8, &trip));
    ret->trip = (int64_t)trip;
    return ompd_rc_ok;
}

static bool is_parallel(const struct world *world, int32_t team)
{
    return team != WORLD_NONE && world->teams[team].kind == ompd_generator_parallel;
}

ompd_rc_t gomp_place_of(aspace_t *aspace, const struct world *world, const struct world_task *task,
                        struct gomp_where *ret)
{
    struct pages *pages = &((struct world *)aspace->brk.world)->pages;
    struct gomp_where place;
    if ((task->flags & ompt_task_implicit) == 0 || task->thread == WORLD_NONE || task->team == WORLD_NONE ||
        !is_parallel(world, task->team))
        return ompd_rc_unavailable;
    const struct world_thread *thread = &world->threads[task->thread];
    int32_t at = thread->team;
    if (at == task->team) {
        TRY(by_record(aspace, thread, world->teams[at].address, &place));
        *ret = place;
        return ompd_rc_ok;
    }
    while (is_parallel(world, at) && world->teams[at].members[0] == task->thread) {
        if (world->teams[at].parent == task->team) {
            TRY(by_inner_team(aspace, pages, world->teams[at].address, &place));
            *ret = place;
            return ompd_rc_ok;
        }
        at = world->teams[at].parent;
    }
    return ompd_rc_unavailable; /* it is in a target region */
}

/* ---- what it is of ------------------------------------------------------------------------------------- */

/** By which call the team was created: a loop or sections that are a whole region have calls of their own. */
static ompd_rc_t by_creator(aspace_t *aspace, struct world *world, int32_t team, struct gomp_found *ret)
{
    struct gomp gomp = {.aspace = aspace, .world = world};
    struct gomp_call call;
    ret->what = GOMP_CONSTRUCT_UNKNOWN;
    TRY(gomp_team_call(&gomp, team, &call));
    const char *name = call.how == GOMP_CALL_NAMED ? call.name : NULL;
    if (gomp_begins(name, "GOMP_parallel_loop"))
        ret->what = GOMP_CONSTRUCT_LOOP;
    else if (gomp_begins(name, "GOMP_parallel_sections"))
        ret->what = GOMP_CONSTRUCT_SECTIONS;
    else if (name != NULL &&
             (strcmp(name, "GOMP_parallel") == 0 || gomp_begins(name, "GOMP_parallel_reductions")))
        ret->what = GOMP_CONSTRUCT_NONE;
    return ompd_rc_ok;
}

/** What the members that are at one record do. */
struct seen {
    unsigned at_work; /**< in the program's code */
    bool loop, sections, single;
};

static void look_at(const struct world_thread *thread, struct seen *seen, struct gomp_found *found)
{
    const char *call = thread->wait_call;
    const bool ordered = thread->wait_kind == ompdx_wait_ordered;
    if (gomp_begins(call, "GOMP_single_copy") || gomp_begins(call, "GOMP_scope"))
        seen->single = true;
    else if (gomp_begins(call, "GOMP_sections"))
        seen->sections = true;
    else if (ordered || gomp_begins(call, "GOMP_loop") || gomp_begins(call, "GOMP_ordered"))
        seen->loop = true;
    else if (thread->state == ompt_state_work_parallel || thread->wait_kind == ompdx_wait_lock ||
             thread->wait_kind == ompdx_wait_nest_lock || thread->wait_kind == ompdx_wait_critical)
        seen->at_work++;
    if (ordered && gomp_begins(call, "GOMP_doacross"))
        found->doacross = true;
    else if (ordered)
        found->ordered = true;
}

/** Is a reduction of tasks around the construct? Then nothing may be set in the record. false: none seen. */
static bool has_reduction(aspace_t *aspace, struct world *world, const struct world_task *task)
{
    uint64_t group, flag;
    uint64_t at = task->address + lay_offset(&aspace->lay, LAY_F_gomp_task_taskgroup);
    if (!lay_has(&aspace->lay, LAY_F_gomp_taskgroup_workshare))
        return false; /* this version has no such reductions */
    if (!lay_has(&aspace->lay, LAY_F_gomp_task_taskgroup) ||
        !lay_has(&aspace->lay, LAY_F_gomp_taskgroup_prev))
        return true;
    for (unsigned i = 0; i < GROUPS_MAX; i++) {
        if (pages_number(aspace, &world->pages, at, 8, &group) != ompd_rc_ok)
            return true;
        if (group == 0)
            return false;
        if (pages_number(aspace, &world->pages,
                         group + lay_offset(&aspace->lay, LAY_F_gomp_taskgroup_workshare), 1,
                         &flag) != ompd_rc_ok ||
            flag != 0)
            return true;
        at = group + lay_offset(&aspace->lay, LAY_F_gomp_taskgroup_prev);
    }
    return true;
}

/**
 * A construct of its own, by what its members do. In a single construct with copyprivate one member is in the
 * program's code, and until it leaves it no other one leaves the construct.
 */
static void by_members(aspace_t *aspace, struct world *world, const struct world_task *task,
                       const struct gomp_where *place, struct gomp_found *ret)
{
    const struct world_team *team = &world->teams[task->team];
    struct seen seen = {0};
    struct gomp_where other;
    uint64_t completed = 0;
    for (int32_t i = 0; i < team->size; i++) {
        if (team->tasks[i] == WORLD_NONE ||
            gomp_place_of(aspace, world, &world->tasks[team->tasks[i]], &other) != ompd_rc_ok ||
            other.work_share != place->work_share || (other.last == 0) != ret->combined)
            continue;
        look_at(&world->threads[world->tasks[team->tasks[i]].thread], &seen, ret);
    }
    if (ret->combined)
        return;
    if (pages_number(aspace, &world->pages,
                     place->work_share + lay_offset(&aspace->lay, LAY_F_gomp_work_share_threads_completed), 4,
                     &completed) != ompd_rc_ok ||
        completed >= (uint64_t)team->size)
        completed = 0;
    if (seen.single)
        ret->what = GOMP_CONSTRUCT_NONE;
    else if (has_reduction(aspace, world, task))
        ret->what = GOMP_CONSTRUCT_UNKNOWN;
    else if (seen.sections)
        ret->what = GOMP_CONSTRUCT_SECTIONS;
    else if (seen.loop || seen.at_work > 1 || (seen.at_work == 1 && completed != 0))
        ret->what = GOMP_CONSTRUCT_LOOP;
    else
        ret->what = GOMP_CONSTRUCT_UNKNOWN;
}

/** What was found last for each team: mostly all its members are in one construct. */
struct remembered {
    uint64_t work_share;
    struct gomp_found found;
};

ompd_rc_t gomp_construct_of(aspace_t *aspace, struct world *world, const struct world_task *task,
                            const struct gomp_where *place, struct gomp_found *ret)
{
    const uint64_t first =
        world->teams[task->team].address + lay_offset(&aspace->lay, LAY_F_gomp_team_work_shares);
    struct gomp_found found = {.combined = place->last == 0 && place->work_share == first};
    struct remembered *list = world->beside;
    *ret = (struct gomp_found){.what = GOMP_CONSTRUCT_NONE};
    if (place->work_share == 0 || (place->last == 0 && !found.combined))
        return ompd_rc_ok;
    if (list == NULL) {
        TRY(brk_alloc(&aspace->brk, (uint64_t)world->team_count * sizeof *list, &list));
        memset(list, 0, (size_t)world->team_count * sizeof *list);
        world->beside = list;
    }
    list += task->team;
    if (list->work_share == place->work_share && list->found.combined == found.combined) {
        *ret = list->found;
        return ompd_rc_ok;
    }
    if (found.combined)
        TRY(by_creator(aspace, world, task->team, &found));
    by_members(aspace, world, task, place, &found);
    *list = (struct remembered){place->work_share, found};
    *ret = found;
    return ompd_rc_ok;
}
