/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collector API's view of the calling thread: state, region, region around it. Only the thread's own
 * words are read, and the serial of its region, which another thread may end: so every instant between two
 * instructions has an answer, no lock is taken and nothing is made.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "../core/state.h"
#include "../core/tid.h"
#include "collector.h"
#include "where.h"

OMP_COLLECTOR_API_THR_STATE collector_state(uint32_t state)
{
    switch (state) {
    case RT_STATE_WORK_SERIAL:
        return THR_SERIAL_STATE;
    case RT_STATE_WORK_PARALLEL:
        return THR_WORK_STATE;
    case RT_STATE_WORK_REDUCTION:
        return THR_REDUC_STATE;
    case RT_STATE_BARRIER: /* gcc does not say which */
    case RT_STATE_BARRIER_IMPLICIT_PARALLEL:
    case RT_STATE_BARRIER_IMPLICIT_WORKSHARE:
    case RT_STATE_BARRIER_IMPLEMENTATION:
        return THR_IBAR_STATE;
    case RT_STATE_BARRIER_EXPLICIT:
        return THR_EBAR_STATE;
    case RT_STATE_MUTEX:
    case RT_STATE_LOCK:
        return THR_LKWT_STATE;
    case RT_STATE_CRITICAL:
        return THR_CTWT_STATE;
    case RT_STATE_ATOMIC:
        return THR_ATWT_STATE;
    case RT_STATE_ORDERED:
        return THR_ODWT_STATE;
    case RT_STATE_IDLE:
        return THR_IDLE_STATE;
    default: /* there is no state for the waiting of tasks */
        return THR_OVHD_STATE;
    }
}

static int waits(OMP_COLLECTOR_API_THR_STATE state)
{
    return state == THR_IBAR_STATE || state == THR_EBAR_STATE ||
           (state >= THR_LKWT_STATE && state <= THR_ATWT_STATE);
}

/**
 * The region of a task of the calling thread: its implicit task's, or an explicit one's around which that is.
 * A league's team or a target region is none: its thread is an initial one. The team itself is not read,
 * since its primary may describe the next region in it.
 */
static uint64_t region_of(const struct rt_thread *th, const struct rt_task *task)
{
    const struct rt_task *implicit = where_flags(task) & RT_TASK_EXPLICIT ? th->implicit : task;
    return implicit != NULL && where_flags(implicit) & RT_TASK_IMPLICIT ? where_region(task) : 0;
}

/** A region that begins or ends is the current one of its primary, who is in the task around it. */
static const struct rt_team *collector_state_switching(const struct rt_thread *th)
{
    const struct rt_team *team = rt_load(th->switching_team);
    return team != NULL && team->kind == RT_TEAM_PARALLEL ? team : NULL;
}

struct collector_where collector_where(void)
{
    struct collector_where where = {THR_SERIAL_STATE, 0, 0};
    const struct rt_thread *th = rt_self;
    if (th == NULL)
        return where;
    const struct rt_team *team = collector_state_switching(th);
    if (team != NULL) {
        where.state = THR_OVHD_STATE;
        where.region = rt_load(team->serial);
        return where;
    }
    uint32_t word = rt_acquire(th->state) & 0xffff;
    const struct rt_task *task = where_task();
    if (task == NULL || word == RT_STATE_IDLE) {
        where.state = th->is_root ? THR_SERIAL_STATE : THR_IDLE_STATE;
        return where;
    }
    where.region = region_of(th, task);
    where.state = collector_state(word);
    if (waits(where.state))
        where.wait_id = rt_load(th->wait_id);
    else if (where.region == 0)
        where.state = THR_SERIAL_STATE; /* nothing else goes on outside regions that has a name */
    else if (where.state == THR_SERIAL_STATE)
        where.state = THR_OVHD_STATE; /* on the way between a region and a target region in it */
    return where;
}

int collector_parent(uint64_t *region)
{
    const struct rt_thread *th = rt_self;
    if (th == NULL) { /* unknown to the runtime: the process's first thread, or one of the program's */
        if (getpid() != rt_tid())
            return -1;
        *region = 0;
        return 0;
    }
    const struct rt_team *team = collector_state_switching(th);
    const struct rt_task *task = where_task();
    if (team == NULL) {
        if (task == NULL)
            return -1;
        if (region_of(th, task) == 0) {
            if (th->tid != getpid())
                return -1;
            *region = 0;
            return 0;
        }
        if (rt_load(th->implicit->thread_num) != 0)
            return -1;
        team = task->team;
    }
    /* The encountering task waits for the region, and so does all around it. */
    const struct rt_task *outer = team->parent_task;
    *region = outer->team->kind == RT_TEAM_PARALLEL ? outer->team_serial : 0;
    return 0;
}
