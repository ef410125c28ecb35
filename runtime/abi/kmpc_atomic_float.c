/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * __kmpc_atomic_float{4,8,10}_*: float, double, long double.
 *
 * Minimum and maximum store only what is better: a NaN neither replaces a number nor is replaced.
 */

#include "kmpc_atomic.h"

#define BY_CAS(type, T, W)                         \
    ATOMIC_BY_CAS(type, add, , T, W, 1, x + r)     \
    ATOMIC_BY_CAS(type, sub, , T, W, 1, x - r)     \
    ATOMIC_BY_CAS(type, mul, , T, W, 1, x *r)      \
    ATOMIC_BY_CAS(type, div, , T, W, 1, x / r)     \
    ATOMIC_BY_CAS(type, sub, _rev, T, W, 1, r - x) \
    ATOMIC_BY_CAS(type, div, _rev, T, W, 1, r / x) \
    ATOMIC_BY_CAS(type, max, , T, W, x < r, r)     \
    ATOMIC_BY_CAS(type, min, , T, W, x > r, r)     \
    ATOMIC_ACCESS_BY_WORD(type, T, W)              \
    ATOMIC_SWAP_BY_WORD(type, T, W)

BY_CAS(float4, float, uint32_t)
BY_CAS(float8, double, uint64_t)

ATOMIC_PLAIN_BY_CAS(float4, add_float8, float, double, uint32_t, 1, (float)((double)x + r))
ATOMIC_PLAIN_BY_CAS(float4, sub_float8, float, double, uint32_t, 1, (float)((double)x - r))
ATOMIC_PLAIN_BY_CAS(float4, mul_float8, float, double, uint32_t, 1, (float)((double)x *r))
ATOMIC_PLAIN_BY_CAS(float4, div_float8, float, double, uint32_t, 1, (float)((double)x / r))

ATOMIC_BY_MUTEX(float10, add, , long double, 1, x + r)
ATOMIC_BY_MUTEX(float10, sub, , long double, 1, x - r)
ATOMIC_BY_MUTEX(float10, mul, , long double, 1, x *r)
ATOMIC_BY_MUTEX(float10, div, , long double, 1, x / r)
ATOMIC_BY_MUTEX(float10, sub, _rev, long double, 1, r - x)
ATOMIC_BY_MUTEX(float10, div, _rev, long double, 1, r / x)
ATOMIC_BY_MUTEX(float10, max, , long double, x < r, r)
ATOMIC_BY_MUTEX(float10, min, , long double, x > r, r)
ATOMIC_ACCESS_BY_MUTEX(float10, long double)
