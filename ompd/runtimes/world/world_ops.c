/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/world/world_ops.h"

#include <string.h>

#include "runtimes/base/ids.h"
#include "runtimes/world/world_ref.h"

/* ---- the address space --------------------------------------------------------------------------------- */

ompd_rc_t world_op_omp_version(aspace_t *aspace, ompd_word_t *ret)
{
    return aspace->rt->family->openmp_version(aspace, ret);
}

ompd_rc_t world_op_version_string(aspace_t *aspace, const char **ret)
{
    return aspace->rt->family->version_string(aspace, ret);
}

ompd_rc_t world_op_runtime_info(aspace_t *aspace, ompdx_runtime_info_t *ret)
{
    const struct stock *stock = aspace->stock;
    _Static_assert(sizeof ret->lacks == sizeof stock->lacks, "one reason for each ability");
    ret->kind = aspace->rt->kind;
    ret->layout_fields = aspace->lay.entries;
    ret->flags = ompdx_runtime_ids_of_stop;
    ret->code_start = stock->module.end > stock->module.base ? stock->module.base : 0;
    ret->code_end = ret->code_start != 0 ? stock->module.end : 0;
    ret->found_how = stock->found_how;
    ret->row = stock->row != NULL ? stock->row->name : NULL;
    ret->build_id = stock->build_id[0] != '\0' ? stock->build_id : NULL;
    memcpy(ret->lacks, stock->lacks, sizeof ret->lacks);
    ret->missing = stock->missing_count != 0 ? stock->missing : NULL;
    ret->missing_count = stock->missing_count;
    return ompd_rc_ok;
}

ompd_rc_t world_op_alive(aspace_t *aspace, enum rtm_entity what, const struct rtm_ref *ref)
{
    struct world *world;
    const struct world_thread *thread;
    struct world_team *team;
    const struct world_task *task;
    switch (what) {
    case RTM_THREAD:
        return world_live_thread(aspace, ref, &world, &thread);
    case RTM_REGION:
        return world_live_team(aspace, ref, &world, &team);
    default:
        return world_live_task(aspace, ref, &world, &task);
    }
}

/** Of a family whose threads tell it themselves: is one missing? */
static bool misses_threads(const struct world *world)
{
    for (size_t i = 0; i < world->native_count; i++)
        if (world->native[i].unread || world->native[i].undecided)
            return true;
    return false;
}

ompd_rc_t world_op_list(aspace_t *aspace, enum rtm_entity what, struct index *ret)
{
    struct world *world;
    struct index list = {NULL, 0};
    TRY(world_get(aspace, &world));
    const int32_t count = what == RTM_THREAD   ? world->thread_count
                          : what == RTM_REGION ? world->team_count
                                               : world->task_count;
    TRY(brk_alloc(&aspace->brk, ((uint64_t)count + 1) * sizeof *list.rows, &list.rows));
    for (int32_t i = 0; i < count; i++) {
        struct rtm_ref ref;
        TRY(what == RTM_THREAD   ? world_give_thread(world, i, &ref)
            : what == RTM_REGION ? world_give_team(world, i, &ref)
                                 : world_give_task(world, i, &ref));
        list.rows[list.count++] = (struct index_row){ref.serial, ref.address};
    }
    *ret = list;
    const bool incomplete = what == RTM_THREAD && world->natives_tell ? misses_threads(world)
                            : what == RTM_TASK ? world->incomplete || world->tasks_incomplete
                                               : world->incomplete;
    return incomplete ? ompd_rc_incomplete : ompd_rc_ok;
}

ompd_rc_t world_op_initial_task(aspace_t *aspace, struct rtm_ref *ret)
{
    struct world *world;
    TRY(world_get(aspace, &world));
    for (int32_t i = 0; i < world->team_count; i++)
        if (world->teams[i].kind == ompd_generator_program && world->teams[i].size > 0)
            return world_give_task(world, world->teams[i].tasks[0], ret);
    /* Where records could not be read, "it has ended" would be a guess. */
    return world->incomplete ? ompd_rc_device_read_error : ompd_rc_unavailable;
}

