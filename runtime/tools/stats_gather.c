/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Statistics: what each event of the hub counts as, and the clock.
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

static void begin(struct rt_stats *stats, enum stats_timer timer)
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
static void end(struct rt_stats *stats, enum stats_timer timer)
{
    struct stats_open *open = &stats->open[timer];
    if (open->depth > 0)
        stats_sample(&stats->timers[timer], (double)(now() - open->begins[--open->depth]) * 1e-9);
}

static void span(struct rt_stats *stats, int is_end, enum stats_timer timer)
{
    (is_end ? end : begin)(stats, timer);
}

/* ---- what an event counts as -------------------- */

static void count(struct rt_stats *stats, enum stats_counter counter)
{
    stats->counters[counter]++;
}

static void on_parallel(struct rt_stats *stats, const struct rt_notice *notice)
{
    const struct rt_team *team = notice->team;
    span(stats, notice->end, STATS_TIME_PARALLEL);
    if (notice->end)
        return;
    if (team->kind == RT_TEAM_TEAMS)
        count(stats, STATS_TEAMS);
    else
        count(stats, team->level > 1 ? STATS_NESTED : STATS_PARALLEL);
}

static void on_work(struct rt_stats *stats, const struct rt_notice *notice)
{
    static const uint8_t counters[] = {
        [ompt_work_sections] = STATS_SECTIONS,
        [ompt_work_single_executor] = STATS_SINGLE,
        [ompt_work_distribute] = STATS_DISTRIBUTE,
        [ompt_work_taskloop] = STATS_TASKLOOP,
        [ompt_work_scope] = STATS_SCOPE,
        [ompt_work_loop_static] = STATS_FOR_STATIC,
        [ompt_work_loop_dynamic] = STATS_FOR_DYNAMIC,
        [ompt_work_loop_guided] = STATS_FOR_GUIDED,
    };
    if (notice->what == ompt_work_single_other)
        return;
    span(stats, notice->end, STATS_TIME_WORK);
    if (notice->end)
        return;
    if (notice->what < sizeof counters && counters[notice->what] != 0)
        count(stats, (enum stats_counter)counters[notice->what]);
    else
        count(stats, STATS_FOR_OTHER);
}

static void on_sync(struct rt_stats *stats, const struct rt_notice *notice)
{
    int construct = notice->part == RT_SYNC_REGION && !notice->end;
    if (notice->what == RT_STATE_TASKWAIT || notice->what == RT_STATE_TASKGROUP) {
        int group = notice->what == RT_STATE_TASKGROUP;
        if (construct)
            count(stats, group ? STATS_TASKGROUP : STATS_TASKWAIT);
        else if (notice->part == RT_SYNC_WAIT)
            span(stats, notice->end, group ? STATS_TIME_TASKGROUP : STATS_TIME_TASKWAIT);
        return;
    }
    /* gcc's barriers do not say what they are. */
    if (construct && (notice->what == RT_WAIT_BARRIER_EXPLICIT || notice->what == RT_WAIT_BARRIER_ANY))
        count(stats, STATS_BARRIER);
    else if (notice->part == RT_SYNC_WAIT)
        span(stats, notice->end, STATS_TIME_BARRIER);
}

static void on_wait(struct rt_stats *stats, const struct rt_notice *notice)
{
    switch (notice->what) {
    case RT_WAIT_CRITICAL:
        span(stats, notice->end, STATS_TIME_CRITICAL_WAIT);
        break;
    case RT_WAIT_LOCK:
    case RT_WAIT_NEST_LOCK:
        span(stats, notice->end, STATS_TIME_LOCK_WAIT);
        break;
    case RT_WAIT_ORDERED:
    case RT_WAIT_DOACROSS:
        span(stats, notice->end, STATS_TIME_ORDERED_WAIT);
        break;
    default:
        break;
    }
}

static void on_acquire(struct rt_stats *stats, const struct rt_notice *notice)
{
    switch (notice->what) {
    case RT_WAIT_CRITICAL:
        count(stats, STATS_CRITICAL);
        break;
    case RT_WAIT_ORDERED:
        count(stats, STATS_ORDERED);
        break;
    case RT_WAIT_LOCK:
    case RT_WAIT_NEST_LOCK:
        count(stats, notice->test ? STATS_TEST_LOCK : STATS_SET_LOCK);
        break;
    default:
        count(stats, STATS_ATOMIC);
    }
}

static void on_schedule(struct rt_stats *stats, const struct rt_notice *notice)
{
    const struct rt_task *left = notice->task, *next = notice->other;
    if (notice->data != NULL || next == NULL)
        return; /* taskwait with depend is no task; a fulfilled event runs none */
    if (rt_load(next->sched_parent) != left) { /* back to the task below */
        end(stats, STATS_TIME_TASK);
        if (notice->what != ompt_task_switch) /* else an untied one goes on later */
            count(stats, notice->what == ompt_task_cancel ? STATS_TASK_CANCELLED : STATS_TASK_EXECUTED);
        return;
    }
    begin(stats, STATS_TIME_TASK);
    if (notice->what == ompt_task_yield)
        count(stats, STATS_TASKYIELD);
    if (next->creator_thread_num != rt_load(next->thread_num))
        count(stats, STATS_TASK_STOLEN);
}

static void on_notice(struct rt_thread *th, struct rt_notice *notice)
{
    struct rt_stats *stats = stats_of(th);
    rt_lock(&stats->lock);
    switch (notice->on) {
    case RT_ON_PARALLEL:
        on_parallel(stats, notice);
        break;
    case RT_ON_IMPLICIT:
        if (!(notice->task->flags & RT_TASK_INITIAL))
            span(stats, notice->end, STATS_TIME_IMPLICIT);
        break;
    case RT_ON_CREATE:
        if (notice->task != NULL)
            count(stats, STATS_TASK_CREATED);
        break;
    case RT_ON_SCHEDULE:
        on_schedule(stats, notice);
        break;
    case RT_ON_SYNC:
        on_sync(stats, notice);
        break;
    case RT_ON_WAIT:
        on_wait(stats, notice);
        break;
    case RT_ON_ACQUIRE:
        on_acquire(stats, notice);
        break;
    case RT_ON_WORK:
        on_work(stats, notice);
        break;
    case RT_ON_MASKED:
        span(stats, notice->end, STATS_TIME_MASTER);
        if (!notice->end)
            count(stats, STATS_MASTER);
        break;
    case RT_ON_REDUCTION:
        span(stats, notice->end, STATS_TIME_REDUCE);
        if (!notice->end)
            count(stats, STATS_REDUCE);
        break;
    case RT_ON_CANCEL:
        if (notice->flags & ompt_cancel_activated)
            count(stats, STATS_CANCEL);
        break;
    case RT_ON_IDLE:
        span(stats, notice->end, STATS_TIME_IDLE);
        break;
    default:
        count(stats, STATS_FLUSH);
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
    rt_window_want(RT_WINDOW_STATS, on_notice, NULL, 0);
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
    rt_window_want(RT_WINDOW_STATS, on_notice, NULL,
                   RT_ON_PARALLEL | RT_ON_IMPLICIT | RT_ON_CREATE | RT_ON_SCHEDULE | RT_ON_SYNC | RT_ON_WAIT |
                       RT_ON_ACQUIRE | RT_ON_WORK | RT_ON_MASKED | RT_ON_REDUCTION | RT_ON_CANCEL |
                       RT_ON_IDLE | RT_ON_FLUSH);
    atexit(at_exit);
}
