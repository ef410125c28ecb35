/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Detachable tasks (OpenMP 5.2 section 12.5.2): complete when the code has ended and the event is fulfilled,
 * whichever comes last. One exchange decides which that is.
 *
 * A cancelled task completes without its event, and the program may fulfil that later, when the slot has its
 * next life. So a handle names the life, by bits of the task's serial, and the event's word has the same
 * bits: a late one finds other bits and changes nothing. They are the same again only for a task that is a
 * multiple of 2^23 tasks younger.
 */
#include <sched.h>

#include "arch.h"
#include "detach.h"
#include "event.h"
#include "target_task.h"
#include "task_slot.h"

/* A handle: the slot's number, slots lying at multiples of 64, and above it the life. */
#define SLOT_SHIFT        6
#define LIFE_SHIFT        (RT_ADDRESS_BITS - SLOT_SHIFT)
#define LIFE_MASK         ((1U << (64 - LIFE_SHIFT)) - 1)
#define STATE_MASK        3U
#define WORD(life, state) ((life) << 2 | (uint32_t)(state))
_Static_assert(LIFE_MASK <= UINT32_MAX >> 2, "life and state fit the event's word");

static uint32_t state_of(uint32_t word)
{
    return word & STATE_MASK;
}

uintptr_t rt_detach_handle(const struct rt_task *task)
{
    uint64_t life = rt_load(task->serial) & LIFE_MASK;
    return (uintptr_t)task >> SLOT_SHIFT | life << LIFE_SHIFT;
}

uintptr_t rt_detach_create(struct rt_task *task)
{
    uintptr_t handle = rt_detach_handle(task);
    rt_store(task->event, WORD((uint32_t)(handle >> LIFE_SHIFT), RT_DETACH_PENDING));
    return handle;
}

/** Who changes the word second completes the task, and has acquired what the first did (litmus: detach). */
static int body_done(struct rt_task *task, uint32_t word)
{
    rt_store(task->state, RT_TS_DETACHED);
    if (state_of(word) == RT_DETACH_PENDING &&
        atomic_compare_exchange_strong_explicit(&task->event, &word,
                                                (word & ~STATE_MASK) | RT_DETACH_BODY_DONE,
                                                memory_order_acq_rel, memory_order_acquire))
        return 1;
    rt_store(task->state, RT_TS_STARTED); /* fulfilled before: it is about to complete */
    return 0;
}

/*
 * The end of the task's code and the fulfilment of its event are reported in the order in which they
 * happened: the second waits until the first has been reported. rt_task.reporting has a bit for each, which
 * is set before the event's word is changed and cleared after the report.
 */
enum { REPORTS_BODY_DONE = 1, REPORTS_FULFILMENT = 2 };

static void wait_for_report(struct rt_task *task, uint8_t whom)
{
    while (rt_acquire(task->reporting) & whom)
        sched_yield();
}

static RT_COLD int body_done_instrumented(struct rt_thread *th, struct rt_task *task, uint32_t word)
{
    int cancelled = task->cancelled;
    atomic_fetch_add_explicit(&task->counts, RT_REF,
                              memory_order_relaxed); /* else the slot may be gone afterwards */
    atomic_fetch_or_explicit(&task->reporting, REPORTS_BODY_DONE, memory_order_relaxed);
    int detached = body_done(task, word);
    if (!detached)
        wait_for_report(task, REPORTS_FULFILMENT);
    rt_report_schedule(th, task,
                       detached    ? RT_LEFT_DETACH
                       : cancelled ? RT_LEFT_CANCEL
                                   : RT_LEFT_COMPLETE,
                       rt_load(th->cur_task));
    atomic_fetch_and_explicit(&task->reporting, (uint8_t)~REPORTS_BODY_DONE, memory_order_release);
    rt_task_deref(th, task);
    return detached;
}

int rt_detach_body_done(struct rt_task *task)
{
    uint32_t word = rt_acquire(task->event);
    if (likely(word == RT_DETACH_NONE))
        return 0;
    int on_device = task->flags & RT_TASK_TARGET;
    if (on_device && *rt_target_handle(task) == NULL) /* nobody else knows of its event */
        word = (word & ~STATE_MASK) | RT_DETACH_FULFILLED;
    int detached =
        RT_WANTS(RT_ON_SCHEDULE) ? body_done_instrumented(rt_self, task, word) : body_done(task, word);
    if (detached && on_device)
        rt_target_left(task);
    return detached;
}

static void fulfilment_reported(struct rt_thread *th, struct rt_task *task)
{
    atomic_fetch_and_explicit(&task->reporting, (uint8_t)~REPORTS_FULFILMENT, memory_order_release);
    rt_task_deref(th, task);
}

int rt_detach_note(struct rt_thread *th, uintptr_t handle, struct rt_task **ret)
{
    struct rt_task *task = (struct rt_task *)((handle & ((1ULL << LIFE_SHIFT) - 1)) << SLOT_SHIFT);
    uint32_t life = (uint32_t)(handle >> LIFE_SHIFT);
    if (task == NULL)
        return 0; /* of a task that was not made, since its taskgroup was cancelled (abi/gomp_task.c) */
    uint32_t word = rt_acquire(task->event);
    int held = 0;
    do {
        if (word != WORD(life, RT_DETACH_PENDING) && word != WORD(life, RT_DETACH_BODY_DONE)) {
            if (held)
                fulfilment_reported(th, task);
            return 0;
        }
        if (!held && RT_WANTS(RT_ON_SCHEDULE)) { /* it cannot end before its event: the slot is there */
            held = 1;
            atomic_fetch_add_explicit(&task->counts, RT_REF, memory_order_relaxed);
            atomic_fetch_or_explicit(&task->reporting, REPORTS_FULFILMENT, memory_order_relaxed);
        }
    } while (!atomic_compare_exchange_weak_explicit(&task->event, &word, WORD(life, RT_DETACH_FULFILLED),
                                                    memory_order_seq_cst, memory_order_acquire));
    if (unlikely(held)) {
        int late = state_of(word) == RT_DETACH_BODY_DONE;
        if (late)
            wait_for_report(task, REPORTS_BODY_DONE);
        rt_report_schedule(th, task, late ? RT_LEFT_LATE_FULFILL : RT_LEFT_EARLY_FULFILL, NULL);
        fulfilment_reported(th, task);
    }
    *ret = task;
    return state_of(word) == RT_DETACH_BODY_DONE;
}
