/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * __kmpc_atomic_fixed{1,2,4,8}[u]_*: integers. The u forms exist where the sign matters.
 *
 * S and U are the types in which C computes for the object's type T, after promotion. Sums and products are
 * formed in U, where C defines what happens on overflow; shift counts wrap as the processor's do.
 */

#include "kmpc_atomic.h"

/* Operators of one locked instruction. */
#define ATOMIC_BY_FETCH(type, op, T, fetch, result)                                      \
    RT_EXPORT void __kmpc_atomic_##type##_##op(ATOMIC_LOC, T *lhs, T r)                  \
    {                                                                                    \
        (void)fetch(lhs, r, __ATOMIC_SEQ_CST);                                           \
    }                                                                                    \
    RT_EXPORT T __kmpc_atomic_##type##_##op##_cpt(ATOMIC_LOC, T *lhs, T r, int32_t flag) \
    {                                                                                    \
        T x = fetch(lhs, r, __ATOMIC_SEQ_CST);                                           \
        return flag ? (result) : x;                                                      \
    }

#define UPDATE(type, op, T, W, result)  ATOMIC_BY_CAS(type, op, , T, W, 1, result)
#define REVERSE(type, op, T, W, result) ATOMIC_BY_CAS(type, op, _rev, T, W, 1, result)
#define COUNT(U, n)                     ((U)(n) & (8 * sizeof(U) - 1))

#define SIGNED(type, T, W, S, U)                                               \
    ATOMIC_BY_FETCH(type, add, T, __atomic_fetch_add, (T)((U)x + (U)r))        \
    ATOMIC_BY_FETCH(type, sub, T, __atomic_fetch_sub, (T)((U)x - (U)r))        \
    ATOMIC_BY_FETCH(type, andb, T, __atomic_fetch_and, (T)(x & r))             \
    ATOMIC_BY_FETCH(type, orb, T, __atomic_fetch_or, (T)(x | r))               \
    ATOMIC_BY_FETCH(type, xor, T, __atomic_fetch_xor, (T)(x ^ r))              \
    ATOMIC_BY_FETCH(type, neqv, T, __atomic_fetch_xor, (T)(x ^ r))             \
    UPDATE(type, eqv, T, W, (T)(x ^ ~r))                                       \
    UPDATE(type, andl, T, W, (T)(x && r))                                      \
    UPDATE(type, orl, T, W, (T)(x || r))                                       \
    UPDATE(type, mul, T, W, (T)((U)x * (U)r))                                  \
    UPDATE(type, shl, T, W, (T)((U)x << COUNT(U, r)))                          \
    REVERSE(type, shl, T, W, (T)((U)r << COUNT(U, x)))                         \
    REVERSE(type, sub, T, W, (T)((U)r - (U)x))                                 \
    ATOMIC_BY_CAS(type, max, , T, W, x < r, r)                                 \
    ATOMIC_BY_CAS(type, min, , T, W, x > r, r)                                 \
    ATOMIC_ACCESS_BY_WORD(type, T, W)                                          \
    ATOMIC_SWAP_BY_WORD(type, T, W)                                            \
    ATOMIC_PLAIN_BY_CAS(type, mul_float8, T, double, W, 1, (T)((double)x * r)) \
    ATOMIC_PLAIN_BY_CAS(type, div_float8, T, double, W, 1, (T)((double)x / r))

#define EITHER(type, T, W, S, U)                      \
    UPDATE(type, div, T, W, (T)(x / r))               \
    REVERSE(type, div, T, W, (T)(r / x))              \
    UPDATE(type, shr, T, W, (T)((S)x >> COUNT(U, r))) \
    REVERSE(type, shr, T, W, (T)((S)r >> COUNT(U, x)))

SIGNED(fixed1, int8_t, uint8_t, int32_t, uint32_t)
SIGNED(fixed2, int16_t, uint16_t, int32_t, uint32_t)
SIGNED(fixed4, int32_t, uint32_t, int32_t, uint32_t)
SIGNED(fixed8, int64_t, uint64_t, int64_t, uint64_t)
EITHER(fixed1, int8_t, uint8_t, int32_t, uint32_t)
EITHER(fixed2, int16_t, uint16_t, int32_t, uint32_t)
EITHER(fixed4, int32_t, uint32_t, int32_t, uint32_t)
EITHER(fixed8, int64_t, uint64_t, int64_t, uint64_t)
EITHER(fixed1u, uint8_t, uint8_t, uint32_t, uint32_t)
EITHER(fixed2u, uint16_t, uint16_t, uint32_t, uint32_t)
EITHER(fixed4u, uint32_t, uint32_t, uint32_t, uint32_t)
EITHER(fixed8u, uint64_t, uint64_t, uint64_t, uint64_t)
