/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Allocators and their blocks. See alloc.h.
 *
 * All memory spaces of a host are one heap, libc's; what an allocator adds is in its traits. A head in front
 * of each block names the allocator, because the routines that free need not name one (OpenMP 5.2 section
 * 18.13.7) and clang's and gcc's compiled code names none.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "message.h"
#include "task.h"

/** An allocator with traits. */
struct rt_allocator {
    _Atomic uint64_t used; /**< bytes out of the pool, if that is limited; GONE */
    uint64_t pool_size;    /**< UINT64_MAX: no limit, and nobody counts */
    size_t alignment;
    uint64_t fb_data;
    uint64_t handle;
    struct rt_allocator *next_free; /**< under the lock */
    uint8_t fallback;               /**< RT_ATV_*_FB */
    uint8_t pinned;
};
/** Destroyed, or not made: when the last block is given back, the entry is freed. */
#define GONE (1ULL << 63)

/*
 * Handles are numbers of entries, not addresses: clang 14 passes an allocate clause's handle through 32 bits.
 * Entries are never unmapped, so that a handle that is no longer valid can be recognised. Chunk k has CHUNK
 * << k entries.
 */
#define CHUNK        64
#define CHUNKS       24
#define FIRST_HANDLE 1024 /* libomp keeps the numbers below for itself */
static struct {           /* under the lock */
    uint32_t made;        /**< entries used up to now */
    struct rt_allocator *free;
    struct rt_allocator *_Atomic chunks[CHUNKS];
} table;

/** The head of a block, directly before the memory that the program has. */
struct block {
    uintptr_t base; /**< what the heap gave, and MAPPED, COUNTED */
    size_t size;
    uint64_t owner;
    uintptr_t check; /**< address of the memory ^ MAGIC while the block lives */
};
#define HEAP_ALIGNMENT 16 /* malloc's on x86-64 (psABI: alignment of long double) */
#define MAPPED         1  /* pages of its own, locked */
#define COUNTED        2  /* the owner's pool is limited */
#define FLAGS          3
#define MAGIC          ((uintptr_t)0x6f6d70616c6c6f63)
_Static_assert(sizeof(struct block) % HEAP_ALIGNMENT == 0, "a head keeps the heap's alignment");

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static uintptr_t round_up(uintptr_t value, size_t alignment)
{
    return (value + alignment - 1) & ~(uintptr_t)(alignment - 1);
}

/** Entry of a number, whatever its state; NULL: there is no such entry. */
static struct rt_allocator *entry_of(uint64_t number)
{
    uint64_t n = number + CHUNK;
    unsigned k = 63U - (unsigned)__builtin_clzll(n / CHUNK);
    struct rt_allocator *chunk = k < CHUNKS ? rt_acquire(table.chunks[k]) : NULL;
    return chunk != NULL ? &chunk[n - ((uint64_t)CHUNK << k)] : NULL;
}

/** Of the handles that rt_alloc_init() made; NULL for predefined ones. */
static struct rt_allocator *allocator_of(uint64_t handle)
{
    if (likely(handle <= RT_ALLOC_PREDEFINED_MAX))
        return NULL;
    struct rt_allocator *allocator = handle >= FIRST_HANDLE ? entry_of(handle - FIRST_HANDLE) : NULL;
    if (unlikely(allocator == NULL || (rt_load(allocator->used) & GONE) != 0))
        rt_fatal("%#lx is no allocator, or was destroyed", (unsigned long)handle);
    return allocator;
}

/** An entry without a user; NULL: no memory. */
static struct rt_allocator *entry_take(void)
{
    rt_lock(&rt_allocators_lock);
    struct rt_allocator *entry = table.free;
    if (entry != NULL) {
        table.free = entry->next_free;
    } else {
        uint64_t n = (uint64_t)table.made + CHUNK;
        unsigned k = 63U - (unsigned)__builtin_clzll(n / CHUNK);
        size_t size = (size_t)CHUNK << k;
        struct rt_allocator *chunk = k < CHUNKS ? rt_load(table.chunks[k]) : NULL;
        if (chunk == NULL && k < CHUNKS && (chunk = calloc(size, sizeof *chunk)) != NULL) {
            for (size_t i = 0; i < size; i++) {
                atomic_init(&chunk[i].used, GONE);
                chunk[i].handle = FIRST_HANDLE + table.made + i;
            }
            rt_publish(table.chunks[k], chunk);
        }
        if (chunk != NULL) {
            entry = &chunk[n - size];
            table.made++;
        }
    }
    rt_unlock(&rt_allocators_lock);
    return entry;
}

