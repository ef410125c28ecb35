/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_icvs.h"

#include <string.h>

#include "runtimes/base/stock.h"

/** Regions inside one another; a target that has more is damaged. */
#define LEVELS_MAX 65536

static void one(struct rtm_icv_value *ret, int64_t item)
{
    ret->item[0] = item;
    ret->count = 1;
    ret->cut = false;
}

/* ---- process's ----------------------------------------------------------------------------------------- */

/** A variable of the library. unsupported: the layout does not have it. */
static ompd_rc_t variable(aspace_t *aspace, unsigned id, struct rtm_icv_value *ret)
{
    uint8_t bytes[8];
    uint64_t number;
    const uint32_t size = lay_size(&aspace->lay, id);
    if (!lay_has(&aspace->lay, id) || size > sizeof bytes)
        return ompd_rc_unsupported;
    TRY(tgt_read(&aspace->tgt, lay_variable(&aspace->lay, id), size, bytes));
    TRY(tgt_number(&aspace->tgt, bytes, size, &number));
    if (number > INT32_MAX)
        return ompd_rc_unavailable; /* none of them is negative or so large */
    one(ret, (int64_t)number);
    return ompd_rc_ok;
}

static ompd_rc_t of_process(aspace_t *aspace, enum rtm_icv icv, struct rtm_icv_value *ret)
{
    switch (icv) {
    case RTM_ICV_CANCEL:
        return variable(aspace, LAY_V_gomp_cancel_var, ret);
    case RTM_ICV_MAX_TASK_PRIORITY:
        return variable(aspace, LAY_V_gomp_max_task_priority_var, ret);
    case RTM_ICV_NUM_PROCS:
        return variable(aspace, LAY_V_gomp_available_cpus, ret);
    default:
        return ompd_rc_unsupported;
    }
}

/* ---- inherited ----------------------------------------------------------------------------------------- */

/** The longest function that is looked through. */
#define CODE_BYTES_MAX 256u

/** Is there a `lea displacement(%rip),%register` in the code at START that takes ADDRESS? */
static bool takes_address(const uint8_t *code, size_t count, uint64_t start, uint64_t address)
{
    for (size_t i = 0; i + 7 <= count; i++) {
        uint32_t displacement = 0;
        if ((code[i] & 0xfb) != 0x48 || code[i + 1] != 0x8d || (code[i + 2] & 0xc7) != 0x05)
            continue;
        for (size_t k = 0; k < 4; k++)
            displacement |= (uint32_t)code[i + 3 + k] << 8 * k;
        if (start + i + 7 + (uint64_t)(int64_t)(int32_t)displacement == address)
            return true;
    }
    return false;
}

/**
 * Whether omp_get_max_threads, which reads the process's variables for a task without a record, takes them
 * from ADDRESS. Most of their values would look sound a word further too. true also where its code is not
 * there.
 */
static bool code_agrees(aspace_t *aspace, uint64_t address)
{
    static const char name[] = "omp_get_max_threads";
    const ompdx_layout_t *row = aspace->stock->row;
    struct world *world = aspace->brk.world;
    uint8_t code[CODE_BYTES_MAX];
    for (uint64_t i = 0; row != NULL && i < row->count; i++) {
        const ompdx_layout_entry_t *entry = &row->entries[i];
        if (entry->kind != ompdx_layout_function || strcmp(entry->name, name) != 0)
            continue;
        const uint64_t start = entry->a + aspace->stock->module.bias, size = entry->b - entry->a;
        return size > sizeof code ||
               pages_read(aspace, &world->pages, start, (uint32_t)size, code) != ompd_rc_ok ||
               takes_address(code, size, start, address);
    }
    return true;
}

/** The process's variables; 0: they are not there. */
static uint64_t global_icvs(aspace_t *aspace)
{
    const uint64_t address =
        lay_has(&aspace->lay, LAY_V_gomp_global_icv) ? lay_variable(&aspace->lay, LAY_V_gomp_global_icv) : 0;
    return address != 0 && code_agrees(aspace, address) ? address : 0;
}

