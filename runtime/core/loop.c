/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Worksharing loops with shared state: dynamic, guided, ordered. All in logical iterations 0 .. trip-1; the ABI layer
 * converts to the loop variable's type.
 *
 * A team has a ring of RT_LOOPS loops in flight; loop number s uses entry s modulo RT_LOOPS once its `seq` is s, which
 * the last thread to finish loop s - RT_LOOPS stores.
 */
#include "rt.h"

/* sched_type without modifiers and without the ordered offset (kmpc.md 1.6). */
enum {
    STATIC_CHUNKED = 33,
    STATIC = 34,
    DYNAMIC = 35,
    GUIDED = 36,
    RUNTIME = 37,
    AUTO = 38,
    TRAPEZOIDAL = 39
};

/** omp_sched_t to sched_type. */
static uint32_t runtime_kind(const struct rt_icvs *icvs, uint64_t *chunk)
{
    *chunk = icvs->chunk > 0 ? (uint64_t)icvs->chunk : 0;
    switch (icvs->sched & 0x7fffffff) {
    case 1:
        return *chunk ? STATIC_CHUNKED : STATIC;
    case 3:
        return GUIDED;
    case 4:
        return STATIC;
    default:
        return DYNAMIC;
    }
}

static uint32_t plain_kind(uint32_t kind)
{
    switch (kind) {
    case 39:
    case 42:
    case 43:
    case 46:
        return GUIDED;
    case 40:
    case 41:
    case 44:
        return STATIC;
    case 45:
        return STATIC_CHUNKED;
    case 47:
        return RUNTIME;
    default:
        return kind;
    }
}

void rt_loop_begin(struct rt_thread *th, uint32_t kind, uint64_t trip, uint64_t chunk)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    int ordered = kind >= 65 && kind <= 71;
    kind = plain_kind(ordered ? kind - 32 : kind);
    if (kind == RUNTIME)
        kind = plain_kind(runtime_kind(&rt_load(th->cur_task)->icvs, &chunk));
    if (kind == AUTO || kind == TRAPEZOIDAL)
        kind = STATIC;
    if (chunk == 0)
        chunk = 1;
    implicit->loop_kind = kind;
    implicit->loop_trip = trip;
    implicit->loop_chunk = chunk;
    implicit->loop_ordered = (uint8_t)ordered;
    implicit->loop_ordered_pending = 0;
    implicit->loop_serial_given = 0;
    rt_store(implicit->loop_first, 1);
    rt_store(implicit->loop_last, 0);
    implicit->loop_static = 0;
    if (team->nthreads == 1)
        return;
    uint32_t number = implicit->loop_seq++;
    struct rt_loop *loop = &team->loops[number % RT_LOOPS];
    uint32_t seq;
    while ((seq = rt_acquire(loop->seq)) !=
           number) /* a slow thread is still in the loop RT_LOOPS before this one */
        rt_word_wait(&loop->seq, seq, &loop->seq_sleepers);
    rt_store(implicit->loop, loop);
    if (kind == STATIC || kind == STATIC_CHUNKED) {
        uint64_t n = (uint64_t)team->nthreads, t = (uint64_t)rt_load(implicit->thread_num);
        if (kind == STATIC) {
            uint64_t small = trip / n, extra = trip % n;
            implicit->loop_static = t * small + (t < extra ? t : extra);
            implicit->loop_chunk = small + (t < extra);
        } else {
            implicit->loop_static = t > UINT64_MAX / chunk ? UINT64_MAX : t * chunk;
        }
    }
}

/** The thread is through: the last one resets the entry for the loop RT_LOOPS further. */
static void leave(struct rt_task *implicit, struct rt_loop *loop)
{
    rt_store(implicit->loop, NULL);
    uint32_t n = (uint32_t)implicit->team->nthreads;
    if (atomic_fetch_add_explicit(&loop->done, 1, memory_order_acq_rel) + 1 != n)
        return;
    rt_store(loop->done, 0);
    rt_store(loop->next, 0);
    rt_store(loop->ordered_next, 0);
    uint32_t seq = rt_load(loop->seq);
    atomic_store_explicit(&loop->seq, seq + RT_LOOPS, memory_order_seq_cst);
    if (unlikely(atomic_load_explicit(&loop->seq_sleepers, memory_order_seq_cst) != 0))
        rt_futex_wake(&loop->seq, INT32_MAX);
}

static int next_static(struct rt_task *implicit, uint64_t *first, uint64_t *last)
{
    uint64_t trip = implicit->loop_trip, at = implicit->loop_static, chunk = implicit->loop_chunk;
    if (at >= trip || chunk == 0)
        return 0;
    *first = at;
    *last = trip - at < chunk ? trip - 1 : at + chunk - 1;
    uint64_t n = (uint64_t)implicit->team->nthreads;
    if (implicit->loop_kind == STATIC || chunk > UINT64_MAX / n || UINT64_MAX - at < chunk * n)
        implicit->loop_static = UINT64_MAX;
    else
        implicit->loop_static = at + chunk * n;
    return 1;
}

