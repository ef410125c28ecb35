/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Worksharing loops with shared state: dynamic, guided, ordered. All in logical iterations 0 .. trip-1; the
 * ABI layer converts to the loop variable's type. What the threads share of a loop is an entry of the team's
 * ring (workshare.c).
 *
 * A nonmonotonic dynamic loop has no shared counter: each member owns a share of the chunks in a word of its
 * own line, takes from its front, and when that is empty takes the back half of another's. A word that still
 * has the tag of an earlier loop stands for a whole share that its owner has not touched yet.
 */

#include "arch.h"
#include "loop.h"
#include "mutex.h"
#include "notify.h"
#include "slab.h"

enum { TRAPEZOIDAL = 39 };

/*
 * schedule(simd: ...): the chunk that the compiler gives is the width, of which every chunk but the last is a
 * multiple.
 */
enum { STATIC_SIMD = 45, RUNTIME_SIMD = 47 };

/** omp_sched_t to sched_type. */
static uint32_t runtime_kind(const struct rt_icvs *icvs, uint64_t *chunk)
{
    *chunk = icvs->chunk > 0 ? (uint64_t)icvs->chunk : 0;
    switch (icvs->sched & 0x7fffffff) {
    case 1:
        return *chunk ? RT_SCHED_STATIC_CHUNKED : RT_SCHED_STATIC;
    case 3:
        return RT_SCHED_GUIDED;
    case 4:
        return RT_SCHED_STATIC;
    default:
        return RT_SCHED_DYNAMIC;
    }
}

static uint32_t plain_kind(uint32_t kind)
{
    switch (kind) {
    case 39:
    case 42:
    case 43:
    case 46:
        return RT_SCHED_GUIDED;
    case 40:
    case 41:
    case 44:
        return RT_SCHED_STATIC;
    case STATIC_SIMD:
        return RT_SCHED_STATIC;
    case RUNTIME_SIMD:
        return RT_SCHED_RUNTIME;
    default:
        return kind;
    }
}

/* ---- shares of a nonmonotonic dynamic loop ------------------------------------------------------------- */

/** What is left of a member's share: as its word says, or all of it. */
static void range_read(uint64_t word, uint32_t tag, uint64_t chunks, uint32_t member, uint32_t members,
                       uint64_t *next, uint64_t *end)
{
    if (likely(word >> 2 * RT_RANGE_BITS == tag)) {
        *next = word >> RT_RANGE_BITS & RT_RANGE_MASK;
        *end = word & RT_RANGE_MASK;
    } else {
        *next = chunks * member / members;
        *end = chunks * (member + 1) / members;
    }
}

/** Takes the front chunk of the own share; 0 = it is empty. */
static int range_take(struct rt_range *own, uint32_t tag, uint64_t chunks, uint32_t member, uint32_t members,
                      uint64_t *chunk)
{
    uint64_t word = rt_load(own->word), next, end;
    do {
        range_read(word, tag, chunks, member, members, &next, &end);
        if (next >= end) {
            return 0;
        }
    } while (!atomic_compare_exchange_weak_explicit(&own->word, &word, rt_range_word(tag, next + 1, end),
                                                    memory_order_relaxed, memory_order_relaxed));
    *chunk = next;
    return 1;
}

/**
 * The same of a share whose word has the loop's tag. One atomic addition: on an empty share it goes one
 * behind the end, which is as empty, and the owner does so once, since he then steals a share or leaves the
 * loop.
 */
static int range_take_again(struct rt_range *own, uint64_t *chunk)
{
    uint64_t word = atomic_fetch_add_explicit(&own->word, 1ULL << RT_RANGE_BITS, memory_order_relaxed);
    *chunk = word >> RT_RANGE_BITS & RT_RANGE_MASK;
    return *chunk < (word & RT_RANGE_MASK);
}

/**
 * Takes the back half of somebody's share, of which the first chunk is for now; 0 = there is nothing
 * anywhere.
 */
