/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the user asks to see: OMP_DISPLAY_AFFINITY, omp_display_affinity.
 */
#ifndef RT_DISPLAY_H
#define RT_DISPLAY_H

#include <stdio.h>

#include "team.h"
#include "thread.h"

/**
 * OMP_DISPLAY_AFFINITY: the primary thread, whose region this will be, finds out whether it is to be shown.
 */
RT_COLD void rt_display_decide(const struct rt_thread *th, struct rt_team *team);
/** The same: called by each member of a region that begins. */
RT_COLD void rt_display_affinity(struct rt_thread *th);

/** The format filled in for a thread, as snprintf writes; format NULL or "": affinity-format-var. */
size_t rt_affinity_text(const struct rt_thread *th, const char *format, char *buffer, size_t size);
/** The same and a line end, in one write. */
void rt_affinity_print(const struct rt_thread *th, const char *format, FILE *out);

#endif
