/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program that is its own tool: each case knows what the events of its OpenMP code must be, and says
 * `ok` or what is wrong. libompcompanion-abttool.so is preloaded.
 */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abt_tool.h"

static int failures;

#define CHECK(condition)                                        \
    do {                                                        \
        if (!(condition)) {                                     \
            __atomic_fetch_add(&failures, 1, __ATOMIC_SEQ_CST); \
            printf("line %d: not %s\n", __LINE__, #condition);  \
        }                                                       \
    } while (0)

static int query(ABT_tool_context context, uint64_t event, int kind, void *value)
{
    return ABT_tool_query_thread(context, event, (ABT_tool_query_kind)kind, value);
}

/* ---- codes -------------------- */

static void codes_event(ABT_thread unit, ABT_xstream stream, uint64_t event, ABT_tool_context context,
                        void *none)
{
    void *value = &failures;
    (void)unit, (void)stream, (void)none;
    CHECK(query(NULL, event, ABT_TOOL_QUERY_KIND_CALLER_TYPE, &value) == ABT_ERR_INV_TOOL_CONTEXT);
    CHECK(query(context, event, 6, &value) == ABT_ERR_INV_ARG);
    CHECK(query(context, event, -1, &value) == ABT_ERR_INV_ARG);
    CHECK(value == &failures);
}

static void codes(void)
{
    ABT_bool on = 7;
    int rank = 7;
    ABT_key key = NULL;
    ABT_thread self = NULL;
    ABT_xstream stream = NULL;
    void *value = NULL;
    CHECK(ABT_initialized() == ABT_SUCCESS);
    CHECK(ABT_info_query_config((ABT_info_query_kind)0, &on) == ABT_ERR_INV_QUERY_KIND && on == 7);
    CHECK(ABT_info_query_config(ABT_INFO_QUERY_KIND_ENABLED_TOOL, &on) == ABT_SUCCESS && on == ABT_TRUE);
    CHECK(ABT_thread_self(&self) == ABT_SUCCESS && self != NULL);
    CHECK(ABT_xstream_self(&stream) == ABT_SUCCESS && stream != NULL);
    CHECK(ABT_xstream_get_rank(stream, &rank) == ABT_SUCCESS && rank == 0);
    CHECK(ABT_xstream_get_rank(NULL, &rank) == ABT_ERR_INV_XSTREAM);
    CHECK(ABT_thread_is_unnamed(self, &on) == ABT_SUCCESS && on == ABT_FALSE);
    CHECK(ABT_thread_is_unnamed(NULL, &on) == ABT_ERR_INV_THREAD);
    CHECK(ABT_key_free(NULL) == ABT_ERR_INV_KEY && ABT_key_free(&key) == ABT_ERR_INV_KEY);
    CHECK(ABT_thread_set_specific(self, key, &rank) == ABT_ERR_INV_KEY);
    CHECK(ABT_thread_get_specific(self, key, &value) == ABT_ERR_INV_KEY);
    CHECK(ABT_key_create(NULL, &key) == ABT_SUCCESS && key != NULL);
    CHECK(ABT_thread_set_specific(NULL, key, &rank) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_get_specific(NULL, key, &value) == ABT_ERR_INV_THREAD);
    CHECK(ABT_thread_get_specific(self, key, &value) == ABT_SUCCESS && value == NULL);
    CHECK(ABT_thread_set_specific(self, key, &rank) == ABT_SUCCESS);
    CHECK(ABT_thread_get_specific(self, key, &value) == ABT_SUCCESS && value == &rank);
    CHECK(ABT_key_free(&key) == ABT_SUCCESS && key == NULL);
    double before = ABT_get_wtime();
    usleep(2000);
    CHECK(ABT_get_wtime() - before >= 0.002);
    CHECK(ABT_tool_register_thread_callback(codes_event, ABT_TOOL_EVENT_THREAD_ALL, NULL) == ABT_SUCCESS);
#pragma omp parallel num_threads(3)
    {
#pragma omp task
        __atomic_fetch_add(&rank, 1, __ATOMIC_SEQ_CST);
    }
}

/* ---- masks: each event alone, and what an exact program makes of it -------------------- */

static uint64_t seen[12];

static void masks_event(ABT_thread unit, ABT_xstream stream, uint64_t event, ABT_tool_context context,
                        void *mask)
{
    (void)unit, (void)stream, (void)context;
    CHECK(event & *(uint64_t *)mask);
    __atomic_fetch_add(&seen[__builtin_ctzll(event)], 1, __ATOMIC_SEQ_CST);
}

/** Three implicit tasks, 100 explicit ones, of which one is undeferred; a barrier and a taskwait. */
static void work(void)
{
    int done = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 99; i++) {
#pragma omp task shared(done)
                __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
            }
#pragma omp task if (0) shared(done)
            __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
#pragma omp taskwait
        }
    }
    CHECK(done == 100);
}

