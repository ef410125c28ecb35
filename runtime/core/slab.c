/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Slabs: the allocator is the registry. Every descriptor that a debugger may want lives in a slot of a slab,
 * and the root's directory lists all slabs, so no list of threads, teams or tasks is kept on any fast path.
 *
 * Slabs are cut from arenas of private anonymous memory and are never unmapped. A thread's slots come from
 * its own heap, last in first out; what another thread frees comes back through a lock-free list, in chains
 * to spare that line.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "arch.h"
#include "keep_errno.h"
#include "limits.h"
#include "message.h"
#include "slab.h"
#include "task.h"
#include "tsan.h"

#define ARENA_BYTES   (1024UL * 1024)
#define PAGE          ((size_t)RT_PAGE_BYTES)
#define GIVE_BACK_MAX 32

static const struct {
    uint32_t size, first, more; /* slot bytes; slots in a heap's first slab and in further ones */
    uint32_t kind;
    enum rt_first_line line;
} classes[RT_CLASSES] = {
    [RT_CLASS_SMALL] = {64, 64, 512, RT_KIND_EDGE, RT_LINE_ANY},
    [RT_CLASS_TASK] = {RT_TASK_BYTES, 16, 128, RT_KIND_TASK, RT_LINE_TASK},
    [RT_CLASS_TASK_1K] = {1024, 8, 64, RT_KIND_TASK, RT_LINE_TASK},
    [RT_CLASS_TASK_4K] = {4096, 4, 32, RT_KIND_TASK, RT_LINE_TASK},
    [RT_CLASS_GROUP] = {64, 64, 256, RT_KIND_TASKGROUP, RT_LINE_ANY},
};

