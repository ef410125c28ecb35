/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "providers/provider.h"
#include "text.h"

/* The format of docs/core-note.md; these numbers are the contract's, not a build's. */
#define MAGIC        "OMPCLAYT"
#define MAJOR        1
#define HEADER_BYTES 32u
#define ENTRY_BYTES  24u
/** No table has more; what is above is a broken count. */
#define HEADER_BYTES_MAX 4096u
#define ENTRY_BYTES_MAX  256u
#define ENTRIES_MAX      4096u

struct header {
    uint64_t major, minor, count, entry_bytes, header_bytes, self;
};

static ompd_rc_t refuse(const char *why, uint64_t number)
{
    struct text text = {0};
    text_add(&text, "libompd: rt_layout_table ");
    text_add(&text, why);
    text_add(&text, " ");
    text_add_uint(&text, number);
    text_add(&text, "; this library does not fit the runtime, or the target's memory is damaged.\n");
    tgt_say(text.buffer);
    return ompd_rc_incompatible;
}

static ompd_rc_t decode_header(const struct tgt *tgt, const uint8_t *bytes, struct header *ret)
{
    TRY(tgt_number(tgt, bytes + 8, 2, &ret->major));
    TRY(tgt_number(tgt, bytes + 10, 2, &ret->minor));
    TRY(tgt_number(tgt, bytes + 12, 4, &ret->count));
    TRY(tgt_number(tgt, bytes + 16, 4, &ret->entry_bytes));
    TRY(tgt_number(tgt, bytes + 20, 4, &ret->header_bytes));
    return tgt_number(tgt, bytes + 24, 8, &ret->self);
}

static ompd_rc_t check_header(const struct tgt *tgt, const uint8_t *bytes, uint64_t table, struct header *ret)
{
    static const uint8_t zeros[8];
    if (memcmp(bytes, zeros, sizeof zeros) == 0) {
        tgt_say("libompd: the OpenMP runtime is loaded but has not started yet.\n");
        return ompd_rc_unavailable;
    }
    if (memcmp(bytes, MAGIC, 8) != 0) {
        tgt_say("libompd: rt_layout_table does not start with its magic; this is not Companion's table.\n");
        return ompd_rc_incompatible;
    }
    TRY(decode_header(tgt, bytes, ret));
    if (ret->major != MAJOR)
        return refuse("has major version", ret->major);
    if (ret->self != table)
        return refuse("says that it is at another address:", ret->self);
    if (ret->header_bytes < HEADER_BYTES || ret->header_bytes > HEADER_BYTES_MAX)
        return refuse("has a header of impossible size:", ret->header_bytes);
    if (ret->entry_bytes < ENTRY_BYTES || ret->entry_bytes > ENTRY_BYTES_MAX)
        return refuse("has entries of impossible size:", ret->entry_bytes);
    if (ret->count == 0 || ret->count > ENTRIES_MAX)
        return refuse("has an impossible count of entries:", ret->count);
    return ompd_rc_ok;
}

static ompd_rc_t decode_entry(const struct tgt *tgt, const uint8_t *bytes, struct lay *lay)
{
    uint64_t id, kind, offset, size, count, mask;
    TRY(tgt_number(tgt, bytes, 2, &id));
    TRY(tgt_number(tgt, bytes + 2, 2, &kind));
    TRY(tgt_number(tgt, bytes + 4, 4, &offset));
    TRY(tgt_number(tgt, bytes + 8, 4, &size));
    TRY(tgt_number(tgt, bytes + 12, 4, &count));
    TRY(tgt_number(tgt, bytes + 16, 8, &mask));
    if (id == 0 || id >= LAY_ID_LIMIT || kind < LAY_STRUCT || kind > LAY_CONSTANT)
        return ompd_rc_ok; /* of a newer minor version: nobody here asks for it */
    if (lay->entry[id].kind != LAY_ABSENT)
        return refuse("has two entries with id", id);
    lay->entry[id] = (struct lay_entry){.kind = (uint8_t)kind,
                                        .offset = (int32_t)(uint32_t)offset,
                                        .size = (uint32_t)size,
                                        .count = (uint32_t)count,
                                        .mask = mask};
    return ompd_rc_ok;
}

/**
 * Reads header and entries into one block. The first guess is a table like the one we know: usually one read
 * does; when the target's is shorter and ends at a page that is not there, the header comes alone.
 */
static ompd_rc_t read_table(const struct tgt *tgt, uint64_t table, uint8_t **block, struct header *header)
{
    uint64_t have = HEADER_BYTES + (uint64_t)ENTRY_BYTES * lay_known_entries();
    TRY(tgt_alloc(have, block));
    if (tgt_read(tgt, table, have, *block) != ompd_rc_ok) {
        have = HEADER_BYTES;
        TRY(tgt_read(tgt, table, have, *block));
    }
    TRY(check_header(tgt, *block, table, header));
    const uint64_t need = header->header_bytes + header->entry_bytes * header->count;
    if (need <= have)
        return ompd_rc_ok;
    uint8_t *whole = NULL;
    TRY(tgt_alloc(need, &whole));
    memcpy(whole, *block, have);
    tgt_free(*block);
    *block = whole;
    return tgt_read(tgt, table + have, need - have, whole + have);
}

ompd_rc_t published_load(const struct tgt *tgt, struct lay *lay, bool *found)
{
    __attribute__((cleanup(tgt_free_guard))) uint8_t *block = NULL;
    __attribute__((cleanup(tgt_free_guard))) struct lay *loaded = NULL;
    uint64_t table;
    struct header header;
    *found = false;
    TRY(tgt_symbol(tgt, "rt_layout_table", &table));
    *found = true;
    TRY(read_table(tgt, table, &block, &header));
    TRY(tgt_alloc_zero(sizeof *loaded, &loaded));
    loaded->names = &lay_companion;
    loaded->what = "layout table";
    loaded->table = table;
    loaded->major = (uint32_t)header.major;
    loaded->minor = (uint32_t)header.minor;
    loaded->entries = (uint32_t)header.count;
    for (uint64_t i = 0; i < header.count; i++)
        TRY(decode_entry(tgt, block + header.header_bytes + i * header.entry_bytes, loaded));
    *lay = *loaded;
    return ompd_rc_ok;
}