static int next_dynamic(struct rt_task *implicit, struct rt_loop *loop, uint64_t *first, uint64_t *last)
{
    uint64_t trip = implicit->loop_trip, chunk = implicit->loop_chunk;
    uint64_t at;
    if (likely(implicit->loop_kind == DYNAMIC && chunk < 1u << 20 && trip < UINT64_MAX >> 1)) {
        /* Each thread adds at most once behind the end, so the sum cannot wrap. Not looked at first: that would fetch
         * the line twice. */
        at = atomic_fetch_add_explicit(&loop->next, chunk, memory_order_relaxed);
        if (at >= trip)
            return 0;
    } else {
        uint64_t size;
        at = rt_load(loop->next);
        do {
            if (at >= trip)
                return 0;
            size = chunk;
            if (implicit->loop_kind == GUIDED) {
                uint64_t share = (trip - at) / (2 * (uint64_t)implicit->team->nthreads);
                size = share > chunk ? share : chunk;
            }
            if (size > trip - at)
                size = trip - at;
        } while (!atomic_compare_exchange_weak_explicit(&loop->next, &at, at + size, memory_order_relaxed,
                                                        memory_order_relaxed));
        chunk = size;
    }
    *first = at;
    *last = trip - at < chunk ? trip - 1 : at + chunk - 1;
    return 1;
}

int rt_loop_next(struct rt_thread *th, uint64_t *first, uint64_t *last, int *is_last)
{
    struct rt_task *implicit = th->implicit;
    struct rt_loop *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1) {
        if (implicit->loop_serial_given || implicit->loop_trip == 0)
            return 0;
        implicit->loop_serial_given = 1;
        *first = 0;
        *last = implicit->loop_trip - 1;
        *is_last = 1;
        return 1;
    }
    if (loop == NULL)
        return 0;
    int got = implicit->loop_kind == STATIC || implicit->loop_kind == STATIC_CHUNKED
                  ? next_static(implicit, first, last)
                  : next_dynamic(implicit, loop, first, last);
    if (!got) {
        rt_store(implicit->loop_first, 1);
        rt_store(implicit->loop_last, 0);
        leave(implicit, loop);
        return 0;
    }
    *is_last = *last == implicit->loop_trip - 1;
    if (implicit->loop_ordered) {
        rt_store(implicit->loop_last, *last);
        rt_store(implicit->loop_first, *first);
        implicit->loop_iteration = *first;
        implicit->loop_ordered_pending = 1;
    }
    return 1;
}

/* ---- ordered ----------------------------------------------------------------------------------------------------- */

/** ordered_next is 64 bits, a futex 32: its low half serves, since waiters look at the whole again. */
static _Atomic uint32_t *turn_word(struct rt_loop *loop)
{
    return (_Atomic uint32_t *)&loop->ordered_next;
}

static void turn_wait(struct rt_loop *loop, uint64_t mine)
{
    struct rt_patience patience = {0, 0};
    while (rt_acquire(loop->ordered_next) != mine) {
        if (!rt_patience_spent(&patience))
            continue;
        atomic_fetch_add_explicit(&loop->ordered_sleepers, 1, memory_order_seq_cst);
        uint64_t now = atomic_load_explicit(&loop->ordered_next, memory_order_seq_cst);
        if (now != mine)
            rt_futex_wait(turn_word(loop), (uint32_t)now);
        atomic_fetch_sub_explicit(&loop->ordered_sleepers, 1, memory_order_relaxed);
    }
}

static void turn_pass(struct rt_loop *loop, uint64_t mine)
{
    atomic_store_explicit(&loop->ordered_next, mine + 1, memory_order_seq_cst);
    if (unlikely(atomic_load_explicit(&loop->ordered_sleepers, memory_order_seq_cst) != 0))
        rt_futex_wake(turn_word(loop), INT32_MAX);
}

static void wait_for_turn(struct rt_thread *th, struct rt_task *implicit, struct rt_loop *loop,
                          uint64_t codeptr)
{
    if (rt_acquire(loop->ordered_next) == implicit->loop_iteration)
        return;
    rt_enter_wait(th, RT_STATE_ORDERED, RT_WAIT_ORDERED, loop, codeptr);
    turn_wait(loop, implicit->loop_iteration);
    rt_set_state(th, RT_WORK_PARALLEL);
}

void rt_ordered_begin(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_loop *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1 || loop == NULL || !implicit->loop_ordered)
        return;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    wait_for_turn(th, implicit, loop, caller.codeptr);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

void rt_ordered_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_loop *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1 || loop == NULL || !implicit->loop_ordered)
        return;
    implicit->loop_ordered_pending = 0;
    turn_pass(loop, implicit->loop_iteration);
}

/* An iteration is over. If it met no ordered region its turn has still to be waited for and passed on. */
void rt_loop_iteration_done(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_loop *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1 || loop == NULL || !implicit->loop_ordered)
        return;
    if (implicit->loop_ordered_pending) {
        wait_for_turn(th, implicit, loop, 0);
        turn_pass(loop, implicit->loop_iteration);
    }
    implicit->loop_iteration++;
    rt_store(implicit->loop_first, implicit->loop_iteration);
    implicit->loop_ordered_pending = 1;
}
