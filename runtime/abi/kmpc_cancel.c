/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for cancellation (docs/abi/kmpc.md section 8).
 */

#include "../core/attach.h"
#include "../core/barrier.h"
#include "../core/cancel.h"
#include "kmpc.h"

/** kmpc's number of a construct; 0 for none that can be cancelled. */
static enum rt_cancel construct(int32_t kind)
{
    static const enum rt_cancel constructs[] = {0, RT_CANCEL_PARALLEL, RT_CANCEL_LOOP, RT_CANCEL_SECTIONS,
                                                RT_CANCEL_TASKGROUP};
    return kind > 0 && kind <= 4 ? constructs[kind] : (enum rt_cancel)0;
}

RT_EXPORT int32_t __kmpc_cancel(struct rt_loc *loc, int32_t gtid, int32_t kind)
{
    (void)loc, (void)gtid;
    enum rt_cancel what = construct(kind);
    return what != 0 && rt_cancel(rt_me(), what, RT_CALLER());
}

RT_EXPORT int32_t __kmpc_cancellationpoint(struct rt_loc *loc, int32_t gtid, int32_t kind)
{
    (void)loc, (void)gtid;
    enum rt_cancel what = construct(kind);
    return what != 0 && rt_cancellation_point(rt_me(), what, RT_CALLER());
}

RT_EXPORT int32_t __kmpc_cancel_barrier(struct rt_loc *loc, int32_t gtid)
{
    (void)gtid;
    return rt_barrier_cancellable(rt_me(), kmpc_barrier_state(loc), RT_CALLER());
}
