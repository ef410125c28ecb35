/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * __kmpc_atomic_{1,...,32}, updates of any type by a function of the caller, and
 * __kmpc_atomic_{bool,val}_{1,2,4,8}_cas*, compare and swap.
 */

#include "kmpc_atomic.h"

/** *out = a op b */
typedef void (*combiner)(void *out, void *a, void *b);

#define BY_CAS(size, W)                                                                     \
    RT_EXPORT void __kmpc_atomic_##size(ATOMIC_LOC, void *lhs, void *rhs, combiner combine) \
    {                                                                                       \
        W before = ATOMIC_LOAD((W *)lhs), after;                                            \
        do {                                                                                \
            W x = before;                                                                   \
            combine(&after, &x, rhs);                                                       \
        } while (!ATOMIC_CAS((W *)lhs, &before, after));                                    \
    }
/* The result goes straight to its place: how many bytes of it there are, only the caller's function knows (a
   long double has 10 of 16). */
#define BY_MUTEX(size)                                                                      \
    RT_EXPORT void __kmpc_atomic_##size(ATOMIC_LOC, void *lhs, void *rhs, combiner combine) \
    {                                                                                       \
        kmpc_atomic_lock(ATOMIC_CODEPTR);                                                   \
        combine(lhs, lhs, rhs);                                                             \
        kmpc_atomic_unlock(ATOMIC_CODEPTR);                                                 \
    }

BY_CAS(1, uint8_t)
BY_CAS(2, uint16_t)
BY_CAS(4, uint32_t)
BY_CAS(8, uint64_t)
BY_MUTEX(10)
BY_MUTEX(16)
BY_MUTEX(20)
BY_MUTEX(32)

/* *seen: on failure what was there; val also stores there on success, what is there then. */
#define CAS(size, T)                                                                                        \
    RT_EXPORT int32_t __kmpc_atomic_bool_##size##_cas(ATOMIC_LOC, T *x, T expected, T desired)              \
    {                                                                                                       \
        return ATOMIC_CAS(x, &expected, desired);                                                           \
    }                                                                                                       \
    RT_EXPORT T __kmpc_atomic_val_##size##_cas(ATOMIC_LOC, T *x, T expected, T desired)                     \
    {                                                                                                       \
        ATOMIC_CAS(x, &expected, desired);                                                                  \
        return expected;                                                                                    \
    }                                                                                                       \
    RT_EXPORT int32_t __kmpc_atomic_bool_##size##_cas_cpt(ATOMIC_LOC, T *x, T expected, T desired, T *seen) \
    {                                                                                                       \
        if (ATOMIC_CAS(x, &expected, desired))                                                              \
            return 1;                                                                                       \
        *seen = expected;                                                                                   \
        return 0;                                                                                           \
    }                                                                                                       \
    RT_EXPORT T __kmpc_atomic_val_##size##_cas_cpt(ATOMIC_LOC, T *x, T expected, T desired, T *seen)        \
    {                                                                                                       \
        *seen = ATOMIC_CAS(x, &expected, desired) ? desired : expected;                                     \
        return expected;                                                                                    \
    }

CAS(1, int8_t)
CAS(2, int16_t)
CAS(4, int32_t)
CAS(8, int64_t)
