/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the cgroups that the process is in allow it: versions 1 and 2 (Linux admin-guide/cgroup-v1,
 * cgroup-v2). `root` stands before /proc and /sys; it is "" but in tests.
 */
#ifndef RT_CGROUP_H
#define RT_CGROUP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Processors that the quotas allow, rounded up; 0 = no quota. */
int rt_cgroup_quota(const char *root);
/** Threads that the smallest pids.max allows; 0 = no limit. */
long rt_cgroup_threads(const char *root);
/** First line of a small file, without its line end; 0 when it cannot be read. */
int rt_first_line(char *line, size_t size, const char *path);

#ifdef __cplusplus
}
#endif
#endif
