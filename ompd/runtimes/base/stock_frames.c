/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/frame_rule.h"
#include "providers/row_order.h"
#include "runtimes/base/stock.h"

/** A fingerprint is of some functions only: the rest of the code may lie elsewhere. */
static bool is_of_this_file(const struct stock *stock)
{
    return stock->row != NULL && stock->build_id[0] != '\0' &&
           row_named(stock->row, ompdx_layout_build_id, stock->build_id) != NULL;
}

ompd_rc_t stock_frame_rules(const struct stock *stock, ompdx_frame_rule_t **ret, int *count)
{
    if (!is_of_this_file(stock))
        return ompd_rc_unavailable;
    const ompdx_layout_t *row = stock->row;
    const uint64_t first = row_lower(row, ompdx_layout_frame, 0);
    const uint64_t behind = row_lower(row, ompdx_layout_frame, UINT64_MAX);
    ompdx_frame_rule_t *rules = NULL;
    if (first == behind)
        return ompd_rc_unavailable;
    TRY(tgt_alloc((behind - first) * sizeof *rules, &rules));
    for (uint64_t i = first; i < behind; i++) {
        const ompdx_layout_entry_t *entry = &row->entries[i];
        ompdx_frame_rule_t *rule = &rules[i - first];
        if (!frame_rule_parse(entry->name, rule)) {
            tgt_free(rules);
            return ompd_rc_error; /* a row that is compiled in was not checked */
        }
        rule->from = entry->a + stock->module.bias;
        rule->to = entry->b + stock->module.bias;
    }
    *ret = rules;
    *count = (int)(behind - first);
    return ompd_rc_ok;
}
