/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: tasks.
 */
#include "runtimes/companion/companion.h"

#include "runtimes/base/ids.h"

/**
 * The task in a slot that another task points to: its address and serial. unavailable: the pointer is 0 or
 * nothing lives there any more.
 */
static ompd_rc_t relative(aspace_t *aspace, uint64_t address, struct co_task *ret)
{
    if (address == 0)
        return ompd_rc_unavailable;
    TRY(co_get_task(aspace, address, 0, ret));
    return ret->serial != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

ompd_rc_t co_op_task_generator(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_task task, parent;
    TRY(co_live_task(aspace, ref, CO_TASK_PARENT, &task));
    TRY(relative(aspace, task.parent, &parent));
    *ret = (struct rtm_ref){parent.address, parent.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_task_scheduler(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_task task, below;
    struct co_thread thread;
    TRY(co_live_task(aspace, ref, CO_TASK_RUN, &task));
    /* An implicit task has none (OpenMP 6.0 section 41.6). */
    if (co_is_implicit(aspace, task.flags))
        return ompd_rc_unavailable;
    /* A task that has left the stack keeps the word, and what it points to may have ended. */
    if (task.sched_parent != 0 && task.state != co_constant(aspace, LAY_C_RT_TS_STARTED))
        TRY(co_find_runner(aspace, &task, &thread));
    TRY(relative(aspace, task.sched_parent, &below));
    *ret = (struct rtm_ref){below.address, below.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_task_region(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct co_task task;
    struct co_team team;
    TRY(co_live_task_team(aspace, ref, 0, CO_TEAM_SIZE, &task, &team));
    *ret = (struct rtm_ref){team.address, team.serial};
    return ompd_rc_ok;
}

ompd_rc_t co_op_task_function(aspace_t *aspace, const struct rtm_ref *ref, uint64_t *ret)
{
    struct co_task task;
    TRY(co_live_task(aspace, ref, CO_TASK_FN, &task));
    if (task.fn == 0)
        return ompd_rc_unavailable;
    *ret = task.fn;
    return ompd_rc_ok;
}

static ompd_frame_info_t frame(const aspace_t *aspace, uint64_t address, unsigned flag)
{
    ompd_frame_info_t info = {.frame_address = {.segment = ompd_segment_none, .address = address},
                              .frame_flag = 0};
    if (address != 0)
        info.frame_flag = (ompd_word_t)co_constant(aspace, flag);
    return info;
}

ompd_rc_t co_op_task_frame(aspace_t *aspace, const struct rtm_ref *ref, ompd_frame_info_t *exit_frame,
                           ompd_frame_info_t *enter_frame)
{
    struct co_task task;
    TRY(co_live_task(aspace, ref, CO_TASK_FRAMES, &task));
    bool own = (uint32_t)task.frame_flags == co_constant(aspace, LAY_C_RT_FRAME_OF_CODE);
    *exit_frame = frame(aspace, task.exit_frame, own ? LAY_C_RT_FRAME_OF_CODE : LAY_C_RT_FRAME_FLAG);
    *enter_frame = frame(aspace, task.enter_frame, LAY_C_RT_FRAME_FLAG);
    return ompd_rc_ok;
}

/** The state to show. A task that is complete can still be the current one for a moment: completing. */
static ompdx_task_state_t shown_state(const aspace_t *aspace, const struct co_task *task, bool running)
{
    if (task->state == co_constant(aspace, LAY_C_RT_TS_CREATED))
        return ompdx_task_created;
    if (task->state == co_constant(aspace, LAY_C_RT_TS_BLOCKED))
        return ompdx_task_blocked;
    if (task->state == co_constant(aspace, LAY_C_RT_TS_READY))
        return ompdx_task_ready;
    if (task->state == co_constant(aspace, LAY_C_RT_TS_STARTED))
        return running ? ompdx_task_running : ompdx_task_suspended;
    if (task->state == co_constant(aspace, LAY_C_RT_TS_DETACHED))
        return ompdx_task_detached;
    return ompdx_task_completing;
}

/** The thread that runs the task or has it on its stack. unavailable: none. */
static ompd_rc_t holder(aspace_t *aspace, const struct co_task *task, bool *running, struct co_thread *ret)
{
    *running = false;
    if (task->unbegun) /* what its thread executes in the slot is an earlier task */
        return ompd_rc_unavailable;
    ompd_rc_t rc = co_find_runner(aspace, task, ret);
    *running = rc == ompd_rc_ok;
    if (rc != ompd_rc_unavailable)
        return rc;
    if (task->state != co_constant(aspace, LAY_C_RT_TS_STARTED) || task->thread == 0)
        return ompd_rc_unavailable;
    TRY(co_get_thread(aspace, task->thread, CO_ALL, ret));
    return ret->serial != 0 ? ompd_rc_ok : ompd_rc_unavailable;
}

static ompd_rc_t relative_id(aspace_t *aspace, uint64_t address, uint64_t *ret)
{
    struct co_task task;
    ompd_rc_t rc = relative(aspace, address, &task);
    if (rc == ompd_rc_unavailable)
        return ompd_rc_ok;
    TRY(rc);
    *ret = task.serial;
    return ompd_rc_ok;
}

/**
 * The taskgroup that waits for the task: not one that it has opened itself. What cannot be read is left out:
 * less is then known, nothing wrong said.
 */
static ompd_rc_t group_of(aspace_t *aspace, const struct co_task *task, uint64_t *ret)
{
    uint64_t address = task->taskgroup;
    struct handle_chain chain = {0};
    while (address != 0) {
        struct co_taskgroup group;
        ompd_rc_t rc = co_get_taskgroup(aspace, address, &group);
        if (rc == ompd_rc_ok && group.task == task->address && group.parent != 0)
            rc = handle_step(&chain, address, group.parent, &chain);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
        if (group.task != task->address) {
            *ret = group.serial;
            return ompd_rc_ok;
        }
        address = group.parent;
    }
    return ompd_rc_ok;
}

ompd_rc_t co_op_task_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_task_info_t *ret)
{
    struct co_task task;
    struct co_thread thread;
    bool running;
    const uint64_t taskloop = co_constant(aspace, LAY_C_RT_TASK_TASKLOOP);
    TRY(co_live_task(aspace, ref, CO_ALL, &task));
    ompdx_task_info_t info = {.id = task.serial,
                              .region = task.team_serial,
                              .function = task.fn,
                              .codeptr = task.codeptr,
                              .flags = (uint32_t)(task.flags & ~co_constant(aspace, LAY_C_RT_TASK_OURS)),
                              .thread_num = -1,
                              .creator_thread_num = -1,
                              .children = (uint32_t)task.children,
                              .taskloop = (task.flags & taskloop) != 0};
    ompd_rc_t rc = holder(aspace, &task, &running, &thread);
    if (rc == ompd_rc_ok) {
        info.thread = thread.serial;
        info.tid = thread.tid;
        info.pthread = thread.pthread;
        info.thread_num = (int32_t)task.thread_num;
    } else if (rc != ompd_rc_unavailable) {
        return rc;
    }
    info.state = shown_state(aspace, &task, running);
    if (co_is_implicit(aspace, task.flags))
        info.thread_num = (int32_t)task.thread_num;
    else
        info.creator_thread_num = (int32_t)task.creator_thread_num;
    if (lay_at(&aspace->lay, LAY_F_rt_task_priority)->kind == LAY_FIELD && task.priority >= 0) {
        info.priority = (int32_t)task.priority;
        info.priority_known = 1;
    }
    TRY(relative_id(aspace, task.parent, &info.generator));
    TRY(relative_id(aspace, task.sched_parent, &info.scheduled_over));
    TRY(co_source(aspace, task.loc, &info.source));
    TRY(group_of(aspace, &task, &info.taskgroup));
    *ret = info;
    return ompd_rc_ok;
}

ompd_rc_t co_op_task_predecessors(aspace_t *aspace, const struct rtm_ref *ref, uint64_t **ret, int *count)
{
    struct co_task task;
    const struct index *edges;
    __attribute__((cleanup(tgt_free_guard))) struct index_row *rows = NULL;
    TRY(co_live_task(aspace, ref, CO_ALL, &task));
    TRY(co_index(aspace, CO_EDGES_BY_SUCCESSOR, &edges));
    /* Where edges could not be read, a shorter list would be a guess. */
    if (co_has_holes(aspace, CO_EDGE))
        return ompd_rc_device_read_error;
    const size_t first = index_find(edges, task.address);
    size_t last = first;
    while (last < edges->count && edges->rows[last].key == task.address && last - first < INT32_MAX)
        last++;
    TRY(tgt_alloc((last - first) * sizeof *rows, &rows));
    struct index found = {rows, 0};
    for (size_t i = first; i < last; i++) {
        struct co_task before;
        ompd_rc_t rc = relative(aspace, edges->rows[i].value, &before);
        if (rc == ompd_rc_unavailable)
            continue;
        TRY(rc);
        rows[found.count++] = (struct index_row){before.serial, 0};
    }
    return ids_of(&found, ret, count);
}