static void masks(void)
{
    static const uint64_t counts[12] = {103, 3, 103, 0, 0, 103, 0, 0, 0, 0};
    uint64_t mask;
    for (int bit = 0; bit < 12; bit++) {
        mask = 1ULL << bit;
        memset(seen, 0, sizeof seen);
        CHECK(ABT_tool_register_thread_callback(masks_event, mask, &mask) == ABT_SUCCESS);
        work();
        if (counts[bit] != 0 || bit == 3 || bit == 6 || bit == 7 || bit > 9)
            CHECK(seen[bit] == counts[bit]);
        else
            CHECK(seen[bit] > 0);
    }
    mask = ABT_TOOL_EVENT_THREAD_ALL;
    memset(seen, 0, sizeof seen);
    ABT_tool_register_thread_callback(masks_event, mask, &mask);
    work();
    CHECK(seen[0] == 103 && seen[4] == seen[0] + seen[7] + seen[9] && seen[8] == seen[9]);
    memset(seen, 0, sizeof seen);
    ABT_tool_register_thread_callback(masks_event, ABT_TOOL_EVENT_THREAD_NONE, &mask);
    work();
    ABT_tool_register_thread_callback(NULL, ABT_TOOL_EVENT_THREAD_ALL, &mask);
    work();
    for (int bit = 0; bit < 12; bit++)
        CHECK(seen[bit] == 0);
}

/* ---- keys -------------------- */

static ABT_key key;
static int destroyed, set;

static void destroy(void *value)
{
    __atomic_fetch_add(&destroyed, (int)(intptr_t)value, __ATOMIC_SEQ_CST);
}

static void keys_event(ABT_thread unit, ABT_xstream stream, uint64_t event, ABT_tool_context context,
                       void *none)
{
    void *value = NULL;
    ABT_bool unnamed = 0;
    (void)stream, (void)none, (void)context;
    ABT_thread_is_unnamed(unit, &unnamed);
    if (!unnamed)
        return;
    if (event == ABT_TOOL_EVENT_THREAD_CREATE) {
        CHECK(ABT_thread_get_specific(unit, key, &value) == ABT_SUCCESS && value == NULL);
        int number = __atomic_add_fetch(&set, 1, __ATOMIC_SEQ_CST);
        CHECK(ABT_thread_set_specific(unit, key, (void *)(intptr_t)number) == ABT_SUCCESS);
        return;
    }
    CHECK(ABT_thread_get_specific(unit, key, &value) == ABT_SUCCESS);
    CHECK((int)(intptr_t)value > 0 && (int)(intptr_t)value <= 100);
}

static void keys(void)
{
    CHECK(ABT_key_create(destroy, &key) == ABT_SUCCESS);
    ABT_tool_register_thread_callback(keys_event, ABT_TOOL_EVENT_THREAD_ALL, NULL);
    work();
    CHECK(destroyed == 100 * 101 / 2);
    CHECK(ABT_key_free(&key) == ABT_SUCCESS);
}

/* ---- atomic: function, mask and argument never mix -------------------- */

enum { PAIRS = 3 };
struct trio {
    ABT_tool_thread_callback_fn function;
    uint64_t mask;
    int calls;
};
static struct trio trios[PAIRS];

static void is_trio(int number, uint64_t event, void *argument)
{
    CHECK(argument == &trios[number] && (event & trios[number].mask));
    __atomic_fetch_add(&trios[number].calls, 1, __ATOMIC_RELAXED);
}
#define TRIO(number)                                                                                         \
    static void trio_##number(ABT_thread unit, ABT_xstream stream, uint64_t event, ABT_tool_context context, \
                              void *argument)                                                                \
    {                                                                                                        \
        (void)unit, (void)stream, (void)context;                                                             \
        is_trio(number, event, argument);                                                                    \
    }
