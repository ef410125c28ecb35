/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the core calls of ../tools/.
 */
#ifndef RT_TOOLS_H
#define RT_TOOLS_H

#include "base.h"

/* ---- ompt_start.c -------------------------------------------------------------------------------------- */
/** Looks for an OMPT tool, once; before the calling thread becomes an OpenMP thread. */
void rt_tools_start(void);

/* ---- draft_start.c: OMPT of 2016 ----------------------------------------------------------------------- */
/**
 * Looks for a tool, once in a process, after rt_tools_start. In the child of fork() it may make the calling
 * thread an OpenMP thread again.
 */
void rt_draft_start(void);
/** In the child of fork(): the tool will be asked again when the runtime is used again. */
void rt_draft_after_fork(struct rt_thread *self);
/** rt_self, or what it was before the last fork(). */
struct rt_thread *rt_draft_self(void);

/* ---- stats_gather.c ------------------------------------------------------------------------------------ */
/** Once, when the variables are read: gathers statistics from here on if they say so. */
void rt_stats_start(void);
void rt_stats_after_fork(void);

#endif
