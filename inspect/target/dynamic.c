/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/target/dynamic.h"

#include <string.h>

#include "inspect/target/hostcall.h"

/* Symbols in one bucket; a real table has a few. Functions that a module calls. */
enum { CHAIN_MAX = 256, SLOTS_MAX = 1 << 18 };

bool dynamic_read(insp_session *s, const struct insp_known_module *m, struct dynamic *ret)
{
    uint64_t size = m->dynamic_size;

    ret->count = 0;
    ret->start = m->start;
    ret->bias = m->bias;
    if (size > sizeof(ret->entry))
        size = sizeof(ret->entry);
    size -= size % sizeof(*ret->entry);
    if (!m->dynamic || !size || host_read(s, m->dynamic, ret->entry, size))
        return false;
    while (ret->count < (int)(size / sizeof(*ret->entry)) && ret->entry[ret->count].d_tag != DT_NULL)
        ret->count++;
    return true;
}

bool dynamic_value(const struct dynamic *d, int64_t tag, uint64_t *ret)
{
    for (int i = 0; i < d->count; i++)
        if (d->entry[i].d_tag == tag) {
            *ret = d->entry[i].d_un.d_val;
            return true;
        }
    return false;
}

/* glibc's loader writes addresses into the section; in a file, and in the kernel's library, they count from
 * the bias. */
static bool address(const struct dynamic *d, int64_t tag, uint64_t *ret)
{
    if (!dynamic_value(d, tag, ret))
        return false;
    if (*ret < d->start)
        *ret += d->bias;
    return true;
}

bool dynamic_name(insp_session *s, const struct dynamic *d, int i, char name[DYNAMIC_NAME])
{
    uint64_t strings;

    return address(d, DT_STRTAB, &strings) &&
           !host_read_string(s, strings + d->entry[i].d_un.d_val, name, DYNAMIC_NAME);
}

static bool name_of_symbol(insp_session *s, const struct dynamic *d, uint32_t index, char name[DYNAMIC_NAME])
{
    uint64_t symbols, strings;
    Elf64_Sym symbol;

    return address(d, DT_SYMTAB, &symbols) && address(d, DT_STRTAB, &strings) &&
           !host_read(s, symbols + (uint64_t)index * sizeof(symbol), &symbol, sizeof(symbol)) &&
           !host_read_string(s, strings + symbol.st_name, name, DYNAMIC_NAME);
}

/* Linkers give the relocations the order of the words. */
bool dynamic_slot(insp_session *s, const struct dynamic *d, uint64_t slot, char name[DYNAMIC_NAME])
{
    uint64_t table, size, first, at;
    Elf64_Rela rela;

    if (!address(d, DT_JMPREL, &table) || !dynamic_value(d, DT_PLTRELSZ, &size) ||
        size / sizeof(rela) > SLOTS_MAX || host_read(s, table, &rela, sizeof(rela)))
        return false;
    first = rela.r_offset + d->bias;
    at = (slot - first) / 8;
    if (slot < first || at >= size / sizeof(rela) ||
        host_read(s, table + at * sizeof(rela), &rela, sizeof(rela)) || rela.r_offset + d->bias != slot)
        return false;
    return name_of_symbol(s, d, (uint32_t)ELF64_R_SYM(rela.r_info), name);
}

static uint32_t gnu_hash(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = 33 * hash + (unsigned char)*name;
    return hash;
}

/* Whether symbol number INDEX is NAME, and defined here. */
static bool is_symbol(insp_session *s, const struct dynamic *d, uint32_t index, const char *name)
{
    uint64_t symbols, strings;
    char text[DYNAMIC_NAME];
    Elf64_Sym symbol;

    return address(d, DT_SYMTAB, &symbols) && address(d, DT_STRTAB, &strings) &&
           !host_read(s, symbols + (uint64_t)index * sizeof(symbol), &symbol, sizeof(symbol)) &&
           symbol.st_shndx != SHN_UNDEF &&
           !host_read_string(s, strings + symbol.st_name, text, sizeof(text)) && !strcmp(text, name);
}

/* A table of DT_GNU_HASH: four words, the Bloom filter's words of 8 bytes, the buckets, the chains. */
bool dynamic_exports(insp_session *s, const struct dynamic *d, const char *name)
{
    const uint32_t hash = gnu_hash(name);
    struct {
        uint32_t buckets, first, words, shift;
    } head;
    uint64_t table, buckets, chains, word;
    uint32_t index, link;

    if (!address(d, DT_GNU_HASH, &table) || host_read(s, table, &head, sizeof(head)) || !head.buckets ||
        !head.words)
        return false;
    table += sizeof(head);
    if (host_read(s, table + (uint64_t)(hash / 64 % head.words) * 8, &word, sizeof(word)) ||
        !(word >> hash % 64 & word >> (hash >> head.shift % 32) % 64 & 1))
        return false;
    buckets = table + (uint64_t)head.words * 8;
    chains = buckets + (uint64_t)head.buckets * 4;
    if (host_read(s, buckets + (uint64_t)(hash % head.buckets) * 4, &index, sizeof(index)) ||
        index < head.first)
        return false;
    for (int i = 0; i < CHAIN_MAX; i++, index++) {
        if (host_read(s, chains + (uint64_t)(index - head.first) * 4, &link, sizeof(link)))
            return false;
        /* The last bit marks the end of a chain. */
        if ((link | 1) == (hash | 1) && is_symbol(s, d, index, name))
            return true;
        if (link & 1)
            return false;
    }
    return false;
}
