/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: one task, from its record to its row.
 */
#include "runtimes/kmp/kmp.h"

ompd_rc_t kmp_get_task(struct kmp *kmp, uint64_t task, struct kmp_task *ret)
{
    const struct lay *lay = &kmp->aspace->lay;
    const struct {
        unsigned id;
        uint64_t *to;
    } fields[] = {{LAY_F_kmp_taskdata_team, &ret->team},
                  {LAY_F_kmp_taskdata_parent, &ret->parent},
                  {LAY_F_kmp_taskdata_tasktype, &ret->flags_explicit},
                  {LAY_F_kmp_taskdata_tiedness, &ret->tied},
                  {LAY_F_kmp_taskdata_final, &ret->final},
                  {LAY_F_kmp_taskdata_started, &ret->started},
                  {LAY_F_kmp_taskdata_executing, &ret->executing},
                  {LAY_F_kmp_taskdata_complete, &ret->complete},
                  {LAY_F_kmp_taskdata_freed, &ret->freed},
                  {LAY_F_kmp_taskdata_task_serial, &ret->serial},
                  {LAY_F_kmp_taskdata_detachable, &ret->detachable},
                  {LAY_F_kmp_taskdata_proxy, &ret->proxy},
                  {LAY_F_kmp_taskdata_alloc_thread, &ret->alloc_thread},
                  {LAY_F_kmp_taskdata_ident, &ret->ident},
                  {LAY_F_kmp_taskdata_taskgroup, &ret->taskgroup},
                  {LAY_F_kmp_taskdata_incomplete_child_tasks, &ret->children},
                  {LAY_F_kmp_taskdata_last_tied, &ret->last_tied}};
    *ret = (struct kmp_task){.tied = 1};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (lay_has(lay, fields[i].id))
            TRY(kmp_field(kmp, task, fields[i].id, fields[i].to));
    if (ret->flags_explicit != 0 && lay_has(lay, LAY_F_kmp_task_routine))
        TRY(kmp_field(kmp, task + lay_size(lay, LAY_S_kmp_taskdata), LAY_F_kmp_task_routine, &ret->routine));
    return ompd_rc_ok;
}

/** Why the state of an explicit task is not known; NULL: it is. */
static const char *no_state(const struct kmp *kmp)
{
    const char *why = kmp_missing(kmp, LAY_F_kmp_taskdata_started);
    return why != NULL ? why : kmp_missing(kmp, LAY_F_kmp_taskdata_executing);
}

static int32_t explicit_state(const struct kmp_task *record)
{
    if (record->complete)
        return record->proxy && record->detachable ? ompdx_task_detached : ompdx_task_completing;
    if (!record->started)
        return ompdx_task_created;
    return record->proxy && record->detachable && !record->executing ? ompdx_task_detached
                                                                     : ompdx_task_suspended;
}

static uint32_t explicit_flags(const struct kmp_task *record)
{
    return (uint32_t)ompt_task_explicit | (record->tied ? 0 : (uint32_t)ompt_task_untied) |
           (record->final ? (uint32_t)ompt_task_final : 0) |
           (record->serial ? (uint32_t)ompt_task_undeferred : 0);
}

ompd_rc_t kmp_fill_task(struct kmp *kmp, const struct kmp_task *record, struct world_task *row)
{
    const struct lay *lay = &kmp->aspace->lay;
    const int32_t creator = kmp_thread_at(kmp, record->alloc_thread);
    row->taskgroup = record->taskgroup;
    row->children = (uint32_t)record->children;
    row->icvs =
        lay_has(lay, LAY_F_kmp_taskdata_icvs) ? row->address + lay_offset(lay, LAY_F_kmp_taskdata_icvs) : 0;
    if (record->flags_explicit == 0)
        return ompd_rc_ok;
    row->unknown[ompdx_task_fact_function] = kmp_missing(kmp, LAY_F_kmp_task_routine);
    row->unknown[ompdx_task_fact_final] = kmp_missing(kmp, LAY_F_kmp_taskdata_final);
    row->unknown[ompdx_task_fact_untied] = kmp_missing(kmp, LAY_F_kmp_taskdata_tiedness);
    row->unknown[ompdx_task_fact_undeferred] = kmp_missing(kmp, LAY_F_kmp_taskdata_task_serial);
    row->function = stock_inside(kmp->stock, record->routine) ? 0 : record->routine;
    if (creator != WORLD_NONE && kmp->threads[creator].team == record->team &&
        kmp->threads[creator].contradiction == NULL)
        row->creator_thread_num = (int32_t)kmp->threads[creator].tid;
    return kmp_source(kmp, record->ident, &row->source);
}

ompd_rc_t kmp_add_task(struct kmp *kmp, uint64_t address, int32_t *ret)
{
    struct kmp_task record;
    *ret = world_task_at(kmp->world, address);
    if (*ret != WORLD_NONE || address == 0 || address % 8 != 0)
        return ompd_rc_ok;
    ompd_rc_t rc = kmp_get_task(kmp, address, &record);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok) {
        kmp->world->incomplete = true;
        return ompd_rc_ok;
    }
    const int32_t team = kmp_team_at(kmp, record.team);
    if (kmp_missing(kmp, LAY_F_kmp_taskdata_complete) != NULL ||
        kmp_missing(kmp, LAY_F_kmp_taskdata_freed) != NULL)
        return ompd_rc_ok; /* it may be no task any more */
    if (record.flags_explicit == 0 || record.freed || team == WORLD_NONE ||
        kmp->teams[team].row == WORLD_NONE || (record.complete && record.children == 0 && !record.detachable))
        return ompd_rc_ok;
    struct world_task *row = world_add_task(kmp->aspace, kmp->world, address);
    if (row == NULL)
        return ompd_rc_nomem;
    *ret = kmp->world->task_count - 1;
    row->team = kmp->teams[team].row;
    row->flags = explicit_flags(&record);
    row->unknown[ompdx_task_fact_state] = no_state(kmp);
    row->state = row->unknown[ompdx_task_fact_state] == NULL ? explicit_state(&record) : 0;
    return kmp_fill_task(kmp, &record, row);
}
