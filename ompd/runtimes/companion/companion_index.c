/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: indices over all threads, teams, tasks and edges, built from whole slabs when first asked for.
 */
#include <string.h>

#include "runtimes/companion/companion.h"

/**
 * clang's ident_t (KMP ABI, not Companion's): four i32, then the pointer to ";file;function;line;column;;".
 */
#define IDENT_SOURCE_OFFSET 16
#define SPOTS_SOURCES       1

bool co_has_holes(const aspace_t *aspace, enum co_kind kind)
{
    return aspace->brk.has_holes[kind];
}

static ompd_rc_t take(aspace_t *aspace, const uint8_t *bytes, unsigned id, uint64_t *ret)
{
    return lay_get(&aspace->tgt, &aspace->lay, bytes, id, ret);
}

/**
 * Is this implicit task of a region that goes on? A task whose team cannot be told stays: its handle says
 * why.
 */
static ompd_rc_t has_live_team(aspace_t *aspace, const uint8_t *task, bool *ret)
{
    uint8_t scratch[BRK_SLOT_BYTES_MAX];
    const uint8_t *team;
    uint64_t address, task_serial, serial;
    TRY(take(aspace, task, LAY_F_rt_task_team, &address));
    TRY(take(aspace, task, LAY_F_rt_task_team_serial, &task_serial));
    *ret = true;
    ompd_rc_t rc = brk_slot(&aspace->tgt, &aspace->brk, CO_TEAM, address,
                            lay_size(&aspace->lay, LAY_S_rt_team), scratch, &team);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    TRY(take(aspace, team, LAY_F_rt_team_serial, &serial));
    *ret = serial != 0 && serial == task_serial;
    return ompd_rc_ok;
}

static ompd_rc_t is_implicit(aspace_t *aspace, const uint8_t *task, bool *ret)
{
    uint64_t flags;
    TRY(take(aspace, task, LAY_F_rt_task_flags, &flags));
    *ret = co_is_implicit(aspace, flags);
    return ompd_rc_ok;
}

/** A task that users want to hear of: not complete, or still what a thread executes. */
static ompd_rc_t is_reported(aspace_t *aspace, uint64_t address, const uint8_t *task, bool *ret)
{
    uint64_t state, thread;
    const struct index *running;
    TRY(take(aspace, task, LAY_F_rt_task_state, &state));
    *ret = true;
    if (state == co_constant(aspace, LAY_C_RT_TS_DONE)) {
        TRY(co_index(aspace, CO_THREADS_BY_TASK, &running));
        *ret = index_get(running, address, &thread) != 0;
    }
    bool implicit;
    TRY(is_implicit(aspace, task, &implicit));
    if (*ret && implicit)
        TRY(has_live_team(aspace, task, ret));
    return ompd_rc_ok;
}

/** The number of an untied task in mutex words; 0: this runtime stores none there. */
static uint64_t task_number(const aspace_t *aspace, uint64_t serial)
{
    const uint64_t bit = co_constant(aspace, LAY_C_RT_MUTEX_TASK);
    return bit != 0 ? bit | (serial & (bit - 1)) : 0;
}

/** The row for one live slot; *row.key 0: none. */
static ompd_rc_t make_row(aspace_t *aspace, enum co_index which, uint64_t address, const uint8_t *bytes,
                          uint64_t serial, struct index_row *row)
{
    bool wanted;
    *row = (struct index_row){serial, address};
    switch (which) {
    case CO_THREADS_BY_PTHREAD:
        return take(aspace, bytes, LAY_F_rt_thread_pthread, &row->key);
    case CO_THREADS_BY_TID:
        return take(aspace, bytes, LAY_F_rt_thread_tid, &row->key);
    case CO_THREADS_BY_TASK:
        return take(aspace, bytes, LAY_F_rt_thread_cur_task, &row->key);
    case CO_BEGUN_TASKS_BY_SERIAL:
        TRY(is_reported(aspace, address, bytes, &wanted));
        row->key = wanted ? serial : 0;
        return ompd_rc_ok;
    case CO_IMPLICIT_BY_TEAM:
        TRY(is_implicit(aspace, bytes, &wanted));
        if (wanted)
            TRY(has_live_team(aspace, bytes, &wanted));
        row->key = 0;
        return wanted ? take(aspace, bytes, LAY_F_rt_task_team, &row->key) : ompd_rc_ok;
    case CO_THREADS_BY_LOCK:
        /* A runtime before layout 1.3 stores the serial there. */
        if (lay_at(&aspace->lay, LAY_F_rt_thread_lock_number)->kind != LAY_FIELD)
            return ompd_rc_ok;
        return take(aspace, bytes, LAY_F_rt_thread_lock_number, &row->key);
    case CO_TASKS_BY_LOCK:
        TRY(take(aspace, bytes, LAY_F_rt_task_flags, &row->key));
        row->key =
            (row->key & co_constant(aspace, LAY_C_RT_TASK_UNTIED)) != 0 ? task_number(aspace, serial) : 0;
        return ompd_rc_ok;
    case CO_TEAMS_BY_FIRST_TASK:
        return take(aspace, bytes, LAY_F_rt_team_first_task, &row->key);
    case CO_EDGES_BY_SUCCESSOR:
        TRY(take(aspace, bytes, LAY_F_rt_edge_pred, &row->value));
        return take(aspace, bytes, LAY_F_rt_edge_succ, &row->key);
    default:
        return ompd_rc_ok;
    }
}

