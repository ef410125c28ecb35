/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Threadprivate variables without TLS.
 */
#ifndef RT_THREADPRIVATE_H
#define RT_THREADPRIVATE_H

#include "thread.h"

typedef void *(*rt_ctor)(void *);
typedef void *(*rt_cctor)(void *, void *);
typedef void (*rt_dtor)(void *);
/**
 * elements: an array's constructors and destructor take this number as a further argument; 0 for other
 * variables.
 */
void rt_threadprivate_register(void *data, rt_ctor ctor, rt_cctor cctor, rt_dtor dtor, size_t elements);
void *rt_threadprivate_get(struct rt_thread *th, void *data, size_t size);
int rt_threadprivate_has(const struct rt_thread *th);
/** Destroys the thread's copies; it is in a region, since destructors are user code. */
void rt_threadprivate_end(struct rt_thread *th);
/** In the child of fork(): entries of others in the compiler's arrays are gone; `self` may be NULL. */
void rt_threadprivate_after_fork(const struct rt_thread *self);
/** Entries of the compiler's cache array; a thread with a higher gtid takes the slow way each time. */
#define RT_CACHED_GTIDS 4096
/** Makes the compiler's array for a variable, if nobody else has. */
void **rt_threadprivate_cache(void *data, void ***array);

#endif
