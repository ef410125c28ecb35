/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the families of __kmpc_atomic_* share (docs/abi/kmpc.md section 14). No compiler of today calls them:
 * Intel's objects and hand-written callers do.
 *
 * One object must always be updated by one mechanism. Objects of 1, 2, 4 and 8 bytes: compare and swap of the
 * whole word, which also agrees with the instructions that compilers inline for them; x86-64 does that at any
 * address. Larger ones: one mutex, the same as of GOMP_atomic_start, so that objects of gcc, which brackets
 * updates of a long double by that pair, may update the same variable.
 *
 * The macros' `result` is an expression of x (the object) and r (the operand); `needed` tells whether there
 * is anything to store. `suffix` is `_rev` for the reversed operators, else empty.
 */
#ifndef RT_ABI_KMPC_ATOMIC_H
#define RT_ABI_KMPC_ATOMIC_H

#include "../core/base.h"

/** Held by who updates an object larger than 8 bytes, and between __kmpc_atomic_start and _end. */
extern _Atomic uint32_t kmpc_atomic_mutex;
void kmpc_atomic_lock(uint64_t codeptr);
void kmpc_atomic_unlock(uint64_t codeptr);

/* Places of calls and thread numbers are not needed here. */
#define ATOMIC_UNUSED  __attribute__((unused))
#define ATOMIC_LOC     const struct rt_loc *loc ATOMIC_UNUSED, int32_t gtid ATOMIC_UNUSED
#define ATOMIC_CODEPTR ((uint64_t)(uintptr_t)__builtin_return_address(0))

#define ATOMIC_LOAD(word) __atomic_load_n((word), __ATOMIC_SEQ_CST)
#define ATOMIC_CAS(word, before, after) \
    __atomic_compare_exchange_n((word), (before), (after), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

/* Defines `before` and `after` (T value, W bits), the object's values around the update. */
#define ATOMIC_REPLACE(T, W, lhs, needed, result)  \
    union {                                        \
        T value;                                   \
        W bits;                                    \
    } before, after;                               \
    before.bits = ATOMIC_LOAD((W *)(void *)(lhs)); \
    do {                                           \
        T x = before.value;                        \
        after.bits = before.bits;                  \
        if (!(needed))                             \
            break;                                 \
        after.value = (result);                    \
    } while (!ATOMIC_CAS((W *)(void *)(lhs), &before.bits, after.bits))

/* An operator without a capturing form. */
#define ATOMIC_PLAIN_BY_CAS(type, op, T, R, W, needed, result)          \
    RT_EXPORT void __kmpc_atomic_##type##_##op(ATOMIC_LOC, T *lhs, R r) \
    {                                                                   \
        ATOMIC_REPLACE(T, W, lhs, needed, result);                      \
    }
#define ATOMIC_BY_CAS(type, op, suffix, T, W, needed, result)                                    \
    ATOMIC_PLAIN_BY_CAS(type, op##suffix, T, T, W, needed, result)                               \
    RT_EXPORT T __kmpc_atomic_##type##_##op##_cpt##suffix(ATOMIC_LOC, T *lhs, T r, int32_t flag) \
    {                                                                                            \
        ATOMIC_REPLACE(T, W, lhs, needed, result);                                               \
        return flag ? after.value : before.value;                                                \
    }

/* Read, write and swap of a word. */
#define ATOMIC_ACCESS_BY_WORD(type, T, W)                               \
    RT_EXPORT T __kmpc_atomic_##type##_rd(ATOMIC_LOC, T *lhs)           \
    {                                                                   \
        union {                                                         \
            W bits;                                                     \
            T value;                                                    \
        } now = {ATOMIC_LOAD((W *)(void *)lhs)};                        \
        return now.value;                                               \
    }                                                                   \
    RT_EXPORT void __kmpc_atomic_##type##_wr(ATOMIC_LOC, T *lhs, T r)   \
    {                                                                   \
        union {                                                         \
            T value;                                                    \
            W bits;                                                     \
        } now = {r};                                                    \
        __atomic_store_n((W *)(void *)lhs, now.bits, __ATOMIC_SEQ_CST); \
    }
#define ATOMIC_SWAP_BY_WORD(type, T, W)                                               \
    RT_EXPORT T __kmpc_atomic_##type##_swp(ATOMIC_LOC, T *lhs, T r)                   \
    {                                                                                 \
        union {                                                                       \
            T value;                                                                  \
            W bits;                                                                   \
        } now = {r};                                                                  \
        now.bits = __atomic_exchange_n((W *)(void *)lhs, now.bits, __ATOMIC_SEQ_CST); \
        return now.value;                                                             \
    }

#define ATOMIC_BY_MUTEX(type, op, suffix, T, needed, result)                                     \
    RT_EXPORT void __kmpc_atomic_##type##_##op##suffix(ATOMIC_LOC, T *lhs, T r)                  \
    {                                                                                            \
        kmpc_atomic_lock(ATOMIC_CODEPTR);                                                        \
        T x = *lhs;                                                                              \
        if (needed)                                                                              \
            *lhs = (result);                                                                     \
        kmpc_atomic_unlock(ATOMIC_CODEPTR);                                                      \
    }                                                                                            \
    RT_EXPORT T __kmpc_atomic_##type##_##op##_cpt##suffix(ATOMIC_LOC, T *lhs, T r, int32_t flag) \
    {                                                                                            \
        kmpc_atomic_lock(ATOMIC_CODEPTR);                                                        \
        T x = *lhs, after = x;                                                                   \
        if (needed)                                                                              \
            *lhs = after = (result);                                                             \
        kmpc_atomic_unlock(ATOMIC_CODEPTR);                                                      \
        return flag ? after : x;                                                                 \
    }

#define ATOMIC_ACCESS_BY_MUTEX(type, T)                               \
    RT_EXPORT T __kmpc_atomic_##type##_rd(ATOMIC_LOC, T *lhs)         \
    {                                                                 \
        kmpc_atomic_lock(ATOMIC_CODEPTR);                             \
        T x = *lhs;                                                   \
        kmpc_atomic_unlock(ATOMIC_CODEPTR);                           \
        return x;                                                     \
    }                                                                 \
    RT_EXPORT void __kmpc_atomic_##type##_wr(ATOMIC_LOC, T *lhs, T r) \
    {                                                                 \
        kmpc_atomic_lock(ATOMIC_CODEPTR);                             \
        *lhs = r;                                                     \
        kmpc_atomic_unlock(ATOMIC_CODEPTR);                           \
    }                                                                 \
    RT_EXPORT T __kmpc_atomic_##type##_swp(ATOMIC_LOC, T *lhs, T r)   \
    {                                                                 \
        kmpc_atomic_lock(ATOMIC_CODEPTR);                             \
        T x = *lhs;                                                   \
        *lhs = r;                                                     \
        kmpc_atomic_unlock(ATOMIC_CODEPTR);                           \
        return x;                                                     \
    }

#endif
