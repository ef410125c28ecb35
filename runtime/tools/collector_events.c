/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collector API's events: which of them an event of the core is, and which callback is called.
 *
 * Events come in pairs of a begin (odd number) and an end. Tools start and stop clocks with them, so an end
 * whose begin was not reported, because the registration or OMP_REQ_RESUME came between the two, is not
 * reported either. Each thread counts, for each pair, the begins that it has reported and not ended.
 */

#include "../core/event.h"
#include "../core/task.h"
#include "collector.h"

#define EVENTS (OMP_EVENT_THR_END_ATWT + 1)
_Static_assert(2 * RT_COLLECTOR_PAIRS + 1 == EVENTS, "a begin and an end each");

_Atomic uint32_t collector_session;
static _Atomic uint32_t paused;
static _Atomic(OMP_COLLECTORAPI_CALLBACK) callbacks[EVENTS];
static _Atomic uint32_t wants; /**< grows in a session: what counts begins must see all ends */

/** The event that begins what the report is about, 0 none. */
static int begin_event(const struct rt_event *report)
{
    switch (report->on) {
    case RT_ON_PARALLEL:
        return report->team->kind == RT_TEAM_PARALLEL ? OMP_EVENT_FORK : 0;
    case RT_ON_IDLE:
        return OMP_EVENT_THR_BEGIN_IDLE;
    case RT_ON_SYNC:
        if (report->part != RT_SYNC_WAIT)
            return 0;
        switch (collector_state(report->what)) {
        case THR_IBAR_STATE:
            return OMP_EVENT_THR_BEGIN_IBAR;
        case THR_EBAR_STATE:
            return OMP_EVENT_THR_BEGIN_EBAR;
        default:
            return 0;
        }
    case RT_ON_WAIT:
        switch (report->what) {
        case RT_WAIT_CRITICAL:
            return OMP_EVENT_THR_BEGIN_CTWT;
        case RT_WAIT_ATOMIC:
            return OMP_EVENT_THR_BEGIN_ATWT;
        case RT_WAIT_ORDERED:
        case RT_WAIT_DOACROSS:
            return OMP_EVENT_THR_BEGIN_ODWT;
        default:
            return OMP_EVENT_THR_BEGIN_LKWT;
        }
    case RT_ON_MASKED:
        return OMP_EVENT_THR_BEGIN_MASTER;
    case RT_ON_WORK:
        return report->what == RT_WORK_SINGLE_EXECUTOR ? OMP_EVENT_THR_BEGIN_SINGLE : 0;
    case RT_ON_ACQUIRED:
    case RT_ON_RELEASED:
        return report->what == RT_WAIT_ORDERED ? OMP_EVENT_THR_BEGIN_ORDERED : 0;
    default:
        return 0;
    }
}

static uint32_t kinds_of(int event)
{
    switch ((event - 1) / 2 * 2 + 1) {
    case OMP_EVENT_FORK:
        return RT_ON_PARALLEL;
    case OMP_EVENT_THR_BEGIN_IDLE:
        return RT_ON_IDLE;
    case OMP_EVENT_THR_BEGIN_IBAR:
    case OMP_EVENT_THR_BEGIN_EBAR:
        return RT_ON_SYNC;
    case OMP_EVENT_THR_BEGIN_MASTER:
        return RT_ON_MASKED;
    case OMP_EVENT_THR_BEGIN_SINGLE:
        return RT_ON_WORK;
    case OMP_EVENT_THR_BEGIN_ORDERED:
        return RT_ON_ACQUIRED | RT_ON_RELEASED;
    default:
        return RT_ON_WAIT;
    }
}

/** The thread's count of a pair; all are 0 in a new session, and of a thread that has got another's slot. */
static uint8_t *open_count(struct rt_thread *th, int event)
{
    uint64_t life = rt_load(th->serial) << 32 | rt_load(collector_session);
    if (th->collector_life != life) {
        th->collector_life = life;
        for (int i = 0; i < RT_COLLECTOR_PAIRS; i++)
            th->collector_open[i] = 0;
    }
    return &th->collector_open[(event - 1) / 2];
}

static void collector_report(struct rt_thread *th, struct rt_event *report)
{
    int begin = begin_event(report);
    if (begin == 0)
        return;
    int end = report->end || report->on == RT_ON_RELEASED, event = begin + end;
    uint8_t *open = open_count(th, begin);
    OMP_COLLECTORAPI_CALLBACK callback = rt_load(paused) ? NULL : rt_acquire(callbacks[event]);
    if (end && *open > 0)
        --*open;
    else if (end && rt_acquire(callbacks[begin]) != NULL)
        callback = NULL;
    else if (!end && callback != NULL && *open < UINT8_MAX)
        ++*open;
    if (callback != NULL)
        callback((OMP_COLLECTORAPI_EVENT)event);
}

/* ---- registration -------------------- */

int collector_is_event(int32_t event)
{
    return event > 0 && event < EVENTS;
}

void collector_register(int32_t event, OMP_COLLECTORAPI_CALLBACK callback)
{
    rt_publish(callbacks[event], callback);
    if (callback == NULL)
        return;
    uint32_t kinds = kinds_of(event);
    if ((atomic_fetch_or_explicit(&wants, kinds, memory_order_acq_rel) & kinds) != kinds)
        rt_listener_set(RT_LISTENER_COLLECTOR, collector_report, NULL, rt_acquire(wants));
}

void collector_pause(int pause)
{
    rt_store(paused, (uint32_t)pause);
}

void collector_open(void)
{
    collector_pause(0);
}

void collector_close(void)
{
    rt_listener_set(RT_LISTENER_COLLECTOR, collector_report, NULL, 0);
    rt_store(wants, 0);
    for (int i = 0; i < EVENTS; i++)
        rt_publish(callbacks[i], NULL);
}
