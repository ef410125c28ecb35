/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/row_rules.h"

/** Caches' lines, to which both runtimes align what several threads write. */
#define LINE 64u

/** How a member lies behind the one before it in its list. */
enum {
    ANYWHERE = -1,     /**< behind it */
    AT_LINE = -2,      /**< behind it, at the start of a line */
    AT_MOST_FOUR = -3, /**< at once, or four bytes later */
    SAME = -4          /**< in the same word */
    /* 0 and more: so many bytes later, and then at its natural place */
};

/** Members of a structure in the order of its declaration. BYTES: 0 is an array without a size. */
struct member {
    uint16_t id;
    uint8_t bytes;
    int8_t behind;
};

#define AT(name, bytes, behind)     \
    {                               \
        LAY_F_##name, bytes, behind \
    }

static const struct member gomp_members[] = {
    AT(gomp_thread_fn, 8, ANYWHERE),
    AT(gomp_thread_team, 8, 8),
    AT(gomp_thread_work_share, 8, 0),
    AT(gomp_thread_team_id, 4, 8),
    AT(gomp_thread_level, 4, 0),
    AT(gomp_thread_active_level, 4, 0),
    AT(gomp_thread_task, 8, ANYWHERE),
    AT(gomp_thread_release, 4, 0),
    AT(gomp_thread_thread_pool, 8, 0),
    AT(gomp_thread_num_teams, 4, 0),
    AT(gomp_thread_team_num, 4, 0),
    AT(gomp_team_nthreads, 4, ANYWHERE),
    AT(gomp_team_prev_team, 8, 0),
    AT(gomp_team_prev_team_id, 4, 16),
    AT(gomp_team_prev_level, 4, 0),
    AT(gomp_team_prev_active_level, 4, 0),
    AT(gomp_team_master_release, 4, ANYWHERE),
    AT(gomp_team_ordered_release, 8, 0),
    AT(gomp_team_barrier_total, 4, AT_LINE),
    AT(gomp_team_barrier_generation, 4, 0),
    AT(gomp_team_barrier_awaited, 4, AT_LINE),
    AT(gomp_team_barrier_awaited_final, 4, 0),
    AT(gomp_team_task_lock, 4, ANYWHERE),
    AT(gomp_team_task_queue_root, 8, 0),
    AT(gomp_team_task_queue_tasks, 8, 8),
    AT(gomp_team_task_count, 4, 8),
    AT(gomp_team_task_queued_count, 4, 0),
    AT(gomp_team_task_running_count, 4, 0),
    AT(gomp_team_work_share_cancelled, 4, 0),
    AT(gomp_team_team_cancelled, 4, 0),
    AT(gomp_team_implicit_task, 0, 0),
    AT(gomp_task_parent, 8, ANYWHERE),
    AT(gomp_task_children_root, 8, 0),
    AT(gomp_task_children_tasks, 8, 8),
    AT(gomp_task_taskgroup, 8, 8),
    AT(gomp_task_dependers, 8, 0),
    AT(gomp_task_taskwait, 8, 8),
    AT(gomp_task_depend_count, 8, ANYWHERE),
    AT(gomp_task_num_dependees, 8, 0),
    AT(gomp_task_priority, 4, ANYWHERE),
    AT(gomp_task_node_team, 16, 0),
    AT(gomp_task_node_children, 16, 0),
    AT(gomp_task_node_taskgroup, 16, 0),
    AT(gomp_task_icv, 40, 0),
    AT(gomp_task_fn, 8, 0),
    AT(gomp_task_fn_data, 8, 0),
    AT(gomp_task_kind, 4, 0),
    AT(gomp_task_in_tied_task, 1, 0),
    AT(gomp_task_final_task, 1, 0),
    AT(gomp_task_copy_ctors_done, 1, 0),
    AT(gomp_task_parent_depends_on, 1, 0),
    AT(gomp_dependers_vec_n_elem, 8, ANYWHERE),
    AT(gomp_dependers_vec_elem, 0, 8),
    AT(prio_splay_tree_node_s_tasks, 8, ANYWHERE),
    AT(prio_splay_tree_node_s_left, 8, 8),
    AT(prio_splay_tree_node_s_right, 8, 0),
    AT(gomp_task_icv_nthreads_var, 8, ANYWHERE),
    AT(gomp_task_icv_run_sched_var, 4, 0),
    AT(gomp_task_icv_run_sched_chunk_size, 4, 0),
    AT(gomp_task_icv_default_device_var, 4, 0),
    AT(gomp_task_icv_thread_limit_var, 4, 0),
    AT(gomp_task_icv_dyn_var, 1, 0),
    AT(gomp_task_icv_max_active_levels_var, 1, 0),
    AT(gomp_task_icv_bind_var, 1, 0),
    AT(gomp_taskwait_in_taskwait, 1, ANYWHERE),
    AT(gomp_taskwait_in_depend_wait, 1, 0),
    AT(gomp_taskwait_n_depend, 8, 0),
    AT(gomp_taskwait_sem, 4, 0),
    AT(gomp_taskgroup_prev, 8, ANYWHERE),
    AT(gomp_taskgroup_queue_root, 8, 0),
    AT(gomp_taskgroup_queue_tasks, 8, 8),
    AT(gomp_taskgroup_in_taskgroup_wait, 1, 16),
    AT(gomp_taskgroup_cancelled, 1, 0),
    AT(gomp_taskgroup_sem, 4, 1),
    AT(gomp_taskgroup_num_children, 8, 0),
    AT(gomp_thread_pool_threads, 8, ANYWHERE),
    AT(gomp_thread_pool_threads_used, 4, 4),
    AT(gomp_thread_pool_last_team, 8, 0),
    AT(gomp_work_share_sched, 4, ANYWHERE),
    AT(gomp_work_share_chunk_size, 8, 4),
    AT(gomp_work_share_end, 8, 0),
    AT(gomp_work_share_incr, 8, 0),
    AT(gomp_work_share_ordered_team_ids, 8, 0),
    AT(gomp_work_share_ordered_num_used, 4, 0),
    AT(gomp_work_share_ordered_owner, 4, 0),
    AT(gomp_work_share_ordered_cur, 4, 0),
};

