/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the kernel says of threads: system calls, states, processor time, descriptors.
 */
#ifndef COREFILES_KERNEL_H
#define COREFILES_KERNEL_H

#include "corefiles/target.h"
#include "corefiles/threads.h"

/** Before a live process is stopped: the states that it has by itself. */
void cf_kernel_before(struct cf_target *t);
/** Of thread TH, which has just been found: from what cf_kernel_before has read, else from /proc now. */
void cf_kernel_thread(struct cf_target *t, struct cf_thread *th);
/** The system call of a thread that runs on, from /proc. */
void cf_kernel_ask(struct cf_target *t, struct cf_thread *th);
/** The process goes on now: copies what its system calls have as arguments, memory and descriptors. */
void cf_kernel_keep(struct cf_target *t);
void cf_kernel_free(struct cf_kernel *kernel);

int cf_host_system_call(struct cf_target *t, int64_t lwp, struct insp_system_call *ret) CF_WARN_UNUSED;
int cf_host_kernel(struct cf_target *t, int64_t lwp, struct insp_kernel *ret) CF_WARN_UNUSED;
int cf_host_task(struct cf_target *t, int64_t tid, int64_t *pid, int32_t *parent) CF_WARN_UNUSED;
int cf_host_origin(struct cf_target *t, int32_t *forked, int64_t *parent) CF_WARN_UNUSED;
int cf_host_allowed(struct cf_target *t, int64_t lwp, const char **ret) CF_WARN_UNUSED;
int cf_host_environment(struct cf_target *t, uint32_t index, const char **ret) CF_WARN_UNUSED;
int cf_host_descriptor(struct cf_target *t, int32_t fd, const char **ret) CF_WARN_UNUSED;

#endif
