/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: threads, where they are and in what state.
 */
#include "runtimes/companion/companion.h"

#include <stddef.h>

/**
 * The current-task pointer is the only word that moves a thread between regions; the team's serial, zeroed at
 * the region's end, moves all its threads to idle at once. So this holds between any two instructions of the
 * target.
 */
ompd_rc_t co_place(aspace_t *aspace, const struct co_thread *thread, struct co_place *ret)
{
    ret->busy = false;
    if (thread->cur_task == 0)
        return ompd_rc_ok;
    TRY(co_get_task(aspace, thread->cur_task, CO_TASK_TEAM | CO_TASK_RUN, &ret->task));
    if (ret->task.serial == 0)
        return ompd_rc_ok;
    return co_team_of_task(aspace, &ret->task, CO_ALL, &ret->team, &ret->busy);
}

ompd_rc_t co_place_alone(aspace_t *aspace, const struct co_thread *thread, struct co_place *ret)
{
    ret->busy = false;
    if (thread->cur_task == 0)
        return ompd_rc_ok;
    TRY(co_get_task(aspace, thread->cur_task, CO_TASK_TEAM, &ret->task));
    if (ret->task.serial == 0)
        return ompd_rc_ok;
    return co_team_of_task(aspace, &ret->task, 0, &ret->team, &ret->busy);
}

/**
 * Is the thread in a region that goes on, and in which? A debugger asks this of each thread at each stop, so
 * it is the least that tells it: the team is looked for where the region was before.
 */
static ompd_rc_t is_busy(aspace_t *aspace, const struct co_thread *thread, struct co_team *team, bool *ret)
{
    static const struct lay_wanted region[] = {
        {LAY_F_rt_task_serial, offsetof(struct co_task, serial), false},
        {LAY_F_rt_task_team_serial, offsetof(struct co_task, team_serial), false},
    };
    static const struct lay_wanted pointer = {LAY_F_rt_task_team, 0, false};
    struct co_task task = {.address = thread->cur_task};
    *ret = false;
    if (thread->cur_task == 0)
        return ompd_rc_ok;
    TRY(co_get_slot(aspace, CO_TASK, task.address, region, sizeof region / sizeof region[0], &task));
    if (task.serial == 0)
        return ompd_rc_ok;
    task.team = co_known_region(aspace, task.team_serial);
    const bool known = task.team != 0;
    if (!known)
        TRY(co_get_slot(aspace, CO_TASK, task.address, &pointer, 1, &task.team));
    TRY(co_team_of_task(aspace, &task, 0, team, ret));
    if (*ret && !known)
        co_know_region(aspace, team);
    return ompd_rc_ok;
}

/** What a thread of TEAM that waits waits for; at a barrier that is the team, which needs no further read. */
static ompd_rc_t waits_for(aspace_t *aspace, const struct co_thread *thread, const struct co_team *team,
                           uint64_t *ret)
{
    static const struct lay_wanted wait_id = {LAY_F_rt_thread_wait_id, 0, false};
    if (thread->wait_kind == co_constant(aspace, LAY_C_RT_WAIT_BARRIER)) {
        *ret = team->address;
        return ompd_rc_ok;
    }
    return co_get_slot(aspace, CO_THREAD, thread->address, &wait_id, 1, ret);
}

ompd_rc_t co_op_find_thread(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret)
{
    const struct index *index;
    uint64_t address;
    struct co_thread thread;
    if (!aspace->brk.open) {
        ompd_rc_t rc = co_find_native(aspace, kind, native, ret);
        if (rc != ompd_rc_unsupported)
            return rc;
    }
    TRY(co_index(aspace, kind == OMPD_THREAD_ID_LWP ? CO_THREADS_BY_TID : CO_THREADS_BY_PTHREAD, &index));
    if (native == 0 || !index_get(index, native, &address))
        /* Where threads could not be read, "not one of OpenMP" would be a guess. */
        return co_has_holes(aspace, CO_THREAD) ? ompd_rc_device_read_error : ompd_rc_unavailable;
    TRY(co_get_thread(aspace, address, 0, &thread));
    *ret = (struct rtm_ref){address, thread.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_native(aspace_t *aspace, const struct rtm_ref *ref, ompd_thread_id_t kind,
                              uint64_t *ret)
{
    struct co_thread thread;
    TRY(co_live_thread(aspace, ref, kind == OMPD_THREAD_ID_LWP ? CO_THREAD_TID : CO_THREAD_PTHREAD, &thread));
    *ret = kind == OMPD_THREAD_ID_LWP ? (uint64_t)thread.tid : thread.pthread;
    return ompd_rc_ok;
}

/** Until it has its mutex a member does not arrive at the region's end: that goes on, which needs no look. */
static bool waits_for_mutex(const struct co_thread *thread)
{
    return thread->cur_task != 0 && thread->state >= ompt_state_wait_mutex &&
           thread->state <= ompt_state_wait_ordered;
}

ompd_rc_t co_op_thread_state(aspace_t *aspace, const struct rtm_ref *ref, ompd_word_t *state,
                             uint64_t *wait_id)
{
    struct co_thread thread;
    struct co_team team = {0};
    bool busy = true;
    uint64_t id = 0;
    TRY(co_live_thread(aspace, ref, CO_THREAD_PLACE | CO_THREAD_STATE, &thread));
    if (!waits_for_mutex(&thread))
        TRY(is_busy(aspace, &thread, &team, &busy));
    uint64_t known = busy ? rtm_known_state(thread.state) : ompt_state_idle;
    if (rtm_is_wait(known))
        TRY(waits_for(aspace, &thread, &team, &id));
    *state = (ompd_word_t)known;
    *wait_id = id;
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_region(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_thread thread;
    struct co_place place;
    TRY(co_live_thread(aspace, ref, CO_THREAD_PLACE | CO_THREAD_SWITCH, &thread));
    if (thread.switching_team != 0) { /* at ompd_bp_parallel_begin and _end: new region, encountering task */
        struct co_team team;
        TRY(co_get_team(aspace, thread.switching_team, CO_TEAM_SIZE, &team));
        if (team.serial != 0) {
            TRY(co_check_team(aspace, &team));
            *ret = (struct rtm_ref){team.address, team.serial};
            return ompd_rc_ok;
        }
    }
    TRY(co_place_alone(aspace, &thread, &place));
    if (!place.busy)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){place.team.address, place.team.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_task(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_thread thread;
    struct co_place place;
    TRY(co_live_thread(aspace, ref, CO_THREAD_PLACE, &thread));
    TRY(co_place_alone(aspace, &thread, &place));
    if (!place.busy)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){place.task.address, place.task.serial};
    return ompd_rc_ok;
}
