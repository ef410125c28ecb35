/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: what an OMPT tool has stored with threads, regions and tasks (ompt_data_t, OpenMP 6.0 section
 * 32.8).
 */
#include "runtimes/companion/companion.h"

ompd_rc_t co_op_tool_data(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref, uint64_t *value,
                          uint64_t *pointer)
{
    static const struct {
        enum co_kind kind;
        uint16_t field;
    } words[] = {[RTM_THREAD] = {CO_THREAD, LAY_F_rt_thread_tool_data},
                 [RTM_REGION] = {CO_TEAM, LAY_F_rt_team_tool_data},
                 [RTM_TASK] = {CO_TASK, LAY_F_rt_task_icv_tool_data}};
    const uint16_t field = words[what].field;
    TRY(co_need(aspace, (const uint16_t[]){field, 0}));
    const struct lay_wanted wanted = {field, 0, false};
    uint64_t word, address;
    struct co_task task;
    if (what == RTM_TASK) {
        TRY(co_live_task(aspace, ref, 0, &task));
        if (task.unbegun) { /* its slot has an earlier task's word, or none */
            *value = *pointer = 0;
            return ompd_rc_ok;
        }
    }
    TRY(co_get_slot(aspace, words[what].kind, ref->address, &wanted, 1, &word));
    /*
     * A union: the pointer is its first bytes, on a 32-bit target one half of the number, which one its byte
     * order says.
     */
    TRY(tgt_read_pointer(&aspace->tgt, ref->address + (uint64_t)lay_at(&aspace->lay, field)->offset,
                         &address));
    *value = word;
    *pointer = address;
    return ompd_rc_ok;
}
