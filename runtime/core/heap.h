/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Slabs, their directory, and heaps: the structures. slab.h has the functions.
 */
#ifndef RT_HEAP_H
#define RT_HEAP_H

#include "base.h"

/** A slot size that a heap serves; the slot's kind follows from the class. */
enum rt_class {
    RT_CLASS_TASK,
    RT_CLASS_SMALL,
    RT_CLASS_TASK_1K,
    RT_CLASS_TASK_4K,
    RT_CLASS_GROUP,
    RT_CLASSES,
    RT_CLASS_HUGE
};

#define RT_TASK_BYTES 512 /**< a slot of RT_CLASS_TASK */

/** Directory entry, append-only. */
struct rt_slab {
    void *base;
    uint32_t slot_size;
    uint32_t capacity;
    _Atomic uint32_t used; /**< by the heap's owner only */
    uint32_t kind;
};

#define RT_ROOT_SLABS  40
#define RT_BLOCK_SLABS 165
struct rt_slab_block {
    struct rt_slab_block *_Atomic next;
    _Atomic uint32_t count;
    struct rt_slab slabs[RT_BLOCK_SLABS];
};

/** The head that every free slot has in common with every live one: serial 0 and the free list's link. */
struct rt_slot {
    _Atomic uint64_t serial;
    struct rt_slot *next;
};

/** Slots of one thread: LIFO free lists, a slab to carve from, and what other threads give back. */
struct rt_heap {
    struct rt_slot *free[RT_CLASSES];  /**< owner only */
    struct rt_slab *carve[RT_CLASSES]; /**< owner only */
    struct rt_heap *next_orphan;       /**< under the root's lock, after the owner has ended */
    RT_ALIGNED struct rt_slot *_Atomic remote[RT_CLASSES]; /**< pushed by others, taken whole by the owner */
};

#endif
