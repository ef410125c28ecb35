/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row_lay.h"

#include <string.h>

#include "providers/row_rules.h"
#include "text.h"

static void lay_out(const struct lay_names *names, const ompdx_layout_entry_t *from, struct lay *lay)
{
    static const uint8_t kinds[] = {[ompdx_layout_size] = LAY_STRUCT,
                                    [ompdx_layout_field] = LAY_FIELD,
                                    [ompdx_layout_variable] = LAY_VARIABLE,
                                    [ompdx_layout_constant] = LAY_CONSTANT};
    if (from->kind >= sizeof kinds)
        return;
    const unsigned id = lay_find(names, kinds[from->kind], from->name);
    if (id == 0)
        return; /* of a newer generator: nobody here asks for it */
    struct lay_entry entry = {.kind = kinds[from->kind], .count = 1};
    switch (from->kind) {
    case ompdx_layout_size:
        entry.size = (uint32_t)from->a;
        break;
    case ompdx_layout_constant:
        entry.size = 8;
        entry.mask = from->a;
        break;
    default:
        entry.offset = (int32_t)from->a;
        entry.size = (uint32_t)from->b;
        if (from->kind == ompdx_layout_field && from->c != 0) {
            entry.kind = LAY_BITS;
            entry.mask = from->c;
        }
        break;
    }
    lay->entry[id] = entry;
}

static ompd_rc_t refuse(const struct lay *lay, unsigned id)
{
    struct text text = {0};
    text_add(&text, "libompd: the layout \"");
    text_add(&text, lay->what);
    text_add(&text, "\" contradicts itself at \"");
    text_add(&text, lay_name(lay->names, id));
    text_add(&text, "\", so nothing of it is believed.\n");
    tgt_say(text.buffer);
    return ompd_rc_incompatible;
}

ompd_rc_t row_lay(const ompdx_layout_t *row, uint64_t bias, struct lay *lay)
{
    const struct lay_names *names = strcmp(row->family, "gomp") == 0 ? &lay_gomp : &lay_kmp;
    memset(lay, 0, sizeof *lay);
    lay->names = names;
    lay->what = row->name;
    lay->table = bias;
    lay->entries = (uint32_t)row->count;
    for (uint64_t i = 0; i < row->count; i++)
        lay_out(names, &row->entries[i], lay);
    const unsigned wrong = row_contradiction(lay);
    return wrong == 0 ? ompd_rc_ok : refuse(lay, wrong);
}
