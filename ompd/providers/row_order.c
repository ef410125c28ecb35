/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row_order.h"

#include <string.h>

bool row_by_address(uint32_t kind)
{
    return kind == ompdx_layout_site || kind == ompdx_layout_spin || kind == ompdx_layout_function ||
           kind == ompdx_layout_frame;
}

uint64_t row_lower(const ompdx_layout_t *row, uint32_t kind, uint64_t a)
{
    uint64_t low = 0, high = row->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const ompdx_layout_entry_t *entry = &row->entries[middle];
        if (entry->kind < kind || (entry->kind == kind && entry->a < a))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ompdx_layout_entry_t *row_named(const ompdx_layout_t *row, uint32_t kind, const char *name)
{
    uint64_t low = 0, high = row->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const ompdx_layout_entry_t *entry = &row->entries[middle];
        const int order = entry->kind != kind ? (entry->kind < kind ? -1 : 1) : strcmp(entry->name, name);
        if (order == 0)
            return entry;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static int order(const ompdx_layout_entry_t *a, const ompdx_layout_entry_t *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (row_by_address(a->kind))
        return a->a < b->a ? -1 : a->a > b->a;
    return strcmp(a->name, b->name);
}

static void sink(ompdx_layout_entry_t *entries, uint64_t root, uint64_t count)
{
    for (uint64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && order(&entries[child], &entries[child + 1]) < 0)
            child++;
        if (order(&entries[root], &entries[child]) >= 0)
            return;
        const ompdx_layout_entry_t kept = entries[root];
        entries[root] = entries[child];
        entries[child] = kept;
    }
}

/** Heapsort: qsort may allocate. */
void row_sort(ompdx_layout_entry_t *entries, uint64_t count)
{
    for (uint64_t root = count / 2; root-- > 0;)
        sink(entries, root, count);
    for (uint64_t end = count; end-- > 1;) {
        const ompdx_layout_entry_t kept = entries[0];
        entries[0] = entries[end];
        entries[end] = kept;
        sink(entries, 0, end);
    }
}