static void entry_give(struct rt_allocator *entry)
{
    rt_lock(&rt_allocators_lock);
    entry->next_free = table.free;
    table.free = entry;
    rt_unlock(&rt_allocators_lock);
}

/* ---- blocks without accounting ------------------------------------------------------------------------- */

static struct block *block_head(const void *memory)
{
    return (struct block *)(uintptr_t)memory - 1;
}

static struct block *block_of(const void *memory)
{
    struct block *block = block_head(memory);
    if (unlikely(((uintptr_t)memory & (HEAP_ALIGNMENT - 1)) != 0 ||
                 block->check != ((uintptr_t)memory ^ MAGIC)))
        rt_fatal("%p does not come from an OpenMP allocator, or was freed before", memory);
    return block;
}

static void *pages_take(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (mlock(pages, bytes) == 0)
        return pages;
    munmap(pages, bytes);
    return NULL;
}

static inline void *block_take(size_t size, size_t alignment, int zeroed, int pinned)
{
    size_t bytes, slack = alignment > HEAP_ALIGNMENT ? alignment - HEAP_ALIGNMENT : 0;
    size_t front = sizeof(struct block) + (pinned ? HEAP_ALIGNMENT : 0);
    if (__builtin_add_overflow(size, front, &bytes) || __builtin_add_overflow(bytes, slack, &bytes) ||
        bytes > PTRDIFF_MAX)
        return NULL;
    void *base = pinned ? pages_take(bytes) : zeroed ? calloc(1, bytes) : malloc(bytes);
    if (base == NULL)
        return NULL;
    if (pinned)
        *(size_t *)base = bytes; /* before the head, for munmap() */
    uintptr_t memory = (uintptr_t)base + front;
    if (slack != 0)
        memory = round_up(memory, alignment);
    struct block *block = block_head((void *)memory);
    block->base = (uintptr_t)base | (pinned ? MAPPED : 0);
    block->size = size;
    block->check = memory ^ MAGIC;
    return (void *)memory;
}

static void block_give(struct block *block)
{
    void *base = (void *)(block->base & ~(uintptr_t)FLAGS);
    block->check = 0;
    if (block->base & MAPPED)
        munmap(base, *(size_t *)base);
    else
        free(base);
}

int rt_alloc_is_block(const void *pointer)
{
    uintptr_t address = (uintptr_t)pointer, page = page_size();
    if (address % HEAP_ALIGNMENT != 0 || address < page)
        return 0;
    uintptr_t head = address - sizeof(struct block), first = head & ~(page - 1);
    unsigned char resident[2];
    /* mincore() fails on pages that are not there, and so tells without a fault. */
    return mincore((void *)first, address - first, resident) == 0 &&
           block_head(pointer)->check == (address ^ MAGIC);
}

/* ---- allocators ---------------------------------------------------------------------------------------- */

/** What a block takes out of a pool: what is in front of it too, as in libgomp and libomp. */
static size_t block_bytes(size_t size)
{
    return size < SIZE_MAX - sizeof(struct block) ? size + sizeof(struct block) : SIZE_MAX;
}

