/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Loops with all schedules, in four types, up and down, with and without nowait; ordered; reductions.
 */
#include "stress.h"

#include <limits.h>

/* ---- plain loops: a function for each schedule, type and nowait ---------------------------------------- */

static void hit(struct loop *loop, struct run *mine, long k)
{
    CHECK(k >= 0 && k < loop->trip);
    ADD(loop->hits[k], 1);
    disturb(mine);
}

/*
 * The lowest or highest value is chosen near the type's own limits: the runtime must not compute beyond them.
 */
#define LOOP(function, T, LOW, HIGH, ...)                                 \
    static void function(struct loop *loop, struct run *mine)             \
    {                                                                     \
        T step = (T)loop->step;                                           \
        int chunk = loop->chunk;                                          \
        (void)chunk;                                                      \
        if (loop->down) {                                                 \
            T first = (T)(HIGH), end = (T)(first - (T)loop->trip * step); \
            PRAGMA(omp for __VA_ARGS__)                                   \
            for (T i = first; i > end; i -= step)                         \
                hit(loop, mine, (long)((first - i) / step));              \
        } else {                                                          \
            T first = (T)(LOW), end = (T)(first + (T)loop->trip * step);  \
            PRAGMA(omp for __VA_ARGS__)                                   \
            for (T i = first; i < end; i += step)                         \
                hit(loop, mine, (long)((i - first) / step));              \
        }                                                                 \
    }

