/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * __omp_collector_api: the list of requests, and what each of them does.
 */
#include <string.h>

#include "../core/lock.h"
#include "../core/start.h"
#include "collector.h"

enum { HEADER = 16, REGISTER_SIZE = 12, STATE_SIZE = 12, PRID_SIZE = 8 };

/** Guards that one session at a time begins or ends; callbacks run without it. */
static uint32_t last_session;

/** One entry, as it is handled. mem may have any alignment, so it is only copied. */
struct entry {
    char *mem;
    int32_t room; /**< bytes of mem */
    int32_t rsz;
};

static int32_t collector_start(struct entry *entry)
{
    int32_t ec = OMP_ERRCODE_SEQUENCE_ERR;
    (void)entry;
    rt_start();
    rt_lock(&rt_collector_lock);
    if (rt_load(collector_session) == 0) {
        collector_open();
        rt_publish(collector_session, ++last_session);
        ec = OMP_ERRCODE_OK;
    }
    rt_unlock(&rt_collector_lock);
    return ec;
}

static int32_t collector_stop(struct entry *entry)
{
    int32_t ec = OMP_ERRCODE_SEQUENCE_ERR;
    (void)entry;
    rt_lock(&rt_collector_lock);
    if (rt_load(collector_session) != 0) {
        rt_publish(collector_session, 0);
        collector_close();
        ec = OMP_ERRCODE_OK;
    }
    rt_unlock(&rt_collector_lock);
    return ec;
}

/** Registers under the session's lock, so that nothing is left of a session that ends meanwhile. */
static int32_t set_callback(int32_t event, OMP_COLLECTORAPI_CALLBACK callback)
{
    if (!collector_is_event(event))
        return OMP_ERRCODE_UNKNOWN;
    rt_lock(&rt_collector_lock);
    int open = rt_load(collector_session) != 0;
    if (open)
        collector_register(event, callback);
    rt_unlock(&rt_collector_lock);
    return open ? OMP_ERRCODE_OK : OMP_ERRCODE_SEQUENCE_ERR;
}

static int32_t register_event(struct entry *entry)
{
    int32_t event;
    OMP_COLLECTORAPI_CALLBACK callback;
    if (entry->room < REGISTER_SIZE)
        return OMP_ERRCODE_ERROR;
    memcpy(&event, entry->mem, sizeof event);
    memcpy(&callback, entry->mem + sizeof event, sizeof callback);
    return set_callback(event, callback);
}

static int32_t unregister_event(struct entry *entry)
{
    int32_t event;
    if (entry->room < (int32_t)sizeof event)
        return OMP_ERRCODE_ERROR;
    memcpy(&event, entry->mem, sizeof event);
    return set_callback(event, NULL);
}

/** With room for the state alone that is written, also when the wait id has none. */
static int32_t state(struct entry *entry)
{
    struct collector_where where = collector_where();
    int32_t number = (int32_t)where.state;
    if (entry->room >= (int32_t)sizeof number)
        memcpy(entry->mem, &number, sizeof number);
    entry->rsz = STATE_SIZE;
    if (entry->room >= STATE_SIZE)
        memcpy(entry->mem + sizeof number, &where.wait_id, sizeof where.wait_id);
    else if (entry->room < (int32_t)sizeof number || where.wait_id != 0)
        return OMP_ERRCODE_MEM_TOO_SMALL;
    else
        entry->rsz = sizeof number;
    return OMP_ERRCODE_OK;
}

static int32_t answer_region(struct entry *entry, uint64_t region)
{
    memcpy(entry->mem, &region, sizeof region);
    entry->rsz = PRID_SIZE;
    return OMP_ERRCODE_OK;
}

static int32_t current_prid(struct entry *entry)
{
    return answer_region(entry, collector_where().region);
}

static int32_t parent_prid(struct entry *entry)
{
    uint64_t region;
    return collector_parent(&region) == 0 ? answer_region(entry, region) : OMP_ERRCODE_THREAD_ERR;
}

static int32_t pause_events(struct entry *entry)
{
    (void)entry;
    collector_pause(1);
    return OMP_ERRCODE_OK;
}

static int32_t resume_events(struct entry *entry)
{
    (void)entry;
    collector_pause(0);
    return OMP_ERRCODE_OK;
}

static const struct {
    int32_t (*handle)(struct entry *entry);
    int32_t answer; /**< bytes that an answer of one size only needs */
} requests[] = {
    [OMP_REQ_START] = {collector_start, 0},
    [OMP_REQ_REGISTER] = {register_event, 0},
    [OMP_REQ_UNREGISTER] = {unregister_event, 0},
    [OMP_REQ_STATE] = {state, 0},
    [OMP_REQ_CURRENT_PRID] = {current_prid, PRID_SIZE},
    [OMP_REQ_PARENT_PRID] = {parent_prid, PRID_SIZE},
    [OMP_REQ_STOP] = {collector_stop, 0},
    [OMP_REQ_PAUSE] = {pause_events, 0},
    [OMP_REQ_RESUME] = {resume_events, 0},
};
_Static_assert(sizeof requests / sizeof *requests == OMP_REQ_LAST, "one row for each request");

static int32_t handle(int32_t request, struct entry *entry)
{
    if (request < 0 || request >= OMP_REQ_LAST)
        return OMP_ERRCODE_UNKNOWN;
    if (request != OMP_REQ_START && rt_acquire(collector_session) == 0)
        return OMP_ERRCODE_SEQUENCE_ERR;
    if (entry->room < requests[request].answer) {
        entry->rsz = requests[request].answer;
        return OMP_ERRCODE_MEM_TOO_SMALL;
    }
    return requests[request].handle(entry);
}

RT_EXPORT int __omp_collector_api(void *list)
{
    char *at = list;
    if (list == NULL || (uintptr_t)list % sizeof(int32_t) != 0)
        return -1;
    for (;;) {
        int32_t size, request, answer[2];
        memcpy(&size, at, sizeof size);
        if (size == 0)
            return 0;
        if (size < HEADER || size % (int32_t)sizeof size != 0)
            return -1;
        memcpy(&request, at + 4, sizeof request);
        struct entry entry = {at + HEADER, size - HEADER, 0};
        answer[0] = handle(request, &entry);
        answer[1] = entry.rsz;
        memcpy(at + 8, answer, sizeof answer);
        at += size;
    }
}