static void *map(size_t size)
{
    RT_KEEP_ERRNO;
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/**
 * Zeroed memory that is never given back, in whole lines; NULL: there is none. It begins `at` bytes behind a
 * multiple of `unit`, at most a page. The root's lock is held.
 */
static void *arena_try_at(size_t bytes, size_t unit, size_t at)
{
    bytes = (bytes + RT_LINE - 1) & ~(size_t)(RT_LINE - 1);
    size_t skipped = (at - (uintptr_t)rt_root.arena) & (unit - 1);
    if ((size_t)(rt_root.arena_end - rt_root.arena) < skipped + bytes) {
        size_t size = at + bytes > ARENA_BYTES ? at + bytes : ARENA_BYTES;
        char *memory = map(size);
        if (memory == NULL && rt_headroom_use())
            memory = map(size);
        if (memory == NULL)
            return NULL;
        if (size > ARENA_BYTES)
            return memory + at;
        rt_root.arena = memory;
        rt_root.arena_end = memory + size;
        skipped = at;
    }
    void *taken = rt_root.arena + skipped;
    rt_root.arena += skipped + bytes;
    return taken;
}

static void *arena_take_at(size_t bytes, size_t unit, size_t at)
{
    void *taken = arena_try_at(bytes, unit, at);
    if (taken == NULL)
        rt_fatal("no memory for %zu bytes of runtime state", bytes);
    return taken;
}

/** From a line of a page on. */
static void *arena_take_from(enum rt_first_line line, size_t bytes)
{
    return arena_take_at(bytes, PAGE, (size_t)line * RT_LINE);
}

void *rt_arena_take_locked(size_t bytes)
{
    return arena_take_at(bytes, RT_LINE, 0);
}

void *rt_arena_take(size_t bytes)
{
    rt_lock(&rt_root.lock);
    void *taken = rt_arena_take_locked(bytes);
    rt_unlock(&rt_root.lock);
    return taken;
}

void *rt_arena_try(size_t bytes)
{
    rt_lock(&rt_root.lock);
    void *taken = arena_try_at(bytes, RT_LINE, 0);
    rt_unlock(&rt_root.lock);
    return taken;
}

/** Enters a slab into the directory; the root's lock is held. */
static struct rt_slab *slab_create(uint32_t kind, uint32_t slot_size, uint32_t capacity,
                                   enum rt_first_line line)
{
    void *base = arena_take_from(line, (size_t)slot_size * capacity);
    uint32_t count = rt_load(rt_root.slab_count);
    struct rt_slab *slab;
    struct rt_slab_block *block = NULL;
    if (count < RT_ROOT_SLABS) {
        slab = &rt_root.slabs[count];
    } else {
        block = rt_load(rt_root.more_slabs);
        while (block != NULL && rt_load(block->count) == RT_BLOCK_SLABS)
            block = rt_load(block->next);
        if (block == NULL) {
            block = arena_take_from(RT_LINE_ANY, sizeof *block);
            rt_store(block->next, rt_load(rt_root.more_slabs));
            rt_publish(rt_root.more_slabs, block);
        }
        slab = &block->slabs[rt_load(block->count)];
    }
    slab->base = base;
    slab->slot_size = slot_size;
    slab->capacity = capacity;
    slab->kind = kind;
    rt_store(slab->used, 0);
    if (block != NULL)
        rt_publish(block->count, rt_load(block->count) + 1);
    else
        rt_publish(rt_root.slab_count, count + 1);
    return slab;
}

static void *slab_carve(struct rt_slab *slab)
{
    uint32_t used = rt_load(slab->used);
    void *slot = (char *)slab->base + (size_t)slab->slot_size * used;
    rt_publish(slab->used, used + 1);
    return slot;
}

struct rt_slot *rt_slot_refill(struct rt_heap *heap, enum rt_class class)
{
    if (rt_load(heap->remote[class]) != NULL) {
        struct rt_slot *chain = atomic_exchange_explicit(&heap->remote[class], NULL, memory_order_acquire);
        rt_tsan_acquire(heap);
        heap->free[class] = chain->next;
        return chain;
    }
    struct rt_slab *slab = heap->carve[class];
    if (slab == NULL || rt_load(slab->used) == slab->capacity) {
        rt_lock(&rt_root.lock);
        uint32_t slots = slab == NULL ? classes[class].first : classes[class].more;
        heap->carve[class] =
            slab_create(classes[class].kind, classes[class].size, slots, classes[class].line);
        rt_unlock(&rt_root.lock);
        slab = heap->carve[class];
    }
    struct rt_slot *slot = slab_carve(slab);
    if (classes[class].kind == RT_KIND_TASK) { /* these never change */
        struct rt_task *task = (struct rt_task *)slot;
        task->heap = heap;
        task->class = class;
        rt_store(task->counts, RT_REF);
    }
    return slot;
}

/**
 * The owner takes the whole chain by one exchange (acquire), so no link of it changes meanwhile (litmus:
 * slots_given_back).
 */
static void push_remote(struct rt_heap *heap, enum rt_class class, struct rt_slot *first,
                        struct rt_slot *last)
{
    struct rt_slot *head = rt_load(heap->remote[class]);
    rt_tsan_release(heap);
    do
        last->next = head;
    while (!atomic_compare_exchange_weak_explicit(&heap->remote[class], &head, first, memory_order_release,
                                                  memory_order_relaxed));
}

static void flush(struct rt_give_back *back, enum rt_class class)
{
    struct rt_slot *first = back->chain, *last = first;
    if (first == NULL)
        return;
    while (last->next != NULL)
        last = last->next;
    back->chain = NULL;
    back->count = 0;
    push_remote(back->to, class, first, last);
}

void rt_give_back_flush(struct rt_thread *th)
{
    for (int class = 0; class < RT_CLASSES; class ++)
        flush(&th->give_back[class], (enum rt_class) class);
}

void rt_slot_give_back(struct rt_thread *th, struct rt_heap *heap, enum rt_class class, struct rt_slot *slot)
{
    if (likely(heap == th->heap)) {
        rt_slot_free(heap, class, slot);
        return;
    }
    struct rt_give_back *back = &th->give_back[class];
    rt_store(slot->serial, 0);
    atomic_signal_fence(memory_order_seq_cst); /* as in rt_slot_free */
    if (back->to != heap || back->count == GIVE_BACK_MAX)
        flush(back, class);
    slot->next = back->chain;
    back->chain = slot;
    back->to = heap;
    back->count++;
}

struct rt_heap *rt_heap_create(void)
{
    rt_lock(&rt_root.lock);
    struct rt_heap *heap = rt_root.orphans;
    if (heap != NULL)
        rt_root.orphans = heap->next_orphan;
    else
        heap = arena_take_from(RT_LINE_HEAP, sizeof *heap);
    rt_unlock(&rt_root.lock);
    rt_tsan_acquire(heap);
    return heap;
}

void rt_heap_orphan(struct rt_heap *heap)
{
    rt_tsan_release(heap);
    rt_lock(&rt_root.lock);
    heap->next_orphan = rt_root.orphans;
    rt_root.orphans = heap;
    rt_unlock(&rt_root.lock);
}

void *rt_slot_shared(struct rt_slab **slab, struct rt_slot **free, uint32_t kind, uint32_t size,
                     uint32_t slots, enum rt_first_line line)
{
    struct rt_slot *slot = *free;
    if (slot != NULL) {
        *free = slot->next;
        memset((void *)slot, 0, size);
        return slot;
    }
    if (*slab == NULL || rt_load((*slab)->used) == (*slab)->capacity)
        *slab = slab_create(kind, size, slots, line);
    return slab_carve(*slab);
}

void *rt_slot_alone(uint32_t kind, uint32_t size)
{
    return slab_carve(slab_create(kind, size, 1, RT_LINE_ANY));
}
