/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The value of one expression in each thread of a team.
 */
#ifndef INSPECT_VALUES_H
#define INSPECT_VALUES_H

#include "inspect/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

struct values_options {
    const char *expression; /**< the host has told it as the only local of each frame */
    uint64_t region;        /**< 0: all in which threads are */
    int width;              /**< columns, 0 unlimited */
};

/** Text, or JSON, insp_string_free; NULL out of memory. Threads of a region with equal values share a row.
 *  *FOUND: so many threads have a value. */
char *values_text(const insp_snapshot *snapshot, const struct values_options *options, int *found);
char *values_json(const insp_snapshot *snapshot, const struct values_options *options, int *found);

#ifdef __cplusplus
}
#endif
#endif