static RT_NOINLINE int range_steal(struct rt_range *ranges, uint32_t tag, uint64_t chunks, uint32_t member,
                                   uint32_t members, uint64_t *chunk)
{
    for (uint32_t k = 1; k < members; k++) {
        uint32_t victim = member + k < members ? member + k : member + k - members;
        uint64_t word = rt_load(ranges[victim].word), next, end, first;
        do {
            range_read(word, tag, chunks, victim, members, &next, &end);
            if (next >= end)
                break;
            first = end - (end - next + 1) / 2;
        } while (!atomic_compare_exchange_weak_explicit(&ranges[victim].word, &word,
                                                        rt_range_word(tag, next, first), memory_order_relaxed,
                                                        memory_order_relaxed));
        if (next >= end)
            continue;
        rt_store(ranges[member].word, rt_range_word(tag, first + 1, end));
        *chunk = first;
        return 1;
    }
    return 0;
}

void rt_loop_ranges(struct rt_team *team)
{
    int size = 8;
    while (size < team->nthreads)
        size *= 2;
    for (int i = 0; i < RT_WORKSHARES; i++) {
        struct rt_workshare *loop = &team->workshares[i];
        loop->ranges = rt_arena_take((size_t)size * sizeof *loop->ranges);
        for (int k = 0; k < size; k++)
            rt_store(loop->ranges[k].word, rt_range_word(RT_TAG_STALE, 0, 0));
    }
    team->ring_threads = size;
}

/* ---- begin and next ------------------------------------------------------------------------------------ */

void rt_loop_begin(struct rt_thread *th, uint32_t kind, uint64_t trip, uint64_t chunk)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    uint32_t modifiers = kind & ~0xffffu;
    kind &= 0xffff;
    if (unlikely(rt_load(implicit->loop) != NULL))
        rt_loop_leave(th); /* left by cancellation without a word */
    int ordered = kind >= 65 && kind <= 71;
    uint64_t width = (kind == STATIC_SIMD || kind == RUNTIME_SIMD) && chunk > 0 ? chunk : 1;
    kind = plain_kind(ordered ? kind - RT_SCHED_ORDERED : kind);
    if (kind == RT_SCHED_RUNTIME) {
        const struct rt_icvs *icvs = &rt_load(th->cur_task)->icvs;
        kind = plain_kind(runtime_kind(icvs, &chunk));
        modifiers |= icvs->sched & 0x80000000u ? RT_SCHED_MONOTONIC : RT_SCHED_NONMONOTONIC;
    }
    if (kind == RT_SCHED_AUTO || kind == TRAPEZOIDAL || (kind == RT_SCHED_STATIC_CHUNKED && chunk == 0))
        kind = RT_SCHED_STATIC;
    if (chunk == 0)
        chunk = 1;
    if (unlikely(width > 1)) {
        uint64_t n = (uint64_t)team->nthreads,
                 each = kind == RT_SCHED_STATIC ? (trip / n + (trip % n != 0)) : chunk * width;
        kind = kind == RT_SCHED_STATIC ? RT_SCHED_STATIC_CHUNKED : kind;
        chunk = (each + width - 1) / width * width;
    }
    implicit->loop_kind = kind;
    implicit->loop_trip = trip;
    implicit->loop_chunk = chunk;
    implicit->loop_ordered = (uint8_t)(!ordered ? 0 : modifiers & RT_SCHED_BY_CHUNK ? 2 : 1);
    implicit->loop_ordered_pending = 0;
    implicit->loop_given_last = 0;
    implicit->loop_stealing = 0;
    rt_store(implicit->loop_first, 1);
    rt_store(implicit->loop_last, 0);
    implicit->loop_static = 0;
    if (team->nthreads == 1)
        return;
    struct rt_workshare *loop = rt_workshare_enter(th);
    if (unlikely(rt_workshare_is_private(loop))) { /* the region is cancelled: no iterations */
        rt_workshare_leave(th, loop);
        return;
    }
    rt_store(implicit->loop, loop);
    uint64_t n = (uint64_t)team->nthreads, t = (uint64_t)rt_load(implicit->thread_num);
    if (kind == RT_SCHED_STATIC) {
        uint64_t small = trip / n, extra = trip % n;
        implicit->loop_static = t * small + (t < extra ? t : extra);
        implicit->loop_chunk = small + (t < extra);
    } else if (kind == RT_SCHED_STATIC_CHUNKED) {
        implicit->loop_static = t > UINT64_MAX / chunk ? UINT64_MAX : t * chunk;
    } else if (kind == RT_SCHED_DYNAMIC && !ordered && implicit->doacross == NULL &&
               (modifiers & (RT_SCHED_NONMONOTONIC | RT_SCHED_MONOTONIC)) == RT_SCHED_NONMONOTONIC) {
        uint64_t chunks = trip / chunk + (trip % chunk != 0);
        implicit->loop_stealing = chunks < RT_RANGE_MASK ? RT_SHARE_NEW : 0;
        implicit->loop_static = chunks;
        if (implicit->loop_stealing && !rt_load(loop->stealing))
            rt_store(loop->stealing, 1);
    }
}