static int charge(struct rt_allocator *allocator, size_t bytes)
{
    uint64_t used = rt_load(allocator->used), sum;
    do {
        if (__builtin_add_overflow(used & ~GONE, bytes, &sum) || sum > allocator->pool_size)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&allocator->used, &used, used + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    return 1;
}

/** Who finds that nothing is left of both, memory and allocator, gives it back (litmus: allocator_end). */
static void discharge(struct rt_allocator *allocator, size_t bytes)
{
    if (atomic_fetch_sub_explicit(&allocator->used, bytes, memory_order_acq_rel) - bytes == GONE)
        entry_give(allocator);
}

static int among(uint64_t value, uint64_t low, uint64_t high)
{
    return value >= low && value <= high;
}

/** Whether a number is the host's, the only device: -1, or the number of devices. */
static int is_host(uint64_t value)
{
    return (int32_t)value == -1 || value == 0;
}

/**
 * Takes one trait over; 0: there is none such, or not with that value (OpenMP 5.2 table 6.2, 6.0 table 8.2).
 */
static int trait_set(struct rt_allocator *allocator, int32_t key, uint64_t value)
{
    int unset = value == RT_ATV_DEFAULT;
    switch (key) {
    case RT_ATK_SYNC_HINT:
        return unset || among(value, RT_ATV_CONTENDED, RT_ATV_PRIVATE);
    case RT_ATK_ALIGNMENT:
        allocator->alignment = unset ? 1 : value;
        return unset || (value != 0 && (value & (value - 1)) == 0);
    case RT_ATK_ACCESS:
        return unset || among(value, RT_ATV_ALL, RT_ATV_CGROUP) || value == RT_ATV_ALL_6 ||
               value == RT_ATV_MEMSPACE;
    case RT_ATK_POOL_SIZE:
        /* The mark of a destroyed allocator is above every size that a pool can have. */
        allocator->pool_size = value >= GONE ? UINT64_MAX : value;
        return 1;
    case RT_ATK_FALLBACK:
        allocator->fallback = unset ? RT_ATV_DEFAULT_MEM_FB : (uint8_t)value;
        return unset || among(value, RT_ATV_DEFAULT_MEM_FB, RT_ATV_ALLOCATOR_FB);
    case RT_ATK_FB_DATA:
        allocator->fb_data = unset ? RT_ALLOC_NULL : value;
        return 1;
    case RT_ATK_PINNED:
        allocator->pinned = value == RT_ATV_TRUE;
        return unset || value == RT_ATV_FALSE || value == RT_ATV_TRUE;
    case RT_ATK_PARTITION:
        /*
         * Only advice. A partitioner (6.0) would be more than that, and there is just one resource to divide.
         */
        return unset || among(value, RT_ATV_ENVIRONMENT, RT_ATV_INTERLEAVED);
    case RT_ATK_PIN_DEVICE:
    case RT_ATK_PREFERRED_DEVICE:
        return unset || is_host(value);
    case RT_ATK_DEVICE_ACCESS:
    case RT_ATK_TARGET_ACCESS:
        return unset || value == RT_ATV_SINGLE || value == RT_ATV_MULTIPLE;
    case RT_ATK_ATOMIC_SCOPE:
        return unset || value == RT_ATV_ALL || value == RT_ATV_ALL_6;
    case RT_ATK_PART_SIZE:
        return value != 0;
    case RT_ATK_PARTITIONER:
    case RT_ATK_PARTITIONER_ARG:
        return 1; /* without partition=partitioner they mean nothing */
    default:
        return 0;
    }
}

uint64_t rt_alloc_of_memspace(uint64_t memspace)
{
    /* The default space is 0 in most headers and 99 in clang's of OpenMP 6.0; clang adds 100 .. 102. */
    if (memspace == 99)
        return RT_ALLOC_DEFAULT;
    if (among(memspace, RT_ALLOC_LLVM_HOST, RT_ALLOC_LLVM_DEVICE))
        return memspace;
    return memspace <= 4 ? memspace + RT_ALLOC_DEFAULT : RT_ALLOC_NULL;
}

uint64_t rt_alloc_init(uint64_t memspace, int ntraits, const struct rt_alloctrait *traits)
{
    struct rt_allocator wanted = {.pool_size = UINT64_MAX, .alignment = 1, .fallback = RT_ATV_DEFAULT_MEM_FB};
    if (rt_alloc_of_memspace(memspace) == RT_ALLOC_NULL || ntraits < 0 || (ntraits > 0 && traits == NULL))
        return RT_ALLOC_NULL;
    for (int i = 0; i < ntraits; i++)
        if (!trait_set(&wanted, traits[i].key, traits[i].value))
            return RT_ALLOC_NULL;
    struct rt_allocator *allocator = entry_take();
    if (allocator == NULL)
        return RT_ALLOC_NULL;
    allocator->pool_size = wanted.pool_size;
    allocator->alignment = wanted.alignment;
    allocator->fb_data = wanted.fb_data;
    allocator->fallback = wanted.fallback;
    allocator->pinned = wanted.pinned;
    rt_publish(allocator->used, 0);
    return allocator->handle;
}

void rt_alloc_destroy(uint64_t handle)
{
    struct rt_allocator *allocator = allocator_of(handle);
    if (allocator != NULL && atomic_fetch_or_explicit(&allocator->used, GONE, memory_order_acq_rel) == 0)
        entry_give(allocator);
}

/* ---- def-allocator-var --------------------------------------------------------------------------------- */

static uint64_t initial_default(void)
{
    return rt_root.icvs.allocator != RT_ALLOC_NULL ? rt_root.icvs.allocator : RT_ALLOC_DEFAULT;
}

uint64_t rt_alloc_default(void)
{
    /* A thread that the runtime does not know has set nothing, and need not become known for this. */
    const struct rt_thread *th = rt_self;
    if (th != NULL && th->implicit->icvs.allocator != RT_ALLOC_NULL)
        return th->implicit->icvs.allocator;
    return initial_default();
}

void rt_alloc_set_default(struct rt_thread *th, uint64_t handle)
{
    /*
     * The ICV belongs to the implicit task (5.2 table 2.3); a region that the current task opens takes its
     * copy.
     */
    uint64_t value = handle != RT_ALLOC_NULL ? handle : initial_default();
    rt_icvs_change(th->implicit)->allocator = value;
    rt_icvs_change(rt_load(th->cur_task))->allocator = value;
}

/* ---- allocation ---------------------------------------------------------------------------------------- */

static RT_NOINLINE void *take_slow(uint64_t handle, size_t alignment, size_t size, int zeroed)
{
    if (size == 0 || (alignment & (alignment - 1)) != 0)
        return NULL;
    /*
     * Fallbacks may form a ring, which then gives nothing. A mark that moves on after 1, 2, 4 ... of them is
     * met again in every ring (R. P. Brent, BIT 20, 1980).
     */
    uint64_t mark = RT_ALLOC_NULL;
    for (uint32_t step = 0, next_mark = 1;; step++) {
        if (unlikely(handle == mark))
            return NULL;
        if (step == next_mark) {
            mark = handle;
            next_mark *= 2;
        }
        struct rt_allocator *allocator = allocator_of(handle);
        int pinned = handle == RT_ALLOC_GNU_PINNED, counted = 0;
        if (allocator != NULL) {
            /* The alignment stays when a fallback takes over: it is more than that asks for, never less. */
            alignment = alignment > allocator->alignment ? alignment : allocator->alignment;
            pinned = allocator->pinned;
            counted = allocator->pool_size != UINT64_MAX;
        }
        if (!counted || charge(allocator, block_bytes(size))) {
            void *memory = block_take(size, alignment, zeroed, pinned);
            if (likely(memory != NULL)) {
                struct block *block = block_head(memory);
                block->owner = handle;
                block->base |= counted ? COUNTED : 0;
                return memory;
            }
            if (counted)
                discharge(allocator, block_bytes(size));
        }
        if (allocator == NULL || allocator->fallback == RT_ATV_NULL_FB)
            return NULL;
        if (allocator->fallback == RT_ATV_ABORT_FB)
            rt_fatal("an allocator with fallback abort_fb cannot give %zu bytes", size);
        handle = RT_ALLOC_DEFAULT;
        if (allocator->fallback == RT_ATV_ALLOCATOR_FB && allocator->fb_data != RT_ALLOC_NULL)
            handle = allocator->fb_data;
    }
}

/** Predefined allocators have no traits: the heap's alignment and no pool. */
static inline void *take(uint64_t handle, size_t alignment, size_t size, int zeroed)
{
    if (handle == RT_ALLOC_NULL)
        handle = rt_alloc_default();
    if (unlikely(handle > RT_ALLOC_THREAD || alignment > 1 || size == 0))
        return take_slow(handle, alignment, size, zeroed);
    void *memory = block_take(size, 1, zeroed, 0);
    if (likely(memory != NULL))
        block_head(memory)->owner = handle;
    return memory;
}

void *rt_alloc(uint64_t handle, size_t alignment, size_t size)
{
    return take(handle, alignment, size, 0);
}

void *rt_alloc_zeroed(uint64_t handle, size_t alignment, size_t n, size_t size)
{
    size_t bytes;
    /* A product that is too large is a request that cannot be met, and goes the way of the fallbacks. */
    if (__builtin_mul_overflow(n, size, &bytes))
        bytes = SIZE_MAX;
    return take(handle, alignment, bytes, 1);
}

void rt_free(void *pointer)
{
    if (pointer == NULL)
        return;
    struct block *block = block_of(pointer);
    if (likely(block->base == (uintptr_t)block)) { /* no flags, no slack */
        block->check = 0;
        free(block);
        return;
    }
    /* The allocator may be destroyed, but its entry waits for this block. */
    struct rt_allocator *counted = block->base & COUNTED ? entry_of(block->owner - FIRST_HANDLE) : NULL;
    size_t size = block->size;
    block_give(block);
    if (counted != NULL)
        discharge(counted, block_bytes(size));
}

/** The block's memory in another size from the same allocator; its pool has room for it. NULL: no memory. */
static void *block_resize(struct block *block, size_t size)
{
    const struct rt_allocator *allocator = allocator_of(block->owner);
    size_t alignment = allocator != NULL ? allocator->alignment : 1;
    uintptr_t flags = block->base & FLAGS, base = block->base & ~(uintptr_t)FLAGS, total;
    if (alignment <= HEAP_ALIGNMENT && (uintptr_t)block == base && !(flags & MAPPED)) {
        if (__builtin_add_overflow(size, sizeof *block, &total))
            return NULL;
        block->check = 0;
        struct block *moved = realloc((void *)base, total);
        if (moved == NULL) {
            block->check = (uintptr_t)(block + 1) ^ MAGIC;
            return NULL;
        }
        moved->base = (uintptr_t)moved | flags;
        moved->size = size;
        moved->check = (uintptr_t)(moved + 1) ^ MAGIC;
        return moved + 1;
    }
    void *memory = block_take(size, alignment, 0, (flags & MAPPED) != 0);
    if (memory == NULL)
        return NULL;
    memcpy(memory, block + 1, size < block->size ? size : block->size);
    block_head(memory)->owner = block->owner;
    block_head(memory)->base |= flags;
    block_give(block);
    return memory;
}

void *rt_realloc(void *pointer, size_t size, uint64_t handle)
{
    if (pointer == NULL)
        return take(handle, 0, size, 0);
    if (size == 0) {
        rt_free(pointer);
        return NULL;
    }
    struct block *block = block_of(pointer);
    size_t old = block->size;
    if (handle == RT_ALLOC_NULL || handle == block->owner) {
        handle = block->owner;
        struct rt_allocator *counted = block->base & COUNTED ? allocator_of(handle) : NULL;
        size_t more = size > old ? size - old : 0;
        if (counted == NULL || charge(counted, more)) {
            void *memory = block_resize(block, size);
            size_t unused = memory == NULL ? more : old > size ? old - size : 0;
            if (counted != NULL && unused != 0)
                discharge(counted, unused);
            if (memory != NULL)
                return memory;
        }
    }
    void *memory = take(handle, 0, size, 0);
    if (memory == NULL)
        return NULL;
    memcpy(memory, pointer, size < old ? size : old);
    rt_free(pointer);
    return memory;
}
