/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Pages from the system.
 */
#include <sys/mman.h>

#include "memory.h"
#include "message.h"

void *rt_memory_take(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        rt_fatal("no memory: %zu bytes are needed", bytes);
    return memory;
}

void rt_memory_give(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}
