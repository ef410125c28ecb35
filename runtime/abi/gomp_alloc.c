/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's memory entry points (docs/abi/gomp.md section 10): the allocate clause and directive, and the
 * register of gfortran's allocatable variables that an OpenMP allocator made.
 */
#include <stdlib.h>

#include "../core/alloc.h"
#include "../core/lock.h"
#include "../core/message.h"
#include "versions.h"

/* Compiled code does not look at the result: it must be memory. */
RT_EXPORT void *GOMP_alloc(size_t alignment, size_t size, uint64_t allocator)
{
    void *memory = rt_alloc(allocator, alignment, size);
    if (unlikely(memory == NULL && size != 0))
        rt_fatal("no memory for %zu bytes of an allocate clause or directive", size);
    return memory;
}
RT_ALSO_VERSION(GOMP_alloc);

RT_EXPORT void GOMP_free(void *pointer, uint64_t allocator)
{
    (void)allocator;
    rt_free(pointer);
}
RT_ALSO_VERSION(GOMP_free);

/* A set of addresses: few, and asked for whenever such a variable is deallocated. */

#define BUCKETS 256
struct entry {
    struct entry *next;
    const void *address;
};
static struct entry *buckets[BUCKETS];

static struct entry **bucket_of(const void *address)
{
    uintptr_t n = (uintptr_t)address >> 4;
    return &buckets[(n ^ n >> 8 ^ n >> 16) % BUCKETS];
}

RT_EXPORT void GOMP_add_alloc(void *pointer)
{
    struct entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        rt_fatal("no memory to note an allocatable variable");
    entry->address = pointer;
    rt_lock(&rt_allocatables_lock);
    struct entry **bucket = bucket_of(pointer);
    entry->next = *bucket;
    *bucket = entry;
    rt_unlock(&rt_allocatables_lock);
}

RT_EXPORT _Bool GOMP_is_alloc(void *pointer)
{
    rt_lock(&rt_allocatables_lock);
    struct entry **link = bucket_of(pointer);
    while (*link != NULL && (*link)->address != pointer)
        link = &(*link)->next;
    struct entry *found = *link;
    if (found != NULL)
        *link = found->next;
    rt_unlock(&rt_allocatables_lock);
    free(found);
    return found != NULL;
}
