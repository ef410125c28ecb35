/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/code_print.h"

#include <string.h>

/* System V ABI, chapter 5, and the GNU extensions that every library of today has. */
enum { DYNAMIC_ENTRIES_MAX = 128, ENTRY_STRTAB = 5, ENTRY_SYMTAB = 6, SYMBOL_BYTES = 24, FUNCTION = 2 };
#define ENTRY_GNU_HASH UINT64_C(0x6ffffef5)
/** Symbols that share a bucket; a chain that does not end is damaged. */
enum { CHAIN_MAX = 64, NAME_MAX = 64, CODE_MAX = 1 << 16 };

struct exports {
    const struct tgt *tgt;
    const ompdx_module_t *module;
    uint64_t names, symbols, hash;
    uint64_t buckets, first, bloom; /**< of the hash table's header */
};

struct symbol {
    uint64_t address, size;
};

static ompd_rc_t read_word(const struct exports *e, uint64_t address, unsigned size, uint64_t *ret)
{
    uint8_t bytes[8];
    if (tgt_read(e->tgt, address, size, bytes) != ompd_rc_ok)
        return ompd_rc_unavailable;
    return tgt_number(e->tgt, bytes, size, ret);
}

/** The dynamic linker has added the bias to the section's addresses, or has not yet. */
static uint64_t address_of(const ompdx_module_t *module, uint64_t value)
{
    return value < module->base ? value + module->bias : value;
}

static ompd_rc_t open_exports(struct exports *e)
{
    for (unsigned i = 0; i < DYNAMIC_ENTRIES_MAX; i++) {
        uint64_t tag, value;
        TRY(read_word(e, e->module->dynamic + 16 * i, 8, &tag));
        TRY(read_word(e, e->module->dynamic + 16 * i + 8, 8, &value));
        if (tag == 0)
            break;
        if (tag == ENTRY_STRTAB)
            e->names = address_of(e->module, value);
        else if (tag == ENTRY_SYMTAB)
            e->symbols = address_of(e->module, value);
        else if (tag == ENTRY_GNU_HASH)
            e->hash = address_of(e->module, value);
    }
    if (e->names == 0 || e->symbols == 0 || e->hash == 0)
        return ompd_rc_unavailable;
    TRY(read_word(e, e->hash, 4, &e->buckets));
    TRY(read_word(e, e->hash + 4, 4, &e->first));
    TRY(read_word(e, e->hash + 8, 4, &e->bloom));
    return e->buckets != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name != '\0'; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

/** Is symbol INDEX the exported function NAME? Then *ret is it, if it lies before what *ret has. */
static ompd_rc_t take_symbol(const struct exports *e, uint64_t index, const char *name, struct symbol *ret)
{
    uint8_t bytes[SYMBOL_BYTES];
    char text[NAME_MAX];
    uint64_t at, section, address, size;
    const size_t length = strlen(name) + 1;
    if (length > sizeof text || tgt_read(e->tgt, e->symbols + index * SYMBOL_BYTES, sizeof bytes, bytes))
        return ompd_rc_unavailable;
    TRY(tgt_number(e->tgt, bytes, 4, &at));
    TRY(tgt_number(e->tgt, bytes + 6, 2, &section));
    TRY(tgt_number(e->tgt, bytes + 8, 8, &address));
    TRY(tgt_number(e->tgt, bytes + 16, 8, &size));
    if ((bytes[4] & 15) != FUNCTION || section == 0 || size == 0 || size > CODE_MAX)
        return ompd_rc_ok;
    if (tgt_read(e->tgt, e->names + at, length, text))
        return ompd_rc_unavailable;
    if (memcmp(text, name, length) == 0 && (ret->size == 0 || address < ret->address))
        *ret = (struct symbol){address, size};
    return ompd_rc_ok;
}

/** ret->size is 0 if it is not exported. */
static ompd_rc_t find_symbol(const struct exports *e, const char *name, struct symbol *ret)
{
    const uint32_t hash = hash_of(name);
    const uint64_t buckets = e->hash + 16 + 8 * e->bloom, chains = buckets + 4 * e->buckets;
    uint64_t index, value = 0;
    *ret = (struct symbol){0, 0};
    TRY(read_word(e, buckets + 4 * (hash % e->buckets), 4, &index));
    if (index < e->first)
        return ompd_rc_ok;
    for (unsigned steps = 0; steps < CHAIN_MAX && (value & 1) == 0; steps++, index++) {
        TRY(read_word(e, chains + 4 * (index - e->first), 4, &value));
        if ((value | 1) == (hash | 1))
            TRY(take_symbol(e, index, name, ret));
    }
    return ompd_rc_ok;
}

static ompd_rc_t add(const struct exports *e, unsigned index, const char *name, uint8_t *room,
                     struct fingerprint *print)
{
    struct symbol symbol;
    TRY(find_symbol(e, name, &symbol));
    if (symbol.size == 0)
        return ompd_rc_ok;
    if (tgt_read(e->tgt, symbol.address + e->module->bias, symbol.size, room))
        return ompd_rc_unavailable;
    fingerprint_add(print, index, symbol.address, room, symbol.size);
    return ompd_rc_ok;
}

ompd_rc_t code_print(const struct tgt *tgt, const ompdx_module_t *module, char ret[FINGERPRINT_TEXT],
                     const char **family)
{
    __attribute__((cleanup(tgt_free_guard))) uint8_t *room = NULL;
    struct exports e = {.tgt = tgt, .module = module};
    struct fingerprint print = {0};
    struct symbol fork_call;
    if (module->dynamic == 0)
        return ompd_rc_unavailable;
    TRY(open_exports(&e));
    TRY(find_symbol(&e, "__kmpc_fork_call", &fork_call));
    const bool kmp = fork_call.size != 0;
    const char *const *names = fingerprint_names(kmp);
    TRY(tgt_alloc(CODE_MAX, &room));
    for (unsigned i = 0; names[i] != NULL; i++)
        TRY(add(&e, i, names[i], room, &print));
    fingerprint_text(&print, ret);
    *family = kmp ? "kmp" : "gomp";
    return ret[0] != '\0' ? ompd_rc_ok : ompd_rc_unavailable;
}
