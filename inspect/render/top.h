/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One sample of `ompd top`: what the threads do, and how much of a processor each has used. No verdict is
 * made from it.
 */
#ifndef INSPECT_TOP_H
#define INSPECT_TOP_H

#include "inspect/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Of one thread, between the sample before and this one. */
struct top_usage {
    int64_t lwp;
    uint64_t cpu_ns; /**< processor time since the thread began */
    int tenths;      /**< of a per cent of one processor; -1 not known yet */
    int processor;   /**< where it ran last, -1 not known */
    char state;      /**< the kernel's letter for it, 0 not known */
};

enum top_order { TOP_BY_TIME, TOP_BY_NUMBER, TOP_BY_STATE, TOP_ORDERS };

struct top_sample {
    const insp_snapshot *snapshot;
    const struct top_usage *usage; /**< ascending by lwp */
    size_t usage_count;
    uint64_t number;     /**< of the sample, from 1 */
    uint64_t interval;   /**< nanoseconds that the usage is of, 0 not known */
    uint64_t stopped_ns; /**< how long the process stood still for it */
    const char *clock;   /**< the time of day, to be shown */
    enum top_order order;
};

/** NULL: the thread began after the times were read. */
const struct top_usage *top_usage_of(const struct top_sample *sample, int64_t lwp);
/** As text, by the options width, colour, addresses and expand (a row for each thread); insp_string_free.
 *  NULL out of memory. */
char *top_text(const struct top_sample *sample, const struct insp_render_options *options);
/** As one line of JSON (docs/json.md). */
char *top_json(const struct top_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
