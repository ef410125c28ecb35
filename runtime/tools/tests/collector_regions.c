/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Requests of the collector API that concern sorts of threads and their regions: rows 26 and 28 to 34 of the
 * checklist, by number.
 */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "collector_client.h"

static void serial(void)
{
    struct answer answer = ask(OMP_REQ_STATE, "", 0, 12);
    expect(answer, OMP_ERRCODE_OK, 12);
    CHECK_EQUAL(state_of(&answer), THR_SERIAL_STATE);
    CHECK_EQUAL(word_at(&answer, 4), 0);
    CHECK_EQUAL(current_region(), 0);
}

static void *other_thread(void *argument)
{
    serial();
    if (argument != NULL) {
#pragma omp parallel num_threads(2)
        CHECK(current_region() != 0);
        serial();
    }
    return NULL;
}

static void in_other_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, run, argument), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
}

static void row_26(void)
{
    must(OMP_REQ_START);
    serial();
    in_other_thread(other_thread, NULL);
    in_other_thread(other_thread, "parallel");
#pragma omp parallel num_threads(3)
    CHECK(current_region() != 0);
    serial();
#pragma omp task
    serial();
#pragma omp taskwait
    in_other_thread(other_thread, NULL);
}

/* ---- regions -------------------- */

static void row_28(void)
{
    enum { REGIONS = 100 };
    uint64_t seen[REGIONS], ids[3];
    must(OMP_REQ_START);
    for (int k = 0; k < REGIONS; k++) {
#pragma omp parallel num_threads(3)
        {
            ids[omp_get_thread_num()] = current_region();
#pragma omp task
            CHECK(current_region() == ids[omp_get_thread_num()] || ids[omp_get_thread_num()] == 0);
        }
        CHECK(ids[0] != 0 && ids[1] == ids[0] && ids[2] == ids[0]);
        seen[k] = ids[0];
        for (int j = 0; j < k; j++)
            CHECK(seen[j] != seen[k]);
        ids[0] = ids[1] = ids[2] = 0;
    }
    uint64_t alone = 0;
#pragma omp parallel num_threads(1)
    alone = current_region();
    CHECK(alone != 0);
}

static void row_29(void)
{
    static volatile uint64_t worker;
    must(OMP_REQ_START);
    probes_start();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        worker = pthread_self();
    struct probe probe = probe_thread(worker);
    CHECK_EQUAL(state_of(&probe.full), THR_IDLE_STATE);
    CHECK_EQUAL(word_at(&probe.full, 4), 0);
    expect(probe.region, OMP_ERRCODE_OK, 8);
    CHECK_EQUAL(word_at(&probe.region, 0), 0);
    serial();
    in_other_thread(other_thread, NULL);
}

static void row_30(void)
{
    must(OMP_REQ_START);
    for (int room = 0; room < 8; room += 4) {
        struct answer answer = ask(OMP_REQ_CURRENT_PRID, "", 0, room);
        expect(answer, OMP_ERRCODE_MEM_TOO_SMALL, 8);
        expect(ask(OMP_REQ_PARENT_PRID, "", 0, room), OMP_ERRCODE_MEM_TOO_SMALL, 8);
        CHECK_EQUAL(answer.mem[room], 0xab);
    }
}

static void row_31(void)
{
    must(OMP_REQ_START);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        CHECK_EQUAL(parent_region(), 0);
}

static uint64_t fork_current[2], fork_parent[2];
static volatile int forks;

static void on_fork(OMP_COLLECTORAPI_EVENT event)
{
    (void)event;
    fork_current[forks] = current_region();
    fork_parent[forks++] = parent_region();
}

static void row_32(void)
{
    omp_set_max_active_levels(2);
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_fork), OMP_ERRCODE_OK, 0);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        uint64_t outer = current_region(), inner = 0;
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) {
            inner = current_region();
            CHECK_EQUAL(parent_region(), outer);
        }
        CHECK(inner != outer && inner != 0);
        CHECK_EQUAL(forks, 2);
        CHECK(fork_current[0] == outer && fork_parent[0] == 0);
        CHECK(fork_current[1] == inner && fork_parent[1] == outer);
    }
}

static void no_parent(void)
{
    expect(ask(OMP_REQ_PARENT_PRID, "", 0, 8), OMP_ERRCODE_THREAD_ERR, 0);
}

static volatile int idle_asked;

static void on_idle(int number)
{
    (void)number;
    no_parent();
    idle_asked = 1;
}

static void *outside(void *argument)
{
    no_parent();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() != 0)
        no_parent();
    no_parent();
    return argument;
}

static void row_33(void)
{
    static volatile uint64_t worker;
    struct sigaction action = {.sa_handler = on_idle};
    must(OMP_REQ_START);
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() != 0) {
        worker = pthread_self();
        no_parent();
    }
    sigaction(SIGUSR2, &action, NULL);
    pthread_kill((pthread_t)worker, SIGUSR2);
    while (!idle_asked)
        sched_yield();
    in_other_thread(outside, NULL);
}

static void row_34(void)
{
    must(OMP_REQ_START);
    CHECK_EQUAL(parent_region(), 0);
#pragma omp parallel num_threads(2)
    {
    }
    CHECK_EQUAL(parent_region(), 0);
}

const struct one_case region_cases[] = {
    {"row_26", row_26}, {"row_28", row_28}, {"row_29", row_29}, {"row_30", row_30}, {"row_31", row_31},
    {"row_32", row_32}, {"row_33", row_33}, {"row_34", row_34}, {NULL, NULL},
};
