/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Caches that keep lines of 64 bytes coherent by MESI: each thread has one of its own, without an end, and
 * the threads of a cluster share what lies behind them (cores at one last-level cache).
 *
 * An access that its own cache serves takes no time. One that another cache of the cluster serves, or that
 * only takes the line from such, takes LINES_NEAR; one that concerns another cluster takes LINES_FAR. Of one
 * line, those inside a cluster come one after the other, and so do those between clusters.
 */
#ifndef MESI_LINES_H
#define MESI_LINES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LINES_NEAR = 1, LINES_FAR = 3, LINES_THREADS = 512 };

struct lines_counts {
    uint64_t near, far;   /**< transfers inside and between clusters */
    uint64_t cold;        /**< first accesses to a line that no cache has had */
    uint64_t invalidated; /**< copies that this thread's writes took from others */
};

/** Threads 0 .. cluster - 1 are at the first cache, and so on. */
void lines_start(int cluster);
/** Whether the thread's own cache serves the access: it has the line, for a write alone. */
int lines_hit(int thread, const void *address, int write);
/**
 * Does an access that begins at `clock`; returns when it is over. LOST is called for each other thread whose
 * copy becomes invalid.
 */
uint64_t lines_access(int thread, uint64_t clock, const void *address, int write, struct lines_counts *counts,
                      void (*lost)(int thread, uint64_t when));
/** A new beginning of time: all lines are free, and stay where they are. */
void lines_rewind(void);

#ifdef __cplusplus
}
#endif
#endif
