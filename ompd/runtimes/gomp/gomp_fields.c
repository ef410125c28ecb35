/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_fields.h"

uint64_t gomp_implicit_address(const struct gomp *gomp, uint64_t team, uint64_t number)
{
    return team + gomp_offset(gomp, LAY_F_gomp_team_implicit_task) +
           number * lay_size(gomp_lay(gomp), LAY_S_gomp_task);
}

ompd_rc_t gomp_field(struct gomp *gomp, uint64_t address, unsigned id, uint64_t *ret)
{
    if (!gomp_has(gomp, id))
        return ompd_rc_unsupported;
    return pages_number(gomp->aspace, &gomp->world->pages, address + gomp_offset(gomp, id),
                        lay_size(gomp_lay(gomp), id), ret);
}

const char *gomp_missing(const struct gomp *gomp, unsigned id)
{
    return need_reason(gomp_lay(gomp), id);
}

const char *gomp_missing_of(const struct gomp *gomp, const uint16_t *ids)
{
    const char *why = NULL;
    for (; *ids != 0 && why == NULL; ids++)
        why = gomp_missing(gomp, *ids);
    return why;
}

const char *gomp_no_target(const struct gomp *gomp)
{
    static const uint16_t ids[] = {LAY_F_gomp_thread_release,        LAY_F_gomp_team_master_release,
                                   LAY_F_gomp_team_ordered_release,  LAY_F_gomp_thread_thread_pool,
                                   LAY_F_gomp_thread_pool_last_team, 0};
    return gomp_missing_of(gomp, ids);
}

/** Bytes of the structures of a taskwait and of a taskgroup, in all versions and more. */
#define WAIT_BYTES 64u

static bool is_in(uint64_t address, uint64_t start, uint64_t bytes)
{
    return start != 0 && address >= start && address - start < bytes;
}

/** Of a task: what it waits on for others lies in the structure at STRUCTURE, which its record has at
 *  POINTER. */
static const char *in_structure(const struct gomp *gomp, uint64_t address, uint64_t structure,
                                unsigned pointer, unsigned sem)
{
    const char *why = gomp_missing(gomp, pointer);
    return why == NULL && is_in(address, structure, WAIT_BYTES) ? gomp_missing(gomp, sem) : why;
}

static const char *in_task(const struct gomp *gomp, const struct gomp_native *native)
{
    const int32_t at = gomp->world->threads[native->thread].task;
    if (at == WORLD_NONE)
        return gomp_missing(gomp, LAY_F_gomp_task_kind);
    const struct gomp_task *task = &gomp->tasks[at];
    const char *why = in_structure(gomp, native->waits_on, task->taskwait, LAY_F_gomp_task_taskwait,
                                   LAY_F_gomp_taskwait_sem);
    return why != NULL ? why
                       : in_structure(gomp, native->waits_on, task->taskgroup, LAY_F_gomp_task_taskgroup,
                                      LAY_F_gomp_taskgroup_sem);
}

static const char *in_team(const struct gomp *gomp, const struct gomp_native *native)
{
    static const uint16_t team[] = {LAY_F_gomp_team_barrier_generation, LAY_F_gomp_team_master_release, 0};
    const struct gomp_record *record = &native->record;
    const int32_t at = world_team_at(gomp->world, record->team);
    if (is_in(native->waits_on, native->address, lay_size(gomp_lay(gomp), LAY_S_gomp_thread)))
        return gomp_missing(gomp, LAY_F_gomp_thread_release);
    return at != WORLD_NONE && is_in(native->waits_on, record->team,
                                     gomp_implicit_address(gomp, 0, gomp->teams[at].nthreads))
               ? gomp_missing_of(gomp, team)
               : NULL;
}

static const char *in_pool(const struct gomp *gomp, const struct gomp_native *native)
{
    static const uint16_t pool[] = {LAY_F_gomp_thread_pool_dock_generation, LAY_F_gomp_thread_pool_last_team,
                                    0};
    const char *why = gomp_missing(gomp, LAY_F_gomp_thread_thread_pool);
    return why == NULL && native->record.pool != 0 ? gomp_missing_of(gomp, pool) : why;
}

const char *gomp_hidden_wait(const struct gomp *gomp, const struct gomp_native *native, bool by_program)
{
    const char *why = in_team(gomp, native);
    if (why == NULL)
        why = in_task(gomp, native);
    return why == NULL && !by_program ? in_pool(gomp, native) : why;
}