TRIO(0)
TRIO(1)
TRIO(2)
static struct trio trios[PAIRS] = {
    {trio_0, ABT_TOOL_EVENT_THREAD_RUN | ABT_TOOL_EVENT_THREAD_CREATE, 0},
    {trio_1, ABT_TOOL_EVENT_THREAD_FINISH | ABT_TOOL_EVENT_THREAD_SUSPEND, 0},
    {trio_2, ABT_TOOL_EVENT_THREAD_FREE | ABT_TOOL_EVENT_THREAD_RESUME, 0},
};
static int stop;

static void *registrar(void *which)
{
    for (unsigned i = 0; !__atomic_load_n(&stop, __ATOMIC_SEQ_CST); i++) {
        struct trio *trio = &trios[(i + (unsigned)(intptr_t)which) % PAIRS];
        CHECK(ABT_tool_register_thread_callback(trio->function, trio->mask, trio) == ABT_SUCCESS);
    }
    return NULL;
}

static void atomics(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, registrar, (void *)(intptr_t)i);
    for (int round = 0;
         round < 100000 && !(trios[0].calls > 1000 && trios[1].calls > 1000 && trios[2].calls > 1000);
         round++)
        work();
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PAIRS; i++)
        CHECK(trios[i].calls > 1000);
}

/* ---- truth: what the program knows of its units, threads and objects -------------------- */

static omp_lock_t ledger;
static ABT_thread units[2], in_task;
static ABT_xstream streams[2];
static const void *lock_object;
static int lock_waits, depth_in_task, outer_calls;
static ABT_thread task_creator;

static void truth_event(ABT_thread unit, ABT_xstream stream, uint64_t event, ABT_tool_context context,
                        void *none)
{
    ABT_sync_event_type type;
    ABT_bool unnamed = 0;
    (void)none;
    ABT_thread_is_unnamed(unit, &unnamed);
    if (event == ABT_TOOL_EVENT_THREAD_CREATE && unnamed)
        query(context, event, ABT_TOOL_QUERY_KIND_CALLER_HANDLE, &task_creator);
    if (event == ABT_TOOL_EVENT_THREAD_RUN && unnamed) {
        query(context, event, ABT_TOOL_QUERY_KIND_STACK_DEPTH, &depth_in_task);
        in_task = unit;
        CHECK(stream == streams[0]);
    }
    if (event == ABT_TOOL_EVENT_THREAD_JOIN)
        outer_calls += unit == units[0] || unit == units[1];
    if (event != ABT_TOOL_EVENT_THREAD_SUSPEND)
        return;
    query(context, event, ABT_TOOL_QUERY_KIND_SYNC_OBJECT_TYPE, &type);
    if (type != ABT_SYNC_EVENT_TYPE_MUTEX)
        return;
    query(context, event, ABT_TOOL_QUERY_KIND_SYNC_OBJECT_HANDLE, &lock_object);
    CHECK(unit == units[1] && stream == streams[1]);
    __atomic_fetch_add(&lock_waits, 1, __ATOMIC_SEQ_CST);
}

static void truth(void)
{
    ABT_thread main_unit = NULL;
    omp_init_lock(&ledger);
    ABT_thread_self(&main_unit);
    ABT_tool_register_thread_callback(truth_event, ABT_TOOL_EVENT_THREAD_ALL, NULL);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num(), rank = -1;
        ABT_thread_self(&units[me]);
        ABT_xstream_self(&streams[me]);
        ABT_xstream_get_rank(streams[me], &rank);
        CHECK(rank == me && units[me] != main_unit);
        if (me == 0)
            omp_set_lock(&ledger);
#pragma omp barrier
        if (me == 0) {
            while (__atomic_load_n(&lock_waits, __ATOMIC_SEQ_CST) == 0)
                usleep(100);
            omp_unset_lock(&ledger);
#pragma omp task if (0)
            {
                ABT_thread self = NULL;
                ABT_thread_self(&self);
                CHECK(self == in_task && self != units[0]);
            }
            CHECK(depth_in_task == 3); /* the initial task, the region's, this one */
            CHECK(task_creator == units[0]);
        } else {
            omp_set_lock(&ledger);
            omp_unset_lock(&ledger);
        }
    }
    CHECK(lock_waits == 1 && lock_object == &ledger);
    CHECK(units[0] != units[1] && streams[0] != streams[1] && outer_calls == 2);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"codes", codes}, {"masks", masks}, {"keys", keys}, {"atomic", atomics}, {"truth", truth}};
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            ABT_tool_register_thread_callback(NULL, 0, NULL);
            puts(failures == 0 ? "ok" : "failed");
            return failures != 0;
        }
    return 2;
}
