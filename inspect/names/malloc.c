/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How much glibc's malloc has given out at an address. It notes the size of a chunk in the word before it
 * (malloc(3), glibc's malloc/malloc.c, "struct malloc_chunk"; unchanged since 2.0); whether that word is one
 * is seen by what else must be true of a chunk.
 */
#include "inspect/names/memory.h"

/** WORD: of a chunk's header, which has two. FLAGS: bits of its second word that are no part of the size;
 *  the chunk before is in use, this one was mapped on its own. ROUNDING: by so much a chunk may be larger
 *  than asked for. */
enum { WORD = 8, HEADER = 2 * WORD, FLAGS = 7, BEFORE_IN_USE = 1, MAPPED = 2, SMALLEST = 32, ROUNDING = 24 };

/* How many bytes from ADDR on were given out by glibc's malloc, if it gave out ADDR; 0 unknown. */
static uint64_t allocated(struct name_memory *m, uint64_t addr)
{
    uint64_t header[2], size, next;
    struct insp_region region;

    if (addr % HEADER || addr < HEADER || !memory_read(m, addr - HEADER, header, HEADER) ||
        !memory_region(m, addr, &region) || addr - HEADER < region.start)
        return 0;
    size = header[1] & ~(uint64_t)FLAGS;
    if (size < SMALLEST || size % HEADER || size - HEADER > region.end - addr)
        return 0;
    if (header[1] & MAPPED) {
        /* It fills its pages; the first word is what alignment has left unused. */
        if ((addr - HEADER - header[0]) % NAMES_PAGE || (header[0] + size) % NAMES_PAGE)
            return 0;
        return size - HEADER;
    }
    /* The last word belongs to the next chunk's header, which says that this one is in use. */
    if (size > region.end - addr || !memory_word(m, addr - HEADER + size + WORD, &next) ||
        !(next & BEFORE_IN_USE) || (next & ~(uint64_t)FLAGS) < HEADER || (next & ~(uint64_t)FLAGS) % HEADER)
        return 0;
    return size - WORD;
}

uint64_t memory_allocated(struct name_memory *m, uint64_t addr, uint64_t size, bool *several)
{
    uint64_t bytes, count;

    *several = false;
    if (!size)
        return 1;
    bytes = allocated(m, addr);
    if (!bytes && addr % HEADER == WORD) {
        /* C++'s new[] of objects with a destructor puts their number before them (Itanium C++ ABI 2.7). */
        bytes = allocated(m, addr - WORD);
        if (!bytes || !memory_word(m, addr - WORD, &count) || !count || count > (bytes - WORD) / size ||
            bytes - WORD - count * size >= ROUNDING)
            return 1;
        *several = true;
        return count;
    }
    if (bytes < size)
        return 1;
    *several = bytes - size >= ROUNDING;
    return bytes / size;
}
