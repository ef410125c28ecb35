/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * __kmpc_atomic_cmplx{4,8,10}_*: complex of float, double, long double. Products and quotients are the
 * compiler's own, with its helpers for infinities (C11 annex G), from the compiler's static library.
 *
 * The capturing forms and the swap of cmplx4 give their result through a pointer behind the operand, the
 * larger types return it.
 */

#include "kmpc_atomic.h"

typedef float _Complex cmplx4;
typedef double _Complex cmplx8;
typedef long double _Complex cmplx10;

#define CMPLX4(op, suffix, result)                                                                         \
    ATOMIC_PLAIN_BY_CAS(cmplx4, op##suffix, cmplx4, cmplx4, uint64_t, 1, result)                           \
    RT_EXPORT void __kmpc_atomic_cmplx4_##op##_cpt##suffix(ATOMIC_LOC, cmplx4 *lhs, cmplx4 r, cmplx4 *out, \
                                                           int32_t flag)                                   \
    {                                                                                                      \
        ATOMIC_REPLACE(cmplx4, uint64_t, lhs, 1, result);                                                  \
        *out = flag ? after.value : before.value;                                                          \
    }

CMPLX4(add, , x + r)
CMPLX4(sub, , x - r)
CMPLX4(mul, , x *r)
CMPLX4(div, , x / r)
CMPLX4(sub, _rev, r - x)
CMPLX4(div, _rev, r / x)
ATOMIC_PLAIN_BY_CAS(cmplx4, add_cmplx8, cmplx4, cmplx8, uint64_t, 1, (cmplx4)((cmplx8)x + r))
ATOMIC_PLAIN_BY_CAS(cmplx4, sub_cmplx8, cmplx4, cmplx8, uint64_t, 1, (cmplx4)((cmplx8)x - r))
ATOMIC_PLAIN_BY_CAS(cmplx4, mul_cmplx8, cmplx4, cmplx8, uint64_t, 1, (cmplx4)((cmplx8)x *r))
ATOMIC_PLAIN_BY_CAS(cmplx4, div_cmplx8, cmplx4, cmplx8, uint64_t, 1, (cmplx4)((cmplx8)x / r))
ATOMIC_ACCESS_BY_WORD(cmplx4, cmplx4, uint64_t)

RT_EXPORT void __kmpc_atomic_cmplx4_swp(ATOMIC_LOC, cmplx4 *lhs, cmplx4 r, cmplx4 *out)
{
    union {
        cmplx4 value;
        uint64_t bits;
    } now = {r};
    now.bits = __atomic_exchange_n((uint64_t *)(void *)lhs, now.bits, __ATOMIC_SEQ_CST);
    *out = now.value;
}

#define BY_MUTEX(type)                               \
    ATOMIC_BY_MUTEX(type, add, , type, 1, x + r)     \
    ATOMIC_BY_MUTEX(type, sub, , type, 1, x - r)     \
    ATOMIC_BY_MUTEX(type, mul, , type, 1, x *r)      \
    ATOMIC_BY_MUTEX(type, div, , type, 1, x / r)     \
    ATOMIC_BY_MUTEX(type, sub, _rev, type, 1, r - x) \
    ATOMIC_BY_MUTEX(type, div, _rev, type, 1, r / x) \
    ATOMIC_ACCESS_BY_MUTEX(type, type)

BY_MUTEX(cmplx8)
BY_MUTEX(cmplx10)
