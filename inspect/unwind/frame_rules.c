/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/unwind/frame_rules.h"

#include "inspect/base/call_target.h"
#include "ompdx.h"

static const ompdx_frame_rule_t *rule_at(const ompd_address_space_context_t *context, uint64_t addr)
{
    int low = 0, high = context->rule_count;

    while (low < high) {
        int mid = low + (high - low) / 2;

        if (context->rules[mid].from <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low && addr < context->rules[low - 1].to ? &context->rules[low - 1] : NULL;
}

bool frame_rules_find(const insp_session *s, uint64_t addr, struct eh_rules *ret)
{
    static const uint8_t numbers[OMPDX_KEPT] = {EH_RBX, EH_RBP, EH_R12, EH_R13, EH_R14, EH_R15};
    const ompdx_frame_rule_t *rule = NULL;

    for (int i = 0; i < s->context_count && !rule; i++)
        rule = rule_at(s->contexts[i], addr);
    if (!rule)
        return false;
    *ret = (struct eh_rules){
        .layout = true, .base = rule->base == ompdx_reg_rbp ? EH_RBP : EH_RSP, .offset = rule->offset};
    ret->of[EH_PC].where = EH_SAVED;
    ret->of[EH_PC].offset = -8;
    for (int i = 0; i < OMPDX_KEPT; i++)
        if (rule->saved[i]) {
            ret->of[numbers[i]].where = EH_SAVED;
            ret->of[numbers[i]].offset = rule->saved[i];
        }
    return true;
}

bool frame_rules_lead_to(const insp_session *s, insp_read *read, void *ctx, uint64_t pc)
{
    for (int i = 0; i < s->context_count; i++)
        if (rule_at(s->contexts[i], pc - 1))
            return true;
    return call_target_returns(read, ctx, pc);
}
