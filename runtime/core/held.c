/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Where each thread has taken the mutexes that it holds: kept with OMP_DEBUG=enabled only, for a debugger
 * (rt_held in layout.def). A lock word has no room for it. It is a listener to events, so without
 * OMP_DEBUG it costs nothing.
 */
#include <stddef.h>

#include "event.h"
#include "held.h"
#include "memory.h"

static struct rt_held *held_of(struct rt_thread *th)
{
    struct rt_held *held = rt_load(th->held);
    if (held == NULL) {
        held = rt_memory_take(sizeof *held);
        rt_publish(th->held, held);
    }
    return held;
}

/*
 * The last one of equal objects: an older one has been released by another thread, which is not reported
 * here.
 */
static void held_forget(struct rt_held *held, uint64_t object)
{
    uint32_t count = rt_load(held->count), at = count;
    while (at > 0 && rt_load(held->places[at - 1].object) != object)
        at--;
    if (at == 0)
        return;
    for (; at < count; at++) {
        rt_store(held->places[at - 1].object, rt_load(held->places[at].object));
        rt_store(held->places[at - 1].codeptr, rt_load(held->places[at].codeptr));
        rt_store(held->places[at - 1].kind, rt_load(held->places[at].kind));
    }
    rt_publish(held->count, count - 1);
}

static void held_event(struct rt_thread *th, struct rt_event *event)
{
    struct rt_held *held = held_of(th);
    uint64_t object = (uint64_t)(uintptr_t)event->object;
    held_forget(held, object);
    if (event->on != RT_ON_ACQUIRED)
        return;
    uint32_t count = rt_load(held->count);
    if (count == RT_HELD_MAX)
        return;
    rt_store(held->places[count].object, object);
    rt_store(held->places[count].codeptr, event->codeptr);
    rt_store(held->places[count].kind, event->what);
    rt_publish(held->count, count + 1);
}

void rt_held_start(void)
{
    if (rt_root.debug)
        rt_listener_set(RT_LISTENER_HELD, held_event, NULL, RT_ON_ACQUIRED | RT_ON_RELEASED);
}

void rt_held_end(struct rt_thread *th)
{
    struct rt_held *held = rt_load(th->held);
    if (held == NULL)
        return;
    rt_store(th->held, NULL);
    rt_memory_give(held, sizeof *held);
}
