/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What depends on the processor; one header for each says the same. Here is what it has to say:
 *
 * - RT_PAGE_BYTES: the smallest page that Linux has on it; slabs are cut at multiples of it.
 * - RT_ADDRESS_BITS: of an address that a program can get.
 * - rt_arch_full_after_rmw: behind a read-modify-write, all before it, the write included, is seen before
 *   what follows is read. C11 asks for a fence there, whatever order the read-modify-write has: its own write
 *   may become visible behind a later load.
 * - rt_pause, rt_arch_clock, rt_invoke, rt_task_call, rt_task_passed.
 */
#ifndef RT_ARCH_H
#define RT_ARCH_H

#if defined __x86_64__
#include "arch_x86_64.h"
#else
#error "no core/arch_*.h for this processor"
#endif

#endif
