/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: control variables and settings of the environment that are text.
 */
#include <string.h>

#include "runtimes/companion/companion.h"
#include "runtimes/base/cpus.h"

/** Places of a process: a damaged number must not make one call read for a minute. */
#define PLACES_MAX 8192u

/* ---- places -------------------------------------------------------------------------------------------- */

static ompd_rc_t add_places(aspace_t *aspace, const struct co_partition *part, struct grown *text)
{
    static const uint16_t ids[] = {LAY_S_rt_cpus, LAY_F_rt_cpus_bits, 0};
    TRY(co_need(aspace, ids));
    TRY(lay_require_number(&aspace->lay, LAY_F_rt_cpus_bits));
    const struct lay_entry *bits = lay_at(&aspace->lay, LAY_F_rt_cpus_bits);
    const uint64_t step = lay_size(&aspace->lay, LAY_S_rt_cpus);
    struct cpus set = {.words = bits->count, .size = bits->size};
    uint64_t table;
    if ((uint64_t)set.words * set.size > sizeof set.bytes) {
        tgt_say("libompd: the runtime's sets of processors are larger than this library can read.\n");
        return ompd_rc_incompatible;
    }
    TRY(co_setting(aspace, LAY_F_rt_env_place_table, &table));
    if (part->count > PLACES_MAX) {
        tgt_say("libompd: a task's place-partition-var has more places than any machine.\n");
        return ompd_rc_error;
    }
    for (int64_t i = 0; i < part->count && text->rc == ompd_rc_ok && !text->cut; i++) {
        const uint64_t place = table + (uint64_t)(part->first + i) * step + (uint64_t)(int64_t)bits->offset;
        TRY(tgt_read(&aspace->tgt, place, (uint64_t)set.words * set.size, set.bytes));
        if (i != 0)
            grown_add(text, ",");
        TRY(cpus_text(&aspace->tgt, &set, text));
    }
    return ompd_rc_ok;
}

ompd_rc_t co_place_text(aspace_t *aspace, int64_t place, struct grown *text)
{
    const struct co_partition one = {place, 1};
    uint64_t total;
    TRY(co_setting(aspace, LAY_F_rt_env_place_total, &total));
    return place >= 0 && (uint64_t)place < total ? add_places(aspace, &one, text) : ompd_rc_error;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

static ompd_rc_t add_string(aspace_t *aspace, unsigned id, const char *unset, struct grown *text)
{
    uint64_t address;
    TRY(co_setting(aspace, id, &address));
    if (address == 0)
        grown_add(text, unset);
    grown_add_target(text, &aspace->tgt, address);
    return ompd_rc_ok;
}

/**
 * An allocator that is not predefined: OMP_ALLOCATOR's own words if they made it, else the handle's number.
 */
static ompd_rc_t add_allocator(aspace_t *aspace, const struct rtm_ref *ref, ompd_scope_t scope,
                               struct grown *text)
{
    struct rtm_icv_value value;
    uint64_t made;
    TRY(co_op_icv(aspace, RTM_ICV_DEF_ALLOCATOR, ref, scope, &value));
    TRY(co_setting(aspace, LAY_F_rt_env_allocator_made, &made));
    if (made != (uint64_t)value.item[0]) {
        grown_add_int(text, value.item[0]);
        return ompd_rc_ok;
    }
    return add_string(aspace, LAY_F_rt_env_allocator, "", text);
}

ompd_rc_t co_op_icv_text(aspace_t *aspace, enum rtm_icv icv, const struct rtm_ref *ref, ompd_scope_t scope,
                         struct grown *ret)
{
    struct co_partition part;
    TRY(co_started(aspace));
    switch (icv) {
    case RTM_ICV_DEF_ALLOCATOR:
        return add_allocator(aspace, ref, scope, ret);
    case RTM_ICV_PLACE_PARTITION:
        TRY(co_partition(aspace, ref, scope, &part));
        return add_places(aspace, &part, ret);
    case RTM_ICV_AFFINITY_FORMAT:
        return add_string(aspace, LAY_F_rt_env_affinity_format, "", ret);
    case RTM_ICV_TOOL_LIBRARIES:
        return add_string(aspace, LAY_F_rt_env_tool_libraries, "", ret);
    case RTM_ICV_TOOL_VERBOSE_INIT:
        return add_string(aspace, LAY_F_rt_env_tool_verbose_init, "disabled", ret);
    default:
        return ompd_rc_unsupported;
    }
}

ompd_rc_t co_op_setting_text(aspace_t *aspace, enum rtm_setting setting, struct grown *ret)
{
    static const uint16_t fields[] = {[RTM_SETTING_DISPLAY_ENV] = LAY_F_rt_env_display,
                                      [RTM_SETTING_OMP_ALLOCATOR] = LAY_F_rt_env_allocator,
                                      [RTM_SETTING_GOMP_CPU_AFFINITY] = LAY_F_rt_env_gomp_affinity,
                                      [RTM_SETTING_KMP_AFFINITY] = LAY_F_rt_env_kmp_affinity,
                                      [RTM_SETTING_KMP_HW_SUBSET] = LAY_F_rt_env_kmp_hw_subset,
                                      [RTM_SETTING_KMP_BLOCKTIME] = LAY_F_rt_env_blocktime};
    static const char *const displays[] = {"false", "true", "verbose"};
    uint64_t number;
    TRY(co_setting(aspace, fields[setting], &number));
    switch (setting) {
    case RTM_SETTING_DISPLAY_ENV:
        if (number >= sizeof displays / sizeof displays[0])
            return ompd_rc_error;
        grown_add(ret, displays[number]);
        return ompd_rc_ok;
    case RTM_SETTING_KMP_BLOCKTIME:
        if (number == INT32_MAX)
            grown_add(ret, "infinite");
        else
            grown_add_int(ret, (int64_t)number);
        return ompd_rc_ok;
    default:
        if (number == 0)
            return ompd_rc_unavailable;
        grown_add_target(ret, &aspace->tgt, number);
        return ompd_rc_ok;
    }
}