/* ---- threads ------------------------------------------------------------------------------------------- */

static bool is_native(const struct stock_thread *thread, ompd_thread_id_t kind, uint64_t native)
{
    return (kind == OMPD_THREAD_ID_LWP ? (uint64_t)thread->lwp : thread->pthread) == native;
}

/** Of a thread that the world does not have. Where it could not be read, "not one of OpenMP" would be a
 *  guess. */
static ompd_rc_t why_missing(const struct world *world, ompd_thread_id_t kind, uint64_t native)
{
    for (size_t i = 0; world->natives_tell && i < world->native_count; i++)
        if (is_native(&world->native[i], kind, native))
            return world->native[i].unread      ? ompd_rc_device_read_error
                   : world->native[i].undecided ? ompd_rc_unsupported
                                                : ompd_rc_unavailable;
    return !world->natives_tell && world->incomplete ? ompd_rc_device_read_error : ompd_rc_unavailable;
}

ompd_rc_t world_op_find_thread(aspace_t *aspace, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret)
{
    struct world *world;
    TRY(world_get(aspace, &world));
    for (int32_t i = 0; i < world->thread_count && native != 0; i++) {
        const struct world_thread *thread = &world->threads[i];
        if ((kind == OMPD_THREAD_ID_LWP ? (uint64_t)thread->lwp : thread->pthread) == native)
            return world_give_thread(world, i, ret);
    }
    return why_missing(world, kind, native);
}

ompd_rc_t world_op_thread_native(aspace_t *aspace, const struct rtm_ref *ref, ompd_thread_id_t kind,
                                 uint64_t *ret)
{
    struct world *world;
    const struct world_thread *thread;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    *ret = kind == OMPD_THREAD_ID_LWP ? (uint64_t)thread->lwp : thread->pthread;
    return ompd_rc_ok;
}

ompd_rc_t world_op_thread_state(aspace_t *aspace, const struct rtm_ref *ref, ompd_word_t *state,
                                uint64_t *wait_id)
{
    struct world *world;
    const struct world_thread *thread;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    *state = (ompd_word_t)thread->state;
    *wait_id = rtm_is_wait((uint64_t)thread->state) ? thread->wait_id : 0;
    return ompd_rc_ok;
}

ompd_rc_t world_op_thread_region(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct world *world;
    const struct world_thread *thread;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    return world_give_team(world, thread->idle ? WORLD_NONE : thread->team, ret);
}

ompd_rc_t world_op_thread_task(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct world *world;
    const struct world_thread *thread;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    return world_give_task(world, thread->idle ? WORLD_NONE : thread->task, ret);
}

static void fill_wait(const struct world *world, const struct world_thread *thread, ompdx_thread_info_t *info)
{
    info->wait_kind = thread->wait_kind;
    info->wait_id = thread->wait_id;
    info->wait_codeptr = thread->wait_codeptr;
    info->wait_object = thread->wait_team != WORLD_NONE   ? world_team_id(world, thread->wait_team)
                        : thread->wait_task != WORLD_NONE ? world_task_id(world, thread->wait_task)
                                                          : thread->wait_group;
    info->owner_kind = thread->owner_kind;
    if (thread->owner_kind != ompdx_owner_thread)
        return;
    if (thread->owner == WORLD_NONE) {
        info->owner_kind = ompdx_owner_unknown;
        return;
    }
    const struct world_thread *owner = &world->threads[thread->owner];
    info->owner_thread = owner->address;
    info->owner_tid = owner->lwp;
    info->owner_pthread = owner->pthread;
}

