/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: all about one thread, with what it waits for and who has it.
 */
#include "runtimes/companion/companion.h"

#define SPOTS_WAITS 0

static uint32_t wait_object_bytes(const aspace_t *aspace, ompdx_wait_kind_t kind)
{
    switch (kind) {
    case ompdx_wait_lock:
    case ompdx_wait_nest_lock:
    case ompdx_wait_critical:
    case ompdx_wait_atomic:
    case ompdx_wait_reduction:
        return CO_MUTEX_BYTES;
    case ompdx_wait_ordered:
        return lay_size(&aspace->lay, LAY_S_rt_workshare);
    default:
        return 0;
    }
}

/** In a bracket: reads the lock words and loops of all waiting threads together. */
static ompd_rc_t fill_waits(aspace_t *aspace)
{
    const struct index *threads;
    struct brk_spot *list = NULL;
    size_t count = 0;
    TRY(co_index(aspace, CO_THREADS_BY_SERIAL, &threads));
    TRY(brk_alloc(&aspace->brk, (threads->count + 1) * sizeof *list, &list));
    for (size_t i = 0; i < threads->count; i++) {
        struct co_thread thread;
        TRY(co_get_thread(aspace, threads->rows[i].value, CO_ALL, &thread));
        uint32_t bytes = wait_object_bytes(aspace, co_wait_kind(aspace, thread.wait_kind));
        if (rtm_is_wait(thread.state) && bytes != 0 && thread.wait_id != 0)
            list[count++] = (struct brk_spot){.address = thread.wait_id, .bytes = bytes};
    }
    return brk_fill_spots(&aspace->tgt, &aspace->brk, SPOTS_WAITS, list, count);
}

/** Reads the object waited for. Codes: ok; nomem; any other: it cannot be read, so its owner is unknown. */
static ompd_rc_t read_object(aspace_t *aspace, uint64_t address, uint32_t bytes, void *ret)
{
    if (aspace->brk.open && !aspace->brk.spots[SPOTS_WAITS].filled)
        TRY(fill_waits(aspace));
    return brk_spot(&aspace->tgt, &aspace->brk, SPOTS_WAITS, address, bytes, ret);
}

/**
 * The return address of the call by which THREAD acquired OBJECT; 0: not recorded, or the record makes no
 * sense.
 */
