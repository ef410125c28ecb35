/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Companion: its layout table, the root, the directory of slabs and the slots.
 */
#include "runtimes/companion.h"

#include <stddef.h>
#include <string.h>

/** A process with more slabs than this (16 million threads' worth) is a damaged directory. */
#define SLABS_MAX (1u << 20)
/** Further blocks of the directory, and bytes of one: more than SLABS_MAX slabs need. */
#define BLOCKS_MAX      8192u
#define BLOCK_BYTES_MAX 65536u

/* clang-format off */
#define FIELD(tag, member, into) {LAY_F_rt_##tag##_##member, offsetof(struct co_##tag, into), false}
#define SIGNED(tag, member, into) {LAY_F_rt_##tag##_##member, offsetof(struct co_##tag, into), true}
#define BITS(tag, name, into) {LAY_B_rt_##tag##_##name, offsetof(struct co_##tag, into), false}
/* clang-format on */
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct lay_wanted thread_fields[] = {
    FIELD(thread, serial, serial),      FIELD(thread, pthread, pthread),
    SIGNED(thread, tid, tid),           FIELD(thread, cur_task, cur_task),
    BITS(thread, state, state),         FIELD(thread, switching_team, switching_team),
    BITS(thread, wait_kind, wait_kind), FIELD(thread, wait_id, wait_id),
    FIELD(thread, kind, kind),          FIELD(thread, wait_codeptr, wait_codeptr),
    FIELD(thread, held, held),          FIELD(thread, lock_number, lock_number),
};

static const struct lay_wanted team_fields[] = {
    FIELD(team, serial, serial),
    FIELD(team, kind, kind),
    SIGNED(team, nthreads, nthreads),
    SIGNED(team, level, level),
    SIGNED(team, active_level, active_level),
    SIGNED(team, num_teams, num_teams),
    SIGNED(team, team_num, team_num),
    FIELD(team, parent_task, parent_task),
    FIELD(team, parent_serial, parent_serial),
    FIELD(team, fn, fn),
    FIELD(team, codeptr, codeptr),
    FIELD(team, loc, loc),
    FIELD(team, members, members),
    FIELD(team, bar_gen, bar_gen),
    FIELD(team, first_task, first_task),
};

static const struct lay_wanted task_fields[] = {
    FIELD(task, serial, serial),
    FIELD(task, team, team),
    FIELD(task, team_serial, team_serial),
    FIELD(task, parent, parent),
    FIELD(task, fn, fn),
    FIELD(task, codeptr, codeptr),
    FIELD(task, loc, loc),
    FIELD(task, flags, flags),
    FIELD(task, state, state),
    SIGNED(task, thread_num, thread_num),
    FIELD(task, exit_frame, exit_frame),
    FIELD(task, enter_frame, enter_frame),
    FIELD(task, sched_parent, sched_parent),
    FIELD(task, thread, thread),
    FIELD(task, children, children),
    FIELD(task, bar_seq, bar_seq),
    FIELD(task, loop, loop),
    FIELD(task, loop_first, loop_first),
    FIELD(task, loop_last, loop_last),
    SIGNED(task, creator_thread_num, creator_thread_num),
    SIGNED(task, icv_nthreads, nthreads),
    SIGNED(task, icv_thread_limit, thread_limit),
    SIGNED(task, icv_max_active_levels, max_active_levels),
    FIELD(task, icv_sched, sched),
    SIGNED(task, icv_chunk, chunk),
    FIELD(task, icv_dyn, dyn),
    FIELD(task, icv_bind, bind),
    SIGNED(task, icv_default_device, default_device),
    FIELD(task, taskgroup, taskgroup),
    FIELD(task, frame_flags, frame_flags),
};

static const struct lay_wanted taskgroup_fields[] = {
    FIELD(taskgroup, serial, serial),
    FIELD(taskgroup, parent, parent),
    FIELD(taskgroup, task, task),
};

