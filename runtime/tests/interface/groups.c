/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The groups of functions that libomp's interface page names, called by hand: one case each. Every case
 * compares with what arithmetic, pthread or the environment says, and prints `ok` or what is wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interface.h"
#include <omp.h>

#define THREADS 4

static ident_t loc = {0, 2, 0, 0, ";groups.c;groups;1;1;;"};
static int failures;

#define CHECK(condition)                                        \
    do {                                                        \
        if (!(condition)) {                                     \
            __atomic_fetch_add(&failures, 1, __ATOMIC_SEQ_CST); \
            printf("line %d: not %s\n", __LINE__, #condition);  \
        }                                                       \
    } while (0)

static void region(void (*code)(int32_t *, int32_t *, void *), void *argument)
{
    __kmpc_push_num_threads(&loc, __kmpc_global_thread_num(&loc), THREADS);
    __kmpc_fork_call(&loc, 1, (kmpc_micro *)(void *)code, argument);
}

/* ---- basic types, deprecated, startup and shutdown -------------------- */

static void startup(void)
{
    CHECK(sizeof(ident_t) == 24 && offsetof(ident_t, psource) == 16);
    CHECK(sizeof(kmp_critical_name) == 32);
    CHECK(sizeof(kmp_task_t) == 40 && offsetof(kmp_task_t, routine) == 8 &&
          offsetof(kmp_task_t, part_id) == 16);
    /* All may be left out, come late and come again. */
    CHECK(__kmpc_ok_to_fork(&loc) == 1);
    __kmpc_begin(&loc, 0);
    __kmpc_begin(&loc, 0);
    __kmpc_end(&loc);
    CHECK(__kmpc_global_thread_num(&loc) == 0);
    __kmpc_end(&loc);
}

/* ---- parallel, thread states -------------------- */

static void in_serialised(int outer)
{
    int32_t gtid = __kmpc_global_thread_num(&loc);
    __kmpc_serialized_parallel(&loc, gtid);
    CHECK(omp_get_thread_num() == 0 && omp_get_num_threads() == 1);
    CHECK(__kmpc_global_thread_num(&loc) == gtid);
    CHECK(__kmpc_bound_thread_num(&loc) == outer);
    CHECK(__kmpc_bound_num_threads(&loc) == (outer < 0 ? 1 : THREADS));
    __kmpc_end_serialized_parallel(&loc, gtid);
}

static void count_each(int32_t *gtid, int32_t *btid, void *argument)
{
    int *seen = argument;
    CHECK(__kmpc_global_thread_num(&loc) == *gtid);
    CHECK(*btid == omp_get_thread_num() && __kmpc_bound_thread_num(&loc) == *btid);
    CHECK(__kmpc_bound_num_threads(&loc) == THREADS && omp_get_num_threads() == THREADS);
    CHECK(__kmpc_in_parallel(&loc) == 1);
    __kmpc_barrier(&loc, *gtid); /* a thread is known when it has come */
    CHECK(__kmpc_global_num_threads(&loc) == THREADS);
    __atomic_fetch_add(&seen[*btid], 1, __ATOMIC_SEQ_CST);
    in_serialised(*btid);
}

static void states(void)
{
    int seen[THREADS] = {0};
    CHECK(__kmpc_global_num_threads(&loc) == 1 && __kmpc_in_parallel(&loc) == 0);
    CHECK(__kmpc_bound_thread_num(&loc) == 0 && __kmpc_bound_num_threads(&loc) == 1);
    region(count_each, seen);
    for (int i = 0; i < THREADS; i++)
        CHECK(seen[i] == 1);
    CHECK(__kmpc_in_parallel(&loc) == 0 && __kmpc_global_num_threads(&loc) == THREADS);
    CHECK(kmp_get_num_known_threads() == THREADS);
}

/* ---- worksharing -------------------- */

struct work {
    int done[100], singles, masters, order, turns[100];
};

static void share(int32_t *gtid, int32_t *btid, void *argument)
{
    struct work *work = argument;
    int32_t last = 0, lower = 0, upper = 99, stride = 1;
    (void)btid;
    __kmpc_for_static_init_4(&loc, *gtid, STATIC, &last, &lower, &upper, &stride, 1, 1);
    CHECK(upper - lower + 1 == 100 / THREADS && last == (upper == 99));
    for (int i = lower; i <= upper; i++)
        work->done[i]++;
    __kmpc_for_static_fini(&loc, *gtid);
    __kmpc_barrier(&loc, *gtid);
    __kmpc_dispatch_init_4(&loc, *gtid, ORDERED_DYNAMIC, 0, 99, 1, 3);
    while (__kmpc_dispatch_next_4(&loc, *gtid, &last, &lower, &upper, &stride))
        for (int i = lower; i <= upper; i++) {
            __kmpc_ordered(&loc, *gtid);
            work->turns[i] = work->order++;
            __kmpc_end_ordered(&loc, *gtid);
            __kmpc_dispatch_fini_4(&loc, *gtid);
        }
    if (__kmpc_single(&loc, *gtid)) {
        work->singles++;
        __kmpc_end_single(&loc, *gtid);
    }
    if (__kmpc_master(&loc, *gtid)) {
        CHECK(*gtid == 0);
        work->masters++;
        __kmpc_end_master(&loc, *gtid);
    }
}

static void worksharing(void)
{
    static struct work work;
    region(share, &work);
    CHECK(work.singles == 1 && work.masters == 1);
    for (int i = 0; i < 100; i++)
        CHECK(work.done[i] == 1 && work.turns[i] == i);
}

/* ---- synchronisation -------------------- */

struct meeting {
    kmp_critical_name name;
    int inside, entered, arrived, masters;
    double sum;
};

static void combine(void *to, void *from)
{
    *(double *)to += *(double *)from;
}

static void meet(int32_t *gtid, int32_t *btid, void *argument)
{
    struct meeting *meeting = argument;
    double mine = *btid + 1;
    for (int i = 0; i < 500; i++) {
        __kmpc_critical(&loc, *gtid, &meeting->name);
        CHECK(++meeting->inside == 1);
        meeting->entered++;
        meeting->inside--;
        __kmpc_end_critical(&loc, *gtid, &meeting->name);
    }
    __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_SEQ_CST);
    if (__kmpc_barrier_master(&loc, *gtid)) { /* all have arrived, and wait for this one */
        CHECK(meeting->arrived == THREADS);
        meeting->masters = 1;
        __kmpc_end_barrier_master(&loc, *gtid);
    }
    CHECK(meeting->masters == 1);
    if (__kmpc_barrier_master_nowait(&loc, *gtid))
        CHECK(*gtid == 0);
    __kmpc_flush(&loc);
    __kmpc_barrier(&loc, *gtid);
    for (int i = 0; i < 2; i++) { /* 1: combine and say so; 2: update atomically; 0: nothing */
        ident_t place = loc;
        place.flags |= i ? KMP_IDENT_ATOMIC_REDUCE : 0;
        int how = __kmpc_reduce(&place, *gtid, 1, sizeof mine, &mine, combine, &meeting->name);
        CHECK(how >= 0 && how <= 2);
        if (how == 2)
            __kmpc_atomic_start();
        if (how != 0)
            meeting->sum += mine;
        if (how == 2)
            __kmpc_atomic_end();
        if (how != 0)
            __kmpc_end_reduce(&place, *gtid, &meeting->name);
        __kmpc_barrier(&loc, *gtid);
        CHECK(meeting->sum == (i + 1) * (THREADS * (THREADS + 1) / 2));
        __kmpc_barrier(&loc, *gtid);
    }
}

