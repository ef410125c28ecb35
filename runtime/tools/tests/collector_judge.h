/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A collector that judges what comes. Each callback asks for state and region, as TAU does: begins and ends
 * nest on each thread; at a begin the thread is in the state that the event names, at an end no more; a
 * region has one id from FORK to JOIN.
 */
#ifndef COLLECTOR_JUDGE_H
#define COLLECTOR_JUDGE_H

#include <stdint.h>

#include "omp_collector_api.h"

enum { JUDGE_EVENTS = OMP_EVENT_THR_END_ATWT + 1 };

/** How often each event has come; what was wrong; 0: events are only counted. */
extern _Atomic long judge_counts[JUDGE_EVENTS];
extern _Atomic int judge_violations, judge_on;

#define JUDGE_MUST(condition, event)                                       \
    do {                                                                   \
        if (!(condition))                                                  \
            judge_violation(__FILE__, __LINE__, (int)(event), #condition); \
    } while (0)
void judge_violation(const char *file, int line, int event, const char *what);

/** A request without arguments: its ec. All events: whether each was accepted. */
int judge_request(int number);
int judge_register_all(void);
/** The calling thread's state; -1 when no session is open. */
int judge_state(void);
/** The state that a begin's callback must find. */
int judge_state_at(int event);
/** Events of the calling thread that have begun and not ended. */
int judge_depth(void);

#endif
