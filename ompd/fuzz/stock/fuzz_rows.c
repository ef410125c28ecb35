/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libFuzzer's entry: an input makes a row of one of the library's own, with entries changed, left out, twice,
 * or of impossible kinds and names; it is handed to ompdx_layout_add, and the recorded process asked by way
 * of it.
 *
 * Bytes: the image, the row, then eight for each change: the entry (two), its sort, and five of its value.
 */
#include <stdlib.h>
#include <string.h>

#include "ompd/fuzz/stock/target.h"
#include "ompd/providers/rows.h"
#include "ompdx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ENTRIES_MAX   4096u
#define FUNCTIONS_MAX 20u /**< all of them take most of the time and tell nothing more */

static void must(int holds)
{
    if (!holds)
        abort();
}

static void change(ompdx_layout_entry_t *entries, uint64_t *count, const uint8_t *bytes, char text[8])
{
    const uint32_t which = bytes[0] | (uint32_t)bytes[1] << 8;
    must(*count > 0); /* no row is empty, and none becomes so below */
    ompdx_layout_entry_t *entry = &entries[which % *count];
    uint64_t value = 0;
    memcpy(&value, bytes + 3, 5);
    uint64_t *const numbers[] = {&entry->a, &entry->b, &entry->c};
    switch (bytes[2] % 8) {
    case 0:
    case 1:
    case 2:
        *numbers[bytes[2] % 8] = value;
        break;
    case 3:
        entry->a += (uint64_t)(int64_t)(int8_t)bytes[3];
        break;
    case 4:
        entry->kind = bytes[3];
        break;
    case 5:
        memcpy(text, bytes + 3, 5);
        entry->name = bytes[3] == 0xff ? NULL : text;
        break;
    case 6:
        if (*count > 1)
            *entry = entries[--*count];
        break;
    default:
        if (*count < ENTRIES_MAX) {
            entries[*count] = entries[value % *count];
            ++*count;
        }
        break;
    }
}

/** Asks little: what the adapters do with wrong offsets is the same as what they do with wrong memory. */
static void ask(ompd_address_space_handle_t *space)
{
    ompd_thread_handle_t **threads = NULL;
    int count = 0;
    must(ompdx_stop_begin(space) == ompd_rc_ok);
    const ompd_rc_t rc = ompdx_get_all_threads(space, &threads, &count);
    if (rc == ompd_rc_ok || rc == ompd_rc_incomplete) {
        for (int i = 0; i < count; i++) {
            ompdx_thread_info_t info = {.size = sizeof info};
            (void)ompdx_get_thread_info(threads[i], &info);
            must(ompd_rel_thread_handle(threads[i]) == ompd_rc_ok);
        }
        target_callbacks.free_memory(threads);
    }
    must(ompdx_stop_end(space) == ompd_rc_ok);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ompdx_layout_entry_t entries[ENTRIES_MAX];
    static char texts[64][8];
    static int context;
    ompd_address_space_handle_t *space = NULL;
    if (size < 2)
        return 0;
    must(target_live == 0 && ompd_initialize(201811, &target_callbacks) == ompd_rc_ok);
    target_choose(data[0]);
    const struct rows_row *row = &rows_list[data[1] % rows_count];
    uint64_t count = 0;
    for (uint32_t i = 0, functions = 0; i < row->count && count < ENTRIES_MAX; i++) {
        const struct rows_entry *from = &rows_entries[row->first + i];
        if (from->kind != ompdx_layout_function || functions++ < FUNCTIONS_MAX)
            entries[count++] =
                (ompdx_layout_entry_t){from->kind, rows_text + from->name, from->a, from->b, from->c};
    }
    memset(texts, 0, sizeof texts);
    for (size_t at = 2, i = 0; at + 8 <= size && i < 64; at += 8, i++)
        change(entries, &count, data + at, texts[i]);
    const ompdx_layout_t layout = {.size = sizeof layout,
                                   .family = rows_text + row->family,
                                   .name = rows_text + row->name,
                                   .source = "",
                                   .count = count,
                                   .entries = entries};
    const ompd_rc_t rc = ompdx_layout_add(&layout);
    must(rc == ompd_rc_ok || rc == ompd_rc_bad_input);
    if (rc == ompd_rc_ok &&
        ompd_process_initialize((ompd_address_space_context_t *)&context, &space) == ompd_rc_ok) {
        ask(space);
        must(ompd_rel_address_space_handle(space) == ompd_rc_ok);
    }
    must(ompd_finalize() == ompd_rc_ok && target_live == 0);
    return 0;
}
