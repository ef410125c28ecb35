/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/base/pages.h"

#include <string.h>

#include "index.h"

#define PAGE 4096u
/** What is farther away is read as it is asked for: a target must not fill the tool's memory. */
#define PAGES_MAX 65536u
/** Pages that nobody asked for are read along with others, so many between two; and so many by one read. */
#define GAP_MAX 4u
#define RUN_MAX 64u
/** After so many reads of several pages that failed nothing is read ahead any more. */
#define FAILURES_MAX 16u

static struct pages_row *find(const struct pages *pages, uint64_t page)
{
    uint32_t at = (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (pages->room - 1);
    while (pages->rows[at].page != 0 && pages->rows[at].page != page)
        at = (at + 1) & (pages->room - 1);
    return &pages->rows[at];
}

static ompd_rc_t grow(aspace_t *aspace, struct pages *pages)
{
    struct pages larger = {.room = pages->room != 0 ? 2 * pages->room : 64, .count = pages->count};
    TRY(brk_alloc(&aspace->brk, larger.room * sizeof *larger.rows, &larger.rows));
    memset(larger.rows, 0, larger.room * sizeof *larger.rows);
    for (uint32_t i = 0; i < pages->room; i++)
        if (pages->rows[i].page != 0)
            *find(&larger, pages->rows[i].page) = pages->rows[i];
    *pages = larger;
    return ompd_rc_ok;
}

/** The page's bytes, NULL: not to be had whole. */
static ompd_rc_t page_at(aspace_t *aspace, struct pages *pages, uint64_t number, const uint8_t **ret)
{
    uint8_t *data = NULL;
    if (pages->count >= PAGES_MAX) {
        struct pages_row *row = find(pages, number + 1);
        *ret = row->page != 0 ? row->data : NULL;
        return ompd_rc_ok;
    }
    if (2 * pages->count >= pages->room)
        TRY(grow(aspace, pages));
    struct pages_row *row = find(pages, number + 1);
    if (row->page == 0) {
        TRY(brk_alloc(&aspace->brk, PAGE, &data));
        ompd_rc_t rc = tgt_read(&aspace->tgt, number * PAGE, PAGE, data);
        if (rc == ompd_rc_nomem)
            return rc;
        *row = (struct pages_row){number + 1, rc == ompd_rc_ok ? data : NULL};
        pages->count++;
    }
    *ret = row->data;
    return ompd_rc_ok;
}

ompd_rc_t pages_read(aspace_t *aspace, struct pages *pages, uint64_t address, uint32_t bytes, void *ret)
{
    uint8_t *to = ret;
    if (address < PAGE || address > UINT64_MAX - bytes - PAGE)
        return ompd_rc_error; /* the first page belongs to nobody */
    while (bytes != 0) {
        const uint32_t offset = (uint32_t)(address % PAGE);
        const uint32_t part = bytes < PAGE - offset ? bytes : PAGE - offset;
        const uint8_t *page;
        TRY(page_at(aspace, pages, address / PAGE, &page));
        if (page != NULL)
            memcpy(to, page + offset, part);
        else
            TRY(tgt_read(&aspace->tgt, address, part, to));
        to += part;
        address += part;
        bytes -= part;
    }
    return ompd_rc_ok;
}

/** Keeps DATA as the page, if there is none yet. */
static ompd_rc_t keep(aspace_t *aspace, struct pages *pages, uint64_t number, const uint8_t *data)
{
    if (2 * pages->count >= pages->room)
        TRY(grow(aspace, pages));
    struct pages_row *row = find(pages, number + 1);
    if (row->page != 0 || pages->count >= PAGES_MAX)
        return ompd_rc_ok;
    *row = (struct pages_row){number + 1, data};
    pages->count++;
    return ompd_rc_ok;
}

/** Reads the pages FIRST to LAST; counts FAILURES. */
static ompd_rc_t fetch_run(aspace_t *aspace, struct pages *pages, uint64_t first, uint64_t last,
                           unsigned *failures)
{
    uint8_t *data = NULL;
    if (first == last || last - first >= PAGES_MAX - pages->count)
        return ompd_rc_ok; /* pages_read does that as well */
    TRY(brk_alloc(&aspace->brk, (last + 1 - first) * PAGE, &data));
    const ompd_rc_t rc = tgt_read(&aspace->tgt, first * PAGE, (last + 1 - first) * PAGE, data);
    *failures += rc != ompd_rc_ok;
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    for (uint64_t number = first; number <= last; number++)
        TRY(keep(aspace, pages, number, data + (number - first) * PAGE));
    return ompd_rc_ok;
}

ompd_rc_t pages_fetch(aspace_t *aspace, struct pages *pages, const uint64_t *address, size_t count,
                      uint32_t bytes)
{
    __attribute__((cleanup(tgt_free_guard))) struct index_row *rows = NULL;
    if (count == 0 || bytes == 0 || bytes > PAGE)
        return ompd_rc_ok;
    TRY(tgt_alloc(2 * count * sizeof *rows, &rows));
    struct index sorted = {rows, 0};
    unsigned failures = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned end = 0; end < 2; end++)
            if (address[i] >= PAGE && address[i] <= UINT64_MAX - 2 * PAGE)
                rows[sorted.count++].key = (address[i] + end * (bytes - 1)) / PAGE;
    index_sort(&sorted);
    for (size_t first = 0, last; first < sorted.count && failures < FAILURES_MAX; first = last + 1) {
        last = first;
        while (last + 1 < sorted.count && rows[last + 1].key - rows[last].key <= GAP_MAX &&
               rows[last + 1].key - rows[first].key < RUN_MAX)
            last++;
        TRY(fetch_run(aspace, pages, rows[first].key, rows[last].key, &failures));
    }
    return ompd_rc_ok;
}

ompd_rc_t pages_number(aspace_t *aspace, struct pages *pages, uint64_t address, unsigned size, uint64_t *ret)
{
    uint8_t bytes[8];
    if (size > sizeof bytes)
        return ompd_rc_error;
    TRY(pages_read(aspace, pages, address, size, bytes));
    return tgt_number(&aspace->tgt, bytes, size, ret);
}
