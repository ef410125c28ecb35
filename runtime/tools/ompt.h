/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT, the tool interface of OpenMP 5.0 to 6.0, a listener to events: what its files share.
 */
#ifndef RT_TOOLS_OMPT_H
#define RT_TOOLS_OMPT_H

#include "../core/event.h"
#include "../core/thread.h"
#include "include/omp-tools.h"

#define OMPT_CALLBACKS 38 /**< ompt_callbacks_t is 1 .. 37 */

/** Registered callbacks by number; NULL none. Written inside the tool's initializer, as a rule. */
extern _Atomic(ompt_callback_t) ompt_callbacks[OMPT_CALLBACKS] __attribute__((visibility("hidden")));

/** The tool in use is Archer, which needs one argument that the specification does not have. */
extern int ompt_tool_is_archer __attribute__((visibility("hidden")));

/** The two sorts of mutex that the runtime has: a word with a futex, and the turn of an ordered loop. */
enum { OMPT_IMPL_WORD = 1, OMPT_IMPL_TURN = 2 };

/**
 * The listener's function, and which events it wants: those that keep the data words, and what is registered.
 */
void ompt_event(struct rt_thread *th, struct rt_event *event);
/** The same, a function for each kind of event by the number of its bit. */
extern rt_listener_fn *const ompt_by_kind[32] __attribute__((visibility("hidden")));
uint32_t ompt_wants(void);
/** The entry points by name. */
ompt_interface_fn_t ompt_lookup(const char *name);
/** Those of ompt_query.c. */
ompt_interface_fn_t ompt_lookup_query(const char *name);

/** A name and what it leads to; tables of these end with a name of NULL. */
struct ompt_entry {
    const char *name;
    ompt_interface_fn_t function;
};

/* ---- ompt_tool.c --------------------------------------------------------------------------------------- */
/** The tool whose initializer is about to run; start: its ompt_start_tool. */
void ompt_tool_open(ompt_start_tool_result_t *tool, const void *start);
/** libomptarget reports to the tool, too. It is told when that ends, and reports then what is still open. */
void ompt_tool_connect(ompt_start_tool_result_t *libomptarget);
/** Its initializer has declined. */
void ompt_tool_close(void);

#endif
