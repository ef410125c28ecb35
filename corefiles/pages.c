/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Copies of a live process' pages, made when they are first read while it stands still. Whatever has been read once can
 * be read again after it goes on: so the costly part of an answer, names and stacks, comes when nobody waits for it.
 */
#include "corefiles/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "corefiles/target.h"

/** One page. A hash table by number, open addressing; at most half full. */
struct page {
    uint64_t number; /**< address / CF_PAGE, plus 1; 0 free */
    uint8_t *bytes;
    bool first; /**< of the piece of memory in which it lies with others: that is what is freed */
};

struct cf_pages {
    struct page *table;
    uint64_t size, count;
};

static struct page *slot(const struct cf_pages *p, uint64_t number)
{
    uint64_t at = (number * UINT64_C(0x9e3779b97f4a7c15)) >> 20;

    for (;; at++) {
        struct page *page = &p->table[at & (p->size - 1)];

        if (!page->number || page->number == number)
            return page;
    }
}

static bool make_room(struct cf_pages *p, uint64_t more)
{
    struct cf_pages old = *p;
    uint64_t size = p->size ? p->size : 256;

    while (size < 2 * (p->count + more))
        size *= 2;
    if (size == p->size)
        return true;
    p->table = calloc(size, sizeof(*p->table));
    if (!p->table) {
        *p = old;
        return false;
    }
    p->size = size;
    for (uint64_t i = 0; i < old.size; i++)
        if (old.table[i].number)
            *slot(p, old.table[i].number) = old.table[i];
    free(old.table);
    return true;
}

/* Copies COUNT pages from page FIRST on, none of which is there yet. */
static int fetch(struct cf_target *t, uint64_t first, uint64_t count)
{
    struct cf_pages *p = t->pages;
    const uint64_t size = count * CF_PAGE;
    uint8_t *bytes;
    struct iovec local, remote;

    if (!make_room(p, count))
        return -1;
    bytes = malloc(size);
    local = (struct iovec){bytes, size};
    remote = (struct iovec){(void *)(uintptr_t)(first * CF_PAGE), size};
    if (!bytes || process_vm_readv((pid_t)t->live_task, &local, 1, &remote, 1, 0) != (ssize_t)size) {
        free(bytes);
        return -1;
    }
    for (uint64_t i = 0; i < count; i++)
        *slot(p, first + i + 1) = (struct page){first + i + 1, bytes + i * CF_PAGE, i == 0};
    p->count += count;
    return 0;
}

int cf_pages_keep(struct cf_target *t, uint64_t addr, uint64_t size)
{
    const uint64_t first = addr / CF_PAGE, last = (addr + size - 1) / CF_PAGE;
    uint64_t missing = 0;

    if (!size)
        return 0;
    if (addr + size < addr)
        return -1;
    if (!t->pages)
        t->pages = calloc(1, sizeof(*t->pages));
    if (!t->pages || !make_room(t->pages, 0))
        return -1;
    for (uint64_t n = first; n <= last; n++) {
        bool here = slot(t->pages, n + 1)->number;

        missing += !here;
        if (missing && !t->stopped)
            return -1;
        if (missing && (here || n == last)) {
            if (fetch(t, here ? n - missing : n + 1 - missing, missing))
                return -1;
            missing = 0;
        }
    }
    return 0;
}

int cf_pages_read(struct cf_target *t, uint64_t addr, void *buf, uint64_t size)
{
    if (cf_pages_keep(t, addr, size))
        return -1;
    for (uint64_t n = addr / CF_PAGE; size; n++) {
        const uint8_t *bytes = slot(t->pages, n + 1)->bytes;
        uint64_t start = addr % CF_PAGE, part = CF_PAGE - start;

        if (part > size)
            part = size;
        memcpy(buf, bytes + start, part);
        buf = (uint8_t *)buf + part;
        addr += part;
        size -= part;
    }
    return 0;
}

void cf_pages_free(struct cf_pages *p)
{
    if (!p)
        return;
    for (uint64_t i = 0; i < p->size; i++)
        if (p->table[i].first)
            free(p->table[i].bytes);
    free(p->table);
    free(p);
}
