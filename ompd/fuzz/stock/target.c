/* SPDX-License-Identifier: Apache-2.0 */
#include "ompd/fuzz/stock/target.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/memory.h"
#include "ompdx.h"

#define PIECES_MAX  1024u
#define CHANGES_MAX 64u
#define BLOCK_MAX   (UINT64_C(64) << 20)

/** In the order of segment, LWP and address; between two of them there is a gap. */
struct piece {
    uint64_t segment;
    int64_t lwp;
    uint64_t address;
    uint32_t size, at; /**< of its bytes in those of the image */
    bool lost;
};

static struct image {
    struct piece pieces[PIECES_MAX];
    uint32_t piece_count, memory_count, total;
    uint8_t *bytes, *sound;
    uint32_t changed[CHANGES_MAX], change_count; /**< where eight bytes may differ */
} images[16];
static struct image *now;
int64_t target_live;

/* ---- images -------------------------------------------------------------------------------------------- */

static const uint8_t *take(const uint8_t *from, void *ret, size_t bytes)
{
    memcpy(ret, from, bytes);
    return from + bytes;
}

/** First with NULL for its bytes, to count them. */
static void load(struct image *image, const struct mem_file *file)
{
    const uint8_t *at = file->data, *end = at + file->size;
    image->piece_count = image->memory_count = image->total = 0;
    while (at < end && image->piece_count < PIECES_MAX) {
        struct piece piece = {.at = image->total};
        uint32_t runs;
        at = take(at, &piece.segment, 8);
        at = take(at, &piece.lwp, 8);
        at = take(at, &piece.address, 8);
        at = take(at, &piece.size, 4);
        at = take(at, &runs, 4);
        for (uint32_t i = 0; i < runs; i++) {
            uint32_t offset, bytes;
            at = take(at, &offset, 4);
            at = take(at, &bytes, 4);
            if (image->sound != NULL)
                memcpy(image->sound + piece.at + offset, at, bytes);
            at += bytes;
        }
        image->total += piece.size;
        image->memory_count += piece.segment == 0;
        image->pieces[image->piece_count++] = piece;
    }
}

void target_choose(unsigned number)
{
    const size_t which = number % mem_file_count;
    now = &images[which % 16];
    if (now->bytes == NULL) {
        load(now, &mem_files[which]);
        now->sound = calloc(now->total + 8, 1);
        now->bytes = calloc(now->total + 8, 1);
        if (now->sound == NULL || now->bytes == NULL)
            abort();
        load(now, &mem_files[which]);
        memcpy(now->bytes, now->sound, now->total);
    }
    for (uint32_t i = 0; i < now->change_count; i++)
        memcpy(now->bytes + now->changed[i], now->sound + now->changed[i], 8);
    for (uint32_t i = 0; i < now->piece_count; i++)
        now->pieces[i].lost = false;
    now->change_count = 0;
}

/* ---- damage -------------------------------------------------------------------------------------------- */

uint32_t target_bytes(void)
{
    return now->total;
}

void target_put(uint32_t at, unsigned size, uint64_t value)
{
    if (at >= now->total || now->change_count == CHANGES_MAX)
        return;
    now->changed[now->change_count++] = at;
    memcpy(now->bytes + at, &value, size < now->total - at ? size : now->total - at);
}

uint64_t target_number(uint32_t at, unsigned size)
{
    uint64_t value = 0;
    if (at < now->total)
        memcpy(&value, now->bytes + at, size < now->total - at ? size : now->total - at);
    return value;
}

uint64_t target_address(uint32_t number)
{
    const struct piece *piece = &now->pieces[now->memory_count != 0 ? number % now->memory_count : 0];
    return piece->address + (piece->size > 8 ? (number >> 8) % (piece->size / 8) * 8 : 0);
}

void target_lose(uint32_t at)
{
    for (uint32_t i = 0; i < now->piece_count; i++)
        if (at - now->pieces[i].at < now->pieces[i].size)
            now->pieces[i].lost = true;
}

/* ---- the tool ------------------------------------------------------------------------------------------ */

static ompd_rc_t alloc_memory(ompd_size_t bytes, void **ptr)
{
    *ptr = bytes <= BLOCK_MAX ? malloc(bytes) : NULL;
    target_live += *ptr != NULL;
    return *ptr != NULL ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t free_memory(void *ptr)
{
    target_live -= ptr != NULL;
    free(ptr);
    return ompd_rc_ok;
}

static ompd_rc_t print_string(const char *text, int category)
{
    (void)category;
    return text[strlen(text) - 1] == '\n' ? ompd_rc_ok : ompd_rc_error;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
    (void)context;
    *sizes = (ompd_device_type_sizes_t){1, 2, 4, 8, 8, 8};
    return ompd_rc_ok;
}

static ompd_rc_t symbol(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                        const char *name, ompd_address_t *ret, const char *file)
{
    (void)context, (void)thread, (void)name, (void)ret, (void)file;
    return ompd_rc_error;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
                             const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
    const int64_t lwp = address->segment != 0 ? (int64_t)(intptr_t)thread : 0;
    uint32_t low = 0, high = now->piece_count;
    (void)context;
    while (low < high) { /* the first one behind the address */
        const uint32_t middle = low + (high - low) / 2;
        const struct piece *piece = &now->pieces[middle];
        if (piece->segment != address->segment ? piece->segment < address->segment
            : piece->lwp != lwp                ? piece->lwp < lwp
                                               : piece->address <= address->address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return ompd_rc_error;
    const struct piece *piece = &now->pieces[low - 1];
    const uint64_t behind = address->address - piece->address;
    if (piece->segment != address->segment || piece->lwp != lwp || piece->lost || behind >= piece->size ||
        bytes > piece->size - behind)
        return ompd_rc_error;
    memcpy(buffer, now->bytes + piece->at + behind, bytes);
    return ompd_rc_ok;
}

static ompd_rc_t convert(ompd_address_space_context_t *context, const void *in, ompd_size_t unit,
                         ompd_size_t count, void *ret)
{
    (void)context;
    memcpy(ret, in, unit * count);
    return ompd_rc_ok;
}

static ompd_rc_t thread_context(ompd_address_space_context_t *context, ompd_thread_id_t kind,
                                ompd_size_t size, const void *id, ompd_thread_context_t **ret)
{
    int64_t lwp;
    (void)context;
    if (kind != OMPD_THREAD_ID_LWP || size != sizeof lwp)
        return ompd_rc_unsupported;
    memcpy(&lwp, id, sizeof lwp);
    *ret = (ompd_thread_context_t *)(intptr_t)lwp;
    return lwp != 0 ? ompd_rc_ok : ompd_rc_bad_input;
}

const ompd_callbacks_t target_callbacks = {
    .alloc_memory = alloc_memory,
    .free_memory = free_memory,
    .print_string = print_string,
    .sizeof_type = sizeof_type,
    .symbol_addr_lookup = symbol,
    .read_memory = read_memory,
    .device_to_host = convert,
    .host_to_device = convert,
    .get_thread_context_for_thread_id = thread_context,
};
