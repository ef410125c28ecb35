/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The listener behind work units: events as the life of units (units.h).
 *
 * A unit is READY, RUNNING, BLOCKED or finished, and each event takes it from one to the next; the word
 * rt_task.unit says where it stands, since a task that another one runs on top of may or may not have been
 * blocked before. What is reported:
 *   explicit task    CREATE RUN (SUSPEND RESUME RUN | YIELD RUN)* FINISH FREE, or CREATE CANCEL FREE
 *   implicit task    CREATE RUN ... SUSPEND(its region's last barrier) RESUME RUN FINISH JOIN FREE
 * The end of a worker's implicit task is reported by the primary when the join is complete, as is its JOIN:
 * so each comes before the region is over, and nobody waits for that.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "../core/attach.h"
#include "../core/deque.h"
#include "../core/event.h"
#include "../core/state.h"
#include "../core/task_slot.h"
#include "../core/tid.h"
#include "include/abt_tool.h"
#include "units.h"

/**
 * Low bits of rt_task.unit. Above them is the number of the listening, so that what an earlier one has left
 * in a slot means nothing.
 */
enum unit {
    UNKNOWN, /**< its CREATE was not reported, or it is over */
    READY,
    RUNNING,
    WAITING, /**< blocked in a wait of its own */
    ASIDE,   /**< blocked because it waits for the task that runs on top of it */
    YIELDED, /**< ready again, below a task that taskyield has run */
    DROPPED, /**< a cancelled task that ends without having run */
    FINISHED,
    UNIT_BITS = 4
};

static _Atomic(ompc_unit_sink *) sink;
static _Atomic uint32_t listening;

static enum unit unit_of(const struct rt_task *task)
{
    uint32_t number = rt_load(listening) & (UINT16_MAX >> UNIT_BITS);
    uint32_t unit = __atomic_load_n(&task->unit, __ATOMIC_ACQUIRE);
    return unit >> UNIT_BITS == number ? (enum unit)(unit & ((1 << UNIT_BITS) - 1)) : UNKNOWN;
}

static void unit_set(struct rt_task *task, enum unit unit)
{
    __atomic_store_n(&task->unit, (uint16_t)(rt_load(listening) << UNIT_BITS | unit), __ATOMIC_RELEASE);
}

/** The queue that a ready task is in, or goes to; of an implicit task the team, whose threads take it */
static const void *pool(const struct rt_thread *th, const struct rt_task *task)
{
    if (!(task->flags & RT_TASK_EXPLICIT))
        return task->team;
    if (task->priority > 0)
        return rt_deque_at(&task->team->priority_queue);
    return rt_deque_at(&th->implicit->member->deque);
}

static void unit_report(const struct ompc_unit_event *what)
{
    ompc_unit_sink *to = rt_acquire(sink);
    if (to != NULL)
        to(what);
}

static void unit_emit(uint32_t event, struct rt_thread *th, struct rt_task *task, void *caller,
                      uint32_t sync_type, const void *object)
{
    const uint32_t queued = ABT_TOOL_EVENT_THREAD_YIELD | ABT_TOOL_EVENT_THREAD_RESUME;
    struct ompc_unit_event what = {.event = event,
                                   .unit = task,
                                   .thread = th,
                                   .caller = caller,
                                   .pool = event & queued ? pool(th, task) : NULL,
                                   .sync_type = sync_type,
                                   .sync_object = object};
    unit_report(&what);
}

/* ---- one unit's steps -------------------- */

static void create(struct rt_thread *th, struct rt_task *task, struct rt_task *creator, const void *pool)
{
    struct ompc_unit_event what = {
        .event = ABT_TOOL_EVENT_THREAD_CREATE, .unit = task, .thread = th, .caller = creator, .pool = pool};
    unit_set(task, READY);
    unit_report(&what);
}

static void unit_run(struct rt_thread *th, struct rt_task *task)
{
    unit_set(task, RUNNING);
    unit_emit(ABT_TOOL_EVENT_THREAD_RUN, th, task, th->last_unit, 0, NULL);
}

static void resume(struct rt_thread *th, struct rt_task *task, struct rt_task *by)
{
    unit_emit(ABT_TOOL_EVENT_THREAD_RESUME, th, task, by, 0, NULL);
    unit_run(th, task);
}

/** The thread stops running it: FINISH, SUSPEND or YIELD. */
static void unit_stop(uint32_t event, struct rt_thread *th, struct rt_task *task, enum unit unit,
                      uint32_t sync_type, const void *object)
{
    th->last_unit = task;
    unit_emit(event, th, task, task, sync_type, object);
    unit_set(task, unit);
}

static void finish(struct rt_thread *th, struct rt_task *task)
{
    unit_stop(ABT_TOOL_EVENT_THREAD_FINISH, th, task, FINISHED, 0, NULL);
}

static void unit_release(struct rt_thread *th, struct rt_task *task, struct rt_task *by)
{
    unit_set(task, UNKNOWN);
    unit_emit(ABT_TOOL_EVENT_THREAD_FREE, th, task, by, 0, NULL);
}

/** `task` goes on when `top`, which runs on its stack, is over; it may be blocked in a wait already. */
static void set_aside(struct rt_thread *th, struct rt_task *task, struct rt_task *top)
{
    enum unit unit = unit_of(task);
    if (unit == RUNNING || unit == UNKNOWN)
        unit_stop(ABT_TOOL_EVENT_THREAD_SUSPEND, th, task, ASIDE, ABT_SYNC_EVENT_TYPE_THREAD_JOIN, top);
}

static void go_on(struct rt_thread *th, struct rt_task *task, struct rt_task *top)
{
    if (unit_of(task) == ASIDE)
        resume(th, task, top);
    else if (unit_of(task) == YIELDED)
        unit_run(th, task);
}

/* ---- waits -------------------- */

static uint32_t sync_type(uint32_t kind)
{
    switch (kind) {
    case RT_WAIT_BARRIER:
        return ABT_SYNC_EVENT_TYPE_BARRIER;
    case RT_WAIT_TASKWAIT:
    case RT_WAIT_TASKGROUP:
    case RT_WAIT_DEPEND:
        return ABT_SYNC_EVENT_TYPE_EVENTUAL;
    case RT_WAIT_ORDERED:
    case RT_WAIT_DOACROSS:
        return ABT_SYNC_EVENT_TYPE_COND;
    default:
        return ABT_SYNC_EVENT_TYPE_MUTEX;
    }
}

static void wait_begin(struct rt_thread *th, struct rt_task *task, uint32_t kind)
{
    if (unit_of(task) == RUNNING || unit_of(task) == UNKNOWN)
        unit_stop(ABT_TOOL_EVENT_THREAD_SUSPEND, th, task, WAITING, sync_type(kind),
                  (const void *)(uintptr_t)rt_load(th->wait_id)); /* NOLINT(performance-no-int-to-ptr) */
}

static void wait_end(struct rt_thread *th, struct rt_task *task)
{
    if (unit_of(task) == WAITING)
        resume(th, task, task); /* who has ended the wait is not recorded: the unit itself notices */
}

static void report_sync(struct rt_thread *th, const struct rt_event *report)
{
    struct rt_task *task = report->task;
    if (report->part != RT_SYNC_WAIT)
        return;
    if (!report->end)
        wait_begin(th, task, rt_wait_kind(rt_load(th->state)));
    else if (report->what != RT_STATE_BARRIER_IMPLICIT_PARALLEL || rt_load(task->thread_num) == 0)
        wait_end(th, task); /* else the primary has reported it, and the slot may have been reused */
}

/* ---- explicit tasks -------------------- */

/**
 * What execute.c will find out in a moment: a cancelled task that has not started is dropped, unless it is
 * undeferred.
 */
static int will_be_dropped(struct rt_task *task)
{
    const struct rt_kmp_task *kmp = rt_task_payload(task);
    return task->owns_parent_ref && !(task->flags & RT_TASK_UNDEFERRED) && rt_task_cancelled(task) &&
           kmp->part_id == 0;
}

static void enter(struct rt_thread *th, struct rt_task *below, uint32_t status, struct rt_task *task)
{
    if (will_be_dropped(task)) {
        unit_set(task, DROPPED);
        return;
    }
    if (status == RT_LEFT_YIELD && unit_of(below) != WAITING)
        unit_stop(ABT_TOOL_EVENT_THREAD_YIELD, th, below, YIELDED, ABT_SYNC_EVENT_TYPE_USER, NULL);
    else
        set_aside(th, below, task);
    unit_run(th, task);
}

static void unit_leave(struct rt_thread *th, struct rt_task *task, uint32_t status, struct rt_task *below)
{
    if (unit_of(task) == DROPPED) {
        unit_emit(ABT_TOOL_EVENT_THREAD_CANCEL, th, task, NULL, 0, NULL);
        unit_release(th, task, below);
        return;
    }
    if (status == RT_LEFT_SWITCH)
        unit_stop(ABT_TOOL_EVENT_THREAD_YIELD, th, task, READY, ABT_SYNC_EVENT_TYPE_OTHER, NULL);
    else
        finish(th, task);
    if (status != RT_LEFT_SWITCH && status != RT_LEFT_DETACH)
        unit_release(th, task, below);
    go_on(th, below, task);
}

static void report_schedule(struct rt_thread *th, const struct rt_event *report)
{
    struct rt_task *left = report->task, *next = report->other;
    if (report->data != NULL || report->what == RT_LEFT_EARLY_FULFILL)
        return; /* taskwait with depend is no task; the code of this one goes on */
    if (report->what == RT_LEFT_LATE_FULFILL) {
        if (unit_of(left) == FINISHED) /* detach.c has waited until its end was reported */
            unit_release(th, left, rt_load(th->cur_task));
    } else if (rt_load(next->sched_parent) == left) {
        enter(th, left, report->what, next);
    } else {
        unit_leave(th, left, report->what, next);
    }
}

/* ---- implicit tasks -------------------- */

static void report_parallel(struct rt_thread *th, const struct rt_event *report)
{
    struct rt_team *team = report->team;
    if (report->end || team->kind != RT_TEAM_PARALLEL || team->nthreads == 1)
        return;
    for (int i = 0; i < team->nthreads; i++)
        create(th, team->members[i].task, team->parent_task, team);
}

/**
 * A thread of the program becomes an OpenMP thread. The first one's unit was there before there were units.
 */
static void initial_begin(struct rt_thread *th, struct rt_team *team, struct rt_task *task)
{
    if (th->gtid == 0) {
        unit_set(task, RUNNING);
        return;
    }
    create(th, task, NULL, team);
    unit_run(th, task);
}

static void unit_end(struct rt_thread *th, struct rt_task *task, struct rt_task *by)
{
    if (unit_of(task) != FINISHED)
        return; /* it has begun before anybody listened */
    unit_emit(ABT_TOOL_EVENT_THREAD_JOIN, th, task, by, 0, NULL);
    unit_release(th, task, by);
}

static void initial_end(struct rt_thread *th, struct rt_task *task)
{
    if (th->gtid == 0 || unit_of(task) != RUNNING)
        return;
    finish(th, task);
    unit_end(th, task, NULL);
}

static void implicit_begin(struct rt_thread *th, struct rt_team *team, struct rt_task *task)
{
    struct rt_task *parent = team->parent_task;
    if (parent == NULL) {
        initial_begin(th, team, task);
        return;
    }
    if (unit_of(task) == UNKNOWN)
        create(th, task, parent, team);
    if (rt_load(task->thread_num) == 0)
        set_aside(th, parent, task);
    unit_run(th, task);
}

static void implicit_end(struct rt_thread *th, struct rt_team *team, struct rt_task *task)
{
    if (rt_load(task->thread_num) != 0)
        return; /* the primary reports it, and may already have described the next region in the team */
    struct rt_task *parent = team->parent_task;
    if (parent == NULL) {
        initial_end(th, task);
        return;
    }
    for (int i = 1; i < team->nthreads; i++) {
        struct rt_thread *worker = team->members[i].thread;
        struct rt_task *theirs = team->members[i].task;
        if (unit_of(theirs) == WAITING)
            resume(worker, theirs, task);
        if (unit_of(theirs) == RUNNING)
            finish(worker, theirs);
    }
    finish(th, task);
    go_on(th, parent, task);
    for (int i = 0; i < team->nthreads; i++)
        unit_end(th, team->members[i].task, parent);
}

static void on_event(struct rt_thread *th, struct rt_event *report)
{
    switch (report->on) {
    case RT_ON_PARALLEL:
        report_parallel(th, report);
        break;
    case RT_ON_IMPLICIT:
        (report->end ? implicit_end : implicit_begin)(th, report->team, report->task);
        break;
    case RT_ON_CREATE:
        if (report->task != NULL)
            create(th, report->task, report->other, pool(th, report->task));
        break;
    case RT_ON_SCHEDULE:
        report_schedule(th, report);
        break;
    case RT_ON_SYNC:
        report_sync(th, report);
        break;
    default:
        if (report->end)
            wait_end(th, rt_load(th->cur_task));
        else
            wait_begin(th, rt_load(th->cur_task), report->what);
    }
}

/* ---- what the library asks -------------------- */

static void units_listen(ompc_unit_sink *to)
{
    rt_lock(&rt_units_lock);
    if (to != NULL && rt_load(sink) == NULL)
        rt_store(listening, rt_load(listening) + 1);
    rt_publish(sink, to);
    rt_listener_set(RT_LISTENER_UNITS, on_event, NULL,
                    to == NULL ? 0
                               : RT_ON_PARALLEL | RT_ON_IMPLICIT | RT_ON_CREATE | RT_ON_SCHEDULE |
                                     RT_ON_SYNC | RT_ON_WAIT | RT_ON_OTHER_WAIT);
    rt_unlock(&rt_units_lock);
}

/** The initial thread always has a unit; another one must be an OpenMP thread first. */
static struct rt_thread *self(void)
{
    return rt_self != NULL || rt_tid() != getpid() ? rt_self : rt_me();
}

static void *self_unit(void)
{
    const struct rt_thread *th = self();
    struct rt_task *task = th != NULL ? rt_acquire(th->cur_task) : NULL;
    if (task == NULL || rt_acquire(task->team->serial) != task->team_serial)
        return NULL; /* idle: the region of its last one is over */
    return task;
}

static void *self_thread(void)
{
    return self();
}

static int rank(const void *thread)
{
    return ((const struct rt_thread *)thread)->gtid;
}

static int unnamed(const void *unit)
{
    return (((const struct rt_task *)unit)->flags & RT_TASK_EXPLICIT) != 0;
}

static int depth(const void *unit)
{
    const struct rt_task *task = unit;
    int count = 0;
    while (task != NULL) {
        count++;
        if (task->flags & RT_TASK_EXPLICIT)
            task = rt_load(task->sched_parent);
        else /* a worker's implicit task is the first on its stack */
            task = rt_load(task->thread_num) == 0 ? task->team->parent_task : NULL;
    }
    return count;
}

RT_EXPORT const struct ompc_units *ompc_units(uint32_t version)
{
    static const struct ompc_units units = {
        .version = OMPC_UNITS_VERSION,
        .listen = units_listen,
        .self_unit = self_unit,
        .self_thread = self_thread,
        .rank = rank,
        .unnamed = unnamed,
        .depth = depth,
    };
    return version == OMPC_UNITS_VERSION ? &units : NULL;
}
