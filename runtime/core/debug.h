/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What a debugger's OMPD library sets breakpoints on.
 */
#ifndef RT_DEBUG_H
#define RT_DEBUG_H

#include "base.h"

/**
 * An exported label for a debugger's breakpoint; each name in one place, in a function that is never copied.
 */
#define RT_BREAKPOINT(name)                                                                              \
    __asm__ volatile(".globl " #name "\n\t.type " #name ", @function\n" #name ":\n\tnop\n\t.size " #name \
                     ", 1" ::                                                                            \
                         : "memory")
void rt_bp_thread_begin(void);
void rt_bp_thread_end(void);
void rt_bp_parallel_begin(void);
void rt_bp_parallel_end(void);
void rt_bp_teams_begin(void);
void rt_bp_teams_end(void);
void rt_bp_target_begin(void);
void rt_bp_target_end(void);
void rt_debug_publish(void);

#endif
