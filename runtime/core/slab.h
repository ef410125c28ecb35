/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Slots of slabs, for everything that a debugger finds there, and memory that is never given back.
 */
#ifndef RT_SLAB_H
#define RT_SLAB_H

#include "heap.h"

/**
 * Zeroed memory that is never given back. Without any, rt_arena_take ends the program and rt_arena_try
 * returns NULL.
 */
void *rt_arena_take(size_t bytes);
void *rt_arena_try(size_t bytes);
/** The same with the root's lock held. */
void *rt_arena_take_locked(size_t bytes);
struct rt_slot *rt_slot_refill(struct rt_heap *heap, enum rt_class class);
static inline void *rt_slot_take(struct rt_heap *heap, enum rt_class class)
{
    struct rt_slot *slot = heap->free[class];
    if (unlikely(slot == NULL))
        return rt_slot_refill(heap, class);
    heap->free[class] = slot->next;
    return slot;
}
/** Frees a slot that belongs to `heap`, whose owner is th or another thread. The serial becomes 0 here. */
void rt_slot_give_back(struct rt_thread *th, struct rt_heap *heap, enum rt_class class, struct rt_slot *slot);
static inline void rt_slot_free(struct rt_heap *own, enum rt_class class, struct rt_slot *slot)
{
    rt_store(slot->serial, 0);
    atomic_signal_fence(
        memory_order_seq_cst); /* the serial first: a reader must not see the link as a field */
    slot->next = own->free[class];
    own->free[class] = slot;
}
void rt_give_back_flush(struct rt_thread *th);

struct rt_heap *rt_heap_create(void);
void rt_heap_orphan(struct rt_heap *heap);

/**
 * A slot of the root's own slabs, which many descriptors share so that a debugger reads them in one block.
 * The root's lock is held, here and below.
 */
void *rt_slot_shared(struct rt_slab **slab, struct rt_slot **free, uint32_t kind, uint32_t size,
                     uint32_t slots);
/** The only slot of a slab of its own. */
void *rt_slot_alone(uint32_t kind, uint32_t size);

#endif
