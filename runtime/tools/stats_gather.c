/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Statistics: what each event counts as, and the clock.
 */
#include <stdlib.h>
#include <time.h>

#include "../core/env.h"
#include "../core/event.h"
#include "../core/message.h"
#include "../core/pause.h"
#include "../core/state.h"
#include "../core/tools.h"
#include "stats.h"

static struct rt_stats *threads;
static rt_lock_t threads_lock;

static struct rt_stats *stats_of(struct rt_thread *th)
{
    if (likely(th->stats != NULL))
        return th->stats;
    struct rt_stats *stats = calloc(1, sizeof *stats);
    if (stats == NULL)
        rt_fatal("no memory for the statistics of a thread");
    stats->gtid = th->gtid;
    rt_lock(&threads_lock);
    struct rt_stats **at = &threads;
    while (*at != NULL && (*at)->gtid < stats->gtid)
        at = &(*at)->next;
    stats->next = *at;
    *at = stats;
    rt_unlock(&threads_lock);
    return th->stats = stats;
}

/* ---- the clock -------------------- */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void stats_begin(struct rt_stats *stats, enum stats_timer timer)
{
    struct stats_open *open = &stats->open[timer];
    if (open->depth == open->room) {
        open->room = open->room > 0 ? 2 * open->room : 8;
        open->begins = realloc(open->begins, open->room * sizeof *open->begins);
        if (open->begins == NULL)
            rt_fatal("no memory for the statistics of a thread");
    }
    open->begins[open->depth++] = now();
}

/** An end whose begin was before the statistics is not counted. */
static void stats_end(struct rt_stats *stats, enum stats_timer timer)
{
    struct stats_open *open = &stats->open[timer];
    if (open->depth > 0)
        stats_sample(&stats->timers[timer], (double)(now() - open->begins[--open->depth]) * 1e-9);
}

static void span(struct rt_stats *stats, int is_end, enum stats_timer timer)
{
    (is_end ? stats_end : stats_begin)(stats, timer);
}

/* ---- what an event counts as -------------------- */

static void stats_count(struct rt_stats *stats, enum stats_counter counter)
{
    stats->counters[counter]++;
}

static void on_parallel(struct rt_stats *stats, const struct rt_event *event)
{
    const struct rt_team *team = event->team;
    span(stats, event->end, STATS_TIME_PARALLEL);
    if (event->end)
        return;
    if (team->kind == RT_TEAM_TEAMS)
        stats_count(stats, STATS_TEAMS);
    else
        stats_count(stats, team->level > 1 ? STATS_NESTED : STATS_PARALLEL);
}

static void on_work(struct rt_stats *stats, const struct rt_event *event)
{
    static const uint8_t counters[] = {
        [RT_WORK_SECTIONS] = STATS_SECTIONS,
        [RT_WORK_SINGLE_EXECUTOR] = STATS_SINGLE,
        [RT_WORK_DISTRIBUTE] = STATS_DISTRIBUTE,
        [RT_WORK_TASKLOOP] = STATS_TASKLOOP,
        [RT_WORK_SCOPE] = STATS_SCOPE,
        [RT_WORK_LOOP_STATIC] = STATS_FOR_STATIC,
        [RT_WORK_LOOP_DYNAMIC] = STATS_FOR_DYNAMIC,
        [RT_WORK_LOOP_GUIDED] = STATS_FOR_GUIDED,
    };
    if (event->what == RT_WORK_SINGLE_OTHER)
        return;
    span(stats, event->end, STATS_TIME_WORK);
    if (event->end)
        return;
    if (event->what < sizeof counters && counters[event->what] != 0)
        stats_count(stats, (enum stats_counter)counters[event->what]);
    else
        stats_count(stats, STATS_FOR_OTHER);
}

static void on_sync(struct rt_stats *stats, const struct rt_event *event)
{
    int construct = event->part == RT_SYNC_REGION && !event->end;
    if (event->what == RT_STATE_TASKWAIT || event->what == RT_STATE_TASKGROUP) {
        int group = event->what == RT_STATE_TASKGROUP;
        if (construct)
            stats_count(stats, group ? STATS_TASKGROUP : STATS_TASKWAIT);
        else if (event->part == RT_SYNC_WAIT)
            span(stats, event->end, group ? STATS_TIME_TASKGROUP : STATS_TIME_TASKWAIT);
        return;
    }
    /* gcc's barriers do not say what they are. */
    if (construct && (event->what == RT_STATE_BARRIER_EXPLICIT || event->what == RT_STATE_BARRIER))
        stats_count(stats, STATS_BARRIER);
    else if (event->part == RT_SYNC_WAIT)
        span(stats, event->end, STATS_TIME_BARRIER);
}