#define LOOP_TYPES(kind, ...)                                                             \
    LOOP(kind##_int, int, INT_MIN + 3, INT_MAX - 3, __VA_ARGS__)                          \
    LOOP(kind##_unsigned, unsigned, UINT_MAX - 60000, 70000, __VA_ARGS__)                 \
    LOOP(kind##_long, long, -1000, LONG_MAX - 3, __VA_ARGS__)                             \
    LOOP(kind##_ull, unsigned long long, ULLONG_MAX - 60000, ULLONG_MAX - 3, __VA_ARGS__) \
    LOOP(kind##_int_nowait, int, INT_MAX - 60000, INT_MIN + 60000, __VA_ARGS__ nowait)    \
    LOOP(kind##_unsigned_nowait, unsigned, 0, UINT_MAX - 3, __VA_ARGS__ nowait)           \
    LOOP(kind##_long_nowait, long, LONG_MIN + 3, 1000, __VA_ARGS__ nowait)                \
    LOOP(kind##_ull_nowait, unsigned long long, 0, 70000, __VA_ARGS__ nowait)

LOOP_TYPES(plain, )
LOOP_TYPES(static_chunk, schedule(static, chunk))
LOOP_TYPES(dynamic, schedule(dynamic))
LOOP_TYPES(dynamic_chunk, schedule(dynamic, chunk))
LOOP_TYPES(monotonic_dynamic, schedule(monotonic : dynamic, chunk))
LOOP_TYPES(nonmonotonic_dynamic, schedule(nonmonotonic : dynamic, chunk))
LOOP_TYPES(guided, schedule(guided))
LOOP_TYPES(guided_chunk, schedule(guided, chunk))
LOOP_TYPES(nonmonotonic_guided, schedule(nonmonotonic : guided, chunk))
LOOP_TYPES(runtime, schedule(runtime))
LOOP_TYPES(monotonic_runtime, schedule(monotonic : runtime))
LOOP_TYPES(automatic, schedule(auto))

#define ROW(kind)                                                                            \
    {                                                                                        \
        kind##_int, kind##_int_nowait, kind##_unsigned, kind##_unsigned_nowait, kind##_long, \
            kind##_long_nowait, kind##_ull, kind##_ull_nowait                                \
    }
typedef void loop_function(struct loop *loop, struct run *mine);
static loop_function *const plain_loops[][8] = {
    ROW(plain),     ROW(static_chunk),        ROW(dynamic), ROW(dynamic_chunk),     ROW(monotonic_dynamic),
    ROW(guided),    ROW(guided_chunk),        ROW(runtime), ROW(monotonic_runtime), ROW(nonmonotonic_dynamic),
    ROW(automatic), ROW(nonmonotonic_guided),
};
#define PLAIN_KINDS ((int)(sizeof plain_loops / sizeof plain_loops[0]))

/* ---- ordered: in the order of iterations, whoever runs them -------------------------------------------- */

/** Every fourth iteration or so has no ordered region. */
static int in_order(long k)
{
    return stress_mix((uint64_t)k, 7) % 4 != 0;
}

static void turn(struct loop *loop, struct run *mine, long k)
{
    for (long skipped = loop->turn; skipped < k; skipped++)
        CHECK(!in_order(skipped));
    CHECK(loop->turn <= k);
    loop->turn = k + 1;
    disturb(mine);
}

#define ORDERED(function, T, ...)                             \
    static void function(struct loop *loop, struct run *mine) \
    {                                                         \
        int chunk = loop->chunk;                              \
        T trip = (T)loop->trip;                               \
        (void)chunk;                                          \
        PRAGMA(omp for ordered __VA_ARGS__)                   \
        for (T i = 0; i < trip; i++) {                        \
            hit(loop, mine, (long)i);                         \
            if (in_order((long)i)) {                          \
                PRAGMA(omp ordered)                           \
                turn(loop, mine, (long)i);                    \
            }                                                 \
        }                                                     \
    }
#define ORDERED_TYPES(kind, ...)                                  \
    ORDERED(kind##_int, int, __VA_ARGS__)                         \
    ORDERED(kind##_int_nowait, int, __VA_ARGS__ nowait)           \
    ORDERED(kind##_unsigned, unsigned, __VA_ARGS__)               \
    ORDERED(kind##_unsigned_nowait, unsigned, __VA_ARGS__ nowait) \
    ORDERED(kind##_long, long, __VA_ARGS__)                       \
    ORDERED(kind##_long_nowait, long, __VA_ARGS__ nowait)         \
    ORDERED(kind##_ull, unsigned long long, __VA_ARGS__)          \
    ORDERED(kind##_ull_nowait, unsigned long long, __VA_ARGS__ nowait)

ORDERED_TYPES(ordered_static, schedule(static))
ORDERED_TYPES(ordered_static_chunk, schedule(static, chunk))
ORDERED_TYPES(ordered_dynamic, schedule(dynamic, chunk))
ORDERED_TYPES(ordered_guided, schedule(guided, chunk))
ORDERED_TYPES(ordered_runtime, schedule(runtime))

static loop_function *const ordered_loops[][8] = {
    ROW(ordered_static), ROW(ordered_static_chunk), ROW(ordered_dynamic),
    ROW(ordered_guided), ROW(ordered_runtime),
};
#define ORDERED_KINDS ((int)(sizeof ordered_loops / sizeof ordered_loops[0]))

/* ---- doacross ------------------------------------------------------------------------------------------ */

#define DOACROSS(function, ...)                                                     \
    static void function(struct loop *loop, struct run *mine)                       \
    {                                                                               \
        int chunk = loop->chunk;                                                    \
        long trip = loop->trip;                                                     \
        (void)chunk;                                                                \
        PRAGMA(omp for ordered(1) __VA_ARGS__)                                      \
        for (long i = 0; i < trip; i++) {                                           \
            PRAGMA(omp ordered depend(sink : i - 1))                                \
            if (i > 0)                                                              \
                CHECK_EQ(LOAD(loop->hits[i - 1]), 1);                               \
            hit(loop, mine, i);                                                     \
            PRAGMA(omp ordered depend(source))                                      \
        }                                                                           \
    }                                                                               \
    static void function##_plane(struct loop *loop, struct run *mine)               \
    {                                                                               \
        int chunk = loop->chunk;                                                    \
        long wide = loop->step + 2, high = loop->trip / wide;                       \
        (void)chunk;                                                                \
        PRAGMA(omp for ordered(2) __VA_ARGS__)                                      \
        for (long i = 0; i < high; i++)                                             \
            for (long j = 0; j < wide; j++) {                                       \
                PRAGMA(omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)) \
                if (i > 0)                                                          \
                    CHECK_EQ(LOAD(loop->hits[(i - 1) * wide + j]), 1);              \
                if (j > 0)                                                          \
                    CHECK_EQ(LOAD(loop->hits[i * wide + j - 1]), 1);                \
                hit(loop, mine, i *wide + j);                                       \
                PRAGMA(omp ordered depend(source))                                  \
            }                                                                       \
    }
DOACROSS(doacross_static, schedule(static))
DOACROSS(doacross_chunk_nowait, schedule(static, chunk) nowait)
DOACROSS(doacross_dynamic, schedule(dynamic, chunk))
DOACROSS(doacross_dynamic_nowait, schedule(dynamic) nowait)
DOACROSS(doacross_guided, schedule(guided))
DOACROSS(doacross_runtime, schedule(runtime))

static loop_function *const doacross_loops[] = {
    doacross_static,        doacross_chunk_nowait,
    doacross_dynamic,       doacross_dynamic_nowait,
    doacross_guided,        doacross_runtime,
    doacross_static_plane,  doacross_chunk_nowait_plane,
    doacross_dynamic_plane, doacross_dynamic_nowait_plane,
    doacross_guided_plane,  doacross_runtime_plane,
};
#define DOACROSS_KINDS 12

/* ---- further clauses ----------------------------------------------------------------------------------- */

/** What each thread had, put together; the last iteration is one thread's. */
static void summed(struct loop *loop, struct run *mine)
{
    long long sum = 0;
    int chunk = loop->chunk;
    long trip = loop->trip;
#pragma omp for schedule(dynamic, chunk) nowait
    for (long i = 0; i < trip; i++) {
        hit(loop, mine, i);
        sum += i;
        if (i == trip - 1)
            ADD(loop->last, 1);
    }
    ADD(loop->sum, sum);
}

static void collapsed(struct loop *loop, struct run *mine)
{
    int wide = loop->step + 1, chunk = loop->chunk;
    int high = (int)(loop->trip / wide);
#pragma omp for collapse(2) schedule(dynamic, chunk)
    for (int i = 0; i < high; i++)
        for (int j = wide; j > 0; j--)
            hit(loop, mine, (long)i * wide + wide - j);
}

static void triangle(struct loop *loop, struct run *mine)
{
    int n = (int)loop->trip;
#pragma omp for collapse(2) schedule(guided) nowait
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < n; j += 10)
            if (i + j < n)
                hit(loop, mine, i + j);
}

static loop_function *const other_loops[] = {summed, collapsed, triangle};

/* ---- a loop drawn at random ---------------------------------------------------------------------------- */

enum { PLAIN, ORDERED, DOACROSS, OTHER };

static const omp_sched_t runtime_kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                            omp_sched_auto};

void loop_plan(struct loop *loop, struct run *r)
{
    *loop = (struct loop){
        .trip = pick(r, 4) ? pick(r, 60) : pick(r, 800),
    };
    loop->chunk = 1 + pick(r, pick(r, 2) ? 4 : 40);
    loop->step = 1 + pick(r, 7);
    loop->down = pick(r, 2);
    loop->column = pick(r, 8);
#ifndef __clang__
    /* gcc (12, 13) tells the runtime a wrong step: the unsigned one's complement, extended by zeros. */
    if (loop->column / 2 == 1)
        loop->down = 0;
#endif
    int what = pick(r, 10);
    loop->type = what < 5 ? PLAIN : what < 7 ? ORDERED : what < 9 ? DOACROSS : OTHER;
    loop->kind = loop->type == PLAIN      ? pick(r, PLAIN_KINDS)
                 : loop->type == ORDERED  ? pick(r, ORDERED_KINDS)
                 : loop->type == DOACROSS ? pick(r, DOACROSS_KINDS)
                                          : pick(r, 3);
    if (loop->type == DOACROSS && loop->kind >= DOACROSS_KINDS / 2)
        loop->trip -= loop->trip % (loop->step + 2);
    if (loop->type == OTHER && loop->kind == 1)
        loop->trip -= loop->trip % (loop->step + 1);
    loop->hits = take((size_t)loop->trip, sizeof *loop->hits);
}

void loop_run(struct loop *loop, struct run *mine)
{
    /* Each implicit task has run-sched-var of its own; all must have the same here. */
    unsigned choice = (unsigned)loop->chunk + (unsigned)loop->step;
    omp_set_schedule(runtime_kinds[choice % 4], choice % 3 ? loop->chunk : 0);
    switch (loop->type) {
    case PLAIN:
        plain_loops[loop->kind][loop->column](loop, mine);
        break;
    case ORDERED:
        ordered_loops[loop->kind][loop->column](loop, mine);
        break;
    case DOACROSS:
        doacross_loops[loop->kind](loop, mine);
        break;
    default:
        other_loops[loop->kind](loop, mine);
    }
}

void loop_check(struct loop *loop)
{
    CHECK_ONCE(loop->hits, loop->trip);
    if (loop->type == ORDERED)
        for (long k = loop->turn; k < loop->trip; k++)
            CHECK(!in_order(k));
    if (loop->type == OTHER && loop->kind == 0) {
        CHECK_EQ(loop->sum, (long long)loop->trip * (loop->trip - 1) / 2);
        CHECK_EQ(loop->last, loop->trip > 0);
    }
    free(loop->hits);
}

/* ---- scenarios ----------------------------------------------------------------------------------------- */

/** One team, one loop after the other, some with a barrier behind. */
static void loops(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 40);
    struct loop *list = take((size_t)count, sizeof *list);
    for (int i = 0; i < count; i++)
        loop_plan(&list[i], r);
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), n);
        for (int i = 0; i < count; i++) {
            loop_run(&list[i], &mine);
            if (list[i].chunk % 5 == 0) {
#pragma omp barrier
            }
        }
    }
    for (int i = 0; i < count; i++)
        loop_check(&list[i]);
    free(list);
}

struct extent {
    long low, high;
};
#pragma omp declare reduction(cover                                                                     \
                              : struct extent                                                           \
                              : omp_out.low = omp_in.low < omp_out.low ? omp_in.low : omp_out.low,      \
                                omp_out.high = omp_in.high > omp_out.high ? omp_in.high : omp_out.high) \
    initializer(omp_priv = (struct extent){LONG_MAX, LONG_MIN})

/** Reductions of many kinds at once, so that all ways of combining are taken. */
static void reductions(struct run *r)
{
    int n = team_size(r), trip = 1 + pick(r, 300), rounds = 1 + pick(r, 6);
    for (int round = 0; round < rounds; round++) {
        long sum = 5, array[16] = {0};
        int lowest = INT_MAX, highest = INT_MIN, all = 1, any = 0;
        unsigned bits = 0, parity = 0, mask = ~0u;
        double real = 0;
        unsigned char small = 0;
        struct extent extent = {LONG_MAX, LONG_MIN};
        uint64_t salt = r->state + (unsigned)round;
#pragma omp parallel num_threads(n) reduction(+ : sum, real) reduction(min : lowest) reduction(max : highest)
        {
            struct run mine = branch(r, omp_get_thread_num(), n);
#pragma omp for schedule(dynamic, 3) reduction(&& : all) reduction(|| : any) reduction(| : bits)             \
    reduction(^ : parity) reduction(& : mask) reduction(+ : array[ : 16], small) reduction(cover : extent)
            for (int i = 0; i < trip; i++) {
                int value = (int)(stress_mix(salt, (uint64_t)i) % 10007);
                disturb(&mine);
                sum += value;
                real += value;
                lowest = value < lowest ? value : lowest;
                highest = value > highest ? value : highest;
                all = all && value != 17;
                any = any || value == 18;
                bits |= (unsigned)value;
                parity ^= (unsigned)value;
                mask &= (unsigned)value | 4u;
                array[value % 16] += value;
                small = (unsigned char)(small + value);
                extent.low = value < extent.low ? value : extent.low;
                extent.high = value > extent.high ? value : extent.high;
            }
            CHECK(extent.low <= extent.high);
        }
        long true_sum = 5, true_array[16] = {0};
        int true_lowest = INT_MAX, true_highest = INT_MIN, true_all = 1, true_any = 0;
        unsigned true_bits = 0, true_parity = 0, true_mask = ~0u;
        for (int i = 0; i < trip; i++) {
            int value = (int)(stress_mix(salt, (uint64_t)i) % 10007);
            true_sum += value;
            true_lowest = value < true_lowest ? value : true_lowest;
            true_highest = value > true_highest ? value : true_highest;
            true_all = true_all && value != 17;
            true_any = true_any || value == 18;
            true_bits |= (unsigned)value;
            true_parity ^= (unsigned)value;
            true_mask &= (unsigned)value | 4u;
            true_array[value % 16] += value;
        }
        CHECK_EQ(sum, true_sum);
        CHECK_EQ(real, true_sum - 5);
        CHECK_EQ(lowest, true_lowest);
        CHECK_EQ(highest, true_highest);
        CHECK_EQ(all, true_all);
        CHECK_EQ(any, true_any);
        CHECK_EQ(bits, true_bits);
        CHECK_EQ(parity, true_parity);
        CHECK_EQ(mask, true_mask);
        CHECK_EQ(small, (unsigned char)(true_sum - 5));
        CHECK_EQ(extent.low, true_lowest);
        CHECK_EQ(extent.high, true_highest);
        for (int i = 0; i < 16; i++)
            CHECK_EQ(array[i], true_array[i]);
    }
}

/** Combined constructs: the compiler starts the loop with the region. */
static void combined(struct run *r)
{
    int n = team_size(r), trip = pick(r, 400), chunk = 1 + pick(r, 9), kind = pick(r, 6), last = -1;
#ifdef __SANITIZE_THREAD__
    /* gcc's code stores `last` in each thread of a loop without an iteration, on libgomp too. */
    trip += trip == 0;
#endif
    int *hits = take((size_t)trip, sizeof *hits);
    long long sum = 0;
    uint64_t state = r->state;
#define BODY                                                         \
    for (int i = 0; i < trip; i++) {                                 \
        struct run mine = {.state = stress_mix(state, (uint64_t)i)}; \
        disturb(&mine);                                              \
        ADD(hits[i], 1);                                             \
        sum += i;                                                    \
        last = i;                                                    \
    }
#define COMBINED(...)                                                                        \
    PRAGMA(omp parallel for num_threads(n) reduction(+ : sum) lastprivate(last) __VA_ARGS__) \
    BODY
    switch (kind) {
    case 0:
        COMBINED(schedule(static))
        break;
    case 1:
        COMBINED(schedule(static, chunk))
        break;
    case 2:
        COMBINED(schedule(dynamic, chunk))
        break;
    case 3:
        COMBINED(schedule(guided))
        break;
    case 4:
        omp_set_schedule(runtime_kinds[chunk % 4], chunk);
        COMBINED(schedule(runtime))
        break;
    default:
        COMBINED(if (chunk % 2) schedule(monotonic : dynamic))
    }
    CHECK_ONCE(hits, trip);
    CHECK_EQ(sum, (long long)trip * (trip - 1) / 2);
    if (trip > 0)
        CHECK_EQ(last, trip - 1);
    free(hits);
}

/** Prefix sums: two passes over a loop with the same shares. */
static void scan(struct run *r)
{
    int n = team_size(r), trip = 2 + pick(r, 300); /* clang's code does not end with one iteration */
    long *out = take((size_t)trip, sizeof *out), sum = 0;
    uint64_t salt = r->state;
#pragma omp parallel for num_threads(n) reduction(inscan, + : sum)
    for (int i = 0; i < trip; i++) {
        sum += (long)(stress_mix(salt, (uint64_t)i) % 1000);
#pragma omp scan inclusive(sum)
        out[i] = sum;
    }
    long true_sum = 0;
    for (int i = 0; i < trip; i++) {
        true_sum += (long)(stress_mix(salt, (uint64_t)i) % 1000);
        CHECK_EQ(out[i], true_sum);
    }
#if !defined(__clang__) || CLANG_AT_LEAST(16) /* clang 14's code leaves sum as it was, with any runtime */
    CHECK_EQ(sum, true_sum);
#endif
    free(out);
}

const struct scenario scenarios_loops[] = {
    {"loops", loops, 0, 8},       {"reductions", reductions, 0, 3},
    {"combined", combined, 0, 4}, {"scan", scan, 0, 1},
    {NULL, NULL, 0, 0},
};