/** The calling thread is through with the loop in hand. */
static void loop_leave(struct rt_thread *th, struct rt_task *implicit, struct rt_workshare *loop)
{
    rt_store(implicit->loop, NULL);
    rt_workshare_leave(th, loop);
}

void rt_loop_leave(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *loop = rt_load(implicit->loop);
    implicit->loop_given_last = 1;
    if (loop == NULL)
        return;
    rt_store(implicit->loop_first, 1);
    rt_store(implicit->loop_last, 0);
    loop_leave(th, implicit, loop);
}

static int next_static(struct rt_task *implicit, uint64_t *first, uint64_t *last)
{
    uint64_t trip = implicit->loop_trip, at = implicit->loop_static, chunk = implicit->loop_chunk;
    if (at >= trip || chunk == 0)
        return 0;
    *first = at;
    *last = trip - at < chunk ? trip - 1 : at + chunk - 1;
    uint64_t n = (uint64_t)implicit->team->nthreads;
    if (implicit->loop_kind == RT_SCHED_STATIC || chunk > UINT64_MAX / n || UINT64_MAX - at < chunk * n)
        implicit->loop_static = UINT64_MAX;
    else
        implicit->loop_static = at + chunk * n;
    return 1;
}

static int next_dynamic(struct rt_task *implicit, struct rt_workshare *loop, uint64_t *first, uint64_t *last)
{
    uint64_t trip = implicit->loop_trip, chunk = implicit->loop_chunk;
    uint64_t at;
    if (likely(implicit->loop_kind == RT_SCHED_DYNAMIC && chunk < 1u << 20 && trip < UINT64_MAX >> 1)) {
        /*
         * Each thread adds at most once behind the end, so the sum cannot wrap. Not looked at first: that
         * would fetch the line twice.
         */
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
            if (implicit->loop_kind == RT_SCHED_GUIDED) {
                uint64_t share = (trip - at) / (2 * (uint64_t)implicit->team->nthreads);
                size = share > chunk ? share - share % chunk : chunk;
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

/** Ordered by chunks: the turn of the chunk in hand passes before the next one is asked for. */
static void chunk_pass(struct rt_thread *th, struct rt_task *implicit, struct rt_workshare *loop);

static int next_shared(struct rt_thread *th, struct rt_task *implicit, struct rt_workshare *loop,
                       uint64_t *first, uint64_t *last, int *is_last)
{
    if (implicit->loop_ordered == 2)
        chunk_pass(th, implicit, loop);
    int got = implicit->loop_kind == RT_SCHED_STATIC || implicit->loop_kind == RT_SCHED_STATIC_CHUNKED
                  ? next_static(implicit, first, last)
                  : next_dynamic(implicit, loop, first, last);
    if (!got) {
        rt_store(implicit->loop_first, 1);
        rt_store(implicit->loop_last, 0);
        loop_leave(th, implicit, loop);
        return 0;
    }
    *is_last = *last == implicit->loop_trip - 1;
    rt_store(implicit->loop_last, *last);
    rt_store(implicit->loop_first, *first);
    if (implicit->loop_ordered) {
        implicit->loop_iteration = *first;
        implicit->loop_ordered_pending = 1;
    }
    return 1;
}

int rt_loop_next(struct rt_thread *th, uint64_t *first, uint64_t *last, int *is_last)
{
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *loop = rt_load(implicit->loop);
    if (likely(loop != NULL)) {
        if (!implicit->loop_stealing)
            return next_shared(th, implicit, loop, first, last, is_last);
        uint32_t tag = loop->tag, n = (uint32_t)implicit->team->nthreads,
                 me = (uint32_t)rt_load(implicit->thread_num);
        uint64_t chunks = implicit->loop_static, size = implicit->loop_chunk, chunk;
        /*
         * The sequentially last chunk is the last one of its thread too: lastprivate takes what that leaves.
         */
        int got = !implicit->loop_given_last &&
                  ((likely(implicit->loop_stealing == RT_SHARE_TAGGED)
                        ? range_take_again(&loop->ranges[me], &chunk)
                        : range_take(&loop->ranges[me], tag, chunks, me, n, &chunk)) ||
                   range_steal(loop->ranges, tag, chunks, me, n, &chunk));
        if (!got) {
            loop_leave(th, implicit, loop);
            return 0;
        }
        implicit->loop_stealing = RT_SHARE_TAGGED;
        *first = chunk * size;
        *is_last = implicit->loop_given_last = chunk == chunks - 1;
        *last = *is_last ? implicit->loop_trip - 1 : *first + size - 1;
        return 1;
    }
    if (implicit->team->nthreads > 1 || implicit->loop_given_last || implicit->loop_trip == 0)
        return 0;
    implicit->loop_given_last = 1;
    *first = 0;
    *last = implicit->loop_trip - 1;
    *is_last = 1;
    return 1;
}

/* ---- ordered ------------------------------------------------------------------------------------------- */

/** In a cancelled region the turn may never come: a thread that has left does not pass it on. */
static int turn_is_void(struct rt_workshare *loop)
{
    return (rt_acquire(loop->team->cancel) & RT_CANCEL_PARALLEL) != 0;
}

/*
 * Each look takes the line away from the thread that writes it next. Those behind the next in turn look more
 * rarely the more iterations are before their own.
 */
#define TURN_DISTANCE 4  /**< iterations before the own one that make a difference */
#define TURN_LOOKS    16 /**< of the next in turn, before it waits as others do */

struct turn {
    struct rt_workshare *loop;
    uint64_t mine;
};

static int turn_has_come(void *argument)
{
    const struct turn *turn = argument;
    return atomic_load_explicit(&turn->loop->ordered_next, memory_order_seq_cst) == turn->mine ||
           turn_is_void(turn->loop);
}

/** The next in turn does nothing but look at first: the time from look to look comes on top of its wait. */
static int turn_comes_soon(struct rt_workshare *loop, uint64_t mine)
{
    if (rt_root.spin == 0 || rt_oversubscribed())
        return 0;
    for (int i = 0; i < TURN_LOOKS; i++) {
        uint64_t turn = rt_acquire(loop->ordered_next);
        if (turn == mine)
            return 1;
        if (turn + 1 != mine)
            return 0;
        rt_pause();
    }
    return 0;
}

static void turn_wait(struct rt_workshare *loop, uint64_t mine)
{
    if (likely(turn_comes_soon(loop, mine)))
        return;
    struct rt_patience patience = {0};
    uint64_t turn;
    while ((turn = rt_acquire(loop->ordered_next)) != mine && !turn_is_void(loop)) {
        uint64_t before = mine - turn;
        patience.ahead = before < UINT32_MAX ? (uint32_t)before : UINT32_MAX;
        patience.pauses = (uint32_t)(before < TURN_DISTANCE ? before : TURN_DISTANCE) - 1;
        if (!rt_patience_spent(&patience))
            continue;
        rt_turn_sleep(&loop->turns, mine, turn_has_come, &(struct turn){loop, mine});
    }
}

static void turn_pass(struct rt_workshare *loop, uint64_t mine)
{
    /* Not by one locked store, which begins only when all stores of the region are done. */
    rt_publish(loop->ordered_next, mine + 1);
    atomic_thread_fence(memory_order_seq_cst);
    rt_turn_pass(&loop->turns, mine + 1);
}

static void turn_wait_begin(struct rt_thread *th, struct rt_workshare *loop, uint64_t codeptr)
{
    rt_enter_wait(th, RT_STATE_ORDERED, RT_WAIT_ORDERED, loop, codeptr);
    if (RT_WANTS(RT_ON_WAIT))
        rt_report_wait(th, 0, RT_WAIT_ORDERED, loop, codeptr);
}

static void turn_wait_end(struct rt_thread *th, struct rt_workshare *loop, uint64_t codeptr)
{
    rt_set_state(th, RT_STATE_WORK_PARALLEL);
    if (RT_WANTS(RT_ON_WAIT))
        rt_report_wait(th, 1, RT_WAIT_ORDERED, loop, codeptr);
}

static void wait_for_turn(struct rt_thread *th, struct rt_task *implicit, struct rt_workshare *loop,
                          uint64_t codeptr)
{
    if (rt_acquire(loop->ordered_next) == implicit->loop_iteration)
        return;
    turn_wait_begin(th, loop, codeptr);
    turn_wait(loop, implicit->loop_iteration);
    turn_wait_end(th, loop, codeptr);
}

static void chunk_pass(struct rt_thread *th, struct rt_task *implicit, struct rt_workshare *loop)
{
    if (!implicit->loop_ordered_pending)
        return;
    wait_for_turn(th, implicit, loop, 0);
    implicit->loop_ordered_pending = 0;
    turn_pass(loop, rt_load(implicit->loop_last));
}

/** A cancellation lets threads go on out of turn, but still one at a time. */
static void ordered_enter(struct rt_thread *th, struct rt_workshare *loop, uint64_t codeptr)
{
    static const struct rt_wait_as as_ordered = {RT_STATE_ORDERED, RT_WAIT_ORDERED};
    rt_mutex_lock_plain(th, &loop->exclusive, as_ordered, loop, codeptr);
}

/** What an ordered region is known by: as the state word's wait_id, or, of a thread alone, its own loop. */
static const void *ordered_object(const struct rt_task *implicit)
{
    const struct rt_workshare *loop = rt_load(implicit->loop);
    return loop != NULL ? (const void *)loop : &implicit->loop_iteration;
}

static void ordered_begin(struct rt_thread *th, struct rt_caller caller)
{
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1 || loop == NULL || !implicit->loop_ordered)
        return;
    RT_TRACK(rt_store(implicit->enter_frame, caller.frame));
    wait_for_turn(th, implicit, loop, caller.codeptr);
    if (unlikely(rt_root.cancellation))
        ordered_enter(th, loop, caller.codeptr);
    RT_TRACK(rt_store(implicit->enter_frame, 0));
}

static RT_COLD void ordered_begin_instrumented(struct rt_thread *th, struct rt_caller caller)
{
    const void *object = ordered_object(th->implicit);
    rt_report_mutex(th, RT_ON_ACQUIRE, RT_WAIT_ORDERED, 0, object, caller.codeptr, caller.frame);
    ordered_begin(th, caller);
    rt_report_mutex(th, RT_ON_ACQUIRED, RT_WAIT_ORDERED, 0, object, caller.codeptr, caller.frame);
}

void rt_ordered_begin(struct rt_thread *th, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED))
        ordered_begin_instrumented(th, caller);
    else
        ordered_begin(th, caller);
}