static void on_wait(struct rt_stats *stats, const struct rt_event *event)
{
    switch (event->what) {
    case RT_WAIT_CRITICAL:
        span(stats, event->end, STATS_TIME_CRITICAL_WAIT);
        break;
    case RT_WAIT_LOCK:
    case RT_WAIT_NEST_LOCK:
        span(stats, event->end, STATS_TIME_LOCK_WAIT);
        break;
    case RT_WAIT_ORDERED:
    case RT_WAIT_DOACROSS:
        span(stats, event->end, STATS_TIME_ORDERED_WAIT);
        break;
    default:
        break;
    }
}

static void on_acquire(struct rt_stats *stats, const struct rt_event *event)
{
    switch (event->what) {
    case RT_WAIT_CRITICAL:
        stats_count(stats, STATS_CRITICAL);
        break;
    case RT_WAIT_ORDERED:
        stats_count(stats, STATS_ORDERED);
        break;
    case RT_WAIT_LOCK:
    case RT_WAIT_NEST_LOCK:
        stats_count(stats, event->test ? STATS_TEST_LOCK : STATS_SET_LOCK);
        break;
    default:
        stats_count(stats, STATS_ATOMIC);
    }
}

static void on_schedule(struct rt_stats *stats, const struct rt_event *event)
{
    const struct rt_task *left = event->task, *next = event->other;
    if (event->data != NULL || next == NULL)
        return; /* taskwait with depend is no task; a fulfilled event runs none */
    if (rt_load(next->sched_parent) != left) { /* back to the task below */
        stats_end(stats, STATS_TIME_TASK);
        if (event->what != RT_LEFT_SWITCH) /* else an untied one goes on later */
            stats_count(stats, event->what == RT_LEFT_CANCEL ? STATS_TASK_CANCELLED : STATS_TASK_EXECUTED);
        return;
    }
    stats_begin(stats, STATS_TIME_TASK);
    if (event->what == RT_LEFT_YIELD)
        stats_count(stats, STATS_TASKYIELD);
    if (next->creator_thread_num != rt_load(next->thread_num))
        stats_count(stats, STATS_TASK_STOLEN);
}

static void on_event(struct rt_thread *th, struct rt_event *event)
{
    struct rt_stats *stats = stats_of(th);
    rt_lock(&stats->lock);
    switch (event->on) {
    case RT_ON_PARALLEL:
        on_parallel(stats, event);
        break;
    case RT_ON_IMPLICIT:
        if (!(event->task->flags & RT_TASK_INITIAL))
            span(stats, event->end, STATS_TIME_IMPLICIT);
        break;
    case RT_ON_CREATE:
        if (event->task != NULL)
            stats_count(stats, STATS_TASK_CREATED);
        break;
    case RT_ON_SCHEDULE:
        on_schedule(stats, event);
        break;
    case RT_ON_SYNC:
        on_sync(stats, event);
        break;
    case RT_ON_WAIT:
        on_wait(stats, event);
        break;
    case RT_ON_ACQUIRE:
        on_acquire(stats, event);
        break;
    case RT_ON_WORK:
        on_work(stats, event);
        break;
    case RT_ON_MASKED:
        span(stats, event->end, STATS_TIME_MASTER);
        if (!event->end)
            stats_count(stats, STATS_MASTER);
        break;
    case RT_ON_REDUCTION:
        span(stats, event->end, STATS_TIME_REDUCE);
        if (!event->end)
            stats_count(stats, STATS_REDUCE);
        break;
    case RT_ON_CANCEL:
        if (event->flags & RT_CANCELS_ACTIVATED)
            stats_count(stats, STATS_CANCEL);
        break;
    case RT_ON_IDLE:
        span(stats, event->end, STATS_TIME_IDLE);
        break;
    default:
        stats_count(stats, STATS_FLUSH);
    }
    rt_unlock(&stats->lock);
}

/* ---- from start to exit -------------------- */

/** Idle workers end first, outside all regions: they may still be about to report their last one. */
static void at_exit(void)
{
    struct rt_thread *th = rt_self;
    if (th != NULL && th->is_root && rt_pause_resources(th) == 0)
        rt_workers_dismiss(th);
    rt_listener_set(RT_LISTENER_STATS, on_event, NULL, 0);
    rt_lock(&threads_lock);
    stats_print(threads);
    rt_unlock(&threads_lock);
}

/** A child reports what happens in it, and only its own thread is there. */
void rt_stats_after_fork(void)
{
    threads = NULL;
    if (rt_self != NULL)
        rt_self->stats = NULL;
}

void rt_stats_start(void)
{
    if (!rt_env.stats)
        return;
    rt_listener_set(RT_LISTENER_STATS, on_event, NULL,
                    RT_ON_PARALLEL | RT_ON_IMPLICIT | RT_ON_CREATE | RT_ON_SCHEDULE | RT_ON_SYNC |
                        RT_ON_WAIT | RT_ON_ACQUIRE | RT_ON_WORK | RT_ON_MASKED | RT_ON_REDUCTION |
                        RT_ON_CANCEL | RT_ON_IDLE | RT_ON_FLUSH);
    atexit(at_exit);
}