static const struct lay_wanted root_fields[] = {
    FIELD(root, initialized, initialized),
    FIELD(root, openmp_version, openmp_version),
    FIELD(root, procs, procs),
    FIELD(root, wait_policy, wait_policy),
    FIELD(root, stacksize, stacksize),
    FIELD(root, debug, debug),
    FIELD(root, nthreads_list_count, nthreads_list_count),
    FIELD(root, lock_numbers_reused, lock_numbers_reused),
};

/** Numbers that are taken one by one. */
static const uint16_t other_numbers[] = {
    LAY_F_rt_root_slab_count,    LAY_F_rt_root_more_slabs,
    LAY_F_rt_root_nthreads_list, LAY_F_rt_slab_base,
    LAY_F_rt_slab_slot_size,     LAY_F_rt_slab_capacity,
    LAY_F_rt_slab_used,          LAY_F_rt_slab_kind,
    LAY_F_rt_slab_block_next,    LAY_F_rt_slab_block_count,
    LAY_F_rt_member_task,        LAY_F_rt_member_thread,
    LAY_F_rt_edge_serial,        LAY_F_rt_edge_pred,
    LAY_F_rt_edge_succ,          LAY_F_rt_workshare_ordered_next,
    LAY_F_rt_workshare_team,     0,
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
    {LAY_C_RT_WAIT_REUSED, 0, 0},
    {LAY_F_rt_team_first_task, 0, 0},
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

static ompd_rc_t require_fields(const aspace_t *aspace, const struct lay_wanted *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_later(fields[i].id))
            TRY(lay_require_number(&aspace->lay, fields[i].id));
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
    TRY(require_fields(aspace, root_fields, COUNT(root_fields)));
    return check_sizes(aspace);
}

/* ---- root and directory -------------------------------------------------------------------------------- */

ompd_rc_t co_read_root(aspace_t *aspace)
{
    struct brk *brk = &aspace->brk;
    if (brk->root != NULL)
        return ompd_rc_ok;
    const uint32_t bytes = lay_size(&aspace->lay, LAY_S_rt_root);
    uint8_t *root = NULL;
    TRY(brk_alloc(brk, bytes, &root));
    TRY(tgt_read(&aspace->tgt, lay_variable(&aspace->lay, LAY_V_rt_root), bytes, root));
    brk->root = root;
    return ompd_rc_ok;
}

ompd_rc_t co_decode_root(aspace_t *aspace, struct co_root *ret)
{
    TRY(co_read_root(aspace));
    return lay_decode(&aspace->tgt, &aspace->lay, aspace->brk.root, root_fields, COUNT(root_fields), ret);
}

ompd_rc_t co_get_root(aspace_t *aspace, struct co_root *ret)
{
    struct co_root root;
    TRY(co_decode_root(aspace, &root));
    if (root.initialized == 0)
        return ompd_rc_unavailable;
    *ret = root;
    return ompd_rc_ok;
}

/** Our kind for the target's number; BRK_KINDS: one that we do not read. */
static uint32_t kind_of(const aspace_t *aspace, uint64_t number)
{
    if (number == co_constant(aspace, LAY_C_RT_KIND_THREAD))
        return CO_THREAD;
    if (number == co_constant(aspace, LAY_C_RT_KIND_TEAM))
        return CO_TEAM;
    if (number == co_constant(aspace, LAY_C_RT_KIND_TASK))
        return CO_TASK;
    if (number == co_constant(aspace, LAY_C_RT_KIND_TASKGROUP))
        return CO_TASKGROUP;
    if (number == co_constant(aspace, LAY_C_RT_KIND_EDGE))
        return CO_EDGE;
    return BRK_KINDS;
}

static uint32_t struct_bytes(const aspace_t *aspace, uint32_t kind)
{
    static const uint16_t ids[BRK_KINDS] = {LAY_S_rt_thread, LAY_S_rt_team, LAY_S_rt_task, LAY_S_rt_taskgroup,
                                            LAY_S_rt_edge};
    return lay_size(&aspace->lay, ids[kind]);
}