static void synchronization(void)
{
    struct meeting meeting = {{0}, 0, 0, 0, 0, 0};
    region(meet, &meeting);
    CHECK(meeting.entered == 500 * THREADS);
}

/* ---- threadprivate, copyprivate -------------------- */

static int original = 7, made, copied;
static void **cache;

static void *make(void *where)
{
    __atomic_fetch_add(&made, 1, __ATOMIC_SEQ_CST);
    *(int *)where = 70;
    return where;
}

static void copy_int(void *to, void *from)
{
    __atomic_fetch_add(&copied, 1, __ATOMIC_SEQ_CST);
    *(int *)to = *(int *)from;
}

static void own_copies(int32_t *gtid, int32_t *btid, void *argument)
{
    int **copies = argument, value = *btid == 2 ? 22 : 0;
    int *mine = __kmpc_threadprivate_cached(&loc, *gtid, &original, sizeof original, &cache);
    CHECK(mine == __kmpc_threadprivate(&loc, *gtid, &original, sizeof original));
    CHECK(cache != NULL && (copies[*btid] == NULL || copies[*btid] == mine));
    if (copies[*btid] == NULL)
        CHECK(*mine == (*btid == 0 ? 7 : 70));
    else
        CHECK(*mine == 100 + *btid);
    copies[*btid] = mine;
    *mine = 100 + *btid;
    __kmpc_copyprivate(&loc, *gtid, sizeof value, &value, copy_int, *btid == 2);
    CHECK(value == 22);
}

