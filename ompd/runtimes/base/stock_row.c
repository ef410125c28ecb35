/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row_order.h"
#include "runtimes/base/stock.h"

ompd_rc_t stock_module(const struct tgt *tgt, ompdx_module_t *ret)
{
    ompdx_module_t module = {0};
    TRY(tgt_read_segment(tgt, NULL, OMPDX_SEGMENT_MODULE, OMPDX_SEGMENT_BASE, sizeof module, &module));
    if (module.base == 0 || module.build_id_size > sizeof module.build_id)
        return ompd_rc_unavailable;
    *ret = module;
    return ompd_rc_ok;
}

void stock_lack(struct stock *stock, ompdx_ability_t ability, const char *why)
{
    if (stock->lacks[ability] == NULL)
        stock->lacks[ability] = why;
}

void stock_note_missing(aspace_t *aspace)
{
    struct stock *stock = aspace->stock;
    const struct need *need = NULL;
    while ((need = need_unmet(&aspace->lay, need)) != NULL) {
        stock->missing[stock->missing_count++] = (ompdx_missing_t){need->fact, need->cost};
        for (unsigned ability = 0; ability < sizeof stock->lacks / sizeof stock->lacks[0]; ability++)
            if ((need->abilities >> ability & 1) != 0)
                stock_lack(stock, (ompdx_ability_t)ability, need->reason);
    }
}

/** The entry at INDEX if it is of KIND. */
static const ompdx_layout_entry_t *of_kind(const ompdx_layout_t *row, uint64_t index, uint32_t kind)
{
    return index < row->count && row->entries[index].kind == kind ? &row->entries[index] : NULL;
}

/** The range of KIND that holds ADDRESS of the target. */
static const ompdx_layout_entry_t *range(const struct stock *stock, uint32_t kind, uint64_t address)
{
    if (stock->row == NULL || !stock_inside(stock, address))
        return NULL;
    const uint64_t at = address - stock->module.bias;
    const uint64_t behind = row_lower(stock->row, kind, at + 1);
    const ompdx_layout_entry_t *entry = behind > 0 ? of_kind(stock->row, behind - 1, kind) : NULL;
    return entry != NULL && at < entry->b ? entry : NULL;
}

const ompdx_layout_entry_t *stock_site(const struct stock *stock, uint64_t pc)
{
    if (stock->row == NULL || !stock_inside(stock, pc))
        return NULL;
    const uint64_t at = pc - stock->module.bias;
    const ompdx_layout_entry_t *entry =
        of_kind(stock->row, row_lower(stock->row, ompdx_layout_site, at), ompdx_layout_site);
    return entry != NULL && entry->a == at ? entry : NULL;
}

const ompdx_layout_entry_t *stock_spin(const struct stock *stock, uint64_t pc)
{
    return range(stock, ompdx_layout_spin, pc);
}

const ompdx_layout_entry_t *stock_function(const struct stock *stock, uint64_t address)
{
    return range(stock, ompdx_layout_function, address);
}

const ompdx_layout_entry_t *stock_slot(const struct stock *stock, const char *function)
{
    return stock->row != NULL ? row_named(stock->row, ompdx_layout_slot, function) : NULL;
}
