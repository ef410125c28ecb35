/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See gomp_cases.h. Entry points called as gcc's code calls them (docs/abi/gomp.md), among them those of
 * compilers before and after the one that builds this file. Names that the runtime at hand lacks are weak and
 * left out.
 */
#include "gomp_cases.h"

#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)
#define ADD(variable, value) __atomic_fetch_add(&(variable), (value), __ATOMIC_RELAXED)
#define GET(variable)        __atomic_load_n(&(variable), __ATOMIC_RELAXED)

typedef unsigned long long ull;
typedef void work_fn(void *);

/* ---- the ABI ------------------------------------------------------------------------------------------- */

void GOMP_parallel(work_fn *, void *, unsigned, unsigned);
void GOMP_parallel_start(work_fn *, void *, unsigned);
void GOMP_parallel_end(void);
unsigned GOMP_parallel_reductions(work_fn *, void *, unsigned, unsigned);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);

#define LOOP_NAMES(X) \
    X(static)         \
    X(dynamic)        \
    X(guided)         \
    X(nonmonotonic_dynamic) X(nonmonotonic_guided) X(ordered_static) X(ordered_dynamic) X(ordered_guided)
#define LOOP_RUNTIME_NAMES(X) \
    X(runtime) X(nonmonotonic_runtime) X(maybe_nonmonotonic_runtime) X(ordered_runtime)
#define DECLARE_NEXT(name)                        \
    bool GOMP_loop_##name##_next(long *, long *); \
    bool GOMP_loop_ull_##name##_next(ull *, ull *);
#define DECLARE(name)                                                      \
    DECLARE_NEXT(name)                                                     \
    bool GOMP_loop_##name##_start(long, long, long, long, long *, long *); \
    bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull, ull *, ull *);
#define DECLARE_RUNTIME(name)                                        \
    DECLARE_NEXT(name)                                               \
    bool GOMP_loop_##name##_start(long, long, long, long *, long *); \
    bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull *, ull *);
LOOP_NAMES(DECLARE)
LOOP_RUNTIME_NAMES(DECLARE_RUNTIME)
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);
bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ordered_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_start(bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **);
bool GOMP_loop_ull_ordered_start(bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **);
bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_doacross_start(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *, void **);
#define DECLARE_DOACROSS(name)                                                      \
    bool GOMP_loop_doacross_##name##_start(unsigned, long *, long, long *, long *); \
    bool GOMP_loop_ull_doacross_##name##_start(unsigned, ull *, ull, ull *, ull *);
DECLARE_DOACROSS(static)
DECLARE_DOACROSS(dynamic)
DECLARE_DOACROSS(guided)
void GOMP_doacross_post(long *);
void GOMP_doacross_wait(long, ...);
void GOMP_doacross_ull_post(ull *);
void GOMP_doacross_ull_wait(ull, ...);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
#define PARALLEL_NAMES(X) X(static) X(dynamic) X(guided) X(nonmonotonic_dynamic) X(nonmonotonic_guided)
#define DECLARE_PARALLEL(name) \
    void GOMP_parallel_loop_##name(work_fn *, void *, unsigned, long, long, long, long, unsigned);
PARALLEL_NAMES(DECLARE_PARALLEL)
#define PARALLEL_RUNTIME_NAMES(X) X(runtime) X(nonmonotonic_runtime) X(maybe_nonmonotonic_runtime)
#define DECLARE_PARALLEL_RUNTIME(name) \
    void GOMP_parallel_loop_##name(work_fn *, void *, unsigned, long, long, long, unsigned);
