/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: its layout table and the slots.
 */
#include "runtimes/companion/companion.h"

#include <stddef.h>
#include <string.h>

/** Bytes of a block of the directory: more than any has. */
#define BLOCK_BYTES_MAX 65536u
/**
 * Members of a structure that are not wanted and lie between two that are: up to so many bytes are read too.
 */
#define GAP_MAX 32u

/* clang-format off */
#define FIELD(tag, member, into, part) \
    {{LAY_F_rt_##tag##_##member, offsetof(struct co_##tag, into), false}, part}
#define SIGNED(tag, member, into, part) \
    {{LAY_F_rt_##tag##_##member, offsetof(struct co_##tag, into), true}, part}
#define BITS(tag, name, into, part) {{LAY_B_rt_##tag##_##name, offsetof(struct co_##tag, into), false}, part}
/* clang-format on */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/** A field and the part of its structure that it belongs to; 0: it is always taken. */
struct co_field {
    struct lay_wanted wanted;
    unsigned part;
};

static const struct co_field thread_fields[] = {
    FIELD(thread, serial, serial, 0),
    FIELD(thread, cur_task, cur_task, CO_THREAD_PLACE),
    BITS(thread, state, state, CO_THREAD_STATE),
    BITS(thread, wait_kind, wait_kind, CO_THREAD_STATE),
    BITS(thread, wait_own, wait_own, CO_THREAD_STATE),
    FIELD(thread, wait_id, wait_id, CO_THREAD_WAIT),
    FIELD(thread, wait_codeptr, wait_codeptr, CO_THREAD_REST),
    FIELD(thread, pthread, pthread, CO_THREAD_PTHREAD),
    SIGNED(thread, tid, tid, CO_THREAD_TID),
    FIELD(thread, switching_team, switching_team, CO_THREAD_SWITCH),
    FIELD(thread, kind, kind, CO_THREAD_REST),
    FIELD(thread, held, held, CO_THREAD_REST),
    FIELD(thread, lock_number, lock_number, CO_THREAD_REST),
    SIGNED(thread, place, place, CO_THREAD_REST),
};

static const struct co_field team_fields[] = {
    FIELD(team, serial, serial, 0),
    SIGNED(team, nthreads, nthreads, CO_TEAM_SIZE),
    FIELD(team, members, members, CO_TEAM_MEMBERS),
    FIELD(team, first_task, first_task, CO_TEAM_MEMBERS),
    FIELD(team, fn, fn, CO_TEAM_FN),
    FIELD(team, codeptr, codeptr, CO_TEAM_REST),
    FIELD(team, loc, loc, CO_TEAM_REST),
    FIELD(team, parent_task, parent_task, CO_TEAM_PARENT),
    FIELD(team, parent_serial, parent_serial, CO_TEAM_PARENT),
    FIELD(team, kind, kind, CO_TEAM_KIND),
    SIGNED(team, level, level, CO_TEAM_LEVEL),
    SIGNED(team, active_level, active_level, CO_TEAM_LEVEL),
    SIGNED(team, num_teams, num_teams, CO_TEAM_LEAGUE),
    SIGNED(team, team_num, team_num, CO_TEAM_LEAGUE),
    FIELD(team, bar_gen, bar_gen, CO_TEAM_REST),
    BITS(team, cancelled, cancelled, CO_TEAM_REST),
};

static const struct co_field task_fields[] = {
    FIELD(task, serial, serial, 0),
    FIELD(task, team, team, CO_TASK_TEAM),
    FIELD(task, team_serial, team_serial, CO_TASK_TEAM),
    FIELD(task, flags, flags, CO_TASK_KIND),
    FIELD(task, state, state, CO_TASK_KIND),
    FIELD(task, fn, fn, CO_TASK_FN),
    FIELD(task, parent, parent, CO_TASK_PARENT),
    FIELD(task, codeptr, codeptr, CO_TASK_REST),
    FIELD(task, loc, loc, CO_TASK_REST),
    SIGNED(task, thread_num, thread_num, CO_TASK_RUN),
    FIELD(task, sched_parent, sched_parent, CO_TASK_RUN),
    FIELD(task, thread, thread, CO_TASK_RUN),
    FIELD(task, exit_frame, exit_frame, CO_TASK_FRAMES),
    FIELD(task, enter_frame, enter_frame, CO_TASK_FRAMES),
    FIELD(task, frame_flags, frame_flags, CO_TASK_FRAMES),
    FIELD(task, children, children, CO_TASK_REST),
    FIELD(task, bar_seq, bar_seq, CO_TASK_REST),
    FIELD(task, bar_left, bar_left, CO_TASK_REST),
    FIELD(task, loop, loop, CO_TASK_REST),
    FIELD(task, loop_first, loop_first, CO_TASK_REST),
    FIELD(task, loop_last, loop_last, CO_TASK_REST),
    SIGNED(task, creator_thread_num, creator_thread_num, CO_TASK_REST),
    FIELD(task, taskgroup, taskgroup, CO_TASK_REST),
    SIGNED(task, priority, priority, CO_TASK_REST),
    SIGNED(task, icv_nthreads, nthreads, CO_TASK_ICVS),
    SIGNED(task, icv_thread_limit, thread_limit, CO_TASK_ICVS),
    SIGNED(task, icv_max_active_levels, max_active_levels, CO_TASK_ICVS),
    FIELD(task, icv_sched, sched, CO_TASK_ICVS),
    SIGNED(task, icv_chunk, chunk, CO_TASK_ICVS),
    FIELD(task, icv_dyn, dyn, CO_TASK_ICVS),
    FIELD(task, icv_bind, bind, CO_TASK_ICVS),
    SIGNED(task, icv_default_device, default_device, CO_TASK_ICVS),
};

static const struct co_field taskgroup_fields[] = {
    FIELD(taskgroup, serial, serial, 0),
    FIELD(taskgroup, parent, parent, 0),
    FIELD(taskgroup, task, task, 0),
};
/** The longest of these lists. */
#define FIELDS_MAX COUNT(task_fields)

/** Numbers that are taken one by one. */
static const uint16_t other_numbers[] = {
    LAY_F_rt_root_initialized,
    LAY_F_rt_root_openmp_version,
    LAY_F_rt_root_procs,
    LAY_F_rt_root_wait_policy,
    LAY_F_rt_root_stacksize,
    LAY_F_rt_root_debug,
    LAY_F_rt_root_slab_count,
    LAY_F_rt_root_more_slabs,
    LAY_F_rt_root_nthreads_list_count,
    LAY_F_rt_root_nthreads_list,
    LAY_F_rt_slab_base,
    LAY_F_rt_slab_slot_size,
    LAY_F_rt_slab_capacity,
    LAY_F_rt_slab_used,
    LAY_F_rt_slab_kind,
    LAY_F_rt_slab_block_next,
    LAY_F_rt_slab_block_count,
    LAY_F_rt_member_task,
    LAY_F_rt_member_thread,
    LAY_F_rt_edge_serial,
    LAY_F_rt_edge_pred,
    LAY_F_rt_edge_succ,
    LAY_F_rt_workshare_ordered_next,
    LAY_F_rt_workshare_team,
    0,
};

/**
 * The rest of what is used: structures, arrays, constants. This list and the one above are closed, for they
 * are what the first layout had; what came later is in `later`, with what stands for it in an older runtime.
 */
static const uint16_t other_ids[] = {
    LAY_V_rt_root,
    LAY_S_rt_root,
    LAY_F_rt_root_slabs,
    LAY_F_rt_root_version_string,
    LAY_S_rt_slab,
    LAY_S_rt_slab_block,
    LAY_F_rt_slab_block_slabs,
    LAY_C_RT_KIND_THREAD,
    LAY_C_RT_KIND_TEAM,
    LAY_C_RT_KIND_TASK,
    LAY_C_RT_KIND_TASKGROUP,
    LAY_C_RT_KIND_EDGE,
    LAY_S_rt_taskgroup,
    LAY_S_rt_thread,
    LAY_C_RT_WAIT_LOCK,
    LAY_C_RT_WAIT_NEST_LOCK,
    LAY_C_RT_WAIT_CRITICAL,
    LAY_C_RT_WAIT_ORDERED,
    LAY_C_RT_WAIT_ATOMIC,
    LAY_C_RT_WAIT_REDUCTION,
    LAY_C_RT_WAIT_BARRIER,
    LAY_C_RT_WAIT_TASKWAIT,
    LAY_C_RT_WAIT_TASKGROUP,
    LAY_C_RT_WAIT_DEPEND,
    LAY_C_RT_WAIT_EVENT,
    LAY_C_RT_MUTEX_SHIFT,
    LAY_S_rt_team,
    LAY_C_RT_TEAM_INITIAL,
    LAY_C_RT_TEAM_PARALLEL,
    LAY_C_RT_TEAM_TEAMS,
    LAY_S_rt_member,
    LAY_S_rt_task,
    LAY_C_RT_TS_CREATED,
    LAY_C_RT_TS_BLOCKED,
    LAY_C_RT_TS_READY,
    LAY_C_RT_TS_STARTED,
    LAY_C_RT_TS_COMPLETING,
    LAY_C_RT_TS_DONE,
    LAY_C_RT_TASK_INITIAL,
    LAY_C_RT_TASK_IMPLICIT,
    LAY_C_RT_TASK_EXPLICIT,
    LAY_C_RT_TASK_TASKLOOP,
    LAY_C_RT_TASK_FINAL,
    LAY_C_RT_TASK_UNTIED,
    LAY_C_RT_FRAME_FLAG,
    LAY_S_rt_edge,
    LAY_S_rt_workshare,
    0,
};

/**
 * What the table got after its first release (docs/runtime-design.md), and what an older runtime is taken to
 * say: a number that no field of it holds, or what it did without the entry.
 */
static const struct later {
    uint16_t id;
    uint64_t otherwise;
    uint16_t same_as; /**< or the value of this constant */
} later[] = {
    {LAY_C_RT_WAIT_DOACROSS, UINT64_MAX, 0},
    {LAY_C_RT_TS_DETACHED, UINT64_MAX, 0},
    {LAY_C_RT_TASK_OURS, 0, LAY_C_RT_TASK_TASKLOOP},
    {LAY_F_rt_team_num_teams, 1, 0},
    {LAY_F_rt_team_team_num, 0, 0},
    {LAY_F_rt_thread_held, 0, 0},
    {LAY_F_rt_task_frame_flags, 0, 0},
    {LAY_C_RT_FRAME_OF_CODE, UINT64_MAX, 0},
    {LAY_F_rt_thread_lock_number, 0, 0},
    {LAY_F_rt_root_lock_numbers_reused, 0, 0},
    {LAY_F_rt_task_priority, 0, 0},
    {LAY_F_rt_root_queue_enough, 0, 0},
    {LAY_F_rt_thread_place, 0, 0},
    {LAY_C_RT_WAIT_REUSED, 0, 0},
    {LAY_F_rt_team_first_task, 0, 0},
    {LAY_F_rt_root_generation, 0, 0},
    {LAY_F_rt_task_bar_left, UINT64_MAX, 0},
    {LAY_C_RT_MUTEX_TASK, 0, 0},
    {LAY_B_rt_thread_wait_own, 0, 0},
    {LAY_B_rt_team_cancelled, 0, 0},
    {LAY_C_RT_WAITS_BEHIND_ARRIVAL, 0, 0},
};

static bool is_later(unsigned id)
{
    for (size_t i = 0; i < COUNT(later); i++)
        if (later[i].id == id)
            return true;
    return false;
}

/** What rt_thread.held leads to, where there is such a field. */
static ompd_rc_t require_held(const struct lay *lay)
{
    static const uint16_t ids[] = {LAY_S_rt_held, LAY_F_rt_held_places, LAY_S_rt_held_place, 0};
    static const uint16_t numbers[] = {LAY_F_rt_held_count, LAY_F_rt_held_place_object,
                                       LAY_F_rt_held_place_codeptr};
    if (lay_at(lay, LAY_F_rt_thread_held)->kind != LAY_FIELD)
        return ompd_rc_ok;
    for (size_t i = 0; i < COUNT(numbers); i++)
        TRY(lay_require_number(lay, numbers[i]));
    if (lay_at(lay, LAY_F_rt_held_place_kind)->kind == LAY_FIELD)
        TRY(lay_require_number(lay, LAY_F_rt_held_place_kind));
    return lay_require(lay, ids);
}

static ompd_rc_t require_later(aspace_t *aspace)
{
    struct lay *lay = &aspace->lay;
    for (size_t i = 0; i < COUNT(later); i++) {
        const uint16_t ids[] = {later[i].id, 0};
        if (lay_at(lay, ids[0])->kind == LAY_ABSENT)
            lay_default(lay, ids[0],
                        later[i].same_as ? lay_constant(lay, later[i].same_as) : later[i].otherwise);
        else if (lay_owner(&lay_companion, ids[0]) != 0)
            TRY(lay_require_number(lay, ids[0]));
        else
            TRY(lay_require(lay, ids));
    }
    return require_held(lay);
}

static ompd_rc_t require_fields(const aspace_t *aspace, const struct co_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_later(fields[i].wanted.id))
            TRY(lay_require_number(&aspace->lay, fields[i].wanted.id));
    return ompd_rc_ok;
}

/** Slots must fit the buffers, and what is said twice must be the same. */
static ompd_rc_t check_sizes(const aspace_t *aspace)
{
    static const uint16_t slots[] = {LAY_S_rt_thread,    LAY_S_rt_team,   LAY_S_rt_task, LAY_S_rt_edge,
                                     LAY_S_rt_workshare, LAY_S_rt_member, LAY_S_rt_slab, LAY_S_rt_taskgroup};
    for (size_t i = 0; i < COUNT(slots); i++)
        if (lay_size(&aspace->lay, slots[i]) > BRK_SLOT_BYTES_MAX) {
            tgt_say("libompd: a structure of the runtime is larger than this library can read.\n");
            return ompd_rc_incompatible;
        }
    if (lay_size(&aspace->lay, LAY_S_rt_slab_block) > BLOCK_BYTES_MAX ||
        lay_size(&aspace->lay, LAY_F_rt_root_slabs) != lay_size(&aspace->lay, LAY_S_rt_slab) ||
        lay_size(&aspace->lay, LAY_F_rt_slab_block_slabs) != lay_size(&aspace->lay, LAY_S_rt_slab) ||
        lay_size(&aspace->lay, LAY_F_rt_root_version_string) != 1 ||
        lay_constant(&aspace->lay, LAY_C_RT_MUTEX_SHIFT) > 31) {
        tgt_say("libompd: the runtime's layout table contradicts itself.\n");
        return ompd_rc_incompatible;
    }
    return ompd_rc_ok;
}

ompd_rc_t co_op_check(aspace_t *aspace)
{
    TRY(lay_require(&aspace->lay, other_ids));
    TRY(require_later(aspace));
    for (size_t i = 0; other_numbers[i] != 0; i++)
        TRY(lay_require_number(&aspace->lay, other_numbers[i]));
    TRY(require_fields(aspace, thread_fields, COUNT(thread_fields)));
    TRY(require_fields(aspace, team_fields, COUNT(team_fields)));
    TRY(require_fields(aspace, task_fields, COUNT(task_fields)));
    TRY(require_fields(aspace, taskgroup_fields, COUNT(taskgroup_fields)));
    return check_sizes(aspace);
}

/* ---- slots --------------------------------------------------------------------------------------------- */

/** Bytes FROM .. TO of a structure. */
struct span {
    uint32_t from, to;
};

/** Enters a field into SPANS, which are sorted. */
static void add_span(struct span *spans, size_t *count, const struct lay_entry *entry)
{
    const struct span added = {(uint32_t)entry->offset, (uint32_t)entry->offset + entry->size};
    size_t at = *count;
    for (; at > 0 && spans[at - 1].from > added.from; at--)
        spans[at] = spans[at - 1];
    spans[at] = added;
    ++*count;
}

/** Reads what FIELDS need of the structure at ADDRESS into BYTES, a buffer for all of it. */
static ompd_rc_t read_fields(aspace_t *aspace, uint64_t address, const struct lay_wanted *fields,
                             size_t count, uint8_t *bytes)
{
    struct span spans[FIELDS_MAX];
    size_t entered = 0;
    for (size_t i = 0; i < count; i++) {
        const struct lay_entry *entry = lay_at(&aspace->lay, fields[i].id);
        if (entry->kind == LAY_FIELD || entry->kind == LAY_BITS)
            add_span(spans, &entered, entry);
    }
    for (size_t i = 0; i < entered;) {
        struct span run = spans[i];
        for (i++; i < entered && spans[i].from < (uint64_t)run.to + GAP_MAX; i++)
            run.to = spans[i].to > run.to ? spans[i].to : run.to;
        TRY(tgt_read(&aspace->tgt, address + run.from, run.to - run.from, bytes + run.from));
    }
    return ompd_rc_ok;
}

ompd_rc_t co_get_slot(aspace_t *aspace, enum co_kind kind, uint64_t address, const struct lay_wanted *fields,
                      size_t count, void *ret)
{
    uint8_t scratch[BRK_SLOT_BYTES_MAX];
    const uint8_t *bytes = scratch;
    bool in_cache;
    TRY(co_check_slot(aspace, kind, address, &in_cache));
    if (in_cache)
        TRY(brk_slot(&aspace->tgt, &aspace->brk, kind, address, co_slot_bytes(aspace, kind), scratch,
                     &bytes));
    else
        TRY(read_fields(aspace, address, fields, count, scratch));
    return lay_decode(&aspace->tgt, &aspace->lay, bytes, fields, count, ret);
}

static ompd_rc_t get_parts(aspace_t *aspace, enum co_kind kind, uint64_t address,
                           const struct co_field *fields, size_t count, unsigned parts, void *ret)
{
    struct lay_wanted wanted[FIELDS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (fields[i].part == 0 || (fields[i].part & parts) != 0)
            wanted[n++] = fields[i].wanted;
    return co_get_slot(aspace, kind, address, wanted, n, ret);
}

ompd_rc_t co_get_thread(aspace_t *aspace, uint64_t address, unsigned parts, struct co_thread *ret)
{
    *ret = (struct co_thread){.address = address};
    return get_parts(aspace, CO_THREAD, address, thread_fields, COUNT(thread_fields), parts, ret);
}

ompd_rc_t co_get_team(aspace_t *aspace, uint64_t address, unsigned parts, struct co_team *ret)
{
    *ret = (struct co_team){.address = address};
    return get_parts(aspace, CO_TEAM, address, team_fields, COUNT(team_fields), parts, ret);
}

ompd_rc_t co_get_task(aspace_t *aspace, uint64_t address, unsigned parts, struct co_task *ret)
{
    *ret = (struct co_task){.address = address};
    if ((parts & CO_TASK_RUN) != 0)
        parts |= CO_TASK_KIND;
    TRY(get_parts(aspace, CO_TASK, address, task_fields, COUNT(task_fields), parts, ret));
    /* What belongs to execution is left from the slot's last task until this one starts. */
    if ((parts & CO_TASK_RUN) != 0 && (ret->state == co_constant(aspace, LAY_C_RT_TS_CREATED) ||
                                       ret->state == co_constant(aspace, LAY_C_RT_TS_BLOCKED) ||
                                       ret->state == co_constant(aspace, LAY_C_RT_TS_READY))) {
        ret->thread = 0;
        ret->thread_num = -1;
        ret->sched_parent = 0;
    }
    return ompd_rc_ok;
}

ompd_rc_t co_get_taskgroup(aspace_t *aspace, uint64_t address, struct co_taskgroup *ret)
{
    *ret = (struct co_taskgroup){.address = address};
    return get_parts(aspace, CO_TASKGROUP, address, taskgroup_fields, COUNT(taskgroup_fields), 0, ret);
}

ompd_rc_t co_live_thread(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts, struct co_thread *ret)
{
    TRY(co_get_thread(aspace, ref->address, parts, ret));
    return ret->serial == ref->serial ? ompd_rc_ok : ompd_rc_stale_handle;
}

ompd_rc_t co_check_team(aspace_t *aspace, const struct co_team *team)
{
    /*
     * Threads enter their own slots when they start, which may be after the team: so not simply "threads
     * there are".
     */
    const int64_t most = 65536 + (int64_t)co_slots_used(aspace, CO_TASK);
    if (team->nthreads >= 1 && team->nthreads <= most)
        return ompd_rc_ok;
    tgt_say("libompd: a region claims an impossible number of threads; the target's memory is damaged.\n");
    return ompd_rc_error;
}

ompd_rc_t co_live_team(aspace_t *aspace, const struct rtm_ref *ref, unsigned parts, struct co_team *ret)
{
    TRY(co_get_team(aspace, ref->address, parts, ret));
    if (ret->serial != ref->serial)
        return ompd_rc_stale_handle;
    return (parts & CO_TEAM_SIZE) != 0 ? co_check_team(aspace, ret) : ompd_rc_ok;
}

ompd_rc_t co_team_of_task(aspace_t *aspace, const struct co_task *task, unsigned parts, struct co_team *ret,
                          bool *alive)
{
    TRY(co_get_team(aspace, task->team, parts, ret));
    *alive = ret->serial != 0 && ret->serial == task->team_serial;
    return *alive && (parts & CO_TEAM_SIZE) != 0 ? co_check_team(aspace, ret) : ompd_rc_ok;
}

ompd_rc_t co_need(const aspace_t *aspace, const uint16_t *ids)
{
    for (size_t i = 0; ids[i] != 0; i++)
        if (lay_at(&aspace->lay, ids[i])->kind == LAY_ABSENT)
            return ompd_rc_unsupported;
    return lay_require(&aspace->lay, ids);
}

ompd_rc_t co_get_extra(aspace_t *aspace, const struct co_task *task, struct co_extra *ret)
{
    static const struct lay_wanted fields[] = {
        {LAY_F_rt_task_icv_nthreads_rest, offsetof(struct co_extra, rest), false},
        {LAY_F_rt_task_icv_nthreads_rest_count, offsetof(struct co_extra, rest_count), false},
        {LAY_F_rt_task_icv_allocator, offsetof(struct co_extra, allocator), false},
        {LAY_F_rt_task_icv_place_first, offsetof(struct co_extra, place_first), true},
        {LAY_F_rt_task_icv_place_count, offsetof(struct co_extra, place_count), true},
    };
    static const uint16_t ids[] = {LAY_F_rt_task_icv_nthreads_rest, LAY_F_rt_task_icv_nthreads_rest_count,
                                   LAY_F_rt_task_icv_allocator,     LAY_F_rt_task_icv_place_first,
                                   LAY_F_rt_task_icv_place_count,   0};
    TRY(co_need(aspace, ids));
    return co_get_slot(aspace, CO_TASK, task->address, fields, sizeof fields / sizeof fields[0], ret);
}
