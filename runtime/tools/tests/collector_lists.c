/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Lists of several requests (rows 38 to 41 of the checklist), and what other implementations of the collector
 * API do wrong, by its place in the list of known defects.
 */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "collector_client.h"

extern int __omp_collector_api(void *list);

static volatile int calls;

static void on_event(OMP_COLLECTORAPI_EVENT event)
{
    (void)event;
    calls++;
}

static void region(void)
{
#pragma omp parallel num_threads(2)
    {
    }
}

static void row_38(void)
{
    int list[2][4] = {{16, OMP_REQ_STOP, -7, -7}, {16, OMP_REQ_START, -7, -7}}, end = 0, bytes[9];
    memcpy(bytes, list, sizeof list);
    bytes[8] = end;
    CHECK_EQUAL(__omp_collector_api(bytes), 0);
    CHECK(bytes[2] == OMP_ERRCODE_SEQUENCE_ERR && bytes[3] == 0);
    CHECK(bytes[6] == OMP_ERRCODE_OK && bytes[7] == 0);
    must(OMP_REQ_STOP);
}

static void row_39(void)
{
    int list[13] = {16, OMP_REQ_START, -7, -7, 18, OMP_REQ_PAUSE, -7, -7, 16, OMP_REQ_STOP, -7, -7, 0};
    CHECK_EQUAL(__omp_collector_api(list), -1);
    CHECK(list[2] == OMP_ERRCODE_OK && list[3] == 0);
    for (int i = 6; i < 8; i++)
        CHECK(list[i] == -7 && list[i + 4] == -7);
    must(OMP_REQ_STOP); /* so the third was not done */
}

enum { TAU_EVENTS = 35, ENTRY = 28 };

/** Entries of 28 bytes: every second one, and every callback, is aligned to 4 bytes only. */
static void row_40(void)
{
    static int list[(TAU_EVENTS * ENTRY + 4) / 4];
    OMP_COLLECTORAPI_CALLBACK callback = on_event;
    must(OMP_REQ_START);
    for (int event = 1; event <= TAU_EVENTS; event++) {
        int head[5] = {ENTRY, OMP_REQ_REGISTER, -7, -7, event};
        char *at = (char *)list + (event - 1) * ENTRY;
        memcpy(at, head, sizeof head);
        memcpy(at + sizeof head, &callback, sizeof callback);
    }
    CHECK_EQUAL(__omp_collector_api(list), 0);
    for (int event = 1; event <= TAU_EVENTS; event++) {
        const int *entry = list + (event - 1) * ENTRY / 4;
        CHECK_EQUAL(entry[2], event <= 22 ? OMP_ERRCODE_OK : OMP_ERRCODE_UNKNOWN);
        CHECK_EQUAL(entry[3], 0);
    }
    region();
    CHECK(calls > 0);
}

static void row_41(void)
{
    char input[12] = {OMP_EVENT_FORK};
    for (int started = 0; started < 2; started++) {
        for (int request = -1; request <= OMP_REQ_LAST; request++)
            for (int room = 0; room <= 12; room += 4) {
                if (request == OMP_REQ_STOP)
                    continue;
                struct answer answer = ask(request, input, room, room);
                CHECK(answer.ec >= OMP_ERRCODE_OK && answer.ec < OMP_ERRCODE_LAST);
                CHECK(answer.rsz >= 0 && answer.rsz <= 12);
                if (!started && answer.ec == OMP_ERRCODE_OK)
                    must(OMP_REQ_STOP); /* that was the start */
            }
        if (!started)
            must(OMP_REQ_START);
    }
}

/* ---- known defects -------------------- */

/* sz and r# read as a byte */
static void defect_01(void)
{
    must(OMP_REQ_START);
    for (int sz = 16; sz <= 2048; sz += 4) {
        struct answer answer = ask_sized(OMP_REQ_PAUSE, "", 0, sz);
        CHECK(answer.ret == 0 && answer.ec == OMP_ERRCODE_OK);
    }
    for (int high = 1; high < 8; high++) {
        struct answer answer = ask(high << 8 | OMP_REQ_PAUSE, "", 0, 0);
        CHECK(answer.ret == 0 && answer.ec == OMP_ERRCODE_UNKNOWN);
    }
}

/* never -1 */
static void defect_02(void)
{
    for (int sz = 1; sz < 40; sz++) {
        int list[12] = {sz, OMP_REQ_START, -7, -7};
        int wrong = sz < 16 || sz % 4 != 0;
        CHECK_EQUAL(__omp_collector_api(list), wrong ? -1 : 0);
        CHECK_EQUAL(list[2], wrong ? -7 : OMP_ERRCODE_OK);
        if (!wrong)
            must(OMP_REQ_STOP);
    }
}

/* MEM_TOO_SMALL without the size that is needed */
static void defect_03(void)
{
    must(OMP_REQ_START);
    CHECK_EQUAL(ask(OMP_REQ_STATE, "", 0, 0).rsz, 12);
    CHECK_EQUAL(ask(OMP_REQ_CURRENT_PRID, "", 0, 4).rsz, 8);
    CHECK_EQUAL(ask(OMP_REQ_PARENT_PRID, "", 0, 4).rsz, 8);
}

/* the state written beyond mem; ask() guards what is behind */
static void defect_04(void)
{
    must(OMP_REQ_START);
    for (int room = 0; room <= 12; room += 4) {
        struct answer answer = ask(OMP_REQ_STATE, "", 0, room);
        CHECK_EQUAL(answer.mem[room == 0 ? 0 : 12], 0xab);
    }
}