static void threadprivate(void)
{
    int *copies[THREADS] = {0};
    __kmpc_threadprivate_register(&loc, &original, make, NULL, NULL);
    for (int round = 0; round < 2; round++) /* the values are kept from region to region */
        region(own_copies, copies);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < i; k++)
            CHECK(copies[i] != copies[k]);
    CHECK(made == THREADS - 1 && copies[0] == &original && copied == 2 * (THREADS - 1));
}

/* ---- atomics -------------------- */

static struct {
    float f4;
    int32_t i4, captured;
    int64_t i8;
    double f8;
    long double f10;
    char i1;
    int16_t i2;
} at = {0, 0, 0, 1, 0, 0, 0, 0};

static void update(int32_t *gtid, int32_t *btid, void *argument)
{
    (void)argument;
    for (int i = 0; i < 1000; i++) {
        __kmpc_atomic_float4_add(&loc, *gtid, &at.f4, 1);
        __kmpc_atomic_fixed4_add(&loc, *gtid, &at.i4, 3);
        __kmpc_atomic_float10_add(&loc, *gtid, &at.f10, 0.5L);
        __kmpc_atomic_fixed1_max(&loc, *gtid, &at.i1, (char)(i % 100 + *btid));
        __kmpc_atomic_float8_sub_rev(&loc, *gtid, &at.f8, 1); /* x = 1 - x */
        int32_t before = __kmpc_atomic_fixed4_add_cpt(&loc, *gtid, &at.captured, 2, 0);
        CHECK(before % 2 == 0 && before >= 0 && before < 2 * 1000 * THREADS);
    }
    for (int i = 0; i < 10; i++)
        __kmpc_atomic_fixed8_mul(&loc, *gtid, &at.i8, 2);
    int16_t old = __kmpc_atomic_fixed2_swp(&loc, *gtid, &at.i2, (int16_t)(*btid + 1));
    CHECK(old >= 0 && old <= THREADS && old != *btid + 1);
}

static void atomics(void)
{
    region(update, NULL);
    CHECK(at.f4 == 1000 * THREADS && at.i4 == 3000 * THREADS && at.f10 == 500 * THREADS);
    CHECK(at.i8 == 1LL << 10 * THREADS && at.i1 == 99 + THREADS - 1 && at.captured == 2000 * THREADS);
    CHECK(at.f8 == 0 && at.i2 >= 1 && at.i2 <= THREADS);
    __kmpc_atomic_fixed8_wr(&loc, 0, &at.i8, -5);
    CHECK(__kmpc_atomic_fixed8_rd(&loc, 0, &at.i8) == -5);
}

/* ---- tasking -------------------- */

static int ran;

static int32_t task_code(int32_t gtid, kmp_task_t *task)
{
    (void)gtid;
    __atomic_fetch_add(&ran, *(int *)(task + 1), __ATOMIC_SEQ_CST);
    return 0;
}

static kmp_task_t *new_task(int32_t gtid, int weight)
{
    kmp_task_t *task = __kmpc_omp_task_alloc(&loc, gtid, TIED, sizeof *task + sizeof(int), 0, task_code);
    *(int *)(task + 1) = weight;
    return task;
}

