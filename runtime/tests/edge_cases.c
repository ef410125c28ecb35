/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Corners of the ABI that compiled programs meet rarely: late events, cancelled regions, limits and ends.
 * Entry points are called as compilers do, so that each situation is certain; what is asked about the
 * runtime's inside is read from it.
 */
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "runtime/core/alloc.h"
#include "runtime/core/attach.h"
#include "runtime/core/mutex.h"
#include "runtime/core/threadprivate.h"
#include "runtime/core/workshare.h"

#define CHECK(condition)     \
    do {                     \
        if (!(condition))    \
            return __LINE__; \
    } while (0)
#define ADD(variable, value) __atomic_add_fetch(&(variable), (value), __ATOMIC_SEQ_CST)
#define GET(variable)        __atomic_load_n(&(variable), __ATOMIC_SEQ_CST)
#define PUT(variable, value) __atomic_store_n(&(variable), (value), __ATOMIC_SEQ_CST)
/* The test's time limit ends a wait for ever. */
#define UNTIL(...)         \
    while (!(__VA_ARGS__)) \
    sched_yield()

typedef void code(void *data);
void GOMP_parallel(code *fn, void *data, unsigned threads, unsigned flags);
bool GOMP_cancel(int which, bool really);
bool GOMP_loop_ordered_static_start(long start, long end, long incr, long chunk, long *from, long *to);
bool GOMP_loop_ordered_static_next(long *from, long *to);
bool GOMP_loop_doacross_static_start(unsigned dims, long *counts, long chunk, long *from, long *to);
bool GOMP_loop_start(long start, long end, long incr, long sched, long chunk, long *from, long *to,
                     uintptr_t *reductions, void **mem);
