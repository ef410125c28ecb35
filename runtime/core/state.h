/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The state word of a thread, as a debugger and the tools read it.
 */
#ifndef RT_STATE_H
#define RT_STATE_H

#include "contract.h"
#include "task.h"
#include "team.h"
#include "thread.h"

/** Thread states, by contract with the numbers of OMPT 5.2 (../tools/ompt_events.c asserts it). */
enum rt_state {
    RT_STATE_WORK_SERIAL = 0x000,
    RT_STATE_WORK_PARALLEL = 0x001,
    RT_STATE_WORK_REDUCTION = 0x002,
    RT_STATE_BARRIER = 0x010, /**< gcc does not say which */
    RT_STATE_BARRIER_IMPLICIT_PARALLEL = 0x011,
    RT_STATE_BARRIER_IMPLICIT_WORKSHARE = 0x012,
    RT_STATE_BARRIER_EXPLICIT = 0x014,
    RT_STATE_BARRIER_IMPLEMENTATION = 0x015,
    RT_STATE_TASKWAIT = 0x020,
    RT_STATE_TASKGROUP = 0x021,
    RT_STATE_MUTEX = 0x040,
    RT_STATE_LOCK = 0x041,
    RT_STATE_CRITICAL = 0x042,
    RT_STATE_ATOMIC = 0x043,
    RT_STATE_ORDERED = 0x044,
    RT_STATE_IDLE = 0x100,
    RT_STATE_OVERHEAD = 0x101,
};

static inline enum rt_state rt_state_working(const struct rt_task *task)
{
    return task->team->level > 0 ? RT_STATE_WORK_PARALLEL : RT_STATE_WORK_SERIAL;
}
/** RT_WAIT_* of a thread's state word. */
/** Added to the kind: rt_thread.state's wait_own. */
#define RT_WAIT_OWN 0x100u
static inline uint32_t rt_wait_kind(uint32_t word)
{
    return word >> 16 & ~(uint32_t)RT_WAIT_REUSED & ~RT_WAIT_OWN;
}
static inline void rt_set_state(struct rt_thread *th, enum rt_state state)
{
    RT_TRACK(rt_store(th->state, (uint32_t)state));
    (void)th;
    (void)state;
}
/**
 * Enters a wait state: what and where are stored before the state, so that a reader never sees old ones with
 * it.
 */
static inline void rt_enter_wait(struct rt_thread *th, enum rt_state state, uint32_t kind, const void *object,
                                 uint64_t codeptr)
{
    RT_TRACK(rt_store(th->wait_id, (uint64_t)(uintptr_t)object));
    RT_TRACK(rt_store(th->wait_codeptr, codeptr));
    RT_TRACK(rt_publish(th->state, (uint32_t)state | kind << 16));
    (void)th, (void)state, (void)kind, (void)object, (void)codeptr;
}

#endif