/** The variables of a task that has a record, else those of the process, which it has not changed; 0:
 *  they are not known. */
static uint64_t icvs_of(aspace_t *aspace, const struct world *world, const struct world_task *task)
{
    const struct lay *lay = &aspace->lay;
    const bool finds_records = lay_has(lay, LAY_F_gomp_task_parent) && lay_has(lay, LAY_F_gomp_task_kind);
    if (world_team_at(world, task->address) != WORLD_NONE) /* the id of its region: it has no record */
        return finds_records ? global_icvs(aspace) : 0;
    return lay_has(lay, LAY_F_gomp_task_icv) ? task->address + lay_offset(lay, LAY_F_gomp_task_icv) : 0;
}

/** A field of struct gomp_task_icv. */
static ompd_rc_t field(aspace_t *aspace, uint64_t icvs, unsigned id, uint64_t *ret)
{
    struct world *world = aspace->brk.world;
    if (!lay_has(&aspace->lay, id) || icvs == 0)
        return ompd_rc_unsupported;
    return pages_number(aspace, &world->pages, icvs + lay_offset(&aspace->lay, id),
                        lay_size(&aspace->lay, id), ret);
}

/** A limit: the largest numbers mean that there is none, and omp_get_ routines give the largest int. */
static ompd_rc_t limit(aspace_t *aspace, uint64_t icvs, unsigned id, struct rtm_icv_value *ret)
{
    uint64_t number;
    TRY(field(aspace, icvs, id, &number));
    one(ret, number > INT32_MAX ? INT32_MAX : (int64_t)number);
    return ompd_rc_ok;
}

static ompd_rc_t schedule(aspace_t *aspace, uint64_t icvs, struct rtm_icv_value *ret)
{
    uint64_t kind, chunk;
    TRY(field(aspace, icvs, LAY_F_gomp_task_icv_run_sched_var, &kind));
    TRY(field(aspace, icvs, LAY_F_gomp_task_icv_run_sched_chunk_size, &chunk));
    one(ret, (int64_t)kind);
    ret->item[1] = (int32_t)(uint32_t)chunk;
    ret->count = 2;
    return ompd_rc_ok;
}

/** Values that no variable has: then what is there is something else. Codes: ok; unavailable; the reads'. */
static ompd_rc_t believe(aspace_t *aspace, uint64_t icvs)
{
    static const struct {
        uint16_t id;
        uint32_t least;
        uint64_t most;
    } bounds[] = {{LAY_F_gomp_task_icv_nthreads_var, 1, INT32_MAX},
                  {LAY_F_gomp_task_icv_thread_limit_var, 1, UINT32_MAX},
                  {LAY_F_gomp_task_icv_dyn_var, 0, 1},
                  {LAY_F_gomp_task_icv_bind_var, 0, 4}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        uint64_t number;
        ompd_rc_t rc = field(aspace, icvs, bounds[i].id, &number);
        if (rc != ompd_rc_ok && rc != ompd_rc_unsupported)
            return rc;
        if (rc == ompd_rc_ok && (number < bounds[i].least || number > bounds[i].most))
            return ompd_rc_unavailable;
    }
    return ompd_rc_ok;
}

