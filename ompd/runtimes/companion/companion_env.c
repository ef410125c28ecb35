/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: what the environment has set (struct rt_env), as numbers.
 */
#include "runtimes/companion/companion.h"

/** More items of bind-var than any runtime keeps. */
#define BIND_MAX 64u

ompd_rc_t co_env_address(aspace_t *aspace, unsigned id, uint64_t *ret)
{
    const uint16_t ids[] = {LAY_V_rt_env, LAY_S_rt_env, (uint16_t)id, 0};
    TRY(co_need(aspace, ids));
    *ret = lay_variable(&aspace->lay, LAY_V_rt_env) + (uint64_t)(int64_t)lay_at(&aspace->lay, id)->offset;
    return ompd_rc_ok;
}

ompd_rc_t co_setting(aspace_t *aspace, unsigned id, uint64_t *ret)
{
    uint8_t bytes[8];
    uint64_t address;
    TRY(co_env_address(aspace, id, &address));
    TRY(lay_require_number(&aspace->lay, id));
    const uint32_t size = lay_size(&aspace->lay, id);
    TRY(tgt_read(&aspace->tgt, address, size, bytes));
    return tgt_number(&aspace->tgt, bytes, size, ret);
}

ompd_rc_t co_bind_list(aspace_t *aspace, int64_t level, int64_t *items, uint32_t max, uint32_t *ret)
{
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_env_bind);
    uint8_t bytes[BIND_MAX * 8];
    uint64_t address, count;
    TRY(co_env_address(aspace, LAY_F_rt_env_bind, &address));
    TRY(lay_require_number(&aspace->lay, LAY_F_rt_env_bind));
    TRY(co_setting(aspace, LAY_F_rt_env_bind_count, &count));
    if (count > field->count || count > BIND_MAX) {
        tgt_say("libompd: the runtime's bind-var has an impossible length.\n");
        return ompd_rc_error;
    }
    uint32_t n = 0;
    if (count != 0)
        TRY(tgt_read(&aspace->tgt, address, count * field->size, bytes));
    for (int64_t i = level < 0 ? 0 : level; i < (int64_t)count && n < max; i++) {
        uint64_t number;
        TRY(tgt_number(&aspace->tgt, bytes + (uint64_t)i * field->size, field->size, &number));
        items[n++] = (int64_t)number;
    }
    *ret = n;
    return ompd_rc_ok;
}
