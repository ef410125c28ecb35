/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * membarrier(2): a full fence in each thread of the process, made by one of them. So the others need only a
 * fence for the compiler in a path that they take often. (C++'s P1202 calls the two fences heavy and light.)
 */
#ifndef RT_MEMBARRIER_H
#define RT_MEMBARRIER_H

/** False: this kernel cannot do it, or a filter of system calls refuses it. From rt_membarrier_start() on. */
extern int rt_membarrier_works __attribute__((visibility("hidden")));
/** Once, at the start. */
void rt_membarrier_start(void);
/** The fence. False: it was refused; if it has worked before, by a filter that has come since. */
int rt_membarrier(void);

#endif
