/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/names/memory.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/target/hostcall.h"

/* The lines of a page of which a part is missing: those of a process that goes on have not all been copied,
   and a search comes to each word of them. */
static uint64_t read_lines(struct name_memory *m, struct name_page *page)
{
    uint64_t there = 0;

    for (unsigned i = 0; i < 64; i++)
        if (!host_read(m->session, page->start + i * NAMES_LINE, page->bytes + i * NAMES_LINE, NAMES_LINE))
            there |= UINT64_C(1) << i;
    return there;
}

static const struct name_page *page_at(struct name_memory *m, uint64_t start)
{
    struct name_page *page;

    if (!m->pages && !(m->pages = calloc(NAMES_PAGES, sizeof(*m->pages))))
        return NULL;
    page = &m->pages[(start / NAMES_PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 32) % NAMES_PAGES];
    if (!page->tried || page->start != start) {
        page->start = start;
        page->tried = true;
        page->there =
            !host_read(m->session, start, page->bytes, NAMES_PAGE) ? UINT64_MAX : read_lines(m, page);
    }
    return page;
}

/* Whether the SIZE bytes, one at least, WITHIN a page are there. */
static bool has(const struct name_page *page, uint64_t within, uint64_t size)
{
    const uint64_t first = within / NAMES_LINE, last = (within + size - 1) / NAMES_LINE;

    for (uint64_t i = first; i <= last; i++)
        if (!(page->there >> i & 1))
            return false;
    return true;
}

bool memory_read(struct name_memory *m, uint64_t addr, void *buf, uint64_t size)
{
    uint64_t within = addr % NAMES_PAGE;
    const struct name_page *page = NULL;

    if (!size || addr + size < addr)
        return false;
    if (within + size <= NAMES_PAGE)
        page = page_at(m, addr - within);
    if (!page)
        return !host_read(m->session, addr, buf, size);
    if (!has(page, within, size))
        return false;
    memcpy(buf, page->bytes + within, size);
    return true;
}

bool memory_word(struct name_memory *m, uint64_t addr, uint64_t *ret)
{
    return memory_read(m, addr, ret, sizeof(*ret));
}

/* The first known region that ends behind ADDR. */
static uint32_t region_after(const struct name_memory *m, uint64_t addr)
{
    uint32_t low = 0, high = m->region_count;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (m->regions[mid].end <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool memory_region(struct name_memory *m, uint64_t addr, struct insp_region *ret)
{
    uint32_t at;
    struct insp_region region;

    if (!m->regions && !(m->regions = calloc(NAMES_REGIONS, sizeof(*m->regions))))
        return false;
    at = region_after(m, addr);
    if (at == m->region_count || m->regions[at].start > addr) {
        if (host_region(m->session, addr, &region) || addr < region.start || addr >= region.end)
            return false;
        if (m->region_count == NAMES_REGIONS)
            m->region_count = at = 0;
        memmove(&m->regions[at + 1], &m->regions[at], (m->region_count - at) * sizeof(*m->regions));
        m->regions[at] = region;
        m->region_count++;
    }
    *ret = m->regions[at];
    return ret->memory != INSP_MEMORY_NONE;
}

void memory_free(struct name_memory *m)
{
    free(m->pages);
    free(m->regions);
    *m = (struct name_memory){.session = m->session};
}
