/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: the operations on the whole address space, and the table of all operations.
 */
#include "runtimes/companion/companion.h"

#include <string.h>

/** Bytes of a version string that are looked at. */
#define VERSION_BYTES_MAX 1024u

static ompd_rc_t op_omp_version(aspace_t *aspace, ompd_word_t *ret)
{
    uint64_t version;
    TRY(co_root_number(aspace, LAY_F_rt_root_openmp_version, &version));
    if (version == 0)
        return ompd_rc_unavailable;
    *ret = (ompd_word_t)version;
    return ompd_rc_ok;
}

static ompd_rc_t op_version_string(aspace_t *aspace, const char **ret)
{
    const struct lay_entry *field = lay_at(&aspace->lay, LAY_F_rt_root_version_string);
    char text[VERSION_BYTES_MAX + 1];
    size_t room = field->count < VERSION_BYTES_MAX ? field->count : VERSION_BYTES_MAX;
    TRY(co_root_bytes(aspace, (uint32_t)field->offset, room, text));
    text[room] = '\0';
    if (text[0] == '\0')
        return ompd_rc_unavailable;
    if (memchr(text, '\0', room) == NULL)
        return ompd_rc_error;
    return tgt_strdup(text, ret);
}

static ompd_rc_t op_runtime_info(aspace_t *aspace, ompdx_runtime_info_t *ret)
{
    TRY(co_directory(aspace));
    ret->kind = rtm_companion.kind;
    ret->layout_major = aspace->lay.major;
    ret->layout_minor = aspace->lay.minor;
    ret->slabs = aspace->brk.slab_count;
    ret->layout_fields = aspace->lay.entries;
    uint64_t queue;
    if (co_root_number(aspace, LAY_F_rt_root_queue_enough, &queue) == ompd_rc_ok)
        ret->queue_limit = (uint32_t)queue;
    if (lay_at(&aspace->lay, LAY_V_rt_code_start)->kind == LAY_VARIABLE &&
        lay_at(&aspace->lay, LAY_V_rt_code_end)->kind == LAY_VARIABLE) {
        ret->code_start = lay_variable(&aspace->lay, LAY_V_rt_code_start);
        ret->code_end = lay_variable(&aspace->lay, LAY_V_rt_code_end);
    }
    if (ret->code_start >= ret->code_end)
        ret->code_start = ret->code_end = 0;
    return ompd_rc_ok;
}

static ompd_rc_t op_alive(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref)
{
    struct co_thread thread;
    struct co_team team;
    struct co_task task;
    switch (what) {
    case RTM_THREAD:
        return co_live_thread(aspace, ref, 0, &thread);
    case RTM_REGION:
        return co_live_team(aspace, ref, CO_TEAM_SIZE, &team);
    default:
        return co_live_task(aspace, ref, 0, &task);
    }
}

static ompd_rc_t op_list(aspace_t *aspace, enum rtm_entity what, struct index *ret)
{
    static const enum co_kind kinds[] = {
        [RTM_THREAD] = CO_THREAD, [RTM_REGION] = CO_TEAM, [RTM_TASK] = CO_TASK};
    const struct index *index;
    if (what == RTM_TASK)
        TRY(co_all_tasks(aspace, &index));
    else
        TRY(co_index(aspace, what == RTM_THREAD ? CO_THREADS_BY_SERIAL : CO_TEAMS_BY_SERIAL, &index));
    *ret = *index;
    return co_has_holes(aspace, kinds[what]) ? ompd_rc_incomplete : ompd_rc_ok;
}

const struct rtm_ops rtm_companion = {
    .kind = "companion",
    .check = co_op_check,
    .omp_version = op_omp_version,
    .version_string = op_version_string,
    .runtime_info = op_runtime_info,
    .find_thread = co_op_find_thread,
    .thread_native = co_op_thread_native,
    .thread_state = co_op_thread_state,
    .thread_region = co_op_thread_region,
    .thread_task = co_op_thread_task,
    .thread_info = co_op_thread_info,
    .region_enclosing = co_op_region_enclosing,
    .region_thread = co_op_region_thread,
    .region_task = co_op_region_task,
    .region_info = co_op_region_info,
    .region_arrivals = co_op_region_arrivals,
    .task_generator = co_op_task_generator,
    .task_scheduler = co_op_task_scheduler,
    .task_region = co_op_task_region,
    .task_function = co_op_task_function,
    .task_frame = co_op_task_frame,
    .task_info = co_op_task_info,
    .task_predecessors = co_op_task_predecessors,
    .loop_info = co_op_loop_info,
    .thread_held = co_op_thread_held,
    .thread_place = co_op_thread_place,
    .tool_data = co_op_tool_data,
    .alive = op_alive,
    .list = op_list,
    .icv = co_op_icv,
    .icv_text = co_op_icv_text,
    .setting_text = co_op_setting_text,
    .initial_task = co_op_initial_task,
};
