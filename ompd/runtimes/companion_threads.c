/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: threads, where they are and in what state.
 */
#include "runtimes/companion.h"

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
    TRY(co_get_task(aspace, thread->cur_task, &ret->task));
    if (ret->task.serial == 0)
        return ompd_rc_ok;
    return co_team_of_task(aspace, &ret->task, &ret->team, &ret->busy);
}

static ompd_rc_t thread_and_place(aspace_t *aspace, const struct rtm_ref *ref, struct co_thread *thread,
                                  struct co_place *place)
{
    TRY(co_live_thread(aspace, ref, thread));
    return co_place(aspace, thread, place);
}

ompd_rc_t co_op_find_thread(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret)
{
    const struct index *index;
    uint64_t address;
    struct co_thread thread;
    TRY(co_index(aspace, kind == OMPD_THREAD_ID_LWP ? CO_THREADS_BY_TID : CO_THREADS_BY_PTHREAD, &index));
    if (native == 0 || !index_get(index, native, &address))
        /* Where threads could not be read, "not one of OpenMP" would be a guess. */
        return co_has_holes(aspace, CO_THREAD) ? ompd_rc_device_read_error : ompd_rc_unavailable;
    TRY(co_get_thread(aspace, address, &thread));
    *ret = (struct rtm_ref){address, thread.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_native(aspace_t *aspace, const struct rtm_ref *ref, ompd_thread_id_t kind,
                              uint64_t *ret)
{
    struct co_thread thread;
    TRY(co_live_thread(aspace, ref, &thread));
    *ret = kind == OMPD_THREAD_ID_LWP ? (uint64_t)thread.tid : thread.pthread;
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_state(aspace_t *aspace, const struct rtm_ref *ref, ompd_word_t *state,
                             uint64_t *wait_id)
{
    struct co_thread thread;
    struct co_place place;
    TRY(thread_and_place(aspace, ref, &thread, &place));
    uint64_t known = place.busy ? rtm_known_state(thread.state) : ompt_state_idle;
    *state = (ompd_word_t)known;
    *wait_id = rtm_is_wait(known) ? thread.wait_id : 0;
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_region(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_thread thread;
    struct co_place place;
    TRY(co_live_thread(aspace, ref, &thread));
    if (thread.switching_team != 0) { /* at ompd_bp_parallel_begin and _end: new region, encountering task */
        struct co_team team;
        TRY(co_get_team(aspace, thread.switching_team, &team));
        if (team.serial != 0) {
            TRY(co_check_team(aspace, &team));
            *ret = (struct rtm_ref){team.address, team.serial};
            return ompd_rc_ok;
        }
    }
    TRY(co_place(aspace, &thread, &place));
    if (!place.busy)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){place.team.address, place.team.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_thread_task(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_thread thread;
    struct co_place place;
    TRY(thread_and_place(aspace, ref, &thread, &place));
    if (!place.busy)
        return ompd_rc_unavailable;
    *ret = (struct rtm_ref){place.task.address, place.task.serial};
    return ompd_rc_ok;
}