static ompd_rc_t inherited(aspace_t *aspace, enum rtm_icv icv, uint64_t icvs, struct rtm_icv_value *ret)
{
    uint64_t number;
    TRY(believe(aspace, icvs));
    switch (icv) {
    case RTM_ICV_NTHREADS:
        return limit(aspace, icvs, LAY_F_gomp_task_icv_nthreads_var, ret);
    case RTM_ICV_THREAD_LIMIT:
        return limit(aspace, icvs, LAY_F_gomp_task_icv_thread_limit_var, ret);
    case RTM_ICV_MAX_ACTIVE_LEVELS:
        return limit(aspace, icvs, LAY_F_gomp_task_icv_max_active_levels_var, ret);
    case RTM_ICV_RUN_SCHED:
        return schedule(aspace, icvs, ret);
    case RTM_ICV_BIND:
        return limit(aspace, icvs, LAY_F_gomp_task_icv_bind_var, ret);
    case RTM_ICV_DYN:
        TRY(field(aspace, icvs, LAY_F_gomp_task_icv_dyn_var, &number));
        one(ret, number != 0);
        return ompd_rc_ok;
    case RTM_ICV_DEFAULT_DEVICE:
        TRY(field(aspace, icvs, LAY_F_gomp_task_icv_default_device_var, &number));
        one(ret, (int32_t)(uint32_t)number);
        return ompd_rc_ok;
    default:
        return ompd_rc_unsupported;
    }
}

/* ---- of a task's place --------------------------------------------------------------------------------- */

/** The initial region around a region: it says whether it is one of a league. */
static const struct world_team *outermost(const struct world *world, const struct world_team *team)
{
    for (int level = 0; team->parent != WORLD_NONE && level < LEVELS_MAX; level++)
        team = &world->teams[team->parent];
    return team;
}

static ompd_rc_t of_place(const struct world *world, enum rtm_icv icv, const struct world_task *task,
                          struct rtm_icv_value *ret)
{
    const struct world_team *team = &world->teams[task->team];
    const struct world_team *outer = outermost(world, team);
    switch (icv) {
    case RTM_ICV_LEVELS:
        one(ret, team->level);
        return ompd_rc_ok;
    case RTM_ICV_ACTIVE_LEVELS:
        one(ret, team->active_level);
        return ompd_rc_ok;
    case RTM_ICV_THREAD_NUM:
        if (task->thread_num < 0)
            return ompd_rc_unavailable;
        one(ret, task->thread_num);
        return ompd_rc_ok;
    case RTM_ICV_TASK_TEAM_SIZE:
        one(ret, team->size);
        return ompd_rc_ok;
    case RTM_ICV_LEAGUE_SIZE:
        one(ret, outer->league_size < 0 ? 1 : outer->league_size);
        return ompd_rc_ok;
    case RTM_ICV_TEAM_NUM:
        one(ret, outer->team_num < 0 ? 0 : outer->team_num);
        return ompd_rc_ok;
    case RTM_ICV_FINAL_TASK:
        if (task->unknown[ompdx_task_fact_final] != NULL)
            return ompd_rc_unavailable;
        one(ret, (task->flags & ompt_task_final) != 0);
        return ompd_rc_ok;
    case RTM_ICV_EXPLICIT_TASK:
        one(ret, (task->flags & ompt_task_explicit) != 0);
        return ompd_rc_ok;
    case RTM_ICV_IMPLICIT_TASK:
        one(ret, (task->flags & ompt_task_explicit) == 0);
        return ompd_rc_ok;
    case RTM_ICV_FREE_AGENT: /* libgomp has none */
        one(ret, 0);
        return ompd_rc_ok;
    case RTM_ICV_TEAM_GENERATOR:
        one(ret, team->kind);
        return ompd_rc_ok;
    default:
        return ompd_rc_unsupported;
    }
}

ompd_rc_t gomp_icv(aspace_t *aspace, const struct world *world, enum rtm_icv icv, int32_t index,
                   ompd_scope_t scope, struct rtm_icv_value *ret)
{
    if (index == WORLD_NONE)
        return of_process(aspace, icv, ret);
    const struct world_task *task = &world->tasks[index];
    if (scope == ompd_scope_implicit_task && (task->flags & ompt_task_explicit) != 0)
        return ompd_rc_incompatible;
    ompd_rc_t rc = of_place(world, icv, task, ret);
    return rc == ompd_rc_unsupported ? inherited(aspace, icv, icvs_of(aspace, world, task), ret) : rc;
}
