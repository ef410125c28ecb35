/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row.h"

#include <string.h>

#include "providers/row_add.h"
#include "providers/rows.h"

/** Is there an entry of KIND with the name WANTED? Letters of hexadecimal numbers are of any case. */
static bool lists(const ompdx_layout_t *row, uint32_t kind, const char *wanted)
{
    for (uint64_t i = 0; i < row->count; i++) {
        const char *name = row->entries[i].name;
        size_t at = 0;
        if (row->entries[i].kind != kind)
            continue;
        while (name[at] != '\0' && (name[at] | 0x20) == (wanted[at] | 0x20))
            at++;
        if (name[at] == '\0' && wanted[at] == '\0')
            return true;
    }
    return false;
}

static bool packed_lists(const struct rows_row *row, uint32_t kind, const char *wanted)
{
    for (uint32_t i = row->first; i < row->first + row->count; i++)
        if (rows_entries[i].kind == kind && strcmp(rows_text + rows_entries[i].name, wanted) == 0)
            return true;
    return false;
}

static ompd_rc_t expand(const struct rows_row *packed, struct row_found *ret)
{
    struct {
        ompdx_layout_t row;
        ompdx_layout_entry_t entries[];
    } *block = NULL;
    TRY(tgt_alloc(sizeof *block + packed->count * sizeof block->entries[0], &block));
    for (uint32_t i = 0; i < packed->count; i++) {
        const struct rows_entry *from = &rows_entries[packed->first + i];
        block->entries[i] =
            (ompdx_layout_entry_t){from->kind, rows_text + from->name, from->a, from->b, from->c};
    }
    block->row = (ompdx_layout_t){.size = sizeof block->row,
                                  .family = rows_text + packed->family,
                                  .name = rows_text + packed->name,
                                  .source = rows_text + packed->source,
                                  .count = packed->count,
                                  .entries = block->entries};
    *ret = (struct row_found){&block->row, block};
    return ompd_rc_ok;
}

ompd_rc_t row_find(const char *build_id, const char *fingerprint, const char *family, struct row_found *ret)
{
    const uint32_t kind = build_id != NULL ? ompdx_layout_build_id : ompdx_layout_fingerprint;
    const char *wanted = build_id != NULL ? build_id : fingerprint;
    for (const struct row_added *one = row_added(); one != NULL; one = one->next)
        if ((family == NULL || strcmp(one->row.family, family) == 0) && lists(&one->row, kind, wanted)) {
            *ret = (struct row_found){&one->row, NULL};
            return ompd_rc_ok;
        }
    for (uint32_t i = 0; i < rows_count; i++)
        if ((family == NULL || strcmp(rows_text + rows_list[i].family, family) == 0) &&
            packed_lists(&rows_list[i], kind, wanted))
            return expand(&rows_list[i], ret);
    return ompd_rc_unavailable;
}
