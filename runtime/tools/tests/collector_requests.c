/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Requests of the collector API that concern lists, sessions and registrations: rows 1 to 20 and 35 to 37 of
 * the checklist, by number.
 */
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector_client.h"

extern int __omp_collector_api(void *list);

static volatile int calls_a, calls_b;

static void on_a(OMP_COLLECTORAPI_EVENT event)
{
    (void)event;
    calls_a++;
}

static void on_b(OMP_COLLECTORAPI_EVENT event)
{
    (void)event;
    calls_b++;
}

static void region(void)
{
#pragma omp parallel num_threads(3)
    {
    }
}

/** How often a callback was called in one region: a for FORK as long as nothing else is registered. */
static int calls_in_region(void)
{
    calls_a = calls_b = 0;
    region();
    return calls_a;
}

static void untouched(const struct answer *answer, int from)
{
    for (int i = from; i < 64; i++)
        CHECK_EQUAL(answer->mem[i], 0xab);
}

static void row_01(void)
{
    CHECK_EQUAL(__omp_collector_api(NULL), -1);
}

static void row_02(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    /* The end of a list is 4 bytes: behind it there may be no memory. */
    CHECK_EQUAL(__omp_collector_api(pages + page - 4), 0);
    must(OMP_REQ_START);
    CHECK_EQUAL(__omp_collector_api(pages + page - 4), 0);
}

static void row_03(void)
{
    static const int wrong[] = {-4, -16, INT_MIN, 1, 4, 8, 12, 15, 17, 18, 19, 30, 129, 257, INT_MAX};
    must(OMP_REQ_START);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int list[3][8] = {
            {32, OMP_REQ_STATE, -7, -7}, {wrong[i], OMP_REQ_STATE, -7, -7}, {32, OMP_REQ_STATE, -7, -7}};
        CHECK_EQUAL(__omp_collector_api(list), -1);
        CHECK(list[0][2] == OMP_ERRCODE_OK && list[0][3] == 12);
        CHECK(list[1][2] == -7 && list[1][3] == -7);
        CHECK(list[2][2] == -7 && list[2][3] == -7);
    }
}

static void row_04(void)
{
    must(OMP_REQ_START);
    for (int off = 1; off < 4; off++) {
        int space[16], entry[5] = {16, OMP_REQ_PAUSE, -7, -7, 0}, after[5];
        memcpy((char *)space + off, entry, sizeof entry);
        CHECK_EQUAL(__omp_collector_api((char *)space + off), -1);
        memcpy(after, (char *)space + off, sizeof after);
        CHECK(memcmp(entry, after, sizeof entry) == 0);
    }
}

static void row_05(void)
{
    static const int rooms[] = {16, 64, 112, 128, 240, 256, 512, 4096};
    must(OMP_REQ_START);
    for (int i = 0; i < 8; i++) {
        expect(ask(OMP_REQ_STATE, "", 0, rooms[i]), OMP_ERRCODE_OK, 12);
        expect(ask(OMP_REQ_CURRENT_PRID, "", 0, rooms[i]), OMP_ERRCODE_OK, 8);
        expect(ask(OMP_REQ_PAUSE, "", 0, rooms[i]), OMP_ERRCODE_OK, 0);
    }
}

static void closed(void)
{
    char input[12] = {OMP_EVENT_FORK};
    for (int request = OMP_REQ_REGISTER; request <= OMP_REQ_RESUME; request++) {
        struct answer answer = ask(request, input, 12, 12);
        expect(answer, OMP_ERRCODE_SEQUENCE_ERR, 0);
        CHECK(memcmp(answer.mem, input, 12) == 0);
        expect(ask(request, "", 0, 0), OMP_ERRCODE_SEQUENCE_ERR, 0);
    }
}

static void row_06(void)
{
    closed();
    region();
    closed();
}

static void row_07(void)
{
    must(OMP_REQ_START);
    must(OMP_REQ_STOP);
    closed();
}

static void unknown(void)
{
    static const int requests[] = {-1, OMP_REQ_LAST, OMP_REQ_LAST + 1, 0x100, 0x103, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++) {
        struct answer answer = ask(requests[i], "", 0, 16);
        expect(answer, OMP_ERRCODE_UNKNOWN, 0);
        untouched(&answer, 0);
    }
}

static void row_08(void)
{
    unknown();
    must(OMP_REQ_START);
    unknown();
    must(OMP_REQ_STOP);
    unknown();
}

static void row_10(void)
{
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    expect(ask(OMP_REQ_START, "", 0, 0), OMP_ERRCODE_SEQUENCE_ERR, 0);
    CHECK_EQUAL(calls_in_region(), 1);
}

static void row_11(void)
{
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    must(OMP_REQ_PAUSE);
    for (int again = 0; again < 3; again++) {
        must(OMP_REQ_STOP);
        must(OMP_REQ_START);
        CHECK_EQUAL(calls_in_region(), 0);
        expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
        CHECK_EQUAL(calls_in_region(), 1);
    }
}

static void row_12(void)
{
    int ec = -1, state = -1;
    region();
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        ec = ask(OMP_REQ_START, "", 0, 0).ec;
        struct answer answer = ask(OMP_REQ_STATE, "", 0, 12);
        state = state_of(&answer);
        expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
        expect(ask_register(OMP_EVENT_JOIN, on_b), OMP_ERRCODE_OK, 0);
    }
    CHECK_EQUAL(ec, OMP_ERRCODE_OK);
    CHECK_EQUAL(state, THR_WORK_STATE);
    CHECK_EQUAL(calls_b, 0); /* the region's begin was not reported, so its end is not */
    CHECK_EQUAL(calls_in_region(), 1);
    CHECK_EQUAL(calls_b, 1);
}

