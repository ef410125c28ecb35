/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Pages from the system.
 */
#ifndef RT_MEMORY_H
#define RT_MEMORY_H

#include "base.h"

/** Zeroed pages and their return; ends the program when there are none. */
void *rt_memory_take(size_t bytes);
void rt_memory_give(void *memory, size_t bytes);

#endif