static const struct member kmp_members[] = {
    AT(kmp_info_ds_thread, 8, ANYWHERE),
    AT(kmp_info_ds_tid, 4, 0),
    AT(kmp_info_ds_gtid, 4, 0),
    AT(kmp_info_team, 8, AT_LINE),
    AT(kmp_info_root, 8, 0),
    AT(kmp_info_dispatch, 8, 8),
    AT(kmp_info_team_nproc, 4, 4),
    AT(kmp_info_teams_microtask, 8, 16),
    AT(kmp_info_teams_level, 4, 0),
    AT(kmp_info_teams_nteams, 4, ANYWHERE),
    AT(kmp_info_serial_team, 8, AT_LINE),
    AT(kmp_info_ompt_state, 4, ANYWHERE),
    AT(kmp_info_ompt_wait_id, 8, 0),
    AT(kmp_info_spin_here, 4, ANYWHERE),
    AT(kmp_info_sleep_loc, 8, 0),
    AT(kmp_info_ident, 8, ANYWHERE),
    AT(kmp_info_task_team, 8, 8),
    AT(kmp_info_current_task, 8, 0),
    AT(kmp_info_reap_state, 4, ANYWHERE),
    AT(kmp_info_bar, 0, AT_LINE),
    AT(kmp_info_next_waiting, 4, AT_LINE),
    AT(kmp_team_bar, 0, AT_LINE),
    AT(kmp_team_master_tid, 4, AT_LINE),
    AT(kmp_team_master_this_cons, 4, 0),
    AT(kmp_team_ident, 8, 0),
    AT(kmp_team_parent, 8, 0),
    AT(kmp_team_task_team, 16, 16),
    AT(kmp_team_argv, 8, AT_LINE),
    AT(kmp_team_nproc, 4, 4),
    AT(kmp_team_pkfn, 8, 0),
    AT(kmp_team_invoke, 8, 0),
    AT(kmp_team_threads, 8, AT_LINE),
    AT(kmp_team_implicit_task_taskdata, 8, 0),
    AT(kmp_team_level, 4, 0),
    AT(kmp_team_serialized, 4, 52),
    AT(kmp_team_id, 4, 12),
    AT(kmp_team_active_level, 4, 0),
    AT(kmp_team_cancel_request, 4, ANYWHERE),
    AT(kmp_taskdata_task_id, 4, ANYWHERE),
    AT(kmp_taskdata_flags, 4, 0),
    AT(kmp_taskdata_tasktype, 4, SAME),
    AT(kmp_taskdata_tiedness, 4, SAME),
    AT(kmp_taskdata_final, 4, SAME),
    AT(kmp_taskdata_started, 4, SAME),
    AT(kmp_taskdata_executing, 4, SAME),
    AT(kmp_taskdata_complete, 4, SAME),
    AT(kmp_taskdata_freed, 4, SAME),
    AT(kmp_taskdata_task_serial, 4, SAME),
    AT(kmp_taskdata_detachable, 4, SAME),
    AT(kmp_taskdata_merged_if0, 4, SAME),
    AT(kmp_taskdata_proxy, 4, SAME),
    AT(kmp_taskdata_team, 8, 0),
    AT(kmp_taskdata_alloc_thread, 8, 0),
    AT(kmp_taskdata_parent, 8, 0),
    AT(kmp_taskdata_level, 4, 0),
    AT(kmp_taskdata_ident, 8, 4),
    AT(kmp_taskdata_taskwait_thread, 4, 12),
    AT(kmp_taskdata_icvs, 0, AT_LINE),
    AT(kmp_taskdata_allocated_child_tasks, 4, AT_LINE),
    AT(kmp_taskdata_incomplete_child_tasks, 4, 0),
    AT(kmp_taskdata_taskgroup, 8, 0),
    AT(kmp_taskdata_dephash, 8, 0),
    AT(kmp_taskdata_depnode, 8, 0),
    AT(kmp_taskdata_last_tied, 8, ANYWHERE),
    AT(kmp_taskdata_exit_frame, 8, 40),
    AT(kmp_taskdata_enter_frame, 8, 0),
    AT(kmp_task_shareds, 8, ANYWHERE),
    AT(kmp_task_routine, 8, 0),
    AT(kmp_task_part_id, 4, 0),
    AT(kmp_internal_control_dynamic, 1, ANYWHERE),
    AT(kmp_internal_control_nproc, 4, 7),
    AT(kmp_internal_control_thread_limit, 4, 0),
    AT(kmp_internal_control_max_active_levels, 4, AT_MOST_FOUR),
    AT(kmp_internal_control_sched_type, 4, AT_MOST_FOUR),
    AT(kmp_internal_control_chunk, 4, 0),
    AT(kmp_internal_control_proc_bind, 4, 0),
    AT(kmp_internal_control_default_device, 4, 0),
    AT(kmp_root_active, 4, ANYWHERE),
    AT(kmp_root_in_parallel, 4, 0),
    AT(kmp_root_root_team, 8, 0),
    AT(kmp_root_hot_team, 8, 0),
    AT(kmp_root_uber_thread, 8, 0),
    AT(kmp_task_team_threads_data, 8, ANYWHERE),
    AT(kmp_task_team_found_tasks, 4, 0),
    AT(kmp_task_team_nproc, 4, 0),
    AT(kmp_task_team_max_threads, 4, 0),
    AT(kmp_thread_data_deque, 8, AT_LINE),
    AT(kmp_thread_data_deque_size, 4, 0),
    AT(kmp_thread_data_deque_head, 4, 0),
    AT(kmp_thread_data_deque_tail, 4, 0),
    AT(kmp_thread_data_deque_ntasks, 4, 0),
    AT(kmp_taskgroup_count, 4, ANYWHERE),
    AT(kmp_taskgroup_cancel_request, 4, 0),
    AT(kmp_taskgroup_parent, 8, 0),
    AT(kmp_depnode_successors, 8, ANYWHERE),
    AT(kmp_depnode_task, 8, 0),
    AT(kmp_depnode_npredecessors, 4, AT_LINE),
    AT(kmp_depnode_list_node, 8, ANYWHERE),
    AT(kmp_depnode_list_next, 8, 0),
    AT(kmp_balign_arrived, 8, AT_LINE),
    AT(kmp_balign_team_arrived, 8, AT_LINE),
    AT(kmp_queuing_lock_initialized, 8, ANYWHERE),
    AT(kmp_queuing_lock_tail_id, 4, 8),
    AT(kmp_queuing_lock_head_id, 4, 0),
    AT(kmp_queuing_lock_owner_id, 4, 8),
    AT(kmp_queuing_lock_depth_locked, 4, 0),
    AT(kmp_queuing_lock_flags, 4, 0),
    AT(ident_flags, 4, ANYWHERE),
    AT(ident_psource, 8, 8),
};
#undef AT