/* success without a code */
static void defect_05(void)
{
    must(OMP_REQ_START);
    CHECK_EQUAL(ask(OMP_REQ_CURRENT_PRID, "", 0, 8).ec, OMP_ERRCODE_OK);
#pragma omp parallel num_threads(2)
    CHECK_EQUAL(ask(OMP_REQ_CURRENT_PRID, "", 0, 8).ec, OMP_ERRCODE_OK);
}

static void defect_06(void)
{
    must(OMP_REQ_START);
    CHECK_EQUAL(ask_unregister(OMP_EVENT_FORK).rsz, 0);
    CHECK_EQUAL(ask_register(OMP_EVENT_FORK, on_event).rsz, 0);
    CHECK_EQUAL(ask_unregister(OMP_EVENT_FORK).rsz, 0);
}

/* the current region as its own parent; an answer for any thread */
static void defect_07(void)
{
    must(OMP_REQ_START);
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
    {
        uint64_t outer = current_region();
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0)
            CHECK(parent_region() == outer && current_region() != outer);
        else
            CHECK_EQUAL(ask(OMP_REQ_PARENT_PRID, "", 0, 8).ec, OMP_ERRCODE_THREAD_ERR);
    }
}

/* what is refused is stored all the same; a callback read from behind a short mem */
static void defect_08(void)
{
    int list[8] = {20, OMP_REQ_REGISTER, -7, -7, OMP_EVENT_FORK, 0, 0, 0};
    must(OMP_REQ_START);
    CHECK_EQUAL(__omp_collector_api(list), 0);
    CHECK_EQUAL(list[2], OMP_ERRCODE_ERROR);
    CHECK_EQUAL(ask_register(23, on_event).ec, OMP_ERRCODE_UNKNOWN);
    region();
    CHECK_EQUAL(calls, 0);
}

/* wait ids that count waits: two threads at one lock have the same, at two locks different ones */
static void defect_09(void)
{
    static omp_lock_t locks[2];
    static volatile uint64_t threads[4];
    uint64_t ids[4] = {0};
    for (int i = 0; i < 2; i++)
        omp_init_lock(&locks[i]);
    must(OMP_REQ_START);
    probes_start();
#pragma omp parallel num_threads(4)
    if (omp_get_thread_num() == 0) {
        omp_set_lock(&locks[0]);
        omp_set_lock(&locks[1]);
        threads[0] = 1;
        for (int i = 1; i < 4; i++) {
            while (threads[i] == 0)
                sched_yield();
            struct probe probe = probe_until(threads[i], THR_LKWT_STATE);
            ids[i] = word_at(&probe.full, 4);
        }
        omp_unset_lock(&locks[0]);
        omp_unset_lock(&locks[1]);
    } else {
        omp_lock_t *mine = &locks[omp_get_thread_num() == 3];
        while (threads[0] == 0)
            sched_yield();
        threads[omp_get_thread_num()] = pthread_self();
        omp_set_lock(mine);
        omp_unset_lock(mine);
    }
    CHECK(ids[1] == (uintptr_t)&locks[0] && ids[2] == ids[1] && ids[3] == (uintptr_t)&locks[1]);
}

/* memory from the heap for a request: ask() looks at that in all tests; here in a thread that is new */
static void *ask_at_once(void *argument)
{
    for (int i = 0; i < 100; i++) {
        ask(OMP_REQ_STATE, "", 0, 12);
        current_region();
    }
    return argument;
}

static void defect_10(void)
{
    pthread_t thread;
    must(OMP_REQ_START);
    CHECK_EQUAL(pthread_create(&thread, NULL, ask_at_once, NULL), 0);
    pthread_join(thread, NULL);
#pragma omp parallel num_threads(3)
    ask_at_once(NULL);
}

/* an explicit barrier reported as an implicit one; the begin of an ordered region twice */
static volatile int begins[23];

static void count(OMP_COLLECTORAPI_EVENT event)
{
    __atomic_fetch_add(&begins[event], 1, __ATOMIC_RELAXED);
}

static void defect_11(void)
{
    must(OMP_REQ_START);
    for (int event = 1; event <= 22; event++)
        CHECK_EQUAL(ask_register(event, count).ec, OMP_ERRCODE_OK);
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
#pragma omp for ordered schedule(static, 1) nowait
        for (int i = 0; i < 10; i++)
#pragma omp ordered
            (void)i;
    }
    must(OMP_REQ_STOP);
    CHECK_EQUAL(begins[OMP_EVENT_THR_BEGIN_ORDERED], 10);
    CHECK_EQUAL(begins[OMP_EVENT_THR_END_ORDERED], 10);
#ifdef __clang__
    int explicit_barriers = 2;
#else /* gcc has one call for all barriers, so none is known to be explicit */
    int explicit_barriers = 0;
#endif
    CHECK_EQUAL(begins[OMP_EVENT_THR_BEGIN_EBAR], explicit_barriers);
    CHECK_EQUAL(begins[OMP_EVENT_THR_BEGIN_IBAR], 4 - explicit_barriers);
}

const struct one_case list_cases[] = {
    {"row_38", row_38},       {"row_39", row_39},       {"row_40", row_40},       {"row_41", row_41},
    {"defect_01", defect_01}, {"defect_02", defect_02}, {"defect_03", defect_03}, {"defect_04", defect_04},
    {"defect_05", defect_05}, {"defect_06", defect_06}, {"defect_07", defect_07}, {"defect_08", defect_08},
    {"defect_09", defect_09}, {"defect_10", defect_10}, {"defect_11", defect_11}, {NULL, NULL},
};
