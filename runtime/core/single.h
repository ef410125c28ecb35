/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * single: which thread runs it.
 */
#ifndef RT_SINGLE_H
#define RT_SINGLE_H

#include "task.h"
#include "team.h"
#include "thread.h"

/**
 * Whether the calling thread is the one that runs the next single region. Behind others it knows of the ones
 * that they have claimed already, and leaves them the line.
 */
static inline int rt_single_claim(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    if (team->nthreads == 1)
        return 1;
    uint32_t number = implicit->single_seq++, claimed = number;
    if ((int32_t)(implicit->single_seen - number) > 0)
        return 0;
    int mine = atomic_compare_exchange_strong_explicit(&team->single_claimed, &claimed, number + 1,
                                                       memory_order_relaxed, memory_order_relaxed);
    implicit->single_seen =
        claimed; /* also of one's own: it may not fall behind by half the numbers there are */
    return mine;
}

#endif