static uint32_t end_of(const struct lay_entry *entry)
{
    return (uint32_t)entry->offset + entry->size;
}

static uint32_t next_multiple(uint32_t number, uint32_t of)
{
    return (number + of - 1) / of * of;
}

/** What the compiler aligns a member to. Longer ones are structures of words. */
static uint32_t alignment(uint32_t bytes)
{
    return bytes == 1 || bytes == 4 ? bytes : 8;
}

static bool is_member(const struct lay_entry *entry)
{
    return entry->kind == LAY_FIELD || entry->kind == LAY_BITS;
}

/** BEFORE: the member of the structure that comes before it, NULL: there is none. */
static bool fits(const struct member *member, const struct lay_entry *entry, const struct lay_entry *before)
{
    const uint32_t offset = (uint32_t)entry->offset, align = alignment(member->bytes);
    if ((member->bytes != 0 && entry->size != member->bytes) || offset % align != 0)
        return false;
    if (member->behind == AT_LINE && offset % LINE != 0)
        return false;
    if (before == NULL)
        return true;
    const uint32_t end = end_of(before);
    switch (member->behind) {
    case ANYWHERE:
    case AT_LINE:
        return offset >= end;
    case AT_MOST_FOUR:
        return offset == end || offset == end + 4;
    case SAME:
        return entry->offset == before->offset && entry->size == before->size;
    default:
        return offset == next_multiple(end + (uint32_t)member->behind, align);
    }
}

