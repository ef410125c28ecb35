/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What depends on the processor: pausing in a spin, and calling an outlined function with any number of
 * arguments, and the places that every task passes.
 */
#ifndef RT_ARCH_X86_64_H
#define RT_ARCH_X86_64_H

#include <stdatomic.h>
#include <stdint.h>

#define RT_PAGE_BYTES   4096
#define RT_ADDRESS_BITS 47 /* mmap(2) without a higher hint */

/** A locked instruction is a fence already (Intel SDM 3A 9.2.3.9); only the compiler is told. */
static inline void rt_arch_full_after_rmw(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

/** The time stamp counter; a read may overtake what is before it by some ten nanoseconds. */
static inline uint64_t rt_arch_clock(void)
{
    return __builtin_ia32_rdtsc();
}

static inline void rt_pause(void)
{
    __builtin_ia32_pause();
}

/**
 * Calls fn(gtid, btid, argv[0], ..., argv[argc - 1]) by the System V ABI (psABI x86-64 3.2.3), all words as
 * integers. Stores its own frame pointer in *exit_frame before the call: the frame from which user code was
 * entered.
 */
void rt_invoke(void *fn, int32_t *gtid, int32_t *btid, int argc, void **argv, void *exit_frame);

/** Calls fn(a, b) by way of ompd_bp_task_begin; as a call it is fn's own, since it leaves no frame. */
void rt_task_call(void *a, void *b, void *fn);
/** An fn for it that only returns, where the task's code is called otherwise. */
void rt_task_passed(void);

#endif
