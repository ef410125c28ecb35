/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Work-unit events: what the runtime offers to libompcompanion-abttool.so, a library of its own that speaks
 * the Argobots tool interface. The two share nothing else, and find each other by the one exported name.
 *
 * A work unit is a task: an explicit one is unnamed (nobody joins it), an implicit one or a team's initial
 * task is named. An execution stream is an OpenMP thread. Handles are the addresses of the descriptors that
 * a debugger reads. The numbers are those of the Argobots page (include/abt_tool.h).
 */
#ifndef RT_TOOLS_UNITS_H
#define RT_TOOLS_UNITS_H

#include <stdint.h>

#define OMPC_UNITS_VERSION 1

/** What has happened to a unit; valid while the sink runs. */
struct ompc_unit_event {
    uint32_t event; /**< ABT_TOOL_EVENT_THREAD_* */
    void *unit;
    void *thread;     /**< execution stream on which it happened; not always the calling thread */
    void *caller;     /**< unit that has caused it, of a RUN the one before; NULL none */
    const void *pool; /**< of CREATE, YIELD, RESUME: queue of an explicit task, team of an implicit one */
    uint32_t sync_type;
    const void *sync_object; /**< of SUSPEND and YIELD: ABT_SYNC_EVENT_TYPE_*, and what is waited for */
};
typedef void ompc_unit_sink(const struct ompc_unit_event *event);

struct ompc_units {
    uint32_t version;
    void (*listen)(ompc_unit_sink *sink); /**< all events go there from now on; NULL: none */
    void *(*self_unit)(void);   /**< the calling thread's current task; NULL: it is no OpenMP thread */
    void *(*self_thread)(void); /**< the calling thread; likewise */
    int (*rank)(const void *thread);
    int (*unnamed)(const void *unit);
    int (*depth)(const void *unit); /**< of an event in hand: units on its stack, with itself */
};

/** NULL for a version that this runtime does not have. */
const struct ompc_units *ompc_units(uint32_t version);

#endif
