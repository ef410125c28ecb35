/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RT_TASK_CHUNK_H
#define RT_TASK_CHUNK_H

#include "event.h"
#include "task.h"

static inline size_t rt_chunk_room(void)
{
    return RT_WANTS(RT_ON_DISPATCH) ? sizeof(struct rt_chunk) : 0;
}
static inline void rt_task_chunk_set(struct rt_task *task, size_t room, uint64_t first, uint64_t iterations)
{
    if (likely(room == 0))
        return;
    task->chunked = 1;
    *rt_task_chunk(task) = (struct rt_chunk){first, iterations};
}

#endif