ompd_rc_t world_op_thread_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_thread_info_t *ret)
{
    struct world *world;
    const struct world_thread *thread;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    ompdx_thread_info_t info = {.id = thread->address,
                                .pthread = thread->pthread,
                                .tid = thread->lwp,
                                .kind = thread->kind,
                                .state = thread->state,
                                .thread_num = -1,
                                .team_size = -1,
                                .level = -1,
                                .active_level = -1,
                                .wait_call = thread->wait_call,
                                .wait_flags = thread->wait_flags};
    _Static_assert(sizeof info.unknown == sizeof thread->unknown, "one reason for each fact");
    memcpy(info.unknown, thread->unknown, sizeof info.unknown);
    if (!thread->idle) {
        info.region = world_team_id(world, thread->team);
        info.task = world_task_id(world, thread->task);
        info.thread_num = thread->thread_num;
        info.team_size = thread->team_size;
        info.level = thread->level;
        info.active_level = thread->active_level;
    }
    if (rtm_is_wait((uint64_t)thread->state))
        fill_wait(world, thread, &info);
    *ret = info;
    return ompd_rc_ok;
}

/* ---- regions ------------------------------------------------------------------------------------------- */

ompd_rc_t world_op_region_enclosing(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct world *world;
    struct world_team *team;
    TRY(world_live_team(aspace, ref, &world, &team));
    return world_give_team(world, team->parent, ret);
}

ompd_rc_t world_op_region_thread(aspace_t *aspace, const struct rtm_ref *ref, int number, struct rtm_ref *ret)
{
    struct world *world;
    struct world_team *team;
    TRY(world_live_team(aspace, ref, &world, &team));
    return number < 0 || number >= team->size ? ompd_rc_bad_input
                                              : world_give_thread(world, team->members[number], ret);
}

ompd_rc_t world_op_region_task(aspace_t *aspace, const struct rtm_ref *ref, int number, struct rtm_ref *ret)
{
    struct world *world;
    struct world_team *team;
    TRY(world_live_team(aspace, ref, &world, &team));
    return number < 0 || number >= team->size ? ompd_rc_bad_input
                                              : world_give_task(world, team->tasks[number], ret);
}

ompd_rc_t world_op_region_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_parallel_info_t *ret)
{
    struct world *world;
    struct world_team *team;
    TRY(world_live_team(aspace, ref, &world, &team));
    if (aspace->rt->family->complete_team != NULL)
        TRY(aspace->rt->family->complete_team(aspace, world, team));
    *ret = (ompdx_parallel_info_t){.id = team->address,
                                   .parent = world_team_id(world, team->parent),
                                   .parent_task = world_task_id(world, team->parent_task),
                                   .function = team->function,
                                   .codeptr = team->codeptr,
                                   .source = team->source,
                                   .kind = team->kind,
                                   .level = team->level,
                                   .active_level = team->active_level,
                                   .team_size = team->size,
                                   .league_size = team->league_size,
                                   .team_num = team->team_num};
    _Static_assert(sizeof ret->unknown == sizeof team->unknown, "one reason for each fact");
    memcpy(ret->unknown, team->unknown, sizeof ret->unknown);
    ret->unknown[ompdx_parallel_fact_arrivals] = team->arrived_why;
    return ompd_rc_ok;
}

ompd_rc_t world_op_region_arrivals(aspace_t *aspace, const struct rtm_ref *ref, int **ret, int *count)
{
    struct world *world;
    struct world_team *team;
    int *numbers = NULL, arrived = 0;
    TRY(world_live_team(aspace, ref, &world, &team));
    if (team->arrived == NULL)
        return team->size == 0 || team->arrived_why != NULL ? ompd_rc_unsupported : ompd_rc_device_read_error;
    for (int32_t i = 0; i < team->size; i++)
        arrived += team->arrived[i] ? 1 : 0;
    if (arrived != 0)
        TRY(tgt_alloc((uint64_t)arrived * sizeof *numbers, &numbers));
    arrived = 0;
    for (int32_t i = 0; i < team->size; i++)
        if (team->arrived[i])
            numbers[arrived++] = i;
    *ret = numbers;
    *count = arrived;
    return ompd_rc_ok;
}

/* ---- tasks --------------------------------------------------------------------------------------------- */

ompd_rc_t world_op_task_generator(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    return world_give_task(world, task->generator, ret);
}

ompd_rc_t world_op_task_scheduler(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    return world_give_task(world, task->scheduled_over, ret);
}

