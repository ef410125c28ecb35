/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The fuzzers' target: the memory of a process as an image file, which can be damaged and is made whole
 * again.
 *
 * An image file, little-endian: "OMPCIMG1"; u8 size of a pointer; u8 order (0 the host's, 1 the other one, 2
 * middle: numbers of 4 bytes with their halves exchanged); u16 0; u32 pieces; u64 address of the layout
 * table; then each piece: u64 address, u32 bytes, u32 runs; each run: u32 offset, u32 bytes, the bytes. What
 * no run has is zero. Pieces come in the order of their addresses.
 *
 * C without any library but libc: MemorySanitizer wants all code instrumented.
 */
#ifndef OMPD_FUZZ_MEMORY_H
#define OMPD_FUZZ_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEM_ORDER_SAME, MEM_ORDER_SWAP, MEM_ORDER_MIDDLE };

struct mem_piece {
    uint64_t address;
    uint32_t size, visible; /**< bytes; of them readable */
    uint32_t at;            /**< in bytes[] */
};

/** A number in the target that means something: a field of a structure or of the table. */
struct mem_place {
    uint32_t at; /**< in bytes[] */
    uint8_t size;
};

#define MEM_PIECES_MAX    64
#define MEM_PLACES_MAX    8192
#define MEM_ADDRESSES_MAX 512
#define MEM_CHANGES_MAX   4096

struct mem {
    const char *name;
    uint8_t pointer, order;
    uint64_t table;
    uint32_t piece_count, total;
    struct mem_piece pieces[MEM_PIECES_MAX];
    uint8_t *bytes, *sound;
    struct mem_place places[MEM_PLACES_MAX]; /**< fields of the structures */
    uint32_t place_count;
    uint64_t addresses[MEM_ADDRESSES_MAX]; /**< where structures are */
    uint32_t address_count;
    uint64_t lost[8]; /**< pages that cannot be read */
    uint32_t lost_count;
    uint32_t changed[MEM_CHANGES_MAX]; /**< places in bytes[] that may differ from sound[] */
    uint32_t change_count;
};

/** The images that embed.py has made a part of this program. */
extern const struct mem_file {
    const char *name;
    const uint8_t *data;
    size_t size;
} mem_files[];
extern const size_t mem_file_count;

/** The image number I, loaded when first asked for; whole. Aborts when the file is no image. */
struct mem *mem_get(size_t i);

bool mem_read(const struct mem *mem, uint64_t address, uint64_t bytes, void *ret);
/** From the target's byte order to the host's, or back. */
void mem_convert(const struct mem *mem, const void *in, size_t unit, void *out);

uint64_t mem_number(const struct mem *mem, uint32_t at, unsigned size);
/** Damage. Changes beyond MEM_CHANGES_MAX are not made. */
void mem_put(struct mem *mem, uint32_t at, unsigned size, uint64_t value);
void mem_poke(struct mem *mem, uint32_t at, const uint8_t *bytes, unsigned size);
void mem_cut(struct mem *mem, unsigned piece, uint32_t visible);
void mem_lose(struct mem *mem, uint64_t address);
/** Is there damage now? */
bool mem_is_damaged(const struct mem *mem);
/** Undoes all damage. */
void mem_heal(struct mem *mem);

/** Where ADDRESS is in bytes[]; UINT32_MAX: nowhere. */
uint32_t mem_at(const struct mem *mem, uint64_t address);

#endif
