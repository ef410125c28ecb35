/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for worksharing loops (docs/abi/kmpc.md sections 4 and 5), once per type of loop
 * variable.
 */

#include "../core/attach.h"
#include "../core/loop.h"
#include "kmpc.h"

enum {
    SCHED_STATIC_CHUNKED = 33,
    SCHED_STATIC = 34,
    SCHED_STATIC_BALANCED_CHUNKED = 45,
    SCHED_DISTRIBUTE_CHUNKED = 91,
    SCHED_DISTRIBUTE = 92
};
#define SCHED_KIND(sched) ((uint32_t)(sched) & ~0x60000000u) /* without monotonic, nonmonotonic */

RT_EXPORT void __kmpc_for_static_fini(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(rt_me(), RT_CALLER());
}

/** What clang says of a static loop: sections are such a one too, and the teams' share of `distribute`. */
static uint32_t static_work_kind(const struct rt_loc *loc, uint32_t kind)
{
    if (loc != NULL && loc->flags & LOC_WORK_SECTIONS)
        return RT_WORK_SECTIONS;
    return kind == SCHED_DISTRIBUTE || kind == SCHED_DISTRIBUTE_CHUNKED ? RT_WORK_DISTRIBUTE
                                                                        : RT_WORK_LOOP_STATIC;
}

/**
 * Begin of a static loop, and its block from logical iteration `first`, which is the thread's only chunk or
 * section unless the compiler's code makes more: those are not reported.
 */
static RT_COLD void report_static(const struct rt_loc *loc, uint32_t kind, uint64_t trip, uint64_t first,
                                  uint64_t count, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    uint32_t work = static_work_kind(loc, kind);
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_begin(th, work, trip, caller);
    if (!RT_WANTS(RT_ON_DISPATCH) || count == 0)
        return;
    if (work == RT_WORK_SECTIONS)
        RT_EVENT(th, RT_ON_DISPATCH, .what = RT_DISPATCH_SECTION, .team = th->implicit->team,
                 .task = th->implicit, .codeptr = caller.codeptr);
    else
        rt_report_chunk(th,
                        work == RT_WORK_DISTRIBUTE ? RT_DISPATCH_DISTRIBUTE_CHUNK : RT_DISPATCH_WS_LOOP_CHUNK,
                        first, count);
}

/** Begin of a loop whose chunks the runtime hands out. */
static RT_COLD void report_dynamic(struct rt_thread *th, const struct rt_loc *loc, struct rt_caller caller)
{
    rt_report_work_begin(
        th, loc != NULL && loc->flags & LOC_WORK_SECTIONS ? RT_WORK_SECTIONS : rt_loop_work_kind(th),
        th->implicit->loop_trip, caller);
}

RT_EXPORT void __kmpc_dispatch_deinit(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_loop_leave(rt_me()); /* after a cancellation; else it was left when dispatch_next gave 0 */
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(rt_me(), RT_CALLER());
}

/* Sections handed out one by one (LLVM 15 and later). */
RT_EXPORT int32_t __kmpc_sections_init(struct rt_loc *loc, int32_t gtid)
{
    struct rt_thread *th = rt_me();
    (void)loc, (void)gtid;
    rt_loop_begin(th, RT_SCHED_DYNAMIC | RT_SCHED_MONOTONIC, INT32_MAX, 1);
    th->implicit->loop_static =
        th->implicit->team->nthreads > 1 ? INT32_MAX : 0; /* no entry: cancelled, or alone */
    if (RT_WANTS(RT_ON_WORK))                             /* how many there are the compiler says later */
        rt_report_work_begin(th, RT_WORK_SECTIONS, 0, RT_CALLER());
    return th->implicit->team->nthreads > 1;
}