static ompd_rc_t taken_at(aspace_t *aspace, const struct co_thread *thread, uint64_t object, uint64_t *ret)
{
    __attribute__((cleanup(tgt_free_guard))) struct co_held *held = NULL;
    uint32_t count = 0;
    *ret = 0;
    ompd_rc_t rc = co_read_held(aspace, thread, &held, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    while (count > 0 && held[count - 1].object != object)
        count--;
    if (count > 0)
        *ret = held[count - 1].codeptr;
    return ompd_rc_ok;
}

static ompd_rc_t set_owner(aspace_t *aspace, ompdx_thread_info_t *info, const struct co_thread *owner)
{
    TRY(taken_at(aspace, owner, info->wait_id, &info->owner_codeptr));
    info->owner_kind = ompdx_owner_thread;
    info->owner_thread = owner->serial;
    info->owner_tid = owner->tid;
    info->owner_pthread = owner->pthread;
    return ompd_rc_ok;
}

static ompd_rc_t mutex_owner(aspace_t *aspace, const struct co_thread *thread, ompdx_thread_info_t *info)
{
    uint8_t bytes[CO_MUTEX_BYTES];
    uint64_t word, address;
    const struct index *threads;
    ompd_rc_t rc = read_object(aspace, thread->wait_id, CO_MUTEX_BYTES, bytes);
    info->owner_kind = ompdx_owner_unknown;
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    TRY(tgt_number(&aspace->tgt, bytes, CO_MUTEX_BYTES, &word));
    const uint64_t number = word >> co_constant(aspace, LAY_C_RT_MUTEX_SHIFT);
    uint64_t reused;
    if (number == 0) {
        info->owner_kind = ompdx_owner_none;
        return ompd_rc_ok;
    }
    TRY(co_numbers_reused(aspace, &reused));
    if ((number & co_constant(aspace, LAY_C_RT_MUTEX_TASK)) != 0) {
        struct co_thread owner;
        TRY(co_task_owner(aspace, number, &owner, &info->unknown[ompdx_fact_owner]));
        if (owner.serial == 0)
            return ompd_rc_ok;
        info->owner_uncertain = reused & OMPDX_OWNER_SHARED; /* a task of another copy may have the number */
        return set_owner(aspace, info, &owner);
    }
    TRY(co_index(aspace, CO_THREADS_BY_LOCK, &threads));
    if (index_get(threads, number, &address)) {
        struct co_thread owner;
        TRY(co_get_thread(aspace, address, CO_ALL, &owner));
        info->owner_uncertain = reused;
        return set_owner(aspace, info, &owner);
    }
    /*
     * No live thread has the number, so its thread has ended, or is another copy's. The number is an id
     * unless numbers were reused.
     */
    if (co_has_holes(aspace, CO_THREAD))
        return ompd_rc_ok;
    if ((reused & OMPDX_OWNER_SHARED) != 0) {
        info->unknown[ompdx_fact_owner] =
            "another copy of the runtime is in the process, and a thread of that one may hold it";
        return ompd_rc_ok;
    }
    info->owner_kind = ompdx_owner_ended;
    info->owner_thread = reused ? 0 : number;
    return ompd_rc_ok;
}

/**
 * The member of the team whose chunk of LOOP contains iteration TURN: *ret is the slot of its thread, 0 none.
 * This decodes every member.
 */
static ompd_rc_t find_member(aspace_t *aspace, uint64_t loop, const struct co_team *team, uint64_t turn,
                             uint64_t *ret)
{
    const struct index *members;
    TRY(co_index(aspace, CO_IMPLICIT_BY_TEAM, &members));
    *ret = 0;
    for (size_t i = index_find(members, team->address);
         i < members->count && members->rows[i].key == team->address; i++) {
        struct co_task task;
        TRY(co_get_task(aspace, members->rows[i].value, CO_ALL, &task));
        if (task.loop == loop && task.loop_first <= turn && turn <= task.loop_last && task.thread != 0) {
            *ret = task.thread;
            break;
        }
    }
    return ompd_rc_ok;
}

/** The thread whose turn it is in the ordered LOOP, as find_member(). unavailable: that cannot be read. */
static ompd_rc_t find_ordered_owner(aspace_t *aspace, uint64_t loop, uint64_t *ret)
{
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    uint64_t turn, team_address;
    struct co_team team;
    ompd_rc_t rc = read_object(aspace, loop, lay_size(&aspace->lay, LAY_S_rt_workshare), bytes);
    if (rc != ompd_rc_ok)
        return rc == ompd_rc_nomem ? rc : ompd_rc_unavailable;
    TRY(lay_get(&aspace->tgt, &aspace->lay, bytes, LAY_F_rt_workshare_ordered_next, &turn));
    TRY(lay_get(&aspace->tgt, &aspace->lay, bytes, LAY_F_rt_workshare_team, &team_address));
    rc = co_get_team(aspace, team_address, CO_ALL, &team);
    if (rc != ompd_rc_ok || team.serial == 0)
        return rc == ompd_rc_nomem ? rc : ompd_rc_unavailable;
    return find_member(aspace, loop, &team, turn, ret);
}

/**
 * In a bracket: loop -> owner, of all loops that threads wait in. So the members of a team are decoded once,
 * and not for each thread that waits. A loop whose owner cannot be found has no row.
 */
static ompd_rc_t ordered_owners(aspace_t *aspace, const struct index **ret)
{
    struct brk *brk = &aspace->brk;
    const struct index *threads;
    struct index owners = {NULL, 0};
    size_t known = 0;
    *ret = &brk->index[CO_OWNERS_BY_LOOP];
    if (brk->index_ready[CO_OWNERS_BY_LOOP])
        return ompd_rc_ok;
    TRY(co_index(aspace, CO_THREADS_BY_SERIAL, &threads));
    TRY(brk_alloc(brk, (threads->count + 1) * sizeof *owners.rows, &owners.rows));
    for (size_t i = 0; i < threads->count; i++) {
        struct co_thread thread;
        TRY(co_get_thread(aspace, threads->rows[i].value, CO_ALL, &thread));
        if (rtm_is_wait(thread.state) && co_wait_kind(aspace, thread.wait_kind) == ompdx_wait_ordered &&
            thread.wait_kind != co_constant(aspace, LAY_C_RT_WAIT_DOACROSS))
            owners.rows[owners.count++] = (struct index_row){thread.wait_id, 0};
    }
    index_sort(&owners);
    for (size_t i = 0; i < owners.count; i++) {
        struct index_row row = {owners.rows[i].key, 0};
        if (i > 0 && row.key == owners.rows[i - 1].key)
            continue;
        ompd_rc_t rc = find_ordered_owner(aspace, row.key, &row.value);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc == ompd_rc_ok)
            owners.rows[known++] = row;
    }
    owners.count = known;
    brk->index[CO_OWNERS_BY_LOOP] = owners;
    brk->index_ready[CO_OWNERS_BY_LOOP] = true;
    return ompd_rc_ok;
}

