/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * fork(): the one place where the runtime's locks and lists are made ready for it. See fork.c.
 */
#ifndef RT_FORK_H
#define RT_FORK_H

/** Once, at the start: the handlers of pthread_atfork(3). */
void rt_fork_start(void);

#endif
