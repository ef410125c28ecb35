/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Regions of one thread: serialised parallel regions, teams of a league, target regions on the host, and the
 * initial task of a thread of the program.
 */
#include "barrier.h"
#include "debug.h"
#include "depend.h"
#include "display.h"
#include "dock.h"
#include "loop.h"
#include "places.h"
#include "region_inline.h"
#include "region_serial.h"
#include "slots.h"
#include "taskgroup.h"

/**
 * Begin or end of a region, in its encountering task. A league is one region, whatever its number of teams.
 */
RT_COLD void rt_region_report(struct rt_thread *th, struct rt_team *team, int end, int asked)
{
    if (team->kind == RT_TEAM_INITIAL ||
        (team->kind == RT_TEAM_TEAMS && team->team_num != (end ? team->num_teams - 1 : 0)))
        return;
    rt_report(th,
              &(struct rt_event){.on = RT_ON_PARALLEL,
                                 .end = (uint8_t)end,
                                 .team = team,
                                 .task = team->parent_task,
                                 .count = (uint64_t)(asked > 0 ? asked : team->parent_task->icvs.nthreads)});
}

/* ---- serialised regions -------------------------------------------------------------------------------- */

/** Regions nest, so each depth finds its own team again, with the threads that its regions have kept. */
static void serial_team_keep(struct rt_thread *th, struct rt_team *team)
{
    team->next_serial = th->serial_team;
    th->serial_team = team;
}

/**
 * Slots of a team that is over: for others now. Workers keep their tasks, and a hot team's slot its arrays.
 */
static void slots_free(struct rt_team *team, struct rt_slot **free_teams)
{
    rt_lock(&rt_root.lock);
    rt_slot_implicit_free(team->members[0].task);
    ((struct rt_slot *)team)->next = *free_teams;
    *free_teams = (struct rt_slot *)team;
    rt_unlock(&rt_root.lock);
}

/** Tasks that were detached, or wait for such a one, end before the region does. */
static inline void serialised_finish(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit)
{
    if (unlikely(rt_load(team->tasks_used)))
        rt_barrier_plain(th, RT_STATE_BARRIER_IMPLICIT_PARALLEL, (struct rt_caller){0, 0});
    if (unlikely(rt_load(implicit->loop) != NULL))
        rt_loop_leave(th);
}

static RT_COLD void serialised_finish_instrumented(struct rt_thread *th, struct rt_team *team,
                                                   struct rt_task *implicit)
{
    int parts = RT_WANTS(RT_ON_SYNC) && team->kind == RT_TEAM_PARALLEL ? RT_SYNC_REGION | RT_SYNC_WAIT : 0;
    RT_TRACK(
        rt_store(implicit->exit_frame, 0)); /* of a region whose code the program calls: rt_report_implicit */
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(th, (struct rt_caller){team->codeptr, 0});
    rt_report_sync_begin(th, parts, RT_STATE_BARRIER_IMPLICIT_PARALLEL, RT_WAIT_BARRIER, team, team->codeptr,
                         0);
    serialised_finish(th, team, implicit);
    rt_report_sync_end(th, parts, RT_STATE_BARRIER_IMPLICIT_PARALLEL, team->codeptr, 0);
}

void rt_serial_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    rt_taskgroups_close(th, implicit);
    if (RT_WANTS(RT_ON_REGION))
        serialised_finish_instrumented(th, team, implicit);
    else
        serialised_finish(th, team, implicit);
    leave_region(th, team, team->parent_task, implicit->outer_implicit);
    serial_team_keep(th, team);
}

void rt_serial_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller)
{
    struct pushed pushed = take_pushed(th);
    serial_begin(th, region, region->num_threads > 0 ? region->num_threads : pushed.num_threads, pushed,
                 caller);
}

/* ---- teams of a league, target regions on the host ----------------------------------------------------- */

