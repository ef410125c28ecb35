/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Who has started whom, of processes that were read one after the other. Any user can make a long chain of
 * them, so nothing here takes more than n log n steps.
 */
#ifndef COMMAND_ANCESTRY_H
#define COMMAND_ANCESTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_stat;

/** {0} is one of no processes. */
struct ancestry {
    size_t count; /**< of places, as many as there are processes, or fewer: some may be their own ancestors */
    uint32_t *order; /**< indexes of processes: each has a place before all that it has started */
    uint32_t *end;   /**< of each place: behind the last one of those */
    uint32_t *place; /**< of each process; ANCESTRY_NONE: it has none */
};

#define ANCESTRY_NONE UINT32_MAX

/** False: out of memory. */
bool ancestry_make(const struct process_stat *all, size_t count, struct ancestry *ret)
    __attribute__((warn_unused_result));
void ancestry_free(struct ancestry *a);

#endif
