/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Doacross nests: ordered(n) with depend(source) and depend(sink) (OpenMP 5.2 section 15.9.5).
 *
 * The team shares one bit for each iteration of the nest, set when the iteration has posted. Pages of zeros
 * cost nothing until they are written.
 */

#include "doacross.h"
#include "event.h"
#include "message.h"
#include "notify.h"
#include "state.h"
#include "workshare.h"

void rt_doacross_begin_at(struct rt_thread *th, int dims, const int64_t *extents, const int64_t *lows,
                          const int64_t *steps)
{
    struct rt_task *implicit = th->implicit;
    if (implicit->team->nthreads == 1 && !RT_WANTS(RT_ON_DEPENDENCES))
        return; /* the order of execution is the order of iterations */
    struct rt_workshare *entry = rt_workshare_enter(th);
    if (rt_workshare_first(entry)) {
        uint64_t total = 1;
        size_t head = (sizeof(struct rt_doacross) + (size_t)dims * sizeof(struct rt_dim) + 63) & ~(size_t)63;
        for (int i = 0; i < dims; i++)
            if (__builtin_mul_overflow(total, (uint64_t)(extents[i] > 0 ? extents[i] : 0), &total) ||
                total > UINT64_MAX / 2)
                rt_fatal("a doacross nest with more than 2^63 iterations is not supported");
        struct rt_doacross *nest = rt_workshare_memory(entry, head + (total / 64 + 1) * 8);
        nest->entry = entry;
        nest->dims = dims;
        nest->bits = (_Atomic uint64_t *)(void *)((char *)nest + head);
        for (int i = 0; i < dims; i++)
            nest->dim[i] =
                (struct rt_dim){lows == NULL ? 0 : lows[i], extents[i], steps == NULL ? 1 : steps[i]};
        entry->data = nest;
        rt_workshare_ready(entry);
    }
    implicit->doacross = entry->data;
}

void rt_doacross_begin(struct rt_thread *th, int dims, const int64_t *extents)
{
    rt_doacross_begin_at(th, dims, extents, NULL, NULL);
}

int rt_doacross_dims(struct rt_thread *th)
{
    const struct rt_doacross *nest = th->implicit->doacross;
    return nest != NULL ? nest->dims : 0;
}

/** The iteration's number in the nest; 0 = it is outside. */
static int iteration(const struct rt_doacross *nest, const int64_t *vector, uint64_t *number)
{
    uint64_t n = 0;
    for (int i = 0; i < nest->dims; i++) {
        int64_t at = vector[i] - nest->dim[i].low;
        if (nest->dim[i].step < 0 ? at > 0 : at < 0)
            return 0;
        if (nest->dim[i].step != 1)
            at /= nest->dim[i].step;
        if (at < 0 || at >= nest->dim[i].extent)
            return 0;
        n = n * (uint64_t)nest->dim[i].extent + (uint64_t)at;
    }
    *number = n;
    return 1;
}

static int posted(const struct rt_doacross *nest, uint64_t number)
{
    return atomic_load_explicit(&nest->bits[number / 64], memory_order_seq_cst) >> number % 64 & 1;
}

/** What is waited for. */
struct sink {
    const struct rt_doacross *nest;
    uint64_t number;
};

/** It was posted, or in a cancelled region never will be. */
static int is_over(void *argument)
{
    const struct sink *sink = argument;
    return posted(sink->nest, sink->number) ||
           (rt_acquire(sink->nest->entry->team->cancel) & RT_CANCEL_PARALLEL) != 0;
}

static RT_COLD void doacross_report(struct rt_thread *th, const struct rt_doacross *nest,
                                    const int64_t *vector, uint32_t type)
{
    rt_report(th, &(struct rt_event){.on = RT_ON_DEPENDENCES,
                                     .task = rt_load(th->cur_task),
                                     .vector = vector,
                                     .what = type,
                                     .n = nest->dims});
}

void rt_doacross_wait(struct rt_thread *th, const int64_t *vector, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_doacross *nest = implicit->doacross;
    uint64_t number;
    if (nest == NULL || !iteration(nest, vector, &number))
        return; /* an iteration that the loop does not have: no dependence */
    if (RT_WANTS(RT_ON_DEPENDENCES))
        doacross_report(th, nest, vector, RT_DOACROSS_SINK);
    if (posted(nest, number))
        return;
    struct rt_workshare *entry = nest->entry;
    rt_store(implicit->doacross_sink, number);
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_ORDERED, RT_WAIT_DOACROSS, entry, caller.codeptr);
    if (RT_WANTS(RT_ON_WAIT))
        rt_report_wait(th, 0, RT_WAIT_DOACROSS, entry, caller.codeptr);
    struct sink sink = {nest, number};
    for (struct rt_patience patience = {0}; !is_over(&sink);)
        if (rt_patience_spent(&patience))
            rt_turn_sleep(&entry->turns, number, is_over, &sink);
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    if (RT_WANTS(RT_ON_WAIT))
        rt_report_wait(th, 1, RT_WAIT_DOACROSS, entry, caller.codeptr);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

void rt_doacross_post(struct rt_thread *th, const int64_t *vector)
{
    struct rt_doacross *nest = th->implicit->doacross;
    uint64_t number;
    if (RT_WANTS(RT_ON_DEPENDENCES) && nest != NULL)
        doacross_report(th, nest, vector, RT_DOACROSS_SOURCE);
    if (nest == NULL || !iteration(nest, vector, &number))
        return;
    atomic_fetch_or_explicit(&nest->bits[number / 64], 1ULL << number % 64, memory_order_seq_cst);
    rt_arch_full_after_rmw();
    rt_turn_pass(&nest->entry->turns, number);
}

void rt_doacross_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_doacross *nest = implicit->doacross;
    if (nest == NULL)
        return;
    implicit->doacross = NULL;
    rt_workshare_leave(th, nest->entry);
}