RT_EXPORT int32_t __kmpc_next_section(struct rt_loc *loc, int32_t gtid, int32_t n)
{
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *loop = rt_load(implicit->loop);
    (void)loc, (void)gtid;
    uint64_t section = loop != NULL ? atomic_fetch_add_explicit(&loop->next, 1, memory_order_relaxed)
                                    : implicit->loop_static++;
    if (section >= (uint64_t)n)
        return n;
    RT_EVENT(th, RT_ON_DISPATCH, .what = RT_DISPATCH_SECTION, .team = implicit->team, .task = implicit,
             .codeptr = RT_CALLER().codeptr);
    return (int32_t)section;
}

RT_EXPORT void __kmpc_end_sections(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_loop_leave(rt_me());
    if (RT_WANTS(RT_ON_WORK))
        rt_report_work_end(rt_me(), RT_CALLER());
}

/**
 * The first chunk [*lower, *upper] of thread `num` of `count`, in the loop's own terms, and the distance to
 * its next one. lower .. upper by incr are `trip` iterations, more than none.
 */
struct static_part {
    uint64_t first, iterations, stride; /* logical; iterations may be 0 */
    int last;
};

/**
 * Of `trip` iterations, at least one, the block of thread `num` of `count`, without chunks: as even as can
 * be. Numbers of 32 bits need fewer registers, and their division half the time.
 */
#define STATIC_BLOCK(bits)                                                                                   \
    struct block_##bits {                                                                                    \
        uint##bits##_t first, iterations;                                                                    \
        int last;                                                                                            \
    };                                                                                                       \
    static inline struct block_##bits static_block_##bits(uint##bits##_t trip, uint##bits##_t num,           \
                                                          uint##bits##_t count)                              \
    {                                                                                                        \
        uint##bits##_t small = likely(trip <= UINT32_MAX) ? (uint32_t)trip / (uint32_t)count : trip / count; \
        uint##bits##_t extra = trip - small * count;                                                         \
        return (struct block_##bits){.first = num * small + (num < extra ? num : extra),                     \
                                     .iterations = small + (num < extra),                                    \
                                     .last = num == (trip < count ? trip : count) - 1};                      \
    }
STATIC_BLOCK(32)
STATIC_BLOCK(64)

static struct static_part static_split(uint32_t kind, uint64_t trip, uint64_t chunk, uint64_t num,
                                       uint64_t count)
{
    struct static_part part = {0, trip, trip, 1};
    if (count == 1)
        return part;
    if (kind == SCHED_STATIC_CHUNKED || kind == SCHED_DISTRIBUTE_CHUNKED) {
        if (chunk > trip)
            chunk = trip; /* so that the products stay within the loop variable's type where they can */
        part.last = (trip - 1) / chunk % count == num;
        part.stride = chunk > trip / count ? trip : chunk * count;
        if (num > (trip - 1) / chunk) {
            part.first = trip;
            part.iterations = 0;
        } else {
            part.first = num * chunk;
            /*
             * No further than the end: what lies behind may be no number of the loop variable's type. Each
             * further round is clamped by the compiler.
             */
            part.iterations = chunk < trip - part.first ? chunk : trip - part.first;
        }
        return part;
    }
    if (kind == SCHED_STATIC_BALANCED_CHUNKED) {
        uint64_t size = (trip / count + (trip % count != 0) + chunk - 1) / chunk * chunk;
        part.first = num * size;
        part.iterations = part.first >= trip ? 0 : trip - part.first < size ? trip - part.first : size;
        part.last = part.iterations != 0 && part.first + part.iterations == trip;
        return part;
    }
    struct block_64 block = static_block_64(trip, num, count);
    part.first = block.first;
    part.iterations = block.iterations;
    part.last = block.last;
    return part;
}

/** Who shares the iterations: the threads of a team, or of `distribute` the teams of the league. */
struct place {
    uint64_t number, count;
};

static struct place place_of(uint32_t kind)
{
    const struct rt_task *implicit = rt_me()->implicit;
    const struct rt_team *team = implicit->team;
    if (kind == SCHED_DISTRIBUTE || kind == SCHED_DISTRIBUTE_CHUNKED)
        return (struct place){(uint64_t)team->team_num, (uint64_t)team->num_teams};
    return (struct place){(uint64_t)rt_load(implicit->thread_num), (uint64_t)team->nthreads};
}