struct slab_list {
    struct brk_slab *slabs;
    size_t count, room;
};

static ompd_rc_t add_slab(aspace_t *aspace, const uint8_t *bytes, struct slab_list *list)
{
    uint64_t base, slot_size, capacity, used, kind;
    const struct lay *lay = &aspace->lay;
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_base, &base));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_slot_size, &slot_size));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_capacity, &capacity));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_used, &used));
    TRY(lay_get(&aspace->tgt, lay, bytes, LAY_F_rt_slab_kind, &kind));
    uint32_t our_kind = kind_of(aspace, kind);
    if (our_kind == BRK_KINDS)
        return ompd_rc_ok;
    if (base == 0 || slot_size < struct_bytes(aspace, our_kind) || slot_size > UINT32_MAX ||
        capacity > UINT32_MAX || used > capacity) {
        tgt_say("libompd: an entry in the runtime's list of slabs is damaged.\n");
        return ompd_rc_error;
    }
    if (list->count == list->room) {
        struct slab_list wider = {.count = list->count, .room = list->room != 0 ? list->room * 2 : 64};
        TRY(brk_alloc(&aspace->brk, wider.room * sizeof *wider.slabs, &wider.slabs));
        if (list->count != 0)
            memcpy(wider.slabs, list->slabs, list->count * sizeof *wider.slabs);
        *list = wider;
    }
    list->slabs[list->count++] = (struct brk_slab){.base = base,
                                                   .slot_size = (uint32_t)slot_size,
                                                   .capacity = (uint32_t)capacity,
                                                   .used = (uint32_t)used,
                                                   .kind = our_kind};
    return ompd_rc_ok;
}

static ompd_rc_t add_slabs(aspace_t *aspace, const uint8_t *structure, unsigned array_id, uint64_t count,
                           struct slab_list *list)
{
    const struct lay_entry *array = lay_at(&aspace->lay, array_id);
    if (count > array->count || list->count + count > SLABS_MAX) {
        tgt_say("libompd: the runtime's list of slabs has an impossible length.\n");
        return ompd_rc_error;
    }
    for (uint64_t i = 0; i < count; i++)
        TRY(add_slab(aspace, structure + (uint32_t)array->offset + i * array->size, list));
    return ompd_rc_ok;
}

/** The directory's further blocks; a ring of blocks is found by Brent's method. */
static ompd_rc_t add_blocks(aspace_t *aspace, uint64_t block, struct slab_list *list)
{
    const uint32_t bytes = lay_size(&aspace->lay, LAY_S_rt_slab_block);
    __attribute__((cleanup(tgt_free_guard))) uint8_t *copy = NULL;
    struct handle_chain chain = {0};
    uint32_t blocks = 0;
    if (block != 0)
        TRY(tgt_alloc(bytes, &copy));
    while (block != 0) {
        uint64_t next, count;
        TRY(tgt_read(&aspace->tgt, block, bytes, copy));
        TRY(lay_get(&aspace->tgt, &aspace->lay, copy, LAY_F_rt_slab_block_count, &count));
        TRY(lay_get(&aspace->tgt, &aspace->lay, copy, LAY_F_rt_slab_block_next, &next));
        TRY(add_slabs(aspace, copy, LAY_F_rt_slab_block_slabs, count, list));
        if (next != 0)
            TRY(handle_step(&chain, block, next, &chain));
        if (++blocks > BLOCKS_MAX) {
            tgt_say("libompd: the runtime's list of slabs has an impossible length.\n");
            return ompd_rc_error;
        }
        block = next;
    }
    return ompd_rc_ok;
}

ompd_rc_t co_directory(aspace_t *aspace)
{
    struct brk *brk = &aspace->brk;
    if (brk->slabs != NULL)
        return ompd_rc_ok;
    TRY(co_read_root(aspace));
    uint64_t count, more;
    TRY(lay_get(&aspace->tgt, &aspace->lay, brk->root, LAY_F_rt_root_slab_count, &count));
    TRY(lay_get(&aspace->tgt, &aspace->lay, brk->root, LAY_F_rt_root_more_slabs, &more));
    struct slab_list list = {0};
    TRY(add_slabs(aspace, brk->root, LAY_F_rt_root_slabs, count, &list));
    TRY(add_blocks(aspace, more, &list));
    return brk_set_slabs(brk, list.slabs, list.count);
}

