/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: what the words of mutexes and waits mean, for what a thread waits for and for what it holds.
 */
#include "runtimes/companion/companion.h"

ompdx_wait_kind_t co_wait_kind(const aspace_t *aspace, uint64_t number)
{
    static const struct {
        uint16_t constant;
        uint16_t kind;
    } kinds[] = {
        {LAY_C_RT_WAIT_LOCK, ompdx_wait_lock},           {LAY_C_RT_WAIT_NEST_LOCK, ompdx_wait_nest_lock},
        {LAY_C_RT_WAIT_CRITICAL, ompdx_wait_critical},   {LAY_C_RT_WAIT_ORDERED, ompdx_wait_ordered},
        {LAY_C_RT_WAIT_ATOMIC, ompdx_wait_atomic},       {LAY_C_RT_WAIT_REDUCTION, ompdx_wait_reduction},
        {LAY_C_RT_WAIT_BARRIER, ompdx_wait_barrier},     {LAY_C_RT_WAIT_TASKWAIT, ompdx_wait_taskwait},
        {LAY_C_RT_WAIT_TASKGROUP, ompdx_wait_taskgroup}, {LAY_C_RT_WAIT_DEPEND, ompdx_wait_depend},
        {LAY_C_RT_WAIT_EVENT, ompdx_wait_event},         {LAY_C_RT_WAIT_DOACROSS, ompdx_wait_ordered},
    };
    number &= ~co_constant(aspace, LAY_C_RT_WAIT_REUSED);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (co_constant(aspace, kinds[i].constant) == number)
            return (ompdx_wait_kind_t)kinds[i].kind;
    return ompdx_wait_unknown;
}

/**
 * Why a thread number in a mutex word may be another thread's, as bits of OMPDX_OWNER_*; 0: it is not.
 * A runtime before layout 1.3 stores the low bits of the serial there and does not say whether any were cut;
 * it shows only while such a thread lives.
 */
ompd_rc_t co_numbers_reused(aspace_t *aspace, uint64_t *ret)
{
    const uint64_t shift = co_constant(aspace, LAY_C_RT_MUTEX_SHIFT);
    const struct index *threads;
    TRY(co_started(aspace));
    TRY(co_root_number(aspace, LAY_F_rt_root_lock_numbers_reused, ret));
    *ret &= OMPDX_OWNER_REUSED | OMPDX_OWNER_SHARED;
    if (lay_at(&aspace->lay, LAY_F_rt_thread_lock_number)->kind == LAY_FIELD)
        return ompd_rc_ok;
    TRY(co_index(aspace, CO_THREADS_BY_SERIAL, &threads));
    if (threads->count != 0 && threads->rows[threads->count - 1].key >> (32 - shift) != 0)
        *ret = OMPDX_OWNER_REUSED;
    return ompd_rc_ok;
}

ompd_rc_t co_task_owner(aspace_t *aspace, uint64_t number, struct co_thread *ret, const char **why)
{
    const struct index *tasks;
    struct co_task task;
    *ret = (struct co_thread){0};
    TRY(co_index(aspace, CO_TASKS_BY_LOCK, &tasks));
    const size_t at = index_find(tasks, number);
    if (at == tasks->count || tasks->rows[at].key != number) {
        *why = co_has_holes(aspace, CO_TASK) ? "the untied task that holds it cannot be read"
                                             : "the untied task that holds it is complete";
        return ompd_rc_ok;
    }
    if (at + 1 < tasks->count && tasks->rows[at + 1].key == number) {
        *why = "several untied tasks have the number that stands for the one that holds it";
        return ompd_rc_ok;
    }
    TRY(co_get_task(aspace, tasks->rows[at].value, CO_ALL, &task));
    if (task.state == co_constant(aspace, LAY_C_RT_TS_STARTED) && task.thread != 0)
        TRY(co_get_thread(aspace, task.thread, CO_ALL, ret));
    if (ret->serial == 0)
        *why = "no thread executes the untied task that holds it";
    return ompd_rc_ok;
}
