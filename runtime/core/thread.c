/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OpenMP threads: what each file may need of them.
 */

#include "thread.h"

_Thread_local struct rt_thread *rt_self __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** Serials that a thread takes at a time: few at first, so that a small program's are small to read. */
enum { FIRST_SERIALS = 64, MORE_SERIALS = 256 };

uint64_t rt_serial_block(struct rt_serials *serials, _Atomic uint64_t *counter, uint64_t least)
{
    uint64_t count = serials->end == 0 ? FIRST_SERIALS : MORE_SERIALS;
    if (count < least)
        count = least;
    uint64_t first = atomic_fetch_add_explicit(counter, count, memory_order_relaxed);
    serials->next = first + 1;
    serials->end = first + count;
    return first;
}