PARALLEL_RUNTIME_NAMES(DECLARE_PARALLEL_RUNTIME)
void GOMP_parallel_loop_static_start(work_fn *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(work_fn *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(work_fn *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(work_fn *, void *, unsigned, long, long, long);
void GOMP_parallel_sections(work_fn *, void *, unsigned, unsigned, unsigned);
void GOMP_parallel_sections_start(work_fn *, void *, unsigned, unsigned);
unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections2_start(unsigned, uintptr_t *, void **);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **);
void GOMP_critical_name_end(void **);
void GOMP_task(work_fn *, void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int, void *);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **);
__attribute__((weak)) void GOMP_taskwait_depend_nowait(void **);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_taskgroup_reduction_register(uintptr_t *);
void GOMP_taskgroup_reduction_unregister(uintptr_t *);
void GOMP_task_reduction_remap(size_t, size_t, void **);
void GOMP_workshare_task_reduction_unregister(bool);
void GOMP_scope_start(uintptr_t *);
void GOMP_taskloop(work_fn *, void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int,
                   long, long, long);
void GOMP_taskloop_ull(work_fn *, void *, void (*)(void *, void *), long, long, unsigned, unsigned long, int,
                       ull, ull, ull);
bool GOMP_cancel(int, bool);
bool GOMP_cancellation_point(int);
void GOMP_teams_reg(work_fn *, void *, unsigned, unsigned, unsigned);
bool GOMP_teams4(unsigned, unsigned, unsigned, bool);
void GOMP_teams(unsigned, unsigned);
void GOMP_target(int, work_fn *, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_ext(int, work_fn *, size_t, void **, size_t *, unsigned short *, unsigned, void **, void **);
void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_data_ext(int, size_t, void **, size_t *, unsigned short *);
void GOMP_target_end_data(void);
void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_update_ext(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
void GOMP_target_enter_exit_data(int, size_t, void **, size_t *, unsigned short *, unsigned, void **);
__attribute__((weak)) void *GOMP_target_map_indirect_ptr(void *);
__attribute__((weak)) void GOMP_interop(int, int, void ***, const int *, const char **, int, void **, int,
                                        void ***, unsigned, void **);

/* ---- regions of gcc before 4.9 ------------------------------------------------------------------------- */

static int seen[2048];

static int every(int n, int value)
{
    for (int i = 0; i < n; i++)
        if (seen[i] != value)
            return 0;
    return 1;
}

struct region {
    int ran, sizes, levels, inner;
};

static void region_body(void *data)
{
    struct region *region = data;
    ADD(seen[omp_get_thread_num()], 1);
    ADD(region->ran, 1);
    ADD(region->sizes, omp_get_num_threads());
    ADD(region->levels, omp_get_level());
}

static void region_around(void *data)
{
    struct region *region = data, inner = {0, 0, 0, 0};
    GOMP_parallel_start(region_body, &inner, 2);
    region_body(&inner);
    GOMP_parallel_end();
    ADD(region->inner, inner.ran);
    ADD(region->levels, omp_get_level());
}

static int parallel_start(int threads)
{
    for (int round = 0; round < 20; round++) {
        struct region region = {0, 0, 0, 0};
        memset(seen, 0, sizeof seen);
        GOMP_parallel_start(region_body, &region, (unsigned)threads);
        CHECK(omp_get_level() == 1 && omp_get_thread_num() == 0 && omp_get_num_threads() == threads);
        region_body(&region);
        GOMP_parallel_end();
        CHECK(omp_get_level() == 0 && every(threads, 1) && seen[threads] == 0);
        CHECK(region.ran == threads && region.sizes == threads * threads && region.levels == threads);
        GOMP_parallel(region_body, &region, (unsigned)threads, 3);
        CHECK(region.ran == 2 * threads);
        GOMP_parallel(region_body, &region, 1, 0);
        CHECK(region.ran == 2 * threads + 1);
    }
    int before = omp_get_max_active_levels();
    omp_set_max_active_levels(2);
    struct region region = {0, 0, 0, 0};
    GOMP_parallel_start(region_around, &region, (unsigned)threads);
    region_around(&region);
    GOMP_parallel_end();
    omp_set_max_active_levels(before);
    CHECK(region.inner == 2 * threads && region.levels == threads && omp_get_level() == 0);
    return 0;
}

/* ---- loops --------------------------------------------------------------------------------------------- */

/**
 * One loop in its own terms, and what its chunks did: each iteration once, the last chunk alone reaching the
 * end.
 */
struct loop {
    long start, end, incr, chunk;
    bool (*next)(long *, long *);
    bool ordered, monotonic, is_static;
    int lasts, wrong, turn;
};

static long trip(const struct loop *loop)
{
    if (loop->incr > 0)
        return loop->start < loop->end ? (loop->end - loop->start - 1) / loop->incr + 1 : 0;
    return loop->start > loop->end ? (loop->start - loop->end - 1) / -loop->incr + 1 : 0;
}

static void chunk_check(struct loop *loop, long from, long to, long *before)
{
    long first = (from - loop->start) / loop->incr;
    bool beyond = loop->incr > 0 ? to >= loop->end : to <= loop->end;
    if ((loop->incr > 0 ? from >= to : from <= to) || (loop->monotonic && first <= *before))
        ADD(loop->wrong, 1);
    *before = first;
    if (beyond) {
        ADD(loop->lasts, 1);
        if (!loop->is_static && to != loop->end)
            ADD(loop->wrong, 1);
    }
    for (long v = from; loop->incr > 0 ? v < to : v > to; v += loop->incr) {
        long i = (v - loop->start) / loop->incr;
        if (i < 0 || i >= trip(loop)) {
            ADD(loop->wrong, 1);
            continue;
        }
        ADD(seen[i], 1);
        if (loop->ordered && i % 3 != 1) {
            GOMP_ordered_start();
            if (loop->turn > i)
                ADD(loop->wrong, 1);
            loop->turn = (int)i;
            GOMP_ordered_end();
        }
    }
}

static void chunks(struct loop *loop, bool more, long from, long to)
{
    long before = -1;
    while (more) {
        chunk_check(loop, from, to, &before);
        more = loop->next(&from, &to);
    }
}

static int loop_held(struct loop *loop)
{
    int bad = loop->wrong != 0 || loop->lasts != (trip(loop) != 0) || !every((int)trip(loop), 1);
    bad |= seen[trip(loop)] != 0;
    loop->wrong = loop->lasts = loop->turn = 0;
    memset(seen, 0, sizeof seen);
    return bad;
}

static const struct {
    long start, end, incr, chunk;
} shapes[] = {{0, 100, 1, 1}, {-7, 500, 3, 4}, {50, -50, -1, 7}, {99, 0, -4, 2},
              {5, 5, 1, 1},   {9, 3, 2, 1},    {0, 3, 1, 5}};

#define IS_STATIC(name)    (strstr(#name, "static") != NULL)
#define IS_MONOTONIC(name) (strstr(#name, "nonmonotonic") == NULL)
#define IS_ORDERED(name)   (strstr(#name, "ordered") != NULL)

#define DEFINE(name, chunk_arguments)                                                                 \
    static void body_##name(void *data)                                                               \
    {                                                                                                 \
        struct loop *loop = data;                                                                     \
        long from = 0, to = 0;                                                                        \
        bool more =                                                                                   \
            GOMP_loop_##name##_start(loop->start, loop->end, loop->incr chunk_arguments, &from, &to); \
        chunks(loop, more, from, to);                                                                 \
        GOMP_loop_end();                                                                              \
    }                                                                                                 \
    static int each_##name(int threads)                                                               \
    {                                                                                                 \
        for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {                               \
            struct loop loop = {.start = shapes[k].start,                                             \
                                .end = shapes[k].end,                                                 \
                                .incr = shapes[k].incr,                                               \
                                .chunk = shapes[k].chunk,                                             \
                                .next = GOMP_loop_##name##_next,                                      \
                                .ordered = IS_ORDERED(name),                                          \
                                .monotonic = IS_MONOTONIC(name),                                      \
                                .is_static = IS_STATIC(name) || strstr(#name, "runtime") != NULL};    \
            memset(seen, 0, sizeof seen);                                                             \
            GOMP_parallel(body_##name, &loop, (unsigned)threads, 0);                                  \
            CHECK(!loop_held(&loop));                                                                 \
            body_##name(&loop); /* without a team */                                                  \
            CHECK(!loop_held(&loop));                                                                 \
        }                                                                                             \
        return 0;                                                                                     \
    }
#define COMMA_CHUNK          , loop->chunk
#define DEFINE_CHUNKED(name) DEFINE(name, COMMA_CHUNK)
#define DEFINE_RUNTIME(name) DEFINE(name, )
LOOP_NAMES(DEFINE_CHUNKED)
LOOP_RUNTIME_NAMES(DEFINE_RUNTIME)

#define RUN_LOOP(name) \
    if (line == 0)     \
        line = each_##name(threads);

static int loops(int threads)
{
    int line = 0;
    LOOP_NAMES(RUN_LOOP)
    return line;
}

static int loops_runtime(int threads)
{
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided,
                                        omp_sched_auto};
    omp_sched_t before;
    int chunk, line = 0;
    omp_get_schedule(&before, &chunk);
    for (int k = 0; k < 8 && line == 0; k++) {
        omp_set_schedule(kinds[k / 2], k % 2 * 3);
        LOOP_RUNTIME_NAMES(RUN_LOOP)
    }
    omp_set_schedule(before, chunk);
    return line;
}

/* unsigned long long: up and down, at the ends of the range, and the number of iterations given out. */
struct loop_ull {
    bool up;
    ull start, end, incr, chunk, given, sum;
    int lasts, wrong;
};

static void chunks_ull(struct loop_ull *loop, bool more, ull from, ull to, bool (*next)(ull *, ull *),
                       bool is_static)
{
    for (; more; more = next(&from, &to)) {
        ull given = 0;
        bool last = loop->up ? to >= loop->end : to <= loop->end;
        if (loop->up ? from >= to : from <= to)
            ADD(loop->wrong, 1);
        if (last && !is_static && to != loop->end)
            ADD(loop->wrong, 1);
        ADD(loop->lasts, last);
        ull distance = loop->up ? to - from : from - to, step = loop->up ? loop->incr : -loop->incr;
        given = (distance - 1) / step + 1;
        ADD(loop->given, given);
        ADD(loop->sum, given * from + given * (given - 1) / 2 * loop->incr);
    }
}

static int loop_ull_held(struct loop_ull *loop)
{
    ull n = 0, distance = loop->up ? loop->end - loop->start : loop->start - loop->end;
    if (loop->up ? loop->start < loop->end : loop->start > loop->end)
        n = (distance - 1) / (loop->up ? loop->incr : -loop->incr) + 1;
    ull sum = n * loop->start + (n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1)) * loop->incr;
    int bad = loop->wrong != 0 || loop->given != n || loop->sum != sum || loop->lasts != (n != 0);
    loop->given = loop->sum = 0;
    loop->lasts = loop->wrong = 0;
    return bad;
}

static const struct {
    bool up;
    ull start, end, incr, chunk;
} shapes_ull[] = {{true, 0, 100, 1, 3},
                  {true, ULLONG_MAX - 2000, ULLONG_MAX - 1000, 7, 4},
                  {false, 1000, 100, -3ULL, 5},
                  {false, ULLONG_MAX, ULLONG_MAX - 100, -1ULL, 2},
                  {true, 1ULL << 62, 3ULL << 62, 1ULL << 52, 9},
                  {true, 8, 8, 1, 1},
                  {false, 8, 9, -1ULL, 1}};

#define DEFINE_ULL(name, chunk_arguments)                                                 \
    static void ull_body_##name(void *data)                                               \
    {                                                                                     \
        struct loop_ull *loop = data;                                                     \
        ull from = 0, to = 0;                                                             \
        bool more = GOMP_loop_ull_##name##_start(loop->up, loop->start, loop->end,        \
                                                 loop->incr chunk_arguments, &from, &to); \
        chunks_ull(loop, more, from, to, GOMP_loop_ull_##name##_next,                     \
                   IS_STATIC(name) || strstr(#name, "runtime") != NULL);                  \
        GOMP_loop_end_nowait();                                                           \
    }                                                                                     \
    static int each_ull_##name(int threads)                                               \
    {                                                                                     \
        for (unsigned k = 0; k < sizeof shapes_ull / sizeof *shapes_ull; k++) {           \
            struct loop_ull loop = {.up = shapes_ull[k].up,                               \
                                    .start = shapes_ull[k].start,                         \
                                    .end = shapes_ull[k].end,                             \
                                    .incr = shapes_ull[k].incr,                           \
                                    .chunk = shapes_ull[k].chunk};                        \
            GOMP_parallel(ull_body_##name, &loop, (unsigned)threads, 0);                  \
            CHECK(!loop_ull_held(&loop));                                                 \
        }                                                                                 \
        return 0;                                                                         \
    }
#define DEFINE_ULL_CHUNKED(name) DEFINE_ULL(name, COMMA_CHUNK)
#define DEFINE_ULL_RUNTIME(name) DEFINE_ULL(name, )
LOOP_NAMES(DEFINE_ULL_CHUNKED)
LOOP_RUNTIME_NAMES(DEFINE_ULL_RUNTIME)

#define RUN_LOOP_ULL(name) \
    if (line == 0)         \
        line = each_ull_##name(threads);

static int loops_ull(int threads)
{
    int line = 0;
    LOOP_NAMES(RUN_LOOP_ULL)
    LOOP_RUNTIME_NAMES(RUN_LOOP_ULL)
    return line;
}

/* ---- combined with a region ---------------------------------------------------------------------------- */

static void combined_body(void *data)
{
    struct loop *loop = data;
    long from = 0, to = 0;
    bool more = loop->next(&from, &to);
    chunks(loop, more, from, to);
    GOMP_loop_end_nowait();
}

static void combined_nested(void *data)
{
    struct loop *loop = data, inner = {0, 40, 2, 3, GOMP_loop_guided_next, false, true, false, 0, 0, 0};
    long from, to, given = 0;
    GOMP_parallel_loop_guided_start(region_body, &(struct region){0, 0, 0, 0}, 1, inner.start, inner.end,
                                    inner.incr, inner.chunk);
    while (GOMP_loop_guided_next(&from, &to))
        given += (to - from + 1) / 2;
    GOMP_loop_end_nowait();
    GOMP_parallel_end();
    if (given != 20)
        ADD(loop->wrong, 1);
    combined_body(loop);
}

static int combined_loops(int threads)
{
    unsigned n = (unsigned)threads;
    for (unsigned k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct loop loop = {
            .start = shapes[k].start, .end = shapes[k].end, .incr = shapes[k].incr, .chunk = shapes[k].chunk};
        memset(seen, 0, sizeof seen);
#define RUN_COMBINED(name)                                                                              \
    loop.next = GOMP_loop_##name##_next;                                                                \
    loop.monotonic = IS_MONOTONIC(name);                                                                \
    loop.is_static = IS_STATIC(name);                                                                   \
    GOMP_parallel_loop_##name(combined_body, &loop, n, loop.start, loop.end, loop.incr, loop.chunk, 4); \
    CHECK(!loop_held(&loop));
        PARALLEL_NAMES(RUN_COMBINED)
#define RUN_COMBINED_RUNTIME(name)                                                          \
    loop.next = GOMP_loop_##name##_next;                                                    \
    loop.monotonic = IS_MONOTONIC(name);                                                    \
    loop.is_static = true;                                                                  \
    GOMP_parallel_loop_##name(combined_body, &loop, n, loop.start, loop.end, loop.incr, 0); \
    CHECK(!loop_held(&loop));
        PARALLEL_RUNTIME_NAMES(RUN_COMBINED_RUNTIME)
#define RUN_COMBINED_START(name, ...)                                                  \
    loop.next = GOMP_loop_##name##_next;                                               \
    loop.is_static = true;                                                             \
    GOMP_parallel_loop_##name##_start(combined_nested, &loop, n, loop.start, loop.end, \
                                      loop.incr __VA_ARGS__);                          \
    combined_nested(&loop);                                                            \
    GOMP_parallel_end();                                                               \
    CHECK(omp_get_level() == 0);                                                       \
    CHECK(!loop_held(&loop));
        RUN_COMBINED_START(static, , loop.chunk)
        RUN_COMBINED_START(dynamic, , loop.chunk)
        RUN_COMBINED_START(guided, , loop.chunk)
        RUN_COMBINED_START(runtime)
    }
    return 0;
}

/* ---- sections ------------------------------------------------------------------------------------------ */

static void sections_given(unsigned section)
{
    for (; section != 0; section = GOMP_sections_next())
        ADD(seen[section - 1], 1);
}

static void sections_combined(void *data)
{
    (void)data;
    sections_given(GOMP_sections_next());
    GOMP_sections_end_nowait();
}

static void sections_body(void *data)
{
    sections_given(GOMP_sections_start(9));
    GOMP_sections_end();
    void *mem = (void *)(uintptr_t)24;
    unsigned first = GOMP_sections2_start(9, NULL, &mem);
    ADD(*(int *)mem, 1); /* zeroed, and the same for all */
    sections_given(first);
    GOMP_barrier();
    if (*(int *)mem != omp_get_num_threads())
        ADD(*(int *)data, 1);
    if (omp_get_level() == 0) /* the cancellable end is emitted inside regions only */
        GOMP_sections_end();
    else if (GOMP_sections_end_cancel())
        ADD(*(int *)data, 1);
}

static int sections(int threads)
{
    int wrong = 0;
    memset(seen, 0, sizeof seen);
    GOMP_parallel_sections(sections_combined, NULL, (unsigned)threads, 9, 0);
    CHECK(every(9, 1) && seen[9] == 0);
    GOMP_parallel_sections_start(sections_combined, NULL, (unsigned)threads, 9);
    sections_combined(NULL);
    GOMP_parallel_end();
    CHECK(every(9, 2) && seen[9] == 0);
    GOMP_parallel(sections_body, &wrong, (unsigned)threads, 0);
    CHECK(every(9, 4) && seen[9] == 0 && wrong == 0);
    sections_body(&wrong);
    CHECK(every(9, 6) && seen[9] == 0 && wrong == 0);
    return 0;
}

/* ---- the general starts -------------------------------------------------------------------------------- */

#define MONOTONIC 0x80000000L
static const long scheds[] = {0, 1, 2, 3, 4, MONOTONIC, MONOTONIC | 1, MONOTONIC | 2, MONOTONIC | 3};

static void general_body(void *data)
{
    struct loop *loop = data;
    for (unsigned k = 0; k < sizeof scheds / sizeof *scheds; k++)
        for (int ordered = 0; ordered < 2; ordered++) {
            long from = 0, to = 0;
            void *mem = (void *)(uintptr_t)(16 + 1000 * k), *mine;
            bool more = ordered ? GOMP_loop_ordered_start(0, 50, 1, scheds[k], 2, &from, &to, NULL, &mem)
                                : GOMP_loop_start(0, 50, 1, scheds[k], 2, &from, &to, NULL, &mem);
            mine = mem;
            for (; more; more = ordered ? GOMP_loop_ordered_runtime_next(&from, &to)
                                        : GOMP_loop_runtime_next(&from, &to))
                for (long i = from; i < to; i++) {
                    if (ordered)
                        GOMP_ordered_start();
                    ADD(((long *)mine)[1], 1);
                    if (ordered) {
                        if (((long *)mine)[0]++ != i)
                            ADD(loop->wrong, 1);
                        GOMP_ordered_end();
                    }
                }
            GOMP_barrier();
            if (GET(((long *)mine)[1]) != 50 || ((uintptr_t)mine & 7) != 0)
                ADD(loop->wrong, 1);
            if (k % 2)
                GOMP_loop_end_nowait();
            else
                GOMP_loop_end();
            ull ufrom = 0, uto = 0, step = ordered ? -2ULL : 2;
            mem = (void *)(uintptr_t)8;
            more = ordered ? GOMP_loop_ull_ordered_start(false, 100, 0, step, scheds[k], 2, &ufrom, &uto,
                                                         NULL, &mem)
                           : GOMP_loop_ull_start(true, 0, 100, step, scheds[k], 2, &ufrom, &uto, NULL, &mem);
            for (; more; more = ordered ? GOMP_loop_ull_ordered_runtime_next(&ufrom, &uto)
                                        : GOMP_loop_ull_maybe_nonmonotonic_runtime_next(&ufrom, &uto))
                ADD(*(long *)mem, (long)((ordered ? ufrom - uto : uto - ufrom) + 1) / 2);
            GOMP_barrier();
            if (GET(*(long *)mem) != 50)
                ADD(loop->wrong, 1);
            GOMP_loop_end();
        }
    void *mem = (void *)(uintptr_t)sizeof(long);
    if (!GOMP_loop_start(0, 1, 1, MONOTONIC | 1, 0, NULL, NULL, NULL, &mem))
        ADD(loop->wrong, 1);
    ADD(*(long *)mem, 1);
    GOMP_barrier();
    if (GET(*(long *)mem) != omp_get_num_threads())
        ADD(loop->wrong, 1);
    if (omp_get_level() == 0)
        GOMP_loop_end();
    else if (GOMP_loop_end_cancel())
        ADD(loop->wrong, 1);
}

static int general_starts(int threads)
{
    struct loop loop = {.wrong = 0};
    GOMP_parallel(general_body, &loop, (unsigned)threads, 0);
    CHECK(loop.wrong == 0);
    general_body(&loop);
    CHECK(loop.wrong == 0);
    return 0;
}

/* ---- doacross ------------------------------------------------------------------------------------------ */

enum { NEST = 12 };
static int nest[NEST][NEST], nest_wrong;

/* Each point waits for those above and left of it and takes one more than the greater. */
static void nest_rows(long from, long to)
{
    for (long i = from; i < to; i++)
        for (long j = 0; j < NEST; j++) {
            if (i > 0)
                GOMP_doacross_wait(i - 1, j);
            if (j > 0)
                GOMP_doacross_wait(i, j - 1);
            int up = i > 0 ? GET(nest[i - 1][j]) : 0, left = j > 0 ? GET(nest[i][j - 1]) : 0;
            __atomic_store_n(&nest[i][j], 1 + (up > left ? up : left), __ATOMIC_RELAXED);
            GOMP_doacross_post((long[]){i, j});
        }
}

static void nest_rows_ull(ull from, ull to)
{
    for (ull i = from; i < to; i++)
        for (ull j = 0; j < NEST; j++) {
            if (i > 0)
                GOMP_doacross_ull_wait(i - 1, j);
            if (i > 0 && GET(nest[i - 1][j]) != (int)(i + j))
                ADD(nest_wrong, 1);
            __atomic_store_n(&nest[i][j], (int)(1 + i + j), __ATOMIC_RELAXED);
            GOMP_doacross_ull_post((ull[]){i, j});
        }
}

static void nest_begin(void)
{
    GOMP_barrier();
    if (omp_get_thread_num() == 0)
        memset(nest, 0, sizeof nest);
    GOMP_barrier();
}

static void nest_check(void)
{
    if (omp_get_thread_num() == 0)
        for (int i = 0; i < NEST; i++)
            for (int j = 0; j < NEST; j++)
                if (nest[i][j] != 1 + i + j)
                    nest_wrong++;
}

static void doacross_body(void *data)
{
    long from, to;
    ull ufrom, uto;
    bool more;
    (void)data;
#define RUN_DOACROSS(name, chunk)                                                                         \
    nest_begin();                                                                                         \
    for (more = GOMP_loop_doacross_##name##_start(2, (long[]){NEST, NEST}, chunk, &from, &to); more;      \
         more = GOMP_loop_##name##_next(&from, &to))                                                      \
        nest_rows(from, to);                                                                              \
    GOMP_loop_end();                                                                                      \
    nest_check();                                                                                         \
    nest_begin();                                                                                         \
    for (more = GOMP_loop_ull_doacross_##name##_start(2, (ull[]){NEST, NEST}, chunk, &ufrom, &uto); more; \
         more = GOMP_loop_ull_##name##_next(&ufrom, &uto))                                                \
        nest_rows_ull(ufrom, uto);                                                                        \
    GOMP_loop_end();                                                                                      \
    nest_check();
    RUN_DOACROSS(static, 0)
    RUN_DOACROSS(static, 1)
    RUN_DOACROSS(dynamic, 2)
    RUN_DOACROSS(guided, 1)
    for (unsigned k = 0; k < sizeof scheds / sizeof *scheds; k++) {
        void *mem = (void *)(uintptr_t)8;
        nest_begin();
        for (more = GOMP_loop_doacross_start(2, (long[]){NEST, NEST}, scheds[k], 1, &from, &to, NULL, &mem);
             more; more = GOMP_loop_runtime_next(&from, &to)) {
            nest_rows(from, to);
            ADD(*(int *)mem, (int)(to - from));
        }
        GOMP_barrier();
        if (GET(*(int *)mem) != NEST)
            ADD(nest_wrong, 1);
        GOMP_loop_end();
        nest_check();
        nest_begin();
        for (more =
                 GOMP_loop_ull_doacross_start(2, (ull[]){NEST, NEST}, scheds[k], 1, &ufrom, &uto, NULL, NULL);
             more; more = GOMP_loop_ull_runtime_next(&ufrom, &uto))
            nest_rows_ull(ufrom, uto);
        GOMP_loop_end();
        nest_check();
    }
    /* A nest without iterations. */
    for (more = GOMP_loop_doacross_static_start(2, (long[]){3, 0}, 0, &from, &to); more;
         more = GOMP_loop_static_next(&from, &to))
        ;
    GOMP_loop_end();
}

static int doacross(int threads)
{
    nest_wrong = 0;
    GOMP_parallel(doacross_body, NULL, (unsigned)threads, 0);
    CHECK(nest_wrong == 0);
    doacross_body(NULL);
    CHECK(nest_wrong == 0);
    return 0;
}

/* ---- single, critical ---------------------------------------------------------------------------------- */

struct singles {
    int runs, wrong, plain;
    void *name; /* what the compiler makes as a common symbol of eight bytes */
};

static void single_body(void *data)
{
    struct singles *singles = data;
    for (int round = 0; round < 50; round++) {
        int value = round, *from;
        if (GOMP_single_start())
            ADD(singles->runs, 1);
        if ((from = GOMP_single_copy_start()) == NULL) {
            ADD(singles->runs, 1);
            GOMP_single_copy_end(&value);
        } else if (*from != round) {
            ADD(singles->wrong, 1);
        }
        GOMP_barrier();
        GOMP_critical_start();
        singles->plain++;
        GOMP_critical_end();
        GOMP_critical_name_start(&singles->name);
        singles->plain++;
        GOMP_critical_name_end(&singles->name);
        if (omp_get_level() != 0 && GOMP_barrier_cancel())
            ADD(singles->wrong, 1);
    }
}

static int single_and_critical(int threads)
{
    struct singles singles = {0, 0, 0, NULL};
    GOMP_parallel(single_body, &singles, (unsigned)threads, 0);
    CHECK(singles.runs == 100 && singles.wrong == 0 && singles.plain <= 100 * threads &&
          singles.name == NULL);
    single_body(&singles);
    CHECK(singles.runs == 200 && singles.wrong == 0);
    return 0;
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

struct counter {
    int *count;
    int *order;
    int value;
};

static void task_count(void *data)
{
    struct counter *counter = data;
    ADD(*counter->count, counter->value);
}

static void task_step(void *data)
{
    struct counter *counter = data;
    if (GET(*counter->order) != counter->value)
        ADD(*counter->count, 1);
    __atomic_store_n(counter->order, counter->value + 1, __ATOMIC_RELAXED);
}

static void counter_copy(void *to, void *from)
{
    memcpy(to, from, sizeof(struct counter));
    ((struct counter *)to)->value++;
}

/* The two forms of the depend array, and every kind of entry. */
static void depend_body(void *data)
{
    int *wrong = data;
    if (!GOMP_single_start()) {
        GOMP_barrier();
        return;
    }
    int order = 0, x, y;
    for (int i = 0; i < 60; i += 6) {
        struct counter step = {wrong, &order, i};
        long size = sizeof step;
        void *object[2] = {&x, (void *)(uintptr_t)2},
             *set[2] = {&x, (void *)(uintptr_t)(GOMP_taskwait_depend_nowait != NULL ? 5 : 4)};
        void *old[] = {(void *)2, (void *)1, &x, &y};
        GOMP_task(task_step, &step, NULL, size, 8, true, 8, old, 0, NULL);
        void *young[] = {NULL, (void *)2, (void *)1, (void *)0, (void *)0, &x, object};
        step.value++;
        GOMP_task(task_step, &step, NULL, size, 8, true, 8, young, 0, NULL);
        void *mutex[] = {NULL, (void *)2, (void *)0, (void *)1, (void *)1, &x, &y};
        step.value++;
        GOMP_task(task_step, &step, NULL, size, 8, true, 8 | 1, mutex, 0, NULL);
        void *one_set[] = {NULL, (void *)1, (void *)0, (void *)0, (void *)0, set};
        step.value++;
        GOMP_task(task_step, &step, NULL, size, 8, true, 8, one_set, 0, NULL);
        void *again[] = {(void *)3, (void *)2, &x, &x, &x}; /* the same address thrice */
        step.value++;
        GOMP_task(task_step, &step, NULL, size, 8, true, 8 | 16, again, 7, NULL);
        step.value++;
        GOMP_task(task_step, &step, NULL, size, 8, false, 8, old, 0, NULL);
        if (GET(order) != i + 6)
            ADD(*wrong, 1);
    }
    int done = 0;
    struct counter count = {&done, NULL, 1};
    void *out_x[] = {(void *)1, (void *)1, &x}, *out_y[] = {(void *)1, (void *)1, &y};
    for (int round = 1; round <= 10; round++) {
        GOMP_task(task_count, &count, NULL, sizeof count, 8, true, 8, out_x, 0, NULL);
        GOMP_taskwait_depend(out_x);
        if (GET(done) != round)
            ADD(*wrong, 1);
    }
    done = 0;
    GOMP_task(task_count, &count, NULL, sizeof count, 8, true, 8, out_x, 0, NULL);
    if (GOMP_taskwait_depend_nowait != NULL) {
        void *both[] = {(void *)2, (void *)2, &x, &y};
        GOMP_taskwait_depend_nowait(both);
    } else {
        GOMP_taskwait();
    }
    GOMP_taskwait_depend(out_y); /* behind the empty task, so behind the first one too */
    if (GET(done) != 1)
        ADD(*wrong, 1);
    struct counter copied = {&done, NULL, 9};
    GOMP_task(task_count, &copied, counter_copy, sizeof copied, 8, true, 0, NULL, 0, NULL);
    GOMP_task(task_count, &copied, counter_copy, sizeof copied, 64, false, 2, NULL, 0, NULL);
    GOMP_taskyield();
    GOMP_taskwait();
    if (GET(done) != 21)
        ADD(*wrong, 1);
    GOMP_barrier();
}

static int depend(int threads)
{
    int wrong = 0;
    GOMP_parallel(depend_body, &wrong, (unsigned)threads, 0);
    CHECK(wrong == 0);
    depend_body(&wrong);
    CHECK(wrong == 0);
    return 0;
}

/*
 * omp_all_memory is an output at address 0 (gcc 13). A runtime that does not know it still matches equal
 * addresses.
 */
static void all_memory_body(void *data)
{
    int *wrong = data;
    if (GOMP_single_start()) {
        int order = 0;
        void *all[] = {(void *)1, (void *)1, NULL};
        struct counter step = {wrong, &order, 0};
        for (int i = 0; i < 20; i++) {
            step.value = i;
            GOMP_task(task_step, &step, NULL, sizeof step, 8, true, 8, all, 0, NULL);
        }
        GOMP_taskwait();
    }
    GOMP_barrier();
}

static int all_memory(int threads)
{
    int wrong = 0;
    GOMP_parallel(all_memory_body, &wrong, (unsigned)threads, 0);
    CHECK(wrong == 0);
    return 0;
}

struct detached {
    void *event; /* the compiler puts the event first */
    int *count;
};

static void detached_body(void *data)
{
    struct detached *detached = data;
    ADD(*detached->count, 1);
}

static void fulfil_body(void *data)
{
    struct detached *detached = data;
    ADD(*detached->count, 1);
    omp_fulfill_event((omp_event_handle_t)(uintptr_t)detached->event);
}

static void detach_region(void *data)
{
    int *wrong = data, count = 0;
    if (GOMP_single_start()) {
        for (int i = 1; i <= 10; i++) {
            void *event = NULL;
            struct detached detached = {NULL, &count};
            GOMP_task(detached_body, &detached, NULL, sizeof detached, 8, true, 0x2000, NULL, 0, &event);
            if (event == NULL || detached.event != event)
                ADD(*wrong, 1);
            GOMP_task(fulfil_body, &detached, NULL, sizeof detached, 8, true, 0, NULL, 0, NULL);
            GOMP_taskwait();
            if (GET(count) != 2 * i)
                ADD(*wrong, 1);
        }
    }
    GOMP_barrier();
}

static int detach(int threads)
{
    int wrong = 0;
    GOMP_parallel(detach_region, &wrong, (unsigned)threads, 0);
    CHECK(wrong == 0);
    return 0;
}

/* ---- taskloop ------------------------------------------------------------------------------------------ */

struct share {
    long start, end;
    long step;
    long *sizes; /* iterations of the task, by its start's place in the loop */
    long first;
};

static void share_body(void *data)
{
    struct share *share = data;
    long n = 0;
    for (long v = share->start; share->step > 0 ? v < share->end : v > share->end; v += share->step) {
        ADD(seen[(v - share->first) / share->step], 1);
        n++;
    }
    __atomic_store_n(&share->sizes[(share->start - share->first) / share->step], n, __ATOMIC_RELAXED);
}

static int taskloop_run(long start, long end, long step, unsigned flags, unsigned long tasks,
                        const long *want)
{
    long sizes[128] = {0};
    struct share share = {0, 0, step, sizes, start};
    memset(seen, 0, sizeof seen);
    GOMP_taskloop(share_body, &share, NULL, sizeof share, 8, flags | (step > 0 ? 0x100 : 0), tasks, 0, start,
                  end, step);
    GOMP_taskwait();
    long n = 0;
    for (int i = 0; i < 128; i++)
        n += sizes[i];
    if (n != (step > 0 ? (end - start - 1) / step + 1 : (start - end - 1) / -step + 1) || !every((int)n, 1))
        return 1;
    long at = 0;
    for (; want != NULL && *want != 0; at += *want++)
        if (sizes[at] != *want)
            return 1;
    return 0;
}

static void ull_share_body(void *data)
{
    struct share *share = data;
    ull from = (ull)share->start, to = (ull)share->end, step = (ull)share->step;
    for (ull v = from; share->step > 0 ? v < to : v > to; v += step)
        ADD(seen[(share->step > 0 ? (v - (ull)share->first) / step : ((ull)share->first - v) / -step) % 2048],
            1);
}

static void taskloop_region(void *data)
{
    int *wrong = data;
    if (GOMP_single_start()) {
        static const long three[] = {4, 3, 3, 0}, grain[] = {5, 5, 0}, strict[] = {4, 4, 2, 0},
                          down[] = {2, 2, 0}, one[] = {10, 0}, ten[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
        *wrong += taskloop_run(0, 10, 1, 0x400, 3, three);
        *wrong += taskloop_run(0, 10, 1, 0x600, 4, grain);
        *wrong += taskloop_run(0, 10, 1, 0x4600, 4, strict);
        *wrong += taskloop_run(10, 0, -3, 0x400, 2, down);
        *wrong += taskloop_run(0, 10, 1, 0x600, 100, one);
        *wrong += taskloop_run(-5, 5, 1, 0x400, 100, ten);
        *wrong += taskloop_run(-5, 5, 1, 0x000, 3, three);         /* undeferred */
        *wrong += taskloop_run(-5, 95, 1, 0x400, 0, NULL);         /* as many tasks as threads */
        *wrong += taskloop_run(0, 100, 2, 0x400 | 0x800, 7, NULL); /* nogroup */
        struct share share = {0, 0, -3, NULL, 0};
        share.first = (long)(ULLONG_MAX - 1);
        memset(seen, 0, sizeof seen);
        GOMP_taskloop_ull(ull_share_body, &share, NULL, sizeof share, 8, 0x400, 9, 0, ULLONG_MAX - 1,
                          ULLONG_MAX - 100, -3ULL);
        *wrong += !every(33, 1) || seen[33] != 0;
        share.step = 1LL << 60;
        share.first = 0;
        memset(seen, 0, sizeof seen);
        GOMP_taskloop_ull(ull_share_body, &share, NULL, sizeof share, 8, 0x500, 4, 0, 0, 7ULL << 60,
                          1ULL << 60);
        *wrong += !every(7, 1) || seen[7] != 0;
        GOMP_taskloop(share_body, &share, NULL, sizeof share, 8, 0x500, 4, 0, 5, 5, 1); /* nothing to do */
    }
    GOMP_barrier();
}

static int taskloop(int threads)
{
    int wrong = 0;
    GOMP_parallel(taskloop_region, &wrong, (unsigned)threads, 0);
    CHECK(wrong == 0);
    taskloop_region(&wrong);
    CHECK(wrong == 0);
    return 0;
}

/* ---- task reductions ----------------------------------------------------------------------------------- */

/** One array with three items; a slot is 128 bytes of zeros. */
struct reduced {
    uintptr_t array[16];
    long a, b, c;
    int wrong;
};

static void reduced_init_array(struct reduced *r)
{
    const uintptr_t array[16] = {3,
                                 128,
                                 128,
                                 (uintptr_t)-1,
                                 0,
                                 0,
                                 0,
                                 (uintptr_t)&r->a,
                                 0,
                                 0,
                                 (uintptr_t)&r->b,
                                 16,
                                 0,
                                 (uintptr_t)&r->c,
                                 64,
                                 0};
    memcpy(r->array, array, sizeof array);
}

static void reduced_init(struct reduced *r)
{
    memset(r, 0, sizeof *r);
    reduced_init_array(r);
}

static void reduced_combine(struct reduced *r, const uintptr_t *array, int threads)
{
    for (int t = 0; t < threads; t++) {
        uintptr_t slot = array[2] + (uintptr_t)t * array[1];
        r->a += *(long *)slot;
        r->b += *(long *)(slot + 16);
        r->c += *(long *)(slot + 64);
    }
    if (array[2] % 128 != 0)
        ADD(r->wrong, 1);
}

static void reduced_inner(void *data)
{
    struct reduced **argument = data, *r = argument[1];
    void *pointers[2] = {argument[0], &r->c}; /* the outer task's copy of b, and an original */
    GOMP_task_reduction_remap(2, 0, pointers);
    *(long *)pointers[0] += 100;
    *(long *)pointers[1] += 1000;
}

static void reduced_task(void *data)
{
    struct reduced *r = *(struct reduced **)data;
    void *pointers[3] = {&r->a, &r->b, NULL};
    GOMP_task_reduction_remap(2, 1, pointers);
    if (pointers[2] != &r->a)
        ADD(r->wrong, 1);
    *(long *)pointers[0] += 1;
    *(long *)pointers[1] += 10;
    void *argument[2] = {pointers[1], r};
    GOMP_task(reduced_inner, argument, NULL, sizeof argument, 8, true, 0, NULL, 0, NULL);
}

static void reduced_tasks(struct reduced *r, int n)
{
    for (int i = 0; i < n; i++)
        GOMP_task(reduced_task, &r, NULL, sizeof r, 8, true, 0, NULL, 0, NULL);
}

static void reduced_region(void *data)
{
    struct reduced *r = data;
    if (GOMP_single_start()) {
        GOMP_taskgroup_start();
        GOMP_taskgroup_reduction_register(r->array);
        reduced_tasks(r, 5);
        GOMP_taskgroup_start(); /* a group without reductions of its own sees those around it */
        reduced_tasks(r, 5);
        GOMP_taskgroup_end();
        GOMP_taskgroup_end();
        reduced_combine(r, r->array, omp_get_num_threads());
        GOMP_taskgroup_reduction_unregister(r->array);
    }
    GOMP_barrier();
}

static int reduced_held(struct reduced *r, long tasks)
{
    int bad = r->wrong != 0 || r->a != tasks || r->b != 110 * tasks || r->c != 1000 * tasks;
    reduced_init(r);
    return !bad;
}

/* Every thread has the array of a worksharing construct on its own stack. */
static void reduced_scope(void *data)
{
    struct reduced *r = data;
    for (int kind = 0; kind < 4; kind++) {
        uintptr_t array[16];
        memcpy(array, r->array, sizeof array);
        long from, to;
        void *mem = (void *)(uintptr_t)32;
        bool some = true;
        if (kind == 0)
            GOMP_scope_start(array);
        else if (kind == 1)
            some = GOMP_loop_start(0, 8, 1, 2, 1, &from, &to, array, &mem);
        else if (kind == 2)
            some = GOMP_loop_start(0, 1, 1, MONOTONIC | 1, 0, NULL, NULL, array, NULL);
        else
            some = GOMP_sections2_start(8, array, &mem) != 0;
        if (kind == 0 || kind == 2)
            reduced_tasks(r, omp_get_thread_num() == 0 ? 8 : 0);
        while (some && (kind == 1 || kind == 3)) {
            reduced_tasks(r, kind == 1 ? (int)(to - from) : 1);
            some = kind == 1 ? GOMP_loop_nonmonotonic_dynamic_next(&from, &to) : GOMP_sections_next() != 0;
        }
        if (kind == 0)
            GOMP_barrier();
        else if (kind == 3)
            GOMP_sections_end();
        else
            GOMP_loop_end();
        if (omp_get_thread_num() == 0)
            reduced_combine(r, array, omp_get_num_threads());
        GOMP_workshare_task_reduction_unregister(false);
    }
}

struct reduced_block {
    uintptr_t *array; /* first word of the region's data */
    struct reduced *r;
};

static void reduced_leaf(void *data)
{
    struct reduced *r = *(struct reduced **)data;
    void *pointers[3] = {&r->c, &r->a, &r->b};
    GOMP_task_reduction_remap(3, 0, pointers);
    *(long *)pointers[0] += 1000;
    *(long *)pointers[1] += 1;
    *(long *)pointers[2] += 110;
}

static void reduced_parallel(void *data)
{
    struct reduced *r = ((struct reduced_block *)data)->r;
    for (int i = 0; i < 3; i++)
        GOMP_task(reduced_leaf, &r, NULL, sizeof r, 8, true, 0, NULL, 0, NULL);
}

static void *reduced_alone(void *data)
{
    reduced_region(data);
    reduced_init_array(data);
    reduced_scope(data);
    return NULL;
}

static int reductions(int threads)
{
    struct reduced r;
    reduced_init(&r);
    GOMP_parallel(reduced_region, &r, (unsigned)threads, 0);
    CHECK(reduced_held(&r, 10));
    GOMP_parallel(reduced_scope, &r, (unsigned)threads, 0);
    CHECK(reduced_held(&r, 32));
    /* Without a team, on a thread of its own: libgomp makes a team for that thread which stays with it. */
    pthread_t alone;
    CHECK(pthread_create(&alone, NULL, reduced_alone, &r) == 0 && pthread_join(alone, NULL) == 0);
    CHECK(reduced_held(&r, 42));
    for (int round = 0; round < 3; round++) {
        struct reduced_block block = {r.array, &r};
        int n = (int)GOMP_parallel_reductions(reduced_parallel, &block, (unsigned)threads, 0);
        CHECK(n == threads);
        reduced_combine(&r, r.array, n);
        GOMP_taskgroup_reduction_unregister(r.array);
        CHECK(reduced_held(&r, 3L * threads));
    }
    return 0;
}

/* A taskloop with a reduction that has nothing to do says so in the array. */
static int reductions_none(int threads)
{
    struct reduced r;
    struct {
        long start, end;
        uintptr_t *array;
    } data = {0, 0, r.array};
    (void)threads;
    reduced_init(&r);
    GOMP_taskloop(reduced_task, &data, NULL, sizeof data, 8, 0x1500, 0, 0, 4, 4, 1);
    CHECK(r.array[2] == 0);
    return 0;
}

/* ---- cancellation -------------------------------------------------------------------------------------- */

static void cancel_body(void *data)
{
    int *counts = data; /* how many threads went to the end, and how many were told to leave */
    long from, to;
    bool more = GOMP_loop_dynamic_start(0, 100, 1, 1, &from, &to), left = false;
    for (; more; more = GOMP_loop_dynamic_next(&from, &to))
        if (GOMP_cancel(2, from >= 3))
            break;
    if (GOMP_loop_end_cancel()) /* the region itself is not cancelled */
        ADD(counts[0], 1000);
    for (unsigned s = GOMP_sections_start(4); s != 0; s = GOMP_sections_next())
        if (GOMP_cancel(4, true) || GOMP_cancellation_point(4))
            break;
    /*
     * A thread may be slow to leave this barrier, and so learn here already that the region was cancelled
     * behind it.
     */
    left = GOMP_sections_end_cancel();
    left = left || (omp_get_thread_num() == 0 && GOMP_cancel(1, true));
    left = left || GOMP_barrier_cancel() || GOMP_cancellation_point(1) || GOMP_cancellation_point(8);
    ADD(counts[left], 1);
}

static int cancel(int threads)
{
    for (int round = 0; round < 10; round++) {
        int counts[2] = {0, 0};
        GOMP_parallel(cancel_body, counts, (unsigned)threads, 0);
        CHECK(counts[0] == (omp_get_cancellation() ? 0 : threads));
        CHECK(counts[1] == (omp_get_cancellation() ? threads : 0));
    }
    return 0;
}

/* ---- teams and target ---------------------------------------------------------------------------------- */

struct league {
    int ran, numbers, counts, limits, levels;
};

static void league_body(void *data)
{
    struct league *league = data;
    league->ran++;
    league->numbers += omp_get_team_num();
    league->counts += omp_get_num_teams();
    league->limits += omp_get_thread_limit();
    league->levels += omp_get_level() + omp_get_thread_num() + omp_get_num_threads() - 1;
}

static void target_league(void *data)
{
    bool first = true;
    while (GOMP_teams4(3, 5, 4, first)) {
        league_body(*(void **)data);
        first = false;
    }
}

static void target_old_league(void *data)
{
    GOMP_teams(5, 6);
    league_body(*(void **)data);
}

static int teams(int threads)
{
    struct league league = {0, 0, 0, 0, 0};
    int limit = omp_get_thread_limit();
    void *address = &league;
    GOMP_teams_reg(league_body, &league, 4, (unsigned)threads, 0);
    CHECK(league.ran == 4 && league.numbers == 6 && league.counts == 16 && league.limits == 4 * threads);
    CHECK(league.levels == 0 && omp_get_thread_limit() == limit && omp_get_num_teams() == 1);
    GOMP_teams_reg(league_body, &league, 0, 0, 0);
    CHECK(league.ran >= 5);
    league = (struct league){0, 0, 0, 0, 0};
    void *args[] = {(void *)((intptr_t)-1 * 65536 + 0x100), (void *)(intptr_t)0x40200, NULL};
    GOMP_target_ext(-1, target_league, 1, &address, (size_t[]){8}, (unsigned short[]){0x303}, 0, NULL, args);
    CHECK(league.ran == 3 && league.numbers == 3 && league.counts == 9 && league.limits == 12);
    league = (struct league){0, 0, 0, 0, 0};
    GOMP_target(-1, target_old_league, NULL, 1, &address, (size_t[]){8}, (unsigned char[]){0x1b});
    CHECK(league.ran == 1 && league.numbers == 0 && league.counts == 1 && league.limits == 6);
    CHECK(omp_get_thread_limit() == limit && omp_get_num_teams() == 1 && omp_get_team_num() == 0);
    return 0;
}

struct on_target {
    long *shared, *own, value;
};

static void target_body(void *data)
{
    struct on_target *on = data;
    *on->shared += *on->own + on->value + omp_get_level();
    *on->own = -1;
}

static void target_region(void *data)
{
    int *wrong = data;
    long shared = 0, own = 7;
    for (int device = -5; device <= 1; device++) {
        if (device == -4 || device == -5 || device == -3)
            continue;
        struct on_target on = {&shared, &own, 30};
        size_t sizes[] = {sizeof shared, sizeof own, 8};
        unsigned short kinds[] = {0x303, 0x30c, 0x30d};
        void *args[] = {(void *)(intptr_t)0x10100, (void *)(intptr_t)0x280, (void *)3, NULL};
        GOMP_target_ext(device, target_body, 3, (void **)&on, sizes, kinds, 0, NULL, args);
        on = (struct on_target){&shared, &own, 30};
        void *out[] = {(void *)1, (void *)1, &shared};
        GOMP_target_ext(device, target_body, 3, (void **)&on, sizes, kinds, 1, out, args);
        on = (struct on_target){&shared, &own, 30};
        GOMP_target_ext(device, target_body, 3, (void **)&on, sizes, kinds, 0, out, args);
        GOMP_target_update_ext(device, 1, (void **)&on, sizes, kinds, 0, out);
        GOMP_target_update_ext(device, 1, (void **)&on, sizes, kinds, 1, out);
        GOMP_target_enter_exit_data(device, 1, (void **)&on, sizes, kinds, 0, NULL);
        GOMP_target_enter_exit_data(device, 1, (void **)&on, sizes, kinds, 2 | 1, out);
        GOMP_target_data_ext(device, 1, (void **)&on, sizes, kinds);
        GOMP_target_end_data();
        GOMP_target_data(device, NULL, 1, (void **)&on, sizes, (unsigned char *)kinds);
        GOMP_target_end_data();
        GOMP_target_update(device, NULL, 1, (void **)&on, sizes, (unsigned char *)kinds);
        GOMP_taskwait();
        if (own != 7 || shared != 3 * 37)
            ADD(*wrong, 1);
        shared = 0;
    }
}

static void *target_alone(void *data)
{
    target_region(data);
    return NULL;
}

static int target(int threads)
{
    int wrong = 0;
    pthread_t alone; /* as in reductions() */
    CHECK(pthread_create(&alone, NULL, target_alone, &wrong) == 0 && pthread_join(alone, NULL) == 0);
    CHECK(wrong == 0);
    GOMP_parallel(target_region, &wrong, (unsigned)threads, 0);
    CHECK(wrong == 0);
    if (GOMP_target_map_indirect_ptr != NULL)
        CHECK(GOMP_target_map_indirect_ptr(&wrong) == &wrong);
    if (GOMP_interop != NULL) {
        void *made = &wrong, *gone = &wrong, **init[] = {&made}, **destroy[] = {&gone};
        GOMP_interop(-2, 1, init, (int[]){1}, NULL, 0, NULL, 1, destroy, 0, NULL);
        CHECK(made == NULL && gone == NULL);
    }
    return 0;
}

#define CASE(name)          \
    {                       \
        "call_" #name, name \
    }
const struct omp_case gomp_calls[] = {
    CASE(parallel_start), CASE(loops),          CASE(loops_runtime),
    CASE(loops_ull),      CASE(combined_loops), CASE(sections),
    CASE(general_starts), CASE(doacross),       CASE(single_and_critical),
    CASE(depend),         CASE(all_memory),     CASE(detach),
    CASE(taskloop),       CASE(reductions),     CASE(reductions_none),
    CASE(cancel),         CASE(teams),          CASE(target),
};
const int gomp_call_count = sizeof gomp_calls / sizeof *gomp_calls;