/** Members that a row does not have may lie between two others, but for bits of one word. */
static unsigned wrong_member(const struct lay *lay, const struct member *members, size_t count)
{
    const struct lay_entry *before = NULL;
    unsigned owner = 0;
    bool next = true;
    for (size_t i = 0; i < count; i++) {
        const struct lay_entry *entry = lay_at(lay, members[i].id);
        struct member member = members[i];
        if (lay_owner(lay->names, member.id) != owner) {
            owner = lay_owner(lay->names, member.id);
            before = NULL;
            next = true;
        }
        if (!is_member(entry)) {
            next = next && member.behind == SAME;
            continue;
        }
        if (!next && member.behind != AT_LINE && member.behind != SAME)
            member.behind = ANYWHERE;
        if (!fits(&member, entry, before))
            return member.id;
        before = entry;
        next = true;
    }
    return 0;
}

/** COUNT structures are as long as a member or variable that holds them. */
static bool holds(const struct lay *lay, unsigned id, unsigned structure, uint32_t count)
{
    return !lay_has(lay, id) || !lay_has(lay, structure) ||
           lay_size(lay, id) == count * lay_size(lay, structure);
}

/** The structure ends with this member. */
static bool ends(const struct lay *lay, unsigned structure, unsigned last)
{
    return !lay_has(lay, structure) || !is_member(lay_at(lay, last)) ||
           lay_size(lay, structure) == next_multiple(end_of(lay_at(lay, last)), 8);
}