static void row_13(void)
{
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    expect(ask_register(OMP_EVENT_FORK, on_b), OMP_ERRCODE_OK, 0);
    CHECK_EQUAL(calls_in_region(), 0);
    CHECK_EQUAL(calls_b, 1);
}

static void row_14(void)
{
    static const int events[] = {0, -1, INT_MIN, 4094, 4095, 4096, 4097, 4098, 257, INT_MAX};
    must(OMP_REQ_START);
    for (int i = 0; i < 10; i++)
        expect(ask_register(events[i], on_a), OMP_ERRCODE_UNKNOWN, 0);
    for (int event = 23; event < 64; event++)
        expect(ask_register(event, on_a), OMP_ERRCODE_UNKNOWN, 0);
    CHECK_EQUAL(calls_in_region(), 0);
}

/* All events that there are can be reported: atomic updates of wide types take a lock. */
static void row_15(void)
{
    must(OMP_REQ_START);
    for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++)
        expect(ask_register(event, on_a), OMP_ERRCODE_OK, 0);
}

static void row_16(void)
{
    int fork_event = OMP_EVENT_FORK;
    must(OMP_REQ_START);
    for (int room = 0; room < 12; room += 4)
        expect(ask(OMP_REQ_REGISTER, &fork_event, room == 0 ? 0 : 4, room), OMP_ERRCODE_ERROR, 0);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    expect(ask(OMP_REQ_REGISTER, &fork_event, 4, 4), OMP_ERRCODE_ERROR, 0);
    CHECK_EQUAL(calls_in_region(), 1);
}

static void row_17(void)
{
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    expect(ask_register(OMP_EVENT_FORK, NULL), OMP_ERRCODE_OK, 0);
    CHECK_EQUAL(calls_in_region(), 0);
}

static void row_18(void)
{
    must(OMP_REQ_START);
    must(OMP_REQ_PAUSE);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    CHECK_EQUAL(calls_in_region(), 0);
    must(OMP_REQ_RESUME);
    CHECK_EQUAL(calls_a, 0);
    CHECK_EQUAL(calls_in_region(), 1);
}

static void row_19(void)
{
    must(OMP_REQ_START);
    expect(ask_unregister(OMP_EVENT_FORK), OMP_ERRCODE_OK, 0);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    expect(ask_unregister(OMP_EVENT_FORK), OMP_ERRCODE_OK, 0);
    expect(ask_unregister(OMP_EVENT_FORK), OMP_ERRCODE_OK, 0);
    CHECK_EQUAL(calls_in_region(), 0);
}

static void row_20(void)
{
    static const int events[] = {0, -1, 23, 35, 4096, INT_MAX};
    must(OMP_REQ_START);
    for (int i = 0; i < 6; i++)
        expect(ask_unregister(events[i]), OMP_ERRCODE_UNKNOWN, 0);
    expect(ask(OMP_REQ_UNREGISTER, "", 0, 0), OMP_ERRCODE_ERROR, 0);
}

static void row_35(void)
{
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_a), OMP_ERRCODE_OK, 0);
    must(OMP_REQ_PAUSE);
    must(OMP_REQ_PAUSE);
    CHECK_EQUAL(calls_in_region(), 0);
#pragma omp parallel num_threads(3)
    {
        struct answer answer = ask(OMP_REQ_STATE, "", 0, 12);
        CHECK_EQUAL(state_of(&answer), THR_WORK_STATE);
        CHECK(current_region() != 0);
    }
    must(OMP_REQ_RESUME);
    must(OMP_REQ_RESUME);
    CHECK_EQUAL(calls_a, 0);
    CHECK_EQUAL(calls_in_region(), 1);
}

static void on_fork_pause(OMP_COLLECTORAPI_EVENT event)
{
    CHECK_EQUAL(event, OMP_EVENT_FORK);
    calls_a++;
    must(OMP_REQ_PAUSE);
}

static void row_36(void)
{
    must(OMP_REQ_START);
    expect(ask_register(OMP_EVENT_FORK, on_fork_pause), OMP_ERRCODE_OK, 0);
    expect(ask_register(OMP_EVENT_JOIN, on_b), OMP_ERRCODE_OK, 0);
    CHECK_EQUAL(calls_in_region(), 1);
    CHECK_EQUAL(calls_b, 0);
    must(OMP_REQ_RESUME);
    CHECK_EQUAL(calls_in_region(), 1);
}

static void row_37(void)
{
    must(OMP_REQ_START);
    for (int event = OMP_EVENT_FORK; event <= OMP_EVENT_THR_END_ATWT; event++)
        expect(ask_register(event, on_a), OMP_ERRCODE_OK, 0);
    must(OMP_REQ_STOP);
    CHECK_EQUAL(calls_in_region(), 0);
    must(OMP_REQ_START);
    CHECK_EQUAL(calls_in_region(), 0);
    expect(ask_register(OMP_EVENT_JOIN, on_b), OMP_ERRCODE_OK, 0);
    CHECK_EQUAL(calls_in_region(), 0); /* the old session's callback for FORK is gone */
    CHECK_EQUAL(calls_b, 1);
}

const struct one_case request_cases[] = {
    {"row_01", row_01}, {"row_02", row_02}, {"row_03", row_03}, {"row_04", row_04}, {"row_05", row_05},
    {"row_06", row_06}, {"row_07", row_07}, {"row_08", row_08}, {"row_10", row_10}, {"row_11", row_11},
    {"row_12", row_12}, {"row_13", row_13}, {"row_14", row_14}, {"row_15", row_15}, {"row_16", row_16},
    {"row_17", row_17}, {"row_18", row_18}, {"row_19", row_19}, {"row_20", row_20}, {"row_35", row_35},
    {"row_36", row_36}, {"row_37", row_37}, {NULL, NULL},
};