void rt_initial_region_begin(struct rt_thread *th, const struct rt_initial_region *region,
                             struct rt_caller caller)
{
    struct rt_task *parent = rt_load(th->cur_task);
    struct rt_team *team = serial_team_take(th);
    const struct rt_region plain = {.loc = region->loc, .fn = region->fn};
    RT_TRACK(rt_store(parent->enter_frame, caller.frame));
    team_describe(team, parent, &plain, 1, caller.codeptr);
    int teams = region->kind == RT_TEAM_TEAMS;
    team->kind = region->kind;
    team->level = team->active_level = 0;
    team->nthreads_rest_count = 0;
    team->num_teams = teams ? region->num_teams : 1;
    team->team_num = teams ? region->team_num : 0;
    team->own_group.limit = region->thread_limit > 0 ? region->thread_limit
                            : teams                  ? parent->icvs.thread_limit
                                                     : rt_root.icvs.thread_limit;
    rt_store(team->own_group.threads, 1);
    team->group = &team->own_group;
    serialised_begin(th, team);
    if (RT_WANTS(RT_ON_PARALLEL))
        rt_region_report(th, team, 0, team->num_teams);
    if (teams)
        rt_bp_teams_begin();
    else
        rt_bp_target_begin();
    serialised_enter(th, team);
}

void rt_initial_region_end(struct rt_thread *th)
{
    rt_serial_end(th);
}

/* ---- the initial task of a thread of the program ------------------------------------------------------- */

void rt_initial_begin(struct rt_thread *th)
{
    rt_lock(&rt_root.lock);
    struct rt_team *team = rt_slot_team();
    struct rt_task *task = rt_slot_implicit();
    rt_unlock(&rt_root.lock);
    team->kind = RT_TEAM_INITIAL;
    team->nthreads = 1;
    team->capacity = team->members_size = 1;
    team->own_member = (struct rt_member){.task = task, .thread = th, .place = -1};
    team->members = &team->own_member;
    team->num_teams = 1;
    team->own_group.limit = rt_root.icvs.thread_limit;
    rt_store(team->own_group.threads, 1);
    team->group = &team->own_group;
    uint64_t serial = rt_task_serial(th);
    team->first_task = serial;
    rt_publish(team->serial, rt_team_serial(th));
    task->team = team;
    task->team_serial = rt_load(team->serial);
    task->flags = RT_TASK_INITIAL;
    rt_store(task->state, RT_TS_STARTED);
    rt_store(task->thread, th);
    task->creator_thread_num = -1;
    atomic_store_explicit(&task->counts, RT_REF, memory_order_relaxed);
    task->icvs = rt_root.icvs;
    task->member = &team->own_member;
    rt_store(task->stamp, serial);
    rt_publish(task->serial, serial);
    enter_region(th, task);
    rt_set_state(th, RT_STATE_WORK_SERIAL);
}

void rt_team_disband(struct rt_team *team)
{
    for (int i = 0; i < team->members_size; i++) {
        if (team->members[i].hot != NULL)
            rt_team_disband(team->members[i].hot);
        team->members[i].hot = NULL;
    }
    rt_dock_disband(team);
    slots_free(team, &rt_root.free_hot_teams);
}

/** Threads that the regions of a thread of the program have kept go back to the pool. */
void rt_initial_disband(struct rt_thread *th)
{
    struct rt_member *member = th->implicit->member;
    if (member->hot != NULL)
        rt_team_disband(member->hot);
    member->hot = NULL;
    for (struct rt_team *team = th->serial_team; team != NULL; team = team->next_serial) {
        if (team->own_member.hot != NULL)
            rt_team_disband(team->own_member.hot);
        team->own_member.hot = NULL;
    }
}

void rt_serial_teams_end(struct rt_thread *th)
{
    struct rt_team *team;
    while ((team = th->serial_team) != NULL) {
        th->serial_team = team->next_serial;
        if (team->own_member.hot != NULL)
            rt_team_disband(team->own_member.hot);
        team->own_member.hot = NULL;
        if (team->own_member.task->deps != NULL)
            rt_deps_forget(th, team->own_member.task);
        slots_free(team, &rt_root.free_teams);
    }
}

void rt_initial_end(struct rt_thread *th)
{
    struct rt_task *task = th->implicit;
    while (task->outer_implicit !=
           NULL) /* the thread ends inside a region, which the specification forbids */
        task = task->outer_implicit;
    struct rt_team *team = task->team;
    th->implicit = task;
    rt_initial_disband(th);
    if (task->deps != NULL)
        rt_deps_forget(th, task);
    if (RT_WANTS(RT_ON_IMPLICIT))
        rt_report_implicit(th, 1);
    rt_store(th->cur_task, NULL);
    rt_publish(team->serial, 0);
    slots_free(team, &rt_root.free_teams);
    rt_serial_teams_end(th);
}
