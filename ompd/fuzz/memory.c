/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGES_MAX 32

static void bad(const char *name)
{
    fprintf(stderr, "%s is no image\n", name);
    abort();
}

struct reader {
    const struct mem_file *file;
    size_t at;
};

static const uint8_t *take(struct reader *reader, size_t bytes)
{
    if (bytes > reader->file->size - reader->at)
        bad(reader->file->name);
    const uint8_t *found = reader->file->data + reader->at;
    reader->at += bytes;
    return found;
}

static uint64_t number(struct reader *reader, unsigned bytes)
{
    const uint8_t *in = take(reader, bytes);
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)in[i] << 8 * i;
    return value;
}

static void load_pieces(struct mem *mem, struct reader *reader, uint8_t *bytes)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < mem->piece_count; i++) {
        struct mem_piece *piece = &mem->pieces[i];
        piece->address = number(reader, 8);
        piece->size = piece->visible = (uint32_t)number(reader, 4);
        piece->at = total;
        uint32_t runs = (uint32_t)number(reader, 4);
        for (uint32_t run = 0; run < runs; run++) {
            uint32_t offset = (uint32_t)number(reader, 4), size = (uint32_t)number(reader, 4);
            const uint8_t *data = take(reader, size);
            if (offset > piece->size || size > piece->size - offset)
                bad(mem->name);
            if (bytes != NULL)
                memcpy(bytes + total + offset, data, size);
        }
        total += piece->size;
    }
    mem->total = total;
}

static struct mem *load(const struct mem_file *file)
{
    struct reader reader = {file, 0};
    struct mem *mem = calloc(1, sizeof *mem);
    mem->name = file->name;
    if (memcmp(take(&reader, 8), "OMPCIMG1", 8) != 0)
        bad(mem->name);
    mem->pointer = (uint8_t)number(&reader, 1);
    mem->order = (uint8_t)number(&reader, 1);
    (void)number(&reader, 2);
    mem->piece_count = (uint32_t)number(&reader, 4);
    mem->table = number(&reader, 8);
    if (mem->piece_count > MEM_PIECES_MAX)
        bad(mem->name);
    const size_t pieces = reader.at;
    load_pieces(mem, &reader, NULL);
    if (mem->total == 0)
        bad(mem->name);
    mem->bytes = calloc(1, mem->total);
    mem->sound = calloc(1, mem->total);
    reader.at = pieces;
    load_pieces(mem, &reader, mem->bytes);
    memcpy(mem->sound, mem->bytes, mem->total);
    return mem;
}

struct mem *mem_get(size_t i)
{
    static struct mem *loaded[IMAGES_MAX];
    if (i >= mem_file_count || i >= IMAGES_MAX)
        abort();
    if (loaded[i] == NULL)
        loaded[i] = load(&mem_files[i]);
    mem_heal(loaded[i]);
    return loaded[i];
}

static const struct mem_piece *find_piece(const struct mem *mem, uint64_t address)
{
    for (uint32_t i = 0; i < mem->piece_count; i++)
        if (address >= mem->pieces[i].address && address - mem->pieces[i].address < mem->pieces[i].size)
            return &mem->pieces[i];
    return NULL;
}

uint32_t mem_at(const struct mem *mem, uint64_t address)
{
    const struct mem_piece *piece = find_piece(mem, address);
    return piece != NULL ? piece->at + (uint32_t)(address - piece->address) : UINT32_MAX;
}

bool mem_read(const struct mem *mem, uint64_t address, uint64_t bytes, void *ret)
{
    uint8_t *out = ret;
    for (uint32_t i = 0; i < mem->lost_count; i++)
        if (address < mem->lost[i] + 4096 && address + bytes > mem->lost[i])
            return false;
    while (bytes != 0) {
        const struct mem_piece *piece = find_piece(mem, address);
        if (piece == NULL)
            return false;
        uint64_t offset = address - piece->address;
        if (offset >= piece->visible)
            return false;
        uint64_t part = piece->visible - offset < bytes ? piece->visible - offset : bytes;
        memcpy(out, mem->bytes + piece->at + offset, part);
        out += part;
        address += part;
        bytes -= part;
    }
    return true;
}

void mem_convert(const struct mem *mem, const void *in, size_t unit, void *out)
{
    const uint8_t *from = in;
    uint8_t to[8];
    if (unit > sizeof to)
        abort();
    for (size_t i = 0; i < unit; i++)
        to[i] = mem->order == MEM_ORDER_SWAP                  ? from[unit - 1 - i]
                : mem->order == MEM_ORDER_MIDDLE && unit == 4 ? from[i ^ 2]
                                                              : from[i];
    memcpy(out, to, unit);
}

uint64_t mem_number(const struct mem *mem, uint32_t at, unsigned size)
{
    uint8_t host[8] = {0};
    uint64_t value;
    mem_convert(mem, mem->bytes + at, size, host);
    memcpy(&value, host, sizeof value);
    return value;
}

void mem_poke(struct mem *mem, uint32_t at, const uint8_t *bytes, unsigned size)
{
    for (unsigned i = 0; i < size && at + i < mem->total && mem->change_count < MEM_CHANGES_MAX; i++) {
        mem->changed[mem->change_count++] = at + i;
        mem->bytes[at + i] = bytes[i];
    }
}

void mem_put(struct mem *mem, uint32_t at, unsigned size, uint64_t value)
{
    uint8_t target[8];
    mem_convert(mem, &value, size, target);
    mem_poke(mem, at, target, size);
}

void mem_cut(struct mem *mem, unsigned piece, uint32_t visible)
{
    struct mem_piece *cut = &mem->pieces[piece % mem->piece_count];
    cut->visible = visible < cut->size ? visible : cut->size;
}

void mem_lose(struct mem *mem, uint64_t address)
{
    if (mem->lost_count < sizeof mem->lost / sizeof mem->lost[0])
        mem->lost[mem->lost_count++] = address & ~UINT64_C(4095);
}

bool mem_is_damaged(const struct mem *mem)
{
    bool cut = false;
    for (uint32_t i = 0; i < mem->piece_count; i++)
        cut |= mem->pieces[i].visible != mem->pieces[i].size;
    return mem->change_count != 0 || mem->lost_count != 0 || cut;
}

void mem_heal(struct mem *mem)
{
    for (uint32_t i = 0; i < mem->change_count; i++)
        mem->bytes[mem->changed[i]] = mem->sound[mem->changed[i]];
    for (uint32_t i = 0; i < mem->piece_count; i++)
        mem->pieces[i].visible = mem->pieces[i].size;
    mem->change_count = 0;
    mem->lost_count = 0;
}
