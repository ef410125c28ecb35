/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT's entry points against what the program knows otherwise: OpenMP's own routines, the system, its own
 * threads. Prints what is wrong; ends with 0 when nothing is. Run with places and without.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omp-tools.h"

static ompt_function_lookup_t lookup;
static int wrong;

#define ENTRY(name) ompt_##name##_t name = (ompt_##name##_t)lookup("ompt_" #name)
#define CHECK(condition)                                                   \
    do {                                                                   \
        if (!(condition)) {                                                \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            wrong = 1;                                                     \
        }                                                                  \
    } while (0)

static int initialize(ompt_function_lookup_t function, int device, ompt_data_t *data)
{
    (void)data;
    lookup = function;
    CHECK(device == omp_get_initial_device());
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)runtime;
#ifdef _OPENMP
    CHECK(version >= _OPENMP); /* the compiler's version may be older than the runtime's */
#endif
    return &result;
}

/* ---- places -------------------- */

static void places(void)
{
    ENTRY(get_num_procs);
    ENTRY(get_num_places);
    ENTRY(get_place_proc_ids);
    ENTRY(get_place_num);
    ENTRY(get_partition_place_nums);
    ENTRY(get_proc_id);
    int ids[1024], same[1024], n = omp_get_num_places();
    CHECK(get_num_procs() == omp_get_num_procs());
    CHECK(get_num_places() == n);
    for (int i = 0; i < n; i++) {
        int count = omp_get_place_num_procs(i);
        omp_get_place_proc_ids(i, same);
        memset(ids, -1, sizeof ids);
        CHECK(get_place_proc_ids(i, count, ids) == count);
        CHECK(memcmp(ids, same, (size_t)count * sizeof *ids) == 0 && ids[count] == -1);
        ids[0] = -2;
        CHECK(get_place_proc_ids(i, 0, ids) == count && ids[0] == -2);
    }
    CHECK(get_place_proc_ids(n, 8, ids) == 0);
    CHECK(get_place_proc_ids(-1, 8, ids) == 0);
#pragma omp parallel num_threads(2) private(ids, same)
    {
        int count = omp_get_partition_num_places();
        CHECK(get_place_num() == omp_get_place_num());
        omp_get_partition_place_nums(same);
        CHECK(get_partition_place_nums(1024, ids) == count);
        CHECK(memcmp(ids, same, (size_t)count * sizeof *ids) == 0);
        CHECK(get_partition_place_nums(0, NULL) == count);
        int before = sched_getcpu(), now = get_proc_id();
        CHECK(now >= 0 && (now == before || now == sched_getcpu() || n == 0));
    }
}

/* ---- the rest -------------------- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void numbers(void)
{
    enum { EACH = 1000, THREADS = 4 };
    static uint64_t unique[THREADS * EACH];
    ENTRY(get_unique_id);
    ENTRY(get_num_devices);
    ENTRY(get_target_info);
#pragma omp parallel num_threads(THREADS)
    for (int i = 0; i < EACH; i++)
        unique[omp_get_thread_num() * EACH + i] = get_unique_id();
    qsort(unique, THREADS * EACH, sizeof *unique, by_value);
    for (int i = 1; i < THREADS * EACH; i++)
        CHECK(unique[i] != unique[i - 1]);
    CHECK(get_num_devices() == omp_get_num_devices());
    uint64_t device = 77;
    ompt_id_t target = 78, operation = 79;
    CHECK(get_target_info(&device, &target, &operation) == 0);
}

/** A thread that has nothing to do with OpenMP. */
static void *stranger(void *argument)
{
    ENTRY(get_thread_data);
    ENTRY(get_state);
    ENTRY(get_parallel_info);
    ENTRY(get_task_info);
    ENTRY(get_task_memory);
    ENTRY(get_place_num);
    ENTRY(get_partition_place_nums);
    ompt_wait_id_t id;
    ompt_data_t *data;
    void *block = &block;
    size_t bytes = 1;
    int size;
    CHECK(get_thread_data() == NULL);
    CHECK(get_state(&id) == ompt_state_undefined && get_state(NULL) == ompt_state_undefined);
    CHECK(get_parallel_info(0, &data, &size) == 0);
    CHECK(get_task_info(0, NULL, &data, NULL, NULL, NULL) == 0);
    CHECK(get_task_memory(&block, &bytes, 0) == 0 && block == NULL && bytes == 0);
    CHECK(get_place_num() == -1 && get_partition_place_nums(0, NULL) == 0);
    return argument;
}

static void ancestors(void)
{
    ENTRY(get_parallel_info);
    ENTRY(get_task_info);
    int size, num;
    ompt_data_t *data;
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2) private(size, num, data)
    {
        for (int level = 0; level <= 2; level++) {
            CHECK(get_parallel_info(2 - level, &data, &size) == 2 && size == omp_get_team_size(level));
            CHECK(get_task_info(2 - level, NULL, &data, NULL, NULL, &num) == 2 &&
                  num == omp_get_ancestor_thread_num(level));
        }
        CHECK(get_parallel_info(3, NULL, NULL) == 0 && get_task_info(3, NULL, NULL, NULL, NULL, NULL) == 0);
        CHECK(get_parallel_info(-1, NULL, NULL) == 0 && get_task_info(-1, NULL, NULL, NULL, NULL, NULL) == 0);
        CHECK(get_parallel_info(0, NULL, NULL) == 2 && get_task_info(0, NULL, NULL, NULL, NULL, NULL) == 2);
    }
}

/*
 * A task's private variable lies in the memory that the tool is told, one of the encountering task does not.
 */
static void memory(void)
{
    ENTRY(get_task_memory);
    int outside = 5;
    char *where = (char *)&outside;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task firstprivate(outside)
    {
        void *block;
        size_t bytes;
        CHECK(get_task_memory(&block, &bytes, 0) == 0 && bytes >= sizeof outside);
        CHECK(where < (char *)block || where >= (char *)block + bytes);
        int found = 0;
        for (size_t i = 0; i + sizeof outside <= bytes; i += sizeof outside)
            found |= memcmp((char *)block + i, &outside, sizeof outside) == 0;
        CHECK(found);
    }
}

int main(void)
{
    pthread_t thread;
    omp_get_num_procs();
    omp_get_thread_num(); /* the runtime starts */
    CHECK(lookup != NULL);
    if (wrong)
        return 1;
    places();
    numbers();
    ancestors();
    memory();
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    puts(wrong ? "wrong" : "all is so");
    return wrong;
}
