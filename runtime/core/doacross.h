/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Doacross nests: ordered(n) with depend(source) and depend(sink).
 */
#ifndef RT_DOACROSS_H
#define RT_DOACROSS_H

#include "thread.h"

struct rt_doacross {
    struct rt_workshare *entry;
    int dims;
    _Atomic uint64_t *bits;
    struct rt_dim {
        int64_t low, extent, step;
    } dim[];
};

/**
 * A nest of `dims` loops of extents[] iterations each; vectors are logical iterations. Every thread calls
 * begin, end.
 */
void rt_doacross_begin(struct rt_thread *th, int dims, const int64_t *extents);
/** Vectors in the loops' own terms: low + k * step; NULL is 0 and 1. */
void rt_doacross_begin_at(struct rt_thread *th, int dims, const int64_t *extents, const int64_t *lows,
                          const int64_t *steps);
void rt_doacross_wait(struct rt_thread *th, const int64_t *vector, struct rt_caller caller);
void rt_doacross_post(struct rt_thread *th, const int64_t *vector);
/** Loops of the nest in hand, 0 when there is none. */
int rt_doacross_dims(struct rt_thread *th);
/** Does nothing when no nest is in hand. */
void rt_doacross_end(struct rt_thread *th);

#endif
