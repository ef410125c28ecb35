/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * clang's entry points for doacross nests (docs/abi/kmpc.md section 9).
 */

#include "../core/attach.h"
#include "../core/doacross.h"
#include "kmpc.h"

/** kmp_dim: a loop of the nest, up inclusive (clang passes one more). */
struct dim {
    int64_t low, up, step;
};

RT_EXPORT void __kmpc_doacross_init(struct rt_loc *loc, int32_t gtid, int32_t n, const struct dim *dims)
{
    int64_t extents[n > 0 ? n : 1], lows[n > 0 ? n : 1], steps[n > 0 ? n : 1];
    (void)loc, (void)gtid;
    for (int32_t i = 0; i < n; i++) {
        int64_t step = dims[i].step != 0 ? dims[i].step : 1;
        int64_t span = step > 0 ? dims[i].up - dims[i].low : dims[i].low - dims[i].up;
        extents[i] = span < 0 ? 0 : span / (step > 0 ? step : -step) + 1;
        lows[i] = dims[i].low;
        steps[i] = step;
    }
    rt_doacross_begin_at(rt_me(), n, extents, lows, steps);
}

RT_EXPORT void __kmpc_doacross_wait(struct rt_loc *loc, int32_t gtid, const int64_t *vector)
{
    (void)loc, (void)gtid;
    rt_doacross_wait(rt_me(), vector, RT_CALLER());
}

RT_EXPORT void __kmpc_doacross_post(struct rt_loc *loc, int32_t gtid, const int64_t *vector)
{
    (void)loc, (void)gtid;
    rt_doacross_post(rt_me(), vector);
}

RT_EXPORT void __kmpc_doacross_fini(struct rt_loc *loc, int32_t gtid)
{
    (void)loc, (void)gtid;
    rt_doacross_end(rt_me());
}
