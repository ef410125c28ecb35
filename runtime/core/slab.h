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
 * Where in its page the first slot of a slab begins, in lines. A load that follows stores takes the value of
 * the last one to its address, and processors seek that one by the low 12 bits alone at first: one that only
 * looks like it costs a wait. So what one thread uses together does not begin at the same line: the thread
 * itself (lines 0, 1 and 4 of each 9), its implicit task, the tasks that it creates (lines 0 to 2 and 4 of
 * each 8), its team and its heap. It holds for a few threads and tasks of each (test: aliasing_test).
 */
enum rt_first_line {
    RT_LINE_ANY = 0, /**< what is not used together with the others */
    RT_LINE_THREAD = 0,
    RT_LINE_IMPLICIT = 8,
    RT_LINE_HEAP = 30,
    RT_LINE_TASK = 40,
    RT_LINE_TEAM = 54
};

/**
 * A slot of the root's own slabs, which many descriptors share so that a debugger reads them in one block.
 * The root's lock is held, here and below.
 */
void *rt_slot_shared(struct rt_slab **slab, struct rt_slot **free, uint32_t kind, uint32_t size,
                     uint32_t slots, enum rt_first_line line);
/** The only slot of a slab of its own. */
void *rt_slot_alone(uint32_t kind, uint32_t size);

#endif