void GOMP_loop_end_nowait(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_doacross_wait(long first, ...);
void GOMP_task(code *fn, void *data, code *copy, long size, long align, bool deferred, unsigned flags,
               void **depend, int priority, void *detach);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
void GOMP_barrier(void);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
struct rt_kmp_task *__kmpc_omp_task_alloc(struct rt_loc *loc, int32_t gtid, int32_t flags, size_t bytes,
                                          size_t shareds, rt_routine entry);
int32_t __kmpc_omp_task(struct rt_loc *loc, int32_t gtid, struct rt_kmp_task *task);
void __kmpc_for_static_init_4(struct rt_loc *loc, int32_t gtid, int32_t sched, int32_t *last, int32_t *lower,
                              int32_t *upper, int32_t *stride, int32_t incr, int32_t chunk);
void __kmpc_dispatch_init_4(struct rt_loc *loc, int32_t gtid, int32_t sched, int32_t lower, int32_t upper,
                            int32_t incr, int32_t chunk);
int32_t __kmpc_dispatch_next_4(struct rt_loc *loc, int32_t gtid, int32_t *last, int32_t *lower,
                               int32_t *upper, int32_t *stride);
void omp_set_schedule(uint32_t kind, int chunk);
void __kmpc_set_thread_limit(struct rt_loc *loc, int32_t gtid, int32_t limit);
void *__kmpc_threadprivate(struct rt_loc *loc, int32_t gtid, void *data, size_t bytes);
void __kmpc_threadprivate_register(struct rt_loc *loc, void *data, rt_ctor ctor, rt_cctor cctor,
                                   rt_dtor dtor);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_level(void);
int omp_get_max_threads(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
int omp_pause_resource_all(int kind);
void omp_fulfill_event(uintptr_t event);

enum { CANCEL_PARALLEL = 1, CANCEL_TASKGROUP = 8, TASK_DETACH = 0x2000, TASK_DEPEND = 0x8, PAUSE_HARD = 2 };

/** Thread 0 of a team does its part while the others stay in user code, where they run no tasks. */
struct part {
    int (*run)(void);
    int result, finished;
};

static void alone(void *data)
{
    struct part *part = data;
    if (omp_get_thread_num() != 0) {
        UNTIL(GET(part->finished));
        return;
    }
    part->result = part->run();
    PUT(part->finished, 1);
}

static int in_idle_team(int (*run)(void), int threads)
{
    struct part part = {.run = run};
    GOMP_parallel(alone, &part, (unsigned)threads, 0);
    return part.result;
}

/* With cancel-var true. */
static int cancellable(int (*run)(void), int threads)
{
    rt_root.cancellation = 1;
    int line = in_idle_team(run, threads);
    rt_root.cancellation = 0;
    return line;
}

static void nothing(void *data)
{
    (void)data;
}

/* ---- events -------------------------------------------------------------------------------------------- */

static int late_event_body(void)
{
    struct rt_thread *th = rt_me();
    struct rt_task *implicit = rt_load(th->cur_task);
    uintptr_t cancelled = 0, second = 0, dropped = 1;
    GOMP_task(nothing, NULL, NULL, 8, 8, true, 0, NULL, 0,
              NULL); /* so that there is a slot to be taken again */
    GOMP_taskyield();
    GOMP_taskgroup_start();
    struct rt_slot *slot = th->heap->free[RT_CLASS_TASK];
    GOMP_task(nothing, NULL, NULL, 8, 8, true, TASK_DETACH, NULL, 0, &cancelled);
    CHECK(GOMP_cancel(CANCEL_TASKGROUP, true));
    GOMP_task(nothing, NULL, NULL, 8, 8, true, TASK_DETACH, NULL, 0, &dropped);
    GOMP_taskgroup_end();
    CHECK(rt_acquire(implicit->children) == 0);
    /* The next detachable task has the cancelled one's slot. */
    CHECK(th->heap->free[RT_CLASS_TASK] == slot);
    GOMP_task(nothing, NULL, NULL, 8, 8, true, TASK_DETACH, NULL, 0, &second);
    GOMP_taskyield();
    struct rt_task *task = (struct rt_task *)slot;
    CHECK(rt_load(task->state) == RT_TS_DETACHED && rt_acquire(implicit->children) == 1);
    omp_fulfill_event(cancelled);
    omp_fulfill_event(dropped); /* of a task that was never made */
    CHECK(rt_acquire(implicit->children) == 1);
    omp_fulfill_event(second);
    CHECK(rt_acquire(implicit->children) == 0);
    return 0;
}

static int late_event(int threads)
{
    return threads == 1 ? 0 : cancellable(late_event_body, threads);
}

/* ---- what waits in a cancelled region ------------------------------------------------------------------ */

static struct rt_thread *waiter;
static int inside, most_inside, went_on;

static void cancel_when_waited(void)
{
    UNTIL(GET(waiter) != NULL && (rt_acquire(GET(waiter)->state) & 0xffff) == RT_STATE_ORDERED);
    GOMP_cancel(CANCEL_PARALLEL, true);
}

static void ordered_code(void *data)
{
    long from, to;
    (void)data;
    if (omp_get_thread_num() == 0) {
        cancel_when_waited();
        return;
    }
    for (bool more = GOMP_loop_ordered_static_start(0, 1000, 1, 1, &from, &to); more;
         more = GOMP_loop_ordered_static_next(&from, &to)) {
        if (omp_get_thread_num() == 1)
            PUT(waiter, rt_me());
        GOMP_ordered_start();
        if (ADD(inside, 1) > 1)
            PUT(most_inside, 2);
        sched_yield();
        ADD(inside, -1);
        GOMP_ordered_end();
    }
    GOMP_loop_end_nowait();
    ADD(went_on, 1);
}

static void doacross_code(void *data)
{
    long counts[] = {1000}, from, to;
    (void)data;
    if (omp_get_thread_num() == 0) {
        cancel_when_waited();
        return;
    }
    GOMP_loop_doacross_static_start(1, counts, 1, &from, &to);
    if (omp_get_thread_num() == 1)
        PUT(waiter, rt_me());
    GOMP_doacross_wait(0L);
    GOMP_loop_end_nowait();
    ADD(went_on, 1);
}

static int let_go(code *region, int threads)
{
    if (threads == 1)
        return 0;
    for (int round = 0; round < 20; round++) {
        waiter = NULL;
        went_on = inside = most_inside = 0;
        rt_root.cancellation = 1;
        GOMP_parallel(region, NULL, (unsigned)threads, 0);
        rt_root.cancellation = 0;
        CHECK(went_on == threads - 1 && most_inside == 0);
    }
    return 0;
}

static int ordered_in_cancelled(int threads)
{
    return let_go(ordered_code, threads);
}

static int doacross_in_cancelled(int threads)
{
    return let_go(doacross_code, threads);
}

#define AHEAD 400
static int not_own;

/*
 * Further ahead of the thread that has left than the team has entries: what a thread gets there is its own.
 */
static void regions_ahead(void *data)
{
    int me = omp_get_thread_num();
    (void)data;
    if (me == 0) {
        GOMP_cancel(CANCEL_PARALLEL, true);
        return;
    }
    for (int k = 0; k < AHEAD; k++) {
        void *mem = (void *)sizeof(int);
        GOMP_loop_start(0, 10, 1, 0, 0, NULL, NULL, NULL, &mem);
        int *number = mem;
        if (k >= RT_WORKSHARES) {
            ADD(not_own, GET(*number) != 0);
            PUT(*number, me);
            sched_yield();
            ADD(not_own, GET(*number) != me);
        }
        GOMP_loop_end_nowait();
    }
}

static long pages_mapped(void)
{
    char line[128];
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL)
        abort();
    fclose(file);
    return strtol(line, NULL, 10);
}

static int memory_in_cancelled(int threads)
{
    not_own = 0;
    long before = 0;
    rt_root.cancellation = 1;
    for (int round = 0; round < 10; round++) {
        GOMP_parallel(regions_ahead, NULL, (unsigned)threads, 0);
        if (round == 0)
            before = pages_mapped();
    }
    rt_root.cancellation = 0;
    CHECK(not_own == 0);
    CHECK(pages_mapped() - before < AHEAD); /* each region's memory is given back */
    return 0;
}

/* ---- single copyprivate -------------------------------------------------------------------------------- */

static int single_line;

static int look_at_waiter(void)
{
    struct rt_team *team = rt_me()->implicit->team;
    struct rt_thread *other = team->members[1].thread;
    UNTIL((rt_acquire(other->state) & 0xffff) == RT_STATE_BARRIER_IMPLICIT_WORKSHARE);
    CHECK(rt_load(other->state) >> 16 == RT_WAIT_BARRIER && rt_load(other->wait_id) == (uintptr_t)team);
    UNTIL(rt_load(team->members[1].task->bar_seq) - rt_load(team->bar_gen) ==
          1); /* stored behind the state */
    return 0;
}

static void single_code(void *data)
{
    static int entered, value;
    if (omp_get_thread_num() != 0)
        UNTIL(GET(entered));
    if (GOMP_single_copy_start() == NULL) {
        PUT(entered, 1);
        single_line = look_at_waiter();
        GOMP_single_copy_end(&value);
    }
    GOMP_barrier();
    PUT(entered, 0);
    (void)data;
}

/** Who waits for the values is at the barrier that ends the construct. */
static int single_waiter(int threads)
{
    if (threads == 1)
        return 0;
    GOMP_parallel(single_code, NULL, (unsigned)threads, 0);
    return single_line;
}

/* ---- limits -------------------------------------------------------------------------------------------- */

static int running, most_running;

static void count_threads(void *data)
{
    (void)data;
    int now = ADD(running, 1), most = GET(most_running);
    while (now > most &&
           !__atomic_compare_exchange_n(&most_running, &most, now, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    for (int i = 0; i < 20; i++)
        sched_yield();
    ADD(running, -1);
}

static void inner_region(void *data)
{
    (void)data;
    GOMP_parallel(count_threads, NULL, 3, 0);
}

/* What clang makes of `target thread_limit(4)` with nested regions: a task that sets the limit. */
static void limited_task(void *data)
{
    (void)data;
    __kmpc_set_thread_limit(NULL, 0, 4);
    GOMP_parallel(inner_region, NULL, 3, 0);
}

static int thread_limit_nested(int threads)
{
    (void)threads;
    int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(2);
    for (int round = 0; round < 20; round++) {
        most_running = 0;
        GOMP_task(limited_task, NULL, NULL, 0, 1, false, 0, NULL, 0, NULL);
        CHECK(most_running <= 4 && running == 0);
    }
    /* The limit was the task's: outside it holds no longer, and its threads are all given back. */
    most_running = 0;
    GOMP_parallel(inner_region, NULL, 3, 0);
    omp_set_max_active_levels(levels);
    CHECK(most_running >= 3);
    return 0;
}

static int last_chunk(void)
{
    int32_t lower = INT_MAX - 10, upper = INT_MAX - 1, stride = 0, last = 0;
    struct rt_task *implicit = rt_me()->implicit;
    /* As thread 1 of the team would ask. */
    rt_store(implicit->thread_num, 1);
    __kmpc_for_static_init_4(NULL, 0, 33, &last, &lower, &upper, &stride, 1, 8);
    rt_store(implicit->thread_num, 0);
    CHECK(last == 1 && lower == INT_MAX - 2 && upper == INT_MAX - 1);
    return 0;
}

static int chunk_ends_with_loop(int threads)
{
    return threads == 1 ? 0 : in_idle_team(last_chunk, threads);
}

static int allocator_ring(int threads)
{
    (void)threads;
    /* Handles are made anew in the same order: two that name each other need the second's number first. */
    uint64_t first = rt_alloc_init(0, 0, NULL);
    rt_alloc_destroy(first);
    for (int length = 1; length <= 9; length++) {
        uint64_t handles[9];
        for (int i = 0; i < length; i++)
            handles[i] = rt_alloc_init(0, 0, NULL);
        for (int i = length - 1; i >= 0; i--) /* given back so that they are taken again in this order */
            rt_alloc_destroy(handles[i]);
        for (int i = 0; i < length; i++) {
            const struct rt_alloctrait traits[] = {
                {.key = RT_ATK_POOL_SIZE, .value = 128},
                {.key = RT_ATK_FALLBACK, .value = RT_ATV_ALLOCATOR_FB},
                {.key = RT_ATK_FB_DATA, .value = handles[(i + 1) % length]}};
            CHECK(rt_alloc_init(0, 3, traits) == handles[i]);
        }
        CHECK(rt_alloc(handles[0], 0, 1000) == NULL);
        void *fits = rt_alloc(handles[0], 0, 64), *next = rt_alloc(handles[0], 0, 64);
        CHECK(fits != NULL && (next != NULL) == (length > 1));
        rt_free(fits);
        if (next != NULL)
            rt_free(next);
        for (int i = 0; i < length; i++)
            rt_alloc_destroy(handles[i]);
    }
    return 0;
}

/* ---- ends of threads ----------------------------------------------------------------------------------- */

static int variable, destroyed, wrong_answers;

static void destructor(void *copy)
{
    (void)copy;
    if (omp_get_thread_num() != 0 || omp_get_num_threads() != 1 || omp_get_level() != 0 ||
        omp_get_max_threads() < 1)
        ADD(wrong_answers, 1);
    ADD(destroyed, 1);
}

static void use_variable(void *data)
{
    (void)data;
    __kmpc_threadprivate(NULL, 0, &variable, sizeof variable);
}

static void *use_in_thread(void *data)
{
    use_variable(data);
    return NULL;
}

static int destructors_ask(int threads)
{
    __kmpc_threadprivate_register(NULL, &variable, NULL, NULL, destructor);
    destroyed = wrong_answers = 0;
    pthread_t id;
    CHECK(pthread_create(&id, NULL, use_in_thread, NULL) == 0);
    pthread_join(id, NULL);
    CHECK(destroyed == 1);
    GOMP_parallel(use_variable, NULL, (unsigned)threads, 0);
    CHECK(omp_pause_resource_all(PAUSE_HARD) == 0);
    UNTIL(GET(destroyed) >= threads); /* the thread above, and all but thread 0 */
    CHECK(wrong_answers == 0);
    return 0;
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

static uint32_t task_slots(void)
{
    uint32_t used = 0, count = rt_acquire(rt_root.slab_count);
    for (uint32_t i = 0; i < count; i++)
        used += rt_root.slabs[i].kind == RT_KIND_TASK ? rt_acquire(rt_root.slabs[i].used) : 0;
    for (const struct rt_slab_block *block = rt_acquire(rt_root.more_slabs); block != NULL;
         block = rt_acquire(block->next))
        for (uint32_t i = 0; i < rt_acquire(block->count); i++)
            used += block->slabs[i].kind == RT_KIND_TASK ? rt_acquire(block->slabs[i].used) : 0;
    return used;
}

static int many_addresses_body(void)
{
    static char field[20000];
    uintptr_t event = 0;
    GOMP_task(nothing, NULL, NULL, 8, 8, true, TASK_DETACH, NULL, 0,
              &event); /* a sibling that is never complete */
    uint32_t before = task_slots();
    for (size_t i = 0; i < sizeof field; i++) {
        void *depend[] = {(void *)1, (void *)1, &field[i]};
        GOMP_task(nothing, NULL, NULL, 8, 8, true, TASK_DEPEND, depend, 0, NULL);
        GOMP_taskyield();
    }
    uint32_t more = task_slots() - before;
    omp_fulfill_event(event);
    CHECK(more < 1000);
    return 0;
}

static int many_addresses(int threads)
{
    return threads == 1 ? 0 : in_idle_team(many_addresses_body, threads);
}

static struct rt_task *untied;
static uint32_t state_between, parts;

static int32_t look(int32_t gtid, void *kmp)
{
    (void)gtid, (void)kmp;
    state_between = rt_load(untied->state);
    return 0;
}

enum { KMP_UNTIED = 0x0, KMP_TIED_PRIORITY = 0x21 };

/* The first part makes a task that goes before it, and queues the second. */
static int32_t two_parts(int32_t gtid, void *argument)
{
    struct rt_kmp_task *kmp = argument;
    parts++;
    if (kmp->part_id != 0)
        return 0;
    kmp->part_id = 1;
    struct rt_kmp_task *first = __kmpc_omp_task_alloc(NULL, gtid, KMP_TIED_PRIORITY, sizeof *first, 0, look);
    first->data2.priority = 1;
    __kmpc_omp_task(NULL, gtid, first);
    return __kmpc_omp_task(NULL, gtid, kmp);
}

static int untied_body(void)
{
    struct rt_kmp_task *kmp = __kmpc_omp_task_alloc(NULL, 0, KMP_UNTIED, sizeof *kmp, 0, two_parts);
    untied = rt_task_of(kmp);
    rt_root.max_task_priority = 1;
    state_between = parts = 0;
    __kmpc_omp_task(NULL, 0, kmp);
    while (parts < 2)
        GOMP_taskyield();
    rt_root.max_task_priority = 0;
    CHECK(state_between == RT_TS_READY);
    return 0;
}

/** A part that is queued is on no thread's stack. */
static int untied_between_parts(int threads)
{
    return threads == 1 ? 0 : in_idle_team(untied_body, threads);
}

/**
 * A loop of 131 iterations by a schedule with simd (docs/abi/kmpc.md 1.6); every chunk but the last is a
 * multiple of `unit`.
 */
struct simd_loop {
    int schedule, unit, wrong;
    int32_t seen[131];
};

static void simd_loop(void *data)
{
    struct simd_loop *loop = data;
    int32_t last, lower, upper, stride;
    __kmpc_dispatch_init_4(NULL, 0, loop->schedule, 0, 130, 1, 4);
    while (__kmpc_dispatch_next_4(NULL, 0, &last, &lower, &upper, &stride)) {
        if (upper != 130 && (upper - lower + 1) % loop->unit != 0 && omp_get_num_threads() > 1)
            ADD(loop->wrong, 1);
        for (int i = lower; i <= upper; i++)
            ADD(loop->seen[i], 1);
    }
}

static int simd_schedules(int threads)
{
    enum { BALANCED = 45, GUIDED = 46, RUNTIME = 47 };
    static const struct {
        int schedule, kind, chunk, unit;
    } rows[] = {{BALANCED, 1, 0, 4}, {GUIDED, 1, 0, 4},   {RUNTIME, 1, 0, 4}, {RUNTIME, 1, 3, 12},
                {RUNTIME, 2, 0, 4},  {RUNTIME, 2, 3, 12}, {RUNTIME, 3, 0, 4}, {RUNTIME, 3, 2, 8}};
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct simd_loop loop = {.schedule = rows[k].schedule, .unit = rows[k].unit};
        omp_set_schedule((uint32_t)rows[k].kind, rows[k].chunk);
        GOMP_parallel(simd_loop, &loop, (unsigned)threads, 0);
        CHECK(loop.wrong == 0);
        for (int i = 0; i <= 130; i++)
            CHECK(loop.seen[i] == 1);
    }
    omp_set_schedule(2, 0);
    return 0;
}

#define CASE(name)  \
    {               \
#name, name \
    }
/* ---- the program's combiner of a task reduction -------------------------------------------------------- */

struct taskred_input {
    void *shar, *orig;
    size_t size;
    void (*init)(void *, void *);
    void (*fini)(void *);
    void (*comb)(void *, void *);
    uint32_t flags;
};
void *__kmpc_taskred_init(int gtid, int n, void *data);
void *__kmpc_task_reduction_get_th_data(int gtid, void *group, void *item);

enum { LAZY = 1 };
static struct rt_thread *reducers[2];
static int reduced, begun, combined, waits_for_owner;

/** Two threads end their tasks; the second one is seen to wait for the first one's combiner. */
static void combine_when_waited(void *lhs, void *rhs)
{
    struct rt_thread *me = rt_me();
    struct rt_thread *other = GET(reducers[0]) == me ? GET(reducers[1]) : GET(reducers[0]);
    if (ADD(combined, 1) == 1) {
        UNTIL(rt_acquire(other->state) == (RT_STATE_MUTEX | RT_WAIT_REDUCTION << 16));
        const uint32_t *word = (const uint32_t *)(uintptr_t)rt_load(other->wait_id);
        PUT(waits_for_owner, (GET(*word) & ~1U) == rt_mutex_mine(me));
    }
    *(int *)lhs += *(int *)rhs;
}

static void reducing_task(void *data)
{
    (void)data;
    int mine = ADD(begun, 1) - 1;
    PUT(reducers[mine], rt_me());
    UNTIL(GET(reducers[0]) != NULL && GET(reducers[1]) != NULL);
    *(int *)__kmpc_task_reduction_get_th_data(0, NULL, &reduced) += mine + 1;
}

static void reducing_code(void *data)
{
    struct taskred_input item = {&reduced, NULL, sizeof reduced, NULL, NULL, combine_when_waited, LAZY};
    (void)data;
    if (omp_get_thread_num() != 0)
        return; /* to the barrier, where it runs tasks */
    GOMP_taskgroup_start();
    __kmpc_taskred_init(0, 1, &item);
    for (int i = 0; i < 2; i++)
        GOMP_task(reducing_task, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
    GOMP_taskgroup_end();
}

static int combiner_is_waited_for(int threads)
{
    if (threads == 1)
        return 0;
    PUT(reducers[0], NULL);
    PUT(reducers[1], NULL);
    reduced = begun = combined = waits_for_owner = 0;
    GOMP_parallel(reducing_code, NULL, (unsigned)threads, 0);
    CHECK(combined == 2 && reduced == 3);
    CHECK(waits_for_owner);
    return 0;
}

const struct omp_case edge_cases[] = {
    CASE(late_event),
    CASE(ordered_in_cancelled),
    CASE(doacross_in_cancelled),
    CASE(memory_in_cancelled),
    CASE(thread_limit_nested),
    CASE(chunk_ends_with_loop),
    CASE(allocator_ring),
    CASE(destructors_ask),
    CASE(many_addresses),
    CASE(untied_between_parts),
    CASE(single_waiter),
    CASE(simd_schedules),
    CASE(combiner_is_waited_for),
};
const int edge_case_count = sizeof edge_cases / sizeof *edge_cases;