#define LOOP_FUNCTIONS(suffix, bits, type, signed_type, unsigned_type)                                       \
    /** Iterations of lower .. upper by incr. */                                                             \
    static uint64_t trip_##suffix(type lower, type upper, signed_type incr)                                  \
    {                                                                                                        \
        if (incr > 0 ? upper < lower : lower < upper)                                                        \
            return 0;                                                                                        \
        unsigned_type span = incr > 0 ? (unsigned_type)upper - (unsigned_type)lower                          \
                                      : (unsigned_type)lower - (unsigned_type)upper;                         \
        unsigned_type step = incr > 0 ? (unsigned_type)incr : (unsigned_type)0 - (unsigned_type)incr;        \
        return (uint64_t)(span / step) + 1;                                                                  \
    }                                                                                                        \
    static type value_##suffix(type lower, signed_type incr, uint64_t iteration)                             \
    {                                                                                                        \
        return (type)((unsigned_type)lower + (unsigned_type)iteration * (unsigned_type)incr);                \
    }                                                                                                        \
    static void static_first_##suffix(uint32_t kind, int32_t *last, type *lower, type *upper,                \
                                      signed_type *stride, signed_type incr, signed_type chunk,              \
                                      struct place place)                                                    \
    {                                                                                                        \
        if (incr == 0)                                                                                       \
            incr = 1;                                                                                        \
        uint64_t trip = trip_##suffix(*lower, *upper, incr);                                                 \
        if (trip == 0) {                                                                                     \
            if (last != NULL)                                                                                \
                *last = 0;                                                                                   \
            return;                                                                                          \
        }                                                                                                    \
        struct static_part part =                                                                            \
            static_split(kind, trip, chunk < 1 ? 1 : (uint64_t)chunk, place.number, place.count);            \
        type first = *lower;                                                                                 \
        *lower = value_##suffix(first, incr, part.first);                                                    \
        *upper = value_##suffix(first, incr, part.first + part.iterations - 1);                              \
        if (kind != SCHED_STATIC_BALANCED_CHUNKED)                                                           \
            *stride = (signed_type)((unsigned_type)part.stride * (unsigned_type)incr);                       \
        if (last != NULL)                                                                                    \
            *last = part.last;                                                                               \
    }                                                                                                        \
    static RT_NOINLINE void static_any_##suffix(struct rt_loc *loc, int32_t gtid, int32_t sched,             \
                                                int32_t *last, type *lower, type *upper,                     \
                                                signed_type *stride, signed_type incr, signed_type chunk)    \
    {                                                                                                        \
        uint64_t trip = trip_##suffix(*lower, *upper, incr == 0 ? 1 : incr);                                 \
        type origin = *lower;                                                                                \
        (void)gtid;                                                                                          \
        static_first_##suffix(SCHED_KIND(sched), last, lower, upper, stride, incr, chunk,                    \
                              place_of(SCHED_KIND(sched)));                                                  \
        if (RT_WANTS(RT_ON_WORK | RT_ON_DISPATCH))                                                           \
            report_static(loc, SCHED_KIND(sched), trip,                                                      \
                          trip_##suffix(origin, *lower, incr == 0 ? 1 : incr) - 1,                           \
                          trip != 0 ? trip_##suffix(*lower, *upper, incr == 0 ? 1 : incr) : 0, RT_CALLER()); \
    }                                                                                                        \
    /* What most loops are, at once; for others a jump, with the arguments as they are. */                   \
    RT_EXPORT void __kmpc_for_static_init_##suffix(struct rt_loc *loc, int32_t gtid, int32_t sched,          \
                                                   int32_t *last, type *lower, type *upper,                  \
                                                   signed_type *stride, signed_type incr, signed_type chunk) \
    {                                                                                                        \
        struct rt_thread *th = rt_self;                                                                      \
        type first = *lower;                                                                                 \
        unsigned_type trip = (unsigned_type)*upper - (unsigned_type)first + 1;                               \
        if (unlikely(SCHED_KIND(sched) != SCHED_STATIC) || unlikely(incr != 1) || unlikely(last == NULL) ||  \
            unlikely(*upper < first) || unlikely(trip == 0) || unlikely(th == NULL) ||                       \
            RT_WANTS(RT_ON_WORK | RT_ON_DISPATCH)) {                                                         \
            static_any_##suffix(loc, gtid, sched, last, lower, upper, stride, incr, chunk);                  \
            return;                                                                                          \
        }                                                                                                    \
        struct block_##bits block = static_block_##bits(trip, (uint32_t)rt_load(th->implicit->thread_num),   \
                                                        (uint32_t)th->implicit->team->nthreads);             \
        first = (type)((unsigned_type)first + block.first);                                                  \
        *lower = first;                                                                                      \
        *upper = (type)((unsigned_type)first + block.iterations - 1);                                        \
        *stride = (signed_type)trip;                                                                         \
        *last = block.last;                                                                                  \
    }                                                                                                        \
    RT_EXPORT void __kmpc_team_static_init_##suffix(struct rt_loc *loc, int32_t gtid, int32_t *last,         \
                                                    type *lower, type *upper, signed_type *stride,           \
                                                    signed_type incr, signed_type chunk)                     \
    {                                                                                                        \
        (void)loc, (void)gtid;                                                                               \
        static_first_##suffix(SCHED_DISTRIBUTE_CHUNKED, last, lower, upper, stride, incr, chunk,             \
                              place_of(SCHED_DISTRIBUTE_CHUNKED));                                           \
    }                                                                                                        \
    /** This team's part of the space, balanced; 0 = it has none. */                                         \
    static int team_part_##suffix(type *lower, type *upper, signed_type incr, int *last_team)                \
    {                                                                                                        \
        struct place place = place_of(SCHED_DISTRIBUTE);                                                     \
        uint64_t trip = trip_##suffix(*lower, *upper, incr);                                                 \
        if (trip == 0)                                                                                       \
            return 0;                                                                                        \
        struct static_part part = static_split(SCHED_DISTRIBUTE, trip, 1, place.number, place.count);        \
        type first = *lower;                                                                                 \
        *lower = value_##suffix(first, incr, part.first);                                                    \
        *upper = value_##suffix(first, incr, part.first + part.iterations - 1);                              \
        *last_team = part.last;                                                                              \
        return part.iterations != 0;                                                                         \
    }                                                                                                        \
    RT_EXPORT void __kmpc_dist_for_static_init_##suffix(                                                     \
        struct rt_loc *loc, int32_t gtid, int32_t sched, int32_t *last, type *lower, type *upper,            \
        type *upper_team, signed_type *stride, signed_type incr, signed_type chunk)                          \
    {                                                                                                        \
        int last_team = 0;                                                                                   \
        (void)loc, (void)gtid;                                                                               \
        if (incr == 0)                                                                                       \
            incr = 1;                                                                                        \
        int some = team_part_##suffix(lower, upper, incr, &last_team);                                       \
        *upper_team = *upper;                                                                                \
        type origin = *lower;                                                                                \
        uint64_t trip = some ? trip_##suffix(*lower, *upper, incr) : 0;                                      \
        if (some)                                                                                            \
            static_first_##suffix(SCHED_KIND(sched), last, lower, upper, stride, incr, chunk,                \
                                  place_of(SCHED_KIND(sched)));                                              \
        if (last != NULL)                                                                                    \
            *last = some && last_team && *last;                                                              \
        if (RT_WANTS(RT_ON_WORK | RT_ON_DISPATCH))                                                           \
            report_static(loc, SCHED_KIND(sched), trip, trip_##suffix(origin, *lower, incr) - 1,             \
                          some ? trip_##suffix(*lower, *upper, incr) : 0, RT_CALLER());                      \
    }                                                                                                        \
    RT_EXPORT void __kmpc_dispatch_init_##suffix(struct rt_loc *loc, int32_t gtid, int32_t sched,            \
                                                 type lower, type upper, signed_type incr,                   \
                                                 signed_type chunk)                                          \
    {                                                                                                        \
        struct rt_thread *th = rt_me();                                                                      \
        (void)loc, (void)gtid;                                                                               \
        if (incr == 0)                                                                                       \
            incr = 1;                                                                                        \
        th->implicit->loop_lb = (uint64_t)lower;                                                             \
        th->implicit->loop_st = (uint64_t)incr;                                                              \
        rt_loop_begin(th, (uint32_t)sched, trip_##suffix(lower, upper, incr),                                \
                      chunk < 1 ? 1 : (uint64_t)chunk);                                                      \
        if (RT_WANTS(RT_ON_WORK))                                                                            \
            report_dynamic(th, loc, RT_CALLER());                                                            \
    }                                                                                                        \
    RT_EXPORT void __kmpc_dist_dispatch_init_##suffix(struct rt_loc *loc, int32_t gtid, int32_t sched,       \
                                                      int32_t *last, type lower, type upper,                 \
                                                      signed_type incr, signed_type chunk)                   \
    {                                                                                                        \
        int last_team = 0;                                                                                   \
        if (incr == 0)                                                                                       \
            incr = 1;                                                                                        \
        int some = team_part_##suffix(&lower, &upper, incr, &last_team);                                     \
        if (last != NULL)                                                                                    \
            *last = last_team;                                                                               \
        struct rt_thread *th = rt_me();                                                                      \
        (void)loc, (void)gtid;                                                                               \
        th->implicit->loop_lb = (uint64_t)lower;                                                             \
        th->implicit->loop_st = (uint64_t)incr;                                                              \
        rt_loop_begin(th, (uint32_t)sched, some ? trip_##suffix(lower, upper, incr) : 0,                     \
                      chunk < 1 ? 1 : (uint64_t)chunk);                                                      \
        if (RT_WANTS(RT_ON_WORK))                                                                            \
            report_dynamic(th, loc, RT_CALLER());                                                            \
    }                                                                                                        \
    RT_EXPORT int32_t __kmpc_dispatch_next_##suffix(struct rt_loc *loc, int32_t gtid, int32_t *last,         \
                                                    type *lower, type *upper, signed_type *stride)           \
    {                                                                                                        \
        struct rt_thread *th = rt_me();                                                                      \
        struct rt_task *implicit = th->implicit;                                                             \
        uint64_t first, end;                                                                                 \
        int is_last = 0;                                                                                     \
        (void)loc, (void)gtid;                                                                               \
        if (!rt_loop_next(th, &first, &end, &is_last)) {                                                     \
            if (RT_WANTS(RT_ON_WORK))                                                                        \
                rt_report_work_end(th, RT_CALLER());                                                         \
            return 0;                                                                                        \
        }                                                                                                    \
        signed_type incr = (signed_type)implicit->loop_st;                                                   \
        *lower = value_##suffix((type)implicit->loop_lb, incr, first);                                       \
        *upper = value_##suffix((type)implicit->loop_lb, incr, end);                                         \
        if (stride != NULL)                                                                                  \
            *stride = incr;                                                                                  \
        if (last != NULL)                                                                                    \
            *last = is_last;                                                                                 \
        if (RT_WANTS(RT_ON_DISPATCH))                                                                        \
            rt_report_chunk(th, RT_DISPATCH_WS_LOOP_CHUNK, first, end - first + 1);                          \
        return 1;                                                                                            \
    }                                                                                                        \
    RT_EXPORT void __kmpc_dispatch_fini_##suffix(struct rt_loc *loc, int32_t gtid)                           \
    {                                                                                                        \
        (void)loc, (void)gtid;                                                                               \
        rt_loop_iteration_done(rt_me());                                                                     \
    }

LOOP_FUNCTIONS(4, 32, int32_t, int32_t, uint32_t)
LOOP_FUNCTIONS(4u, 32, uint32_t, int32_t, uint32_t)
LOOP_FUNCTIONS(8, 64, int64_t, int64_t, uint64_t)
LOOP_FUNCTIONS(8u, 64, uint64_t, int64_t, uint64_t)