static void make_tasks(int32_t *gtid, int32_t *btid, void *argument)
{
    (void)argument, (void)btid;
    if (!__kmpc_single(&loc, *gtid))
        return;
    for (int i = 1; i <= 20; i++)
        __kmpc_omp_task(&loc, *gtid, new_task(*gtid, i));
    __kmpc_omp_taskyield(&loc, *gtid, 0);
    __kmpc_omp_taskwait(&loc, *gtid);
    CHECK(ran == 210);
    __kmpc_taskgroup(&loc, *gtid);
    __kmpc_omp_task(&loc, *gtid, new_task(*gtid, 1000));
    __kmpc_end_taskgroup(&loc, *gtid);
    CHECK(ran == 1210);
    kmp_task_t *task = new_task(*gtid, 1);
    __kmpc_omp_task_begin_if0(&loc, *gtid, task);
    task_code(*gtid, task);
    __kmpc_omp_task_complete_if0(&loc, *gtid, task);
    CHECK(ran == 1211);
    __kmpc_end_single(&loc, *gtid);
}

static void tasking(void)
{
    region(make_tasks, NULL);
    CHECK(ran == 1211);
}

/* ---- user-visible routines -------------------- */

static void user(void)
{
    kmp_affinity_mask_t mask;
    kmp_set_warnings_off();
    kmp_set_stacksize(300000);
    CHECK(kmp_get_stacksize() == 300000 && kmp_get_stacksize_s() == 300000);
    kmp_set_stacksize_s(500000);
    CHECK(kmp_get_stacksize() == 500000 && kmp_get_stacksize_s() == 500000);
    kmp_set_warnings_on();
    kmp_set_blocktime(33);
    CHECK(kmp_get_blocktime() == 33);
    kmp_set_library_serial();
    CHECK(kmp_get_library() == 1 && omp_get_max_threads() == 1);
    kmp_set_library_turnaround();
    CHECK(kmp_get_library() == 2);
    kmp_set_library(3);
    CHECK(kmp_get_library() == 3);
    kmp_set_library_throughput();
    CHECK(kmp_get_library() == 3);
    kmp_set_defaults("OMP_NUM_THREADS=6|OMP_SCHEDULE=guided,5");
    omp_sched_t kind;
    int chunk = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK(omp_get_max_threads() == 6 && kind == omp_sched_guided && chunk == 5);
    kmp_set_disp_num_buffers(7);
    CHECK(kmp_get_cancellation_status(1) == 0 && kmp_get_cancellation_status(4) == 0);

    char *memory = kmp_malloc(100);
    memset(memory, 'x', 100);
    memory = kmp_realloc(memory, 10000);
    CHECK(memory[0] == 'x' && memory[99] == 'x');
    kmp_free(memory);
    memory = kmp_calloc(10, 10);
    for (int i = 0; i < 100; i++)
        CHECK(memory[i] == 0);
    kmp_free(memory);
    memory = kmp_aligned_malloc(10, 256);
    CHECK((uintptr_t)memory % 256 == 0);
    kmp_free(memory);

    kmp_create_affinity_mask(&mask);
    CHECK(kmp_get_affinity(&mask) == 0);
    int max = kmp_get_affinity_max_proc(), first = -1;
    for (int proc = 0; proc < max; proc++)
        if (first < 0 && kmp_get_affinity_mask_proc(proc, &mask) == 1)
            first = proc;
    CHECK(first >= 0 && first < max);
    CHECK(kmp_unset_affinity_mask_proc(first, &mask) == 0 && kmp_get_affinity_mask_proc(first, &mask) == 0);
    CHECK(kmp_set_affinity_mask_proc(first, &mask) == 0 && kmp_set_affinity(&mask) == 0);
    CHECK(kmp_set_affinity_mask_proc(-1, &mask) != 0);
    kmp_destroy_affinity_mask(&mask);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"startup", startup},
                 {"states", states},
                 {"worksharing", worksharing},
                 {"synchronization", synchronization},
                 {"threadprivate", threadprivate},
                 {"atomics", atomics},
                 {"tasking", tasking},
                 {"user", user}};
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            puts(failures == 0 ? "ok" : "failed");
            return failures != 0;
        }
    return 2;
}