static ompd_rc_t ordered_owner(aspace_t *aspace, const struct co_thread *thread, ompdx_thread_info_t *info)
{
    uint64_t address = 0;
    struct co_thread owner;
    const struct index *owners = NULL;
    info->owner_kind = ompdx_owner_unknown;
    if (aspace->brk.open)
        TRY(ordered_owners(aspace, &owners));
    if (owners == NULL || !index_get(owners, thread->wait_id, &address)) {
        ompd_rc_t rc = find_ordered_owner(aspace, thread->wait_id, &address);
        if (rc == ompd_rc_unavailable)
            return ompd_rc_ok;
        TRY(rc);
    }
    info->owner_kind = ompdx_owner_none;
    if (address == 0)
        return ompd_rc_ok;
    TRY(co_get_thread(aspace, address, CO_ALL, &owner));
    return owner.serial != 0 ? set_owner(aspace, info, &owner) : ompd_rc_ok;
}

/** Id of the region, task or taskgroup waited for. What is no slot has no id. */
static ompd_rc_t wait_object(aspace_t *aspace, const struct co_thread *thread, ompdx_thread_info_t *info)
{
    struct co_team team;
    struct co_task task;
    struct co_taskgroup group;
    ompd_rc_t rc;
    switch (info->wait_kind) {
    case ompdx_wait_barrier:
        rc = co_get_team(aspace, thread->wait_id, CO_ALL, &team);
        info->wait_object = rc == ompd_rc_ok ? team.serial : 0;
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    case ompdx_wait_taskwait:
    case ompdx_wait_depend:
    case ompdx_wait_event:
        rc = co_get_task(aspace, thread->wait_id, CO_ALL, &task);
        info->wait_object = rc == ompd_rc_ok ? task.serial : 0;
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    case ompdx_wait_taskgroup:
        rc = co_get_taskgroup(aspace, thread->wait_id, &group);
        info->wait_object = rc == ompd_rc_ok ? group.serial : 0;
        return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
    case ompdx_wait_ordered:
        if (thread->wait_kind == co_constant(aspace, LAY_C_RT_WAIT_DOACROSS)) {
            info->owner_kind = ompdx_owner_unknown; /* who will execute the iteration is not recorded */
            return ompd_rc_ok;
        }
        return ordered_owner(aspace, thread, info);
    default:
        return wait_object_bytes(aspace, (ompdx_wait_kind_t)info->wait_kind) != 0
                   ? mutex_owner(aspace, thread, info)
                   : ompd_rc_ok;
    }
}

ompd_rc_t co_op_thread_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_thread_info_t *ret)
{
    struct co_thread thread;
    struct co_place place;
    TRY(co_live_thread(aspace, ref, CO_ALL, &thread));
    TRY(co_place(aspace, &thread, &place));
    ompdx_thread_info_t info = {.id = thread.serial,
                                .pthread = thread.pthread,
                                .tid = thread.tid,
                                .kind = (int32_t)thread.kind,
                                .state = ompt_state_idle,
                                .thread_num = -1,
                                .team_size = -1,
                                .level = -1,
                                .active_level = -1};
    if (place.busy) {
        info.state = (int32_t)rtm_known_state(thread.state);
        info.region = place.team.serial;
        info.task = place.task.serial;
        info.thread_num = (int32_t)place.task.thread_num;
        info.team_size = (int32_t)place.team.nthreads;
        info.level = (int32_t)place.team.level;
        info.active_level = (int32_t)place.team.active_level;
    }
    if (rtm_is_wait((uint64_t)info.state)) {
        info.wait_kind = co_wait_kind(aspace, thread.wait_kind);
        info.wait_id = thread.wait_id;
        info.wait_codeptr = thread.wait_codeptr;
        TRY(wait_object(aspace, &thread, &info));
        TRY(co_wait_flags(aspace, &thread, &place, &info));
    }
    *ret = info;
    return ompd_rc_ok;
}
