/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The collector API, a listener to events: what its files share. include/omp_collector_api.h is the
 * interface, docs/tools.md says what it promises.
 */
#ifndef RT_TOOLS_COLLECTOR_H
#define RT_TOOLS_COLLECTOR_H

#include "../core/base.h"
#include "include/omp_collector_api.h"

/** Number of the session that is open, 0 none; never used again. */
extern _Atomic uint32_t collector_session __attribute__((visibility("hidden")));

/* ---- collector_state.c: read at any instant, from any thread, also in a signal handler ----------------- */
struct collector_where {
    OMP_COLLECTOR_API_THR_STATE state;
    uint64_t wait_id; /**< 0 where nothing is waited for */
    uint64_t region;  /**< id, 0 in none */
};
struct collector_where collector_where(void);
/** The state for one of the runtime's. */
OMP_COLLECTOR_API_THR_STATE collector_state(uint32_t state);
/** The region around the calling thread's; -1: it is not the first thread of one, nor the initial thread. */
RT_WARN_UNUSED int collector_parent(uint64_t *region);

/* ---- collector_events.c: events -------------------- */
/** Whether it is one of the events; all that are can be reported. */
int collector_is_event(int32_t event);
/** NULL: no callback. */
void collector_register(int32_t event, OMP_COLLECTORAPI_CALLBACK callback);
/** 1: no event is reported. */
void collector_pause(int pause);
/** A session begins without any registration, or ends. */
void collector_open(void);
void collector_close(void);

#endif