static const struct {
    enum co_kind kind;
    uint16_t serial_id;
} sources[] = {
    [CO_THREADS_BY_SERIAL] = {CO_THREAD, LAY_F_rt_thread_serial},
    [CO_THREADS_BY_PTHREAD] = {CO_THREAD, LAY_F_rt_thread_serial},
    [CO_THREADS_BY_TID] = {CO_THREAD, LAY_F_rt_thread_serial},
    [CO_THREADS_BY_TASK] = {CO_THREAD, LAY_F_rt_thread_serial},
    [CO_TEAMS_BY_SERIAL] = {CO_TEAM, LAY_F_rt_team_serial},
    [CO_BEGUN_TASKS_BY_SERIAL] = {CO_TASK, LAY_F_rt_task_serial},
    [CO_IMPLICIT_BY_TEAM] = {CO_TASK, LAY_F_rt_task_serial},
    [CO_EDGES_BY_SUCCESSOR] = {CO_EDGE, LAY_F_rt_edge_serial},
    [CO_THREADS_BY_LOCK] = {CO_THREAD, LAY_F_rt_thread_serial},
    [CO_TEAMS_BY_FIRST_TASK] = {CO_TEAM, LAY_F_rt_team_serial},
    [CO_TASKS_BY_LOCK] = {CO_TASK, LAY_F_rt_task_serial},
};

ompd_rc_t co_index(aspace_t *aspace, enum co_index which, const struct index **ret)
{
    struct brk *brk = &aspace->brk;
    const enum co_kind kind = sources[which].kind;
    if (brk->index_ready[which]) {
        *ret = &brk->index[which];
        return ompd_rc_ok;
    }
    TRY(co_directory(aspace));
    TRY(brk_load(&aspace->tgt, brk, kind));
    if (which == CO_BEGUN_TASKS_BY_SERIAL || which == CO_IMPLICIT_BY_TEAM)
        TRY(brk_load(&aspace->tgt, brk, CO_TEAM));

    struct brk_cursor cursor = {0, 0};
    uint64_t address, serial;
    const uint8_t *bytes;
    size_t live = 0;
    while (brk_next(brk, kind, &cursor, &address, &bytes)) {
        TRY(take(aspace, bytes, sources[which].serial_id, &serial));
        live += serial != 0;
    }
    struct index index = {NULL, 0};
    TRY(brk_alloc(brk, (live + 1) * sizeof *index.rows, &index.rows));
    cursor = (struct brk_cursor){0, 0};
    while (brk_next(brk, kind, &cursor, &address, &bytes)) {
        struct index_row row;
        TRY(take(aspace, bytes, sources[which].serial_id, &serial));
        if (serial == 0)
            continue;
        TRY(make_row(aspace, which, address, bytes, serial, &row));
        if (row.key != 0)
            index.rows[index.count++] = row;
    }
    index_sort(&index);
    brk->index[which] = index;
    brk->index_ready[which] = true;
    *ret = &brk->index[which];
    return ompd_rc_ok;
}

/** The implicit task by the index: no read at all, where the team's array of members costs one each team. */
static ompd_rc_t find_by_index(aspace_t *aspace, const struct co_team *team, int64_t number, uint64_t *ret)
{
    const struct index *index;
    TRY(co_index(aspace, CO_IMPLICIT_BY_TEAM, &index));
    for (size_t i = index_find(index, team->address); i < index->count && index->rows[i].key == team->address;
         i++) {
        uint8_t scratch[BRK_SLOT_BYTES_MAX];
        const uint8_t *task;
        int64_t thread_num;
        TRY(brk_slot(&aspace->tgt, &aspace->brk, CO_TASK, index->rows[i].value,
                     lay_size(&aspace->lay, LAY_S_rt_task), scratch, &task));
        TRY(lay_get_signed(&aspace->tgt, &aspace->lay, task, LAY_F_rt_task_thread_num, &thread_num));
        if (thread_num == number) {
            *ret = index->rows[i].value;
            return ompd_rc_ok;
        }
    }
    return ompd_rc_unavailable;
}

