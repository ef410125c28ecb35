/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What /proc tells about a live process.
 */
#ifndef COREFILES_PROCFS_H
#define COREFILES_PROCFS_H

#include "corefiles/target.h"

int cf_proc_maps(struct cf_target *t) CF_WARN_UNUSED;
int cf_proc_auxv(struct cf_target *t) CF_WARN_UNUSED;
/** Processors on which a thread may run, as the kernel lists them, malloc'ed; NULL not known. */
char *cf_proc_allowed(int64_t pid, int64_t tid);
/** The last number of "NSpid:" of a task, its own name for itself; TID itself when there is no such line. */
int64_t cf_proc_inner_tid(int64_t pid, int64_t tid);
/** False when the process is in our own PID namespace, so that its tasks have the same numbers for it as for
 *  us. */
bool cf_proc_renumbered(int64_t pid);
/** A number after "KEY:" in /proc/PID/status; -1. */
int64_t cf_proc_status(int64_t pid, const char *key);
/** How often a thread has gone to sleep by itself; -1: it has ended, or may not be asked. */
int64_t cf_proc_switches(int64_t pid, int64_t tid);
/** It has ended, and its parent does not know yet. */
bool cf_proc_zombie(int64_t pid);
bool cf_proc_ended(int64_t pid, int64_t tid);
/** It waits in the kernel, and no signal ends that. */
bool cf_proc_uninterruptible(int64_t pid, int64_t tid);
/** Its processor time to the nanosecond. Negative: the kernel does not count so, or it has ended. */
int cf_proc_cpu_ns(int64_t pid, int64_t tid, uint64_t *ret) CF_WARN_UNUSED;
/** What /proc/PID/task/TID/stat says of it. Negative: it has ended, or may not be asked. */
int cf_proc_kernel(int64_t pid, int64_t tid, struct insp_kernel *ret) CF_WARN_UNUSED;
/** insp_host.origin of a live process. */
int cf_proc_origin(int64_t pid, int32_t *forked, int64_t *parent) CF_WARN_UNUSED;
/** When process PID began, in clock ticks after the boot; 0 not known. */
uint64_t cf_proc_start(int64_t pid);
/** The kernel's name of the machine's time since it was started, read once; NULL not known. */
const char *cf_proc_boot(void);
/** Number and arguments of the system call that it is in; 1: in none. Negative: that may not be asked. */
int cf_proc_system_call(int64_t pid, int64_t tid, struct insp_system_call *ret) CF_WARN_UNUSED;
/** The environment that it was started with, malloc'ed: *SIZE bytes of strings, each with its end. NULL: it
 *  may not be asked, or is too large. */
char *cf_proc_environment(int64_t pid, size_t *size);
/** The command line, malloc'ed; NULL when it has none. */
char *cf_proc_command(int64_t pid);

#endif