static bool is_lines(const struct lay *lay, unsigned structure)
{
    return !lay_has(lay, structure) || lay_size(lay, structure) % LINE == 0;
}

static bool is_constant(const struct lay *lay, unsigned id, uint64_t value)
{
    return !lay_has(lay, id) || lay_constant(lay, id) == value;
}

/** _OPENMP of all versions from 3.1 on. */
static bool is_version(const struct lay *lay, unsigned id)
{
    static const uint32_t versions[] = {201107, 201307, 201511, 201611, 201811, 202011, 202111, 202411};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (is_constant(lay, id, versions[i]))
            return true;
    return false;
}

static unsigned wrong_gomp(const struct lay *lay)
{
    const unsigned dock = LAY_F_gomp_thread_pool_dock_generation;
    if (!holds(lay, LAY_F_gomp_task_icv, LAY_S_gomp_task_icv, 1))
        return LAY_S_gomp_task_icv;
    if (!holds(lay, LAY_V_gomp_global_icv, LAY_S_gomp_task_icv, 1))
        return LAY_V_gomp_global_icv;
    if (!ends(lay, LAY_S_gomp_task, LAY_F_gomp_task_parent_depends_on))
        return LAY_S_gomp_task;
    if (!ends(lay, LAY_S_gomp_team, LAY_F_gomp_team_implicit_task))
        return LAY_S_gomp_team;
    /* A pool's dock is a barrier too: a line begins with its total. */
    if (is_member(lay_at(lay, dock)) && lay_offset(lay, dock) % LINE != 4)
        return dock;
    if (is_member(lay_at(lay, LAY_F_gomp_work_share_next)) &&
        lay_offset(lay, LAY_F_gomp_work_share_next) % LINE != 8)
        return LAY_F_gomp_work_share_next;
    if (!is_constant(lay, LAY_C_gomp_nest_lock_owner, 8))
        return LAY_C_gomp_nest_lock_owner;
    return is_version(lay, LAY_C_gomp_openmp_version) ? 0 : LAY_C_gomp_openmp_version;
}

static unsigned wrong_kmp(const struct lay *lay)
{
    static const uint16_t lines[] = {LAY_S_kmp_taskdata, LAY_S_kmp_thread_data, LAY_S_kmp_balign,
                                     LAY_S_kmp_balign_team};
    static const uint8_t barriers = 3;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (!is_lines(lay, lines[i]))
            return lines[i];
    if (!holds(lay, LAY_F_kmp_taskdata_icvs, LAY_S_kmp_internal_control, 1))
        return LAY_S_kmp_internal_control;
    if (!holds(lay, LAY_F_kmp_info_bar, LAY_S_kmp_balign, barriers))
        return LAY_S_kmp_balign;
    if (!holds(lay, LAY_F_kmp_team_bar, LAY_S_kmp_balign_team, barriers))
        return LAY_S_kmp_balign_team;
    if (!is_constant(lay, LAY_C_kmp_hidden_helpers, 0) && !is_constant(lay, LAY_C_kmp_hidden_helpers, 8))
        return LAY_C_kmp_hidden_helpers;
    return is_version(lay, LAY_C_kmp_openmp_version) ? 0 : LAY_C_kmp_openmp_version;
}

unsigned row_contradiction(const struct lay *lay)
{
    const bool gomp = lay->names == &lay_gomp;
    const unsigned member =
        gomp ? wrong_member(lay, gomp_members, sizeof gomp_members / sizeof gomp_members[0])
             : wrong_member(lay, kmp_members, sizeof kmp_members / sizeof kmp_members[0]);
    if (member != 0)
        return member;
    return gomp ? wrong_gomp(lay) : wrong_kmp(lay);
}