ompd_rc_t co_member_task(aspace_t *aspace, const struct co_team *team, int64_t number, uint64_t *ret)
{
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_member_task);
    const uint64_t size = lay_size(&aspace->lay, LAY_S_rt_member);
    uint8_t bytes[8];
    TRY(brk_array(&aspace->tgt, &aspace->brk, team->members, size * (uint64_t)team->nthreads,
                  size * (uint64_t)number + (uint32_t)field->offset, field->size, bytes));
    return tgt_number(&aspace->tgt, bytes, field->size, ret);
}

ompd_rc_t co_find_implicit(aspace_t *aspace, const struct co_team *team, int64_t number, struct co_task *ret)
{
    uint64_t address = 0;
    struct co_task task;
    ompd_rc_t rc = ompd_rc_unavailable;
    if (aspace->brk.open)
        rc = find_by_index(aspace, team, number, &address);
    if (rc == ompd_rc_unavailable) {
        TRY(co_member_task(aspace, team, number, &address));
        if (address == 0)
            return ompd_rc_unavailable;
    } else {
        TRY(rc);
    }
    TRY(co_get_task(aspace, address, CO_TASK_TEAM | CO_TASK_RUN, &task));
    if (task.serial == 0 || task.team != team->address || task.team_serial != team->serial)
        return ompd_rc_unavailable;
    *ret = task;
    return ompd_rc_ok;
}

ompd_rc_t co_find_runner(aspace_t *aspace, const struct co_task *task, struct co_thread *ret)
{
    const struct index *index;
    uint64_t address;
    if (task->thread != 0) {
        TRY(co_get_thread(aspace, task->thread, CO_ALL, ret));
        if (ret->serial != 0 && ret->cur_task == task->address)
            return ompd_rc_ok;
    }
    TRY(co_index(aspace, CO_THREADS_BY_TASK, &index));
    if (!index_get(index, task->address, &address))
        return ompd_rc_unavailable;
    return co_get_thread(aspace, address, CO_ALL, ret);
}

/* ---- clang's source strings ---------------------------------------------------------------------------- */

static ompd_rc_t collect_locs(aspace_t *aspace, enum co_index which, enum co_kind kind, unsigned id,
                              struct brk_spot *list, size_t *count)
{
    const struct index *index;
    TRY(co_index(aspace, which, &index));
    for (size_t i = 0; i < index->count; i++) {
        uint8_t scratch[BRK_SLOT_BYTES_MAX];
        const uint8_t *bytes;
        uint64_t loc;
        uint32_t size = lay_size(&aspace->lay, kind == CO_TEAM ? LAY_S_rt_team : LAY_S_rt_task);
        TRY(brk_slot(&aspace->tgt, &aspace->brk, kind, index->rows[i].value, size, scratch, &bytes));
        TRY(take(aspace, bytes, id, &loc));
        if (loc != 0)
            list[(*count)++] = (struct brk_spot){.address = loc + IDENT_SOURCE_OFFSET,
                                                 .bytes = aspace->tgt.sizes.sizeof_pointer};
    }
    return ompd_rc_ok;
}

/** In a bracket all idents of the process are read together: they lie side by side in the program's data. */
static ompd_rc_t fill_sources(aspace_t *aspace)
{
    const struct index *teams, *tasks;
    struct brk_spot *list = NULL;
    size_t count = 0;
    TRY(co_index(aspace, CO_TEAMS_BY_SERIAL, &teams));
    TRY(co_index(aspace, CO_BEGUN_TASKS_BY_SERIAL, &tasks));
    TRY(brk_alloc(&aspace->brk, (teams->count + tasks->count + 1) * sizeof *list, &list));
    TRY(collect_locs(aspace, CO_TEAMS_BY_SERIAL, CO_TEAM, LAY_F_rt_team_loc, list, &count));
    TRY(collect_locs(aspace, CO_BEGUN_TASKS_BY_SERIAL, CO_TASK, LAY_F_rt_task_loc, list, &count));
    return brk_fill_spots(&aspace->tgt, &aspace->brk, SPOTS_SOURCES, list, count);
}

ompd_rc_t co_source(aspace_t *aspace, uint64_t loc, uint64_t *ret)
{
    uint8_t bytes[8];
    *ret = 0;
    if (loc == 0)
        return ompd_rc_ok;
    if (aspace->brk.open && !aspace->brk.spots[SPOTS_SOURCES].filled)
        TRY(fill_sources(aspace));
    /* The program's data may not be in the core: then the place is unknown, and the rest still is known. */
    if (brk_spot(&aspace->tgt, &aspace->brk, SPOTS_SOURCES, loc + IDENT_SOURCE_OFFSET,
                 aspace->tgt.sizes.sizeof_pointer, bytes) != ompd_rc_ok)
        return ompd_rc_ok;
    return tgt_number(&aspace->tgt, bytes, aspace->tgt.sizes.sizeof_pointer, ret);
}
