/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The environment of a live process. A program may have changed it since it began, so /proc/PID/environ does
 * not do. Where it is, libc's own table of symbols tells in a few pages (gABI, "Dynamic Linking";
 * DT_GNU_HASH): to read files would keep the process waiting.
 */
#include "corefiles/environ.h"

#include <elf.h>
#include <string.h>

#include "corefiles/modules.h"
#include "corefiles/pages.h"
#include "corefiles/read.h"

/* ENTRIES_MAX: a real dynamic section has some 30 entries. CHAIN_MAX: a chain of a table that is not damaged
   has a few. LIST_MAX, PAGES_MAX: of the environment. */
enum { ENTRIES_MAX = 64, CHAIN_MAX = 256, LIST_MAX = 4096, PAGES_MAX = 64 };

/** Of a module's dynamic section. */
struct tables {
    uint64_t hash, symbols, strings;
};

static bool find_tables(struct cf_target *t, const struct cf_mod *m, struct tables *ret)
{
    struct tables found = {0};
    Elf64_Dyn entry;

    for (int i = 0; m->dynamic && i < ENTRIES_MAX; i++) {
        uint64_t *at;

        if (cf_read(t, m->dynamic + (uint64_t)i * sizeof(entry), &entry, sizeof(entry)) ||
            entry.d_tag == DT_NULL)
            break;
        at = entry.d_tag == DT_GNU_HASH ? &found.hash
             : entry.d_tag == DT_SYMTAB ? &found.symbols
             : entry.d_tag == DT_STRTAB ? &found.strings
                                        : NULL;
        /* The dynamic linker makes addresses of them. */
        if (at)
            *at = entry.d_un.d_ptr < m->base ? entry.d_un.d_ptr + m->bias : entry.d_un.d_ptr;
    }
    *ret = found;
    return found.hash && found.symbols && found.strings;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* The address of the variable NAME that M exports; 0: it exports none. */
static uint64_t exported(struct cf_target *t, const struct cf_mod *m, const char *name)
{
    const uint32_t hash = hash_of(name);
    uint32_t head[4], index, link = 0; /* buckets, first symbol, words of the filter, its shift */
    struct tables tables;
    uint64_t buckets;

    if (!find_tables(t, m, &tables) || cf_read(t, tables.hash, head, sizeof(head)) || !head[0])
        return 0;
    buckets = tables.hash + sizeof(head) + 8 * (uint64_t)head[2];
    if (cf_read(t, buckets + 4 * (uint64_t)(hash % head[0]), &index, sizeof(index)) || index < head[1])
        return 0;
    for (int i = 0; i < CHAIN_MAX && !(link & 1); i++, index++) {
        char text[16] = "";
        Elf64_Sym symbol;

        if (cf_read(t, buckets + 4 * (uint64_t)head[0] + 4 * (uint64_t)(index - head[1]), &link,
                    sizeof(link)))
            return 0;
        if ((link | 1) == (hash | 1) &&
            !cf_read(t, tables.symbols + (uint64_t)index * sizeof(symbol), &symbol, sizeof(symbol)) &&
            !cf_read(t, tables.strings + symbol.st_name, text, strlen(name) + 1) && !strcmp(text, name))
            return symbol.st_shndx == SHN_UNDEF ? 0 : m->bias + symbol.st_value;
    }
    return 0;
}

static bool is_libc(const struct cf_mod *m)
{
    const char *slash = strrchr(m->path, '/'), *name = slash ? slash + 1 : m->path;

    return !strncmp(name, "libc.so", 7) || !strncmp(name, "libc-2", 6) || !strncmp(name, "ld-musl", 7);
}

/* The list that the variable at ADDR points to, and its strings, which lie behind one another. */
static void keep_list(struct cf_target *t, uint64_t addr)
{
    uint64_t list, string, page = 0;

    if (cf_read(t, addr, &list, sizeof(list)))
        return;
    for (int i = 0, pages = 0; i < LIST_MAX && pages < PAGES_MAX; i++) {
        if (cf_read(t, list + 8 * (uint64_t)i, &string, sizeof(string)) || !string)
            return;
        if (string / CF_PAGE == page)
            continue;
        page = string / CF_PAGE;
        pages++;
        /* The last one may go on in the next page. */
        if (cf_pages_keep(t, page * CF_PAGE, 2 * CF_PAGE))
            (void)!cf_pages_keep(t, page * CF_PAGE, CF_PAGE);
    }
}

void cf_environ_keep(struct cf_target *t)
{
    for (uint32_t i = 0; i < t->module_count; i++) {
        const struct cf_mod *m = &t->modules[i];
        uint64_t addr;

        /* A program that uses the variable itself has a copy of it, which is libc's then. */
        if (m->path != t->info.exe && !is_libc(m))
            continue;
        addr = exported(t, m, "environ");
        if (addr)
            keep_list(t, addr);
    }
}
