/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What people call things: the phrases that sentences, tables and pictures have in common.
 */
#ifndef INSPECT_PHRASES_H
#define INSPECT_PHRASES_H

#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What to call a thread in a sentence: "thread 3 (LWP 4243)", or "LWP 4243" without a debugger's number. */
/** "SIGSEGV", "signal 40". */
const char *mdl_signal_name(struct arena *a, int signal);
const char *mdl_thread_name(struct arena *a, const struct insp_snapshot *s, int64_t lwp);
/** What a thread waits for, without its owner: "lock grid_lock", "critical 'update'", "explicit barrier of
 *  region 3". */
const char *mdl_wait_name(struct arena *a, const struct mdl_wait *wait, bool address);

/** Of a wait in a wrapper ", called from phase at x.c:40", to follow where the wrapper waits; "" it is in
 *  none. */
const char *mdl_called_from(struct arena *a, const struct mdl_place *caller);

/*
 * What a thread does outside of OpenMP. The kind of an activity that is known is said of every thread; a
 * snapshot of an earlier day has none.
 */
/** Does the snapshot say what the thread does, be it only why that cannot be known? */
bool mdl_activity_known(const struct mdl_activity *activity);
/** Objects of which several threads may each wait for one, and that nobody holds: "condition variables".
 *  NULL: it is another kind. */
const char *mdl_activity_names(enum mdl_activity_kind kind);
/** Waits for an object or for another thread: a mutex, a join, a futex. Not: a call that sleeps, reads or
 *  waits for a child. */
bool mdl_activity_waits(const struct mdl_activity *activity);
/** One or two words: "computes", "waiting", "sleeps", "in read", "in MPI_Allreduce", "traced", "unknown";
 *  never "computes" of a thread that is in a system call. NULL: OpenMP's state has to say it. */
const char *mdl_activity_state(struct arena *a, const struct mdl_activity *activity);
/** What it waits for, without owner and time: "mutex pool.queue_mutex", "the end of thread 3 (LWP 4243)",
 *  "descriptor 0 (pipe:[4711])", "child 4711"; "" nothing that has a name. */
const char *mdl_activity_name(struct arena *a, const struct insp_snapshot *s,
                              const struct mdl_activity *activity, bool address);
/** Who holds it, for behind the name: "held by thread 3 (LWP 4243)", "held by a thread that has ended"; ""
 *  nobody is known to, or it is not held by anybody. */
const char *mdl_activity_holder(struct arena *a, const struct insp_snapshot *s, int64_t lwp,
                                const struct mdl_activity *activity);
/** "for at most 5 s", "for a limited time"; "" without a timeout. */
const char *mdl_timeout(struct arena *a, int64_t ns);

#ifdef __cplusplus
}
#endif
#endif