ompd_rc_t world_op_task_region(aspace_t *aspace, const struct rtm_ref *ref, struct rtm_ref *ret)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    return world_give_team(world, task->team, ret);
}

ompd_rc_t world_op_task_function(aspace_t *aspace, const struct rtm_ref *ref, uint64_t *ret)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    if (task->function == 0)
        return ompd_rc_unavailable;
    *ret = task->function;
    return ompd_rc_ok;
}

ompd_rc_t world_op_task_frame(aspace_t *aspace, const struct rtm_ref *ref, ompd_frame_info_t *exit_frame,
                              ompd_frame_info_t *enter_frame)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    *exit_frame = task->exit_frame;
    *enter_frame = task->enter_frame;
    return ompd_rc_ok;
}

ompd_rc_t world_op_task_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_task_info_t *ret)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    ompdx_task_info_t info = {.id = task->address,
                              .region = world_team_id(world, task->team),
                              .generator = world_task_id(world, task->generator),
                              .scheduled_over = world_task_id(world, task->scheduled_over),
                              .function = task->function,
                              .codeptr = task->codeptr,
                              .source = task->source,
                              .state = task->state,
                              .flags = task->flags,
                              .thread_num = task->thread_num,
                              .creator_thread_num = task->creator_thread_num,
                              .children = task->children,
                              .taskloop = task->taskloop,
                              .taskgroup = task->taskgroup,
                              .predecessors_unknown = task->predecessors_why,
                              .priority = task->priority >= 0 ? task->priority : 0,
                              .priority_known = task->priority >= 0};
    _Static_assert(sizeof info.unknown == sizeof task->unknown, "one reason for each fact");
    memcpy(info.unknown, task->unknown, sizeof info.unknown);
    if (task->thread != WORLD_NONE) {
        info.thread = world->threads[task->thread].address;
        info.tid = world->threads[task->thread].lwp;
        info.pthread = world->threads[task->thread].pthread;
    }
    *ret = info;
    return ompd_rc_ok;
}

ompd_rc_t world_op_task_predecessors(aspace_t *aspace, const struct rtm_ref *ref, uint64_t **ret, int *count)
{
    struct world *world;
    const struct world_task *task;
    __attribute__((cleanup(tgt_free_guard))) struct index_row *rows = NULL;
    TRY(world_live_task(aspace, ref, &world, &task));
    if (task->predecessors_why != NULL)
        return ompd_rc_unsupported;
    TRY(tgt_alloc(((uint64_t)task->predecessor_count + 1) * sizeof *rows, &rows));
    struct index found = {rows, 0};
    for (int32_t i = 0; i < task->predecessor_count; i++)
        rows[found.count++] = (struct index_row){world_task_id(world, task->predecessors[i]), 0};
    return ids_of(&found, ret, count);
}

/* No such runtime keeps a list of what a thread holds. */
ompd_rc_t world_op_thread_held(aspace_t *aspace, const struct rtm_ref *ref, ompdx_held_t **ret, int *count)
{
    struct world *world;
    const struct world_thread *thread;
    (void)ret;
    (void)count;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    return ompd_rc_unsupported;
}

ompd_rc_t world_op_thread_place(aspace_t *aspace, const struct rtm_ref *ref, int *place,
                                struct grown *processors)
{
    struct world *world;
    const struct world_thread *thread;
    TRY(world_live_thread(aspace, ref, &world, &thread));
    if (aspace->rt->family->place == NULL)
        return ompd_rc_unsupported;
    return aspace->rt->family->place(aspace, world, (int32_t)(thread - world->threads), place, processors);
}

ompd_rc_t world_op_loop_info(aspace_t *aspace, const struct rtm_ref *ref, ompdx_loop_info_t *ret)
{
    struct world *world;
    const struct world_task *task;
    TRY(world_live_task(aspace, ref, &world, &task));
    if (aspace->rt->family->loop == NULL)
        return ompd_rc_unsupported;
    return aspace->rt->family->loop(aspace, world, (int32_t)(task - world->tasks), ret);
}
