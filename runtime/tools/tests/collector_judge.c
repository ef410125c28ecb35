/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A collector that judges (collector_judge.h). With PRELOAD it is a library for LD_PRELOAD: it opens a
 * session when it is loaded, and a violation is the program's status 3.
 */
#define _GNU_SOURCE
#include "collector_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 256 };

_Atomic int judge_violations, judge_on = 1;
_Atomic long judge_counts[JUDGE_EVENTS];
static _Thread_local struct {
    int depth, event[DEEP];
    uint64_t region[DEEP];
} open_now;

void judge_violation(const char *file, int line, int event, const char *what)
{
    if (judge_violations++ < 10)
        fprintf(stderr, "%s:%d: event %d: %s\n", file, line, event, what);
}

int judge_depth(void)
{
    return open_now.depth;
}

int judge_state(void)
{
    struct {
        int sz, r, ec, rsz, state, wait[2], end;
    } list = {28, OMP_REQ_STATE, -7, -7, -7, {0, 0}, 0};
    __omp_collector_api(&list);
    return list.ec == OMP_ERRCODE_OK ? list.state : -1;
}

static uint64_t ask_region(void)
{
    uint64_t region;
    int list[7] = {24, OMP_REQ_CURRENT_PRID};
    __omp_collector_api(list);
    memcpy(&region, list + 4, sizeof region);
    return list[2] == OMP_ERRCODE_OK ? region : ~0ULL;
}

int judge_request(int number)
{
    int list[5] = {16, number};
    __omp_collector_api(list);
    return list[2];
}

int judge_state_at(int event)
{
    static const int states[JUDGE_EVENTS] = {
        [OMP_EVENT_FORK] = THR_OVHD_STATE,
        [OMP_EVENT_THR_BEGIN_IDLE] = THR_IDLE_STATE,
        [OMP_EVENT_THR_BEGIN_IBAR] = THR_IBAR_STATE,
        [OMP_EVENT_THR_BEGIN_EBAR] = THR_EBAR_STATE,
        [OMP_EVENT_THR_BEGIN_LKWT] = THR_LKWT_STATE,
        [OMP_EVENT_THR_BEGIN_CTWT] = THR_CTWT_STATE,
        [OMP_EVENT_THR_BEGIN_ODWT] = THR_ODWT_STATE,
        [OMP_EVENT_THR_BEGIN_MASTER] = THR_WORK_STATE,
        [OMP_EVENT_THR_BEGIN_SINGLE] = THR_WORK_STATE,
        [OMP_EVENT_THR_BEGIN_ORDERED] = THR_WORK_STATE,
        [OMP_EVENT_THR_BEGIN_ATWT] = THR_ATWT_STATE,
    };
    return states[event];
}

static void on_event(OMP_COLLECTORAPI_EVENT event)
{
    int state = judge_state();
    uint64_t region = ask_region();
    judge_counts[event]++;
    if (!judge_on)
        return;
    if (event % 2 == 1) {
        int orphan = region == 0 && judge_state_at(event) == THR_WORK_STATE; /* a single in serial code */
        JUDGE_MUST(state == (orphan ? THR_SERIAL_STATE : judge_state_at(event)), event);
        JUDGE_MUST(region == 0 || event != OMP_EVENT_THR_BEGIN_IDLE, event);
        JUDGE_MUST(region != 0 || event != OMP_EVENT_FORK, event);
        JUDGE_MUST(open_now.depth < DEEP, event);
        open_now.event[open_now.depth] = event;
        open_now.region[open_now.depth++] = region;
        return;
    }
    JUDGE_MUST(open_now.depth > 0 && open_now.event[open_now.depth - 1] == (int)event - 1, event);
    if (open_now.depth > 0)
        open_now.depth--;
    if (event == OMP_EVENT_JOIN)
        JUDGE_MUST(state == THR_OVHD_STATE && region == open_now.region[open_now.depth], event);
    else if (event != OMP_EVENT_THR_END_IDLE && judge_state_at(event - 1) != THR_WORK_STATE)
        JUDGE_MUST(state != judge_state_at(event - 1), event);
}

int judge_register_all(void)
{
    OMP_COLLECTORAPI_CALLBACK callback = on_event;
    struct {
        int sz, r, ec, rsz, event, address[2];
    } list[JUDGE_EVENTS] = {{0}};
    int good = 0;
    for (int i = 0; i < JUDGE_EVENTS - 1; i++) {
        list[i].sz = sizeof list[i];
        list[i].r = OMP_REQ_REGISTER;
        list[i].event = i + 1;
        memcpy(list[i].address, &callback, sizeof callback);
    }
    if (__omp_collector_api(list) != 0)
        return 0;
    for (int i = 0; i < JUDGE_EVENTS - 1; i++)
        good += list[i].ec == OMP_ERRCODE_OK;
    return good == JUDGE_EVENTS - 1;
}

#ifdef PRELOAD
__attribute__((constructor)) static void preloaded(void)
{
    JUDGE_MUST(judge_request(OMP_REQ_START) == OMP_ERRCODE_OK && judge_register_all(), 0);
}

__attribute__((destructor)) static void unloaded(void)
{
    /* The end of gcc's single in serial code comes with the next construct, and there may be none. */
    JUDGE_MUST(
        open_now.depth == 0 || (open_now.depth == 1 && open_now.event[0] == OMP_EVENT_THR_BEGIN_SINGLE), 0);
    JUDGE_MUST(judge_counts[OMP_EVENT_FORK] > 0, OMP_EVENT_FORK);
    if (judge_violations != 0)
        _Exit(3);
}
#endif
