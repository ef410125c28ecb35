/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Samples of one process, folded: what its threads did and where, counted. A sample stands for one part of
 * the time, so counts are times.
 */
#ifndef INSPECT_PROFILE_H
#define INSPECT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "inspect/inspect.h"
#include "inspect/profile/totals.h"

#ifdef __cplusplus
extern "C" {
#endif

struct profile;

/** RATE samples a second are wanted. NULL out of memory. */
struct profile *profile_new(double rate);
/** Counts what each thread does in SNAPSHOT, which has stacks and for which the process stood still so long.
 *  False out of memory. */
bool profile_add(struct profile *p, const insp_snapshot *snapshot, uint64_t stopped_ns);
/** The process stood still for something else. */
void profile_stands(struct profile *p, uint64_t stopped_ns);
/** COUNT samples could not be had. */
void profile_lose(struct profile *p, uint64_t count);
/** Samples have been taken for so long until now. */
void profile_lasts(struct profile *p, double seconds);
void profile_free(struct profile *p);

/** As it stands. */
struct profile_totals profile_totals(const struct profile *p);

/** All of these: insp_string_free, NULL out of memory. PER_THREAD: each thread by itself, not all together.
 */
/** The totals in one sentence: "300 samples of 4 threads in 30.0 s, 2 lost; ...". */
char *profile_summary(const struct profile *p);
/** Tables of times by activity, region, construct and line; WIDTH 0: as wide as they need. */
char *profile_text(const struct profile *p, bool per_thread, int width);
/** A line for each stack, root first, and how many samples had it: for flamegraph.pl. */
char *profile_folded(const struct profile *p, bool per_thread);
/** The file format of https://www.speedscope.app: a profile of all threads together, and one of each. */
char *profile_speedscope(const struct profile *p, const char *exporter);

#ifdef __cplusplus
}
#endif
#endif