static void ordered_end(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1 || loop == NULL || !implicit->loop_ordered)
        return;
    if (unlikely(rt_root.cancellation))
        rt_mutex_unlock(&loop->exclusive);
    if (implicit->loop_ordered != 1)
        return;
    implicit->loop_ordered_pending = 0;
    turn_pass(loop, implicit->loop_iteration);
}

void rt_ordered_end(struct rt_thread *th, struct rt_caller caller)
{
    ordered_end(th);
    if (RT_WANTS(RT_ON_RELEASED))
        rt_report_mutex(th, RT_ON_RELEASED, RT_WAIT_ORDERED, 0, ordered_object(th->implicit), caller.codeptr,
                        caller.frame);
}

/* An iteration is over. If it met no ordered region its turn has still to be waited for and passed on. */
void rt_loop_iteration_done(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *loop = rt_load(implicit->loop);
    if (implicit->team->nthreads == 1 || loop == NULL || implicit->loop_ordered != 1)
        return;
    if (implicit->loop_ordered_pending) {
        wait_for_turn(th, implicit, loop, 0);
        turn_pass(loop, implicit->loop_iteration);
    }
    implicit->loop_iteration++;
    rt_store(implicit->loop_first, implicit->loop_iteration);
    implicit->loop_ordered_pending = 1;
}
