/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What every file of the runtime needs: attributes, atomic accesses, and where user code called.
 *
 * Errors. The OpenMP ABI has no way to report one. What cannot be done (no memory for a task, no thread)
 * either has a weaker meaning that the specification allows (a smaller team) or ends the program with a
 * message (rt_fatal).
 */
#ifndef RT_BASE_H
#define RT_BASE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RT_LINE        64
#define RT_ALIGNED     __attribute__((aligned(RT_LINE)))
#define RT_NOINLINE    __attribute__((noinline, noclone))
#define RT_WARN_UNUSED __attribute__((warn_unused_result))
#define likely(x)      __builtin_expect(!!(x), 1)
#define unlikely(x)    __builtin_expect(!!(x), 0)

/*
 * In the archive the ABI is hidden: the program or shared library that holds a copy uses that copy for all
 * its calls. Exported, part of one copy's names could stand before another's, and a module would run on two
 * runtimes at once.
 */
#ifdef RT_STATIC
#define RT_EXPORT __attribute__((visibility("hidden")))
#else
#define RT_EXPORT __attribute__((visibility("default")))
#endif

/**
 * Of functions that run only when a tool is there: away from the others, but not "cold", which for gcc means
 * small rather than fast.
 */
#define RT_COLD __attribute__((noinline, section(".text.tools")))

struct rt_arrivals;
struct rt_task;
struct rt_team;
struct rt_thread;
struct rt_stats;

/** Where user code called the runtime: every entry point takes it first thing. */
struct rt_caller {
    uint64_t codeptr; /**< return address into user code */
    uint64_t frame;   /**< frame pointer of the entry point */
};

/** What clang passes as ident_t (docs/abi/kmpc.md 1.1). Read only. */
struct rt_loc {
    int32_t reserved_1;
    int32_t flags;
    int32_t reserved_2;
    int32_t reserved_3;
    const char *psource;
};

#define RT_CALLER()                                                       \
    ((struct rt_caller){(uint64_t)(uintptr_t)__builtin_return_address(0), \
                        (uint64_t)(uintptr_t)__builtin_frame_address(0)})

/* State tracking. bench/ builds the runtime once with -DRT_NO_TRACKING to see what it costs. */
#ifdef RT_NO_TRACKING
#define RT_TRACK(statement) \
    do {                    \
        if (0) {            \
            statement;      \
        }                   \
    } while (0)
#else
#define RT_TRACK(statement) statement
#endif
#define rt_store(object, value)   atomic_store_explicit(&(object), (value), memory_order_relaxed)
#define rt_load(object)           atomic_load_explicit(&(object), memory_order_relaxed)
#define rt_publish(object, value) atomic_store_explicit(&(object), (value), memory_order_release)
#define rt_acquire(object)        atomic_load_explicit(&(object), memory_order_acquire)

#endif
