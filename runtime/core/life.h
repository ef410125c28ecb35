/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How OpenMP threads begin and end, and how workers are created.
 */
#ifndef RT_LIFE_H
#define RT_LIFE_H

#include "thread.h"

/** What a worker does from its start to its end: attach.c, once. */
void rt_worker_main_set(void *(*main)(void *));
/**
 * A new worker, which waits to be docked; NULL: the system has none. It begins on another processor than
 * `keep_off`, -1 anywhere.
 */
struct rt_thread *rt_worker_create(int keep_off);
/** The slot of a thread that is about to begin. */
struct rt_thread *rt_thread_slot(void);
/** The calling thread takes a slot as its own; its serial makes it visible. kind: ompt_thread_t. */
void rt_thread_begin(struct rt_thread *th, uint32_t kind);
void rt_thread_end(struct rt_thread *th);

#endif