/* ---- slots --------------------------------------------------------------------------------------------- */

ompd_rc_t co_get_slot(aspace_t *aspace, enum co_kind kind, uint64_t address, const struct lay_wanted *fields,
                      size_t count, void *ret)
{
    uint8_t scratch[BRK_SLOT_BYTES_MAX];
    const uint8_t *bytes;
    TRY(co_directory(aspace));
    TRY(brk_slot(&aspace->tgt, &aspace->brk, kind, address, struct_bytes(aspace, kind), scratch, &bytes));
    return lay_decode(&aspace->tgt, &aspace->lay, bytes, fields, count, ret);
}

ompd_rc_t co_get_thread(aspace_t *aspace, uint64_t address, struct co_thread *ret)
{
    ret->address = address;
    return co_get_slot(aspace, CO_THREAD, address, thread_fields, COUNT(thread_fields), ret);
}

ompd_rc_t co_get_team(aspace_t *aspace, uint64_t address, struct co_team *ret)
{
    ret->address = address;
    return co_get_slot(aspace, CO_TEAM, address, team_fields, COUNT(team_fields), ret);
}

ompd_rc_t co_get_task(aspace_t *aspace, uint64_t address, struct co_task *ret)
{
    ret->address = address;
    ret->unbegun = false;
    TRY(co_get_slot(aspace, CO_TASK, address, task_fields, COUNT(task_fields), ret));
    /* What belongs to execution is left from the slot's last task until this one starts. */
    if (ret->state == co_constant(aspace, LAY_C_RT_TS_CREATED) ||
        ret->state == co_constant(aspace, LAY_C_RT_TS_BLOCKED) ||
        ret->state == co_constant(aspace, LAY_C_RT_TS_READY)) {
        ret->thread = 0;
        ret->thread_num = -1;
        ret->sched_parent = 0;
    }
    return ompd_rc_ok;
}

ompd_rc_t co_get_taskgroup(aspace_t *aspace, uint64_t address, struct co_taskgroup *ret)
{
    ret->address = address;
    return co_get_slot(aspace, CO_TASKGROUP, address, taskgroup_fields, COUNT(taskgroup_fields), ret);
}

ompd_rc_t co_live_thread(aspace_t *aspace, const struct rtm_ref *ref, struct co_thread *ret)
{
    TRY(co_get_thread(aspace, ref->address, ret));
    return ret->serial == ref->serial ? ompd_rc_ok : ompd_rc_stale_handle;
}

ompd_rc_t co_check_team(aspace_t *aspace, const struct co_team *team)
{
    /*
     * Threads enter their own slots when they start, which may be after the team: so not simply "threads
     * there are".
     */
    const int64_t most = 65536 + (int64_t)brk_used(&aspace->brk, CO_TASK);
    if (team->nthreads >= 1 && team->nthreads <= most)
        return ompd_rc_ok;
    tgt_say("libompd: a region claims an impossible number of threads; the target's memory is damaged.\n");
    return ompd_rc_error;
}

ompd_rc_t co_live_team(aspace_t *aspace, const struct rtm_ref *ref, struct co_team *ret)
{
    TRY(co_get_team(aspace, ref->address, ret));
    if (ret->serial != ref->serial)
        return ompd_rc_stale_handle;
    return co_check_team(aspace, ret);
}

ompd_rc_t co_team_of_task(aspace_t *aspace, const struct co_task *task, struct co_team *ret, bool *alive)
{
    TRY(co_get_team(aspace, task->team, ret));
    *alive = ret->serial != 0 && ret->serial == task->team_serial;
    return *alive ? co_check_team(aspace, ret) : ompd_rc_ok;
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
