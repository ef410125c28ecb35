/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_stacks.h"

#include "runtimes/gomp/gomp_fields.h"

/** Tasks and regions inside one another on one stack; a target that has more is damaged. */
#define STACK_MAX 65536u

static const char lost_edges[] = "libgomp's records of dependences could not be read whole";

/** The thread's number in a team that it is a member of, WORLD_NONE. */
static int32_t number_in(const struct gomp *gomp, const struct gomp_native *native, int32_t team)
{
    const struct world *world = gomp->world;
    int32_t at = world->threads[native->thread].team;
    uint64_t number = native->record.team_id;
    while (at != team) {
        if (at == WORLD_NONE || number != 0 || world->teams[at].kind == ompd_generator_program)
            return WORLD_NONE;
        number = gomp->teams[at].prev_team_id;
        at = world->teams[at].parent;
    }
    return (int32_t)number;
}

/**
 * Goes down the stack of a thread from its current task. What is below an implicit task is the task that
 * created the region, below an undeferred task its parent. A deferred task may have been begun by any task of
 * the team that waited: its stack begins with the thread's implicit task, and
 * nothing is in between if no other task can be there (STRAYS: by team, those that have begun and whose
 * thread is not known; NULL: not counted yet).
 */
static void go_down(struct gomp *gomp, const struct gomp_native *native, const int32_t *strays)
{
    struct world *world = gomp->world;
    int32_t at = world->threads[native->thread].task;
    for (uint32_t step = 0; at != WORLD_NONE && step < STACK_MAX; step++) {
        struct world_task *task = &world->tasks[at];
        const int32_t number = number_in(gomp, native, task->team);
        const struct world_team *team = &world->teams[task->team];
        task->thread = native->thread;
        task->thread_num = number;
        if ((task->flags & ompt_task_initial) != 0)
            return;
        if ((task->flags & ompt_task_implicit) != 0) {
            if (number != 0)
                return; /* a worker's first task */
            at = team->parent_task;
            continue;
        }
        int32_t below = number != WORLD_NONE ? team->tasks[number] : WORLD_NONE;
        if ((task->flags & ompt_task_undeferred) != 0 && !gomp_has(gomp, LAY_F_gomp_task_parent))
            return;
        if ((task->flags & ompt_task_undeferred) != 0)
            below = gomp->tasks[at].parent != 0 ? world_task_at(world, gomp->tasks[at].parent) : below;
        else if (strays == NULL)
            return;
        else if (strays[task->team] != 0) {
            at = below; /* something may be in between */
            continue;
        }
        if (below == at)
            return;
        task->scheduled_over = below;
        at = below;
    }
}

static bool is_active(const struct gomp_native *native)
{
    return native->thread != WORLD_NONE && native->refused == NULL && !native->idle;
}

/** Is it known of each member of TEAM which task it runs? */
static bool knows_members(const struct world *world, const struct world_team *team)
{
    for (int32_t number = 0; number < team->size; number++)
        if (team->members[number] == WORLD_NONE || world->threads[team->members[number]].task == WORLD_NONE)
            return false;
    return true;
}

/**
 * A task that has begun, and has not ended, is on the stack of a thread that is in an explicit task of the
 * same team: who has come back to its implicit task has none left. If only one thread is, it is that one.
 */
static void place_strays(struct gomp *gomp, int32_t team)
{
    struct world *world = gomp->world;
    const struct world_task *found = NULL;
    if (!gomp_has(gomp, LAY_F_gomp_task_parent) || !knows_members(world, &world->teams[team]))
        return;
    for (int32_t i = 0; i < world->task_count; i++) {
        const struct world_task *task = &world->tasks[i];
        if (task->team != team || (task->flags & ompt_task_explicit) == 0 || task->thread == WORLD_NONE)
            continue;
        if (found != NULL && found->thread != task->thread)
            return;
        found = task;
    }
    for (int32_t i = 0; found != NULL && i < world->task_count; i++) {
        struct world_task *task = &world->tasks[i];
        if (task->team == team && gomp->tasks[i].kind == GOMP_KIND_TIED && task->thread == WORLD_NONE) {
            task->thread = found->thread;
            task->thread_num = found->thread_num;
        }
    }
}

/** Threads of all tasks that are on a stack, as far as that can be known. */
static ompd_rc_t place_tasks(struct gomp *gomp)
{
    struct world *world = gomp->world;
    int32_t *strays = NULL;
    TRY(world_alloc_indices(gomp->aspace, world->team_count, &strays));
    for (int32_t i = 0; i < world->team_count; i++)
        strays[i] = 0;
    for (size_t i = 0; i < gomp->native_count; i++)
        if (is_active(&gomp->natives[i]))
            go_down(gomp, &gomp->natives[i], NULL);
    for (int32_t i = 0; i < world->task_count; i++)
        if (gomp->tasks[i].kind == GOMP_KIND_TIED && world->tasks[i].thread == WORLD_NONE)
            strays[world->tasks[i].team]++;
    for (size_t i = 0; i < gomp->native_count; i++)
        if (is_active(&gomp->natives[i]))
            go_down(gomp, &gomp->natives[i], strays);
    for (int32_t i = 0; i < world->team_count; i++)
        if (strays[i] != 0)
            place_strays(gomp, i);
    for (int32_t i = 0; i < world->team_count; i++) {
        const struct world_team *team = &world->teams[i];
        for (int32_t number = 0; number < team->size; number++)
            if (team->members[number] != WORLD_NONE && team->tasks[number] != WORLD_NONE &&
                !world->threads[team->members[number]].idle) /* else it has not begun the region */
                world->tasks[team->tasks[number]].thread = team->members[number];
    }
    return ompd_rc_ok;
}

static int32_t state_of(const struct gomp *gomp, int32_t index)
{
    const struct world_task *task = &gomp->world->tasks[index];
    const struct gomp_task *record = &gomp->tasks[index];
    if (task->thread != WORLD_NONE && gomp->world->threads[task->thread].task == index)
        return ompdx_task_running;
    if ((task->flags & ompt_task_explicit) == 0)
        return task->thread != WORLD_NONE ? ompdx_task_suspended : ompdx_task_created;
    switch (record->kind) {
    case GOMP_KIND_WAITING: /* the count of what it waits for means something only where it has dependences */
        return record->depend_count != 0 && record->num_dependees != 0 ? ompdx_task_blocked
                                                                       : ompdx_task_ready;
    case GOMP_KIND_ASYNC_RUNNING:
        return ompdx_task_running;
    case GOMP_KIND_DETACHED:
        return ompdx_task_detached;
    default:
        return ompdx_task_suspended;
    }
}

/** Where no thread is known that has the task on its stack, or no task below it, there may be one. */
static void forget_stack(struct world_task *task, const char *why)
{
    if (task->thread == WORLD_NONE)
        task->unknown[ompdx_task_fact_thread] = why;
    if (task->scheduled_over == WORLD_NONE)
        task->unknown[ompdx_task_fact_scheduled_over] = why;
}

static void relate(struct gomp *gomp, int32_t index)
{
    struct world *world = gomp->world;
    struct world_task *task = &world->tasks[index];
    const struct gomp_task *record = &gomp->tasks[index];
    task->state = state_of(gomp, index);
    if ((task->flags & ompt_task_initial) != 0)
        return;
    if ((task->flags & ompt_task_implicit) != 0) {
        task->generator = world->teams[task->team].parent_task;
        task->unknown[ompdx_task_fact_generator] =
            world->teams[task->team].unknown[ompdx_parallel_fact_parent_task];
        return;
    }
    task->unknown[ompdx_task_fact_generator] = gomp_missing(gomp, LAY_F_gomp_task_parent);
    if (record->kind != GOMP_KIND_WAITING)
        forget_stack(task, task->unknown[ompdx_task_fact_generator]);
    if (task->unknown[ompdx_task_fact_generator] != NULL)
        task->generator = WORLD_NONE;
    else if (record->parent != 0)
        task->generator = world_task_at(world, record->parent);
    else if (world->teams[task->team].kind == ompd_generator_program)
        task->generator = world->teams[task->team].tasks[0];
    task->taskgroup = record->kind == GOMP_KIND_WAITING ? record->taskgroup : 0;
    if (task->generator != WORLD_NONE) {
        world->tasks[task->generator].children++;
        task->creator_thread_num = world->tasks[task->generator].thread_num;
    }
}

/* ---- dependences --------------------------------------------------------------------------------------- */

/** Calls EDGE for each task that depends on INDEX. false: not all could be read. */
static bool each_depender(struct gomp *gomp, int32_t index,
                          void (*edge)(struct gomp *gomp, int32_t before, int32_t after))
{
    const struct gomp_task *task = &gomp->tasks[index];
    struct pages *pages = &gomp->world->pages;
    uint64_t count = 0, address;
    if (task->dependers == 0)
        return gomp_has(gomp, LAY_F_gomp_task_dependers);
    if (!gomp_has(gomp, LAY_F_gomp_dependers_vec_elem) ||
        gomp_field(gomp, task->dependers, LAY_F_gomp_dependers_vec_n_elem, &count) != ompd_rc_ok)
        return false;
    for (uint64_t i = 0; i < count && i < WORLD_ROWS_MAX; i++) {
        if (pages_number(gomp->aspace, pages,
                         task->dependers + gomp_offset(gomp, LAY_F_gomp_dependers_vec_elem) + 8 * i, 8,
                         &address) != ompd_rc_ok)
            return false;
        const int32_t after = world_task_at(gomp->world, address);
        if (after == WORLD_NONE)
            return false;
        edge(gomp, index, after);
    }
    return true;
}

static void count_edge(struct gomp *gomp, int32_t before, int32_t after)
{
    (void)before;
    gomp->world->tasks[after].predecessor_count++;
}

static void store_edge(struct gomp *gomp, int32_t before, int32_t after)
{
    struct world_task *task = &gomp->world->tasks[after];
    task->predecessors[task->predecessor_count++] = before;
}

/** libgomp records who waits for a task; here is what a task waits for. */
static ompd_rc_t relate_dependences(struct gomp *gomp)
{
    struct world *world = gomp->world;
    const bool counted = gomp_has(gomp, LAY_F_gomp_task_num_dependees);
    const char *why = gomp_missing(gomp, LAY_F_gomp_task_dependers);
    bool whole = true;
    for (int32_t i = 0; i < world->task_count; i++)
        whole = each_depender(gomp, i, count_edge) && whole;
    for (int32_t i = 0; i < world->task_count; i++) {
        struct world_task *task = &world->tasks[i];
        if (task->predecessor_count != 0)
            TRY(world_alloc_indices(gomp->aspace, task->predecessor_count, &task->predecessors));
        task->predecessor_count = 0;
    }
    for (int32_t i = 0; i < world->task_count; i++)
        (void)each_depender(gomp, i, store_edge);
    for (int32_t i = 0; i < world->task_count; i++) {
        struct world_task *task = &world->tasks[i];
        if (whole && (task->state == ompdx_task_blocked || task->state == ompdx_task_ready))
            task->state = task->predecessor_count != 0 ? ompdx_task_blocked : ompdx_task_ready;
        else if (!whole && !counted && task->state == ompdx_task_ready)
            task->state = 0; /* it may wait for others */
        const bool agrees =
            task->state != ompdx_task_blocked
                ? task->predecessor_count == 0
                : !counted || gomp->tasks[i].num_dependees == (uint64_t)task->predecessor_count;
        if (!agrees || (!whole && task->state != ompdx_task_ready))
            task->predecessors_why = why != NULL ? why : lost_edges;
    }
    return ompd_rc_ok;
}

static void forget_runner(struct world_task *task, const char *why)
{
    task->state = 0;
    task->unknown[ompdx_task_fact_state] = why;
    forget_stack(task, why);
}

/** A member of a team that no thread is known to be may be one whose place is not known for WHY. */
static void forget_members(struct world *world, struct world_team *team, uint64_t first, uint64_t end,
                           const char *why)
{
    for (uint64_t number = first; number < end && number < (uint64_t)team->size; number++) {
        if (team->members[number] != WORLD_NONE)
            continue;
        team->unknown[ompdx_parallel_fact_members] = why;
        if (team->tasks[number] != WORLD_NONE)
            forget_runner(&world->tasks[team->tasks[number]], why);
    }
}

/**
 * A thread that is in no team that is known may be any member; another is the one of its number, and executes
 * the task that its record has, unless it is idle. Tasks that have begun and are on no stack may be on its.
 */
static void forget_places(struct gomp *gomp, const struct gomp_native *native)
{
    struct world *world = gomp->world;
    const uint64_t number = native->record.team_id;
    const int32_t at = world_team_at(world, native->record.team);
    const int32_t current = world_task_at(world, native->record.task);
    for (int32_t i = 0; i < world->team_count; i++)
        if (at == WORLD_NONE)
            forget_members(world, &world->teams[i], 0, UINT64_MAX, native->refused);
        else if (at == i)
            forget_members(world, &world->teams[i], number, number + 1, native->refused);
    for (int32_t i = 0; i < world->task_count; i++)
        if (gomp->tasks[i].kind == GOMP_KIND_TIED)
            forget_stack(&world->tasks[i], native->refused);
    if (current != WORLD_NONE && world->tasks[current].thread == WORLD_NONE)
        forget_runner(&world->tasks[current], native->refused);
}

/** The child tasks of a task are those that were found: their number is not known where some may be
 *  missing. */
static void count_children(struct gomp *gomp)
{
    const char *why = gomp_lacks(gomp, ompdx_ability_tasks);
    for (int32_t i = 0; why != NULL && i < gomp->world->task_count; i++) {
        gomp->world->tasks[i].children = UINT32_MAX;
        gomp->world->tasks[i].unknown[ompdx_task_fact_children] = why;
    }
}

ompd_rc_t gomp_relate_tasks(struct gomp *gomp)
{
    TRY(place_tasks(gomp));
    for (int32_t i = 0; i < gomp->world->task_count; i++)
        relate(gomp, i);
    for (size_t i = 0; i < gomp->native_count; i++)
        if (gomp->natives[i].thread != WORLD_NONE && gomp->natives[i].refused != NULL)
            forget_places(gomp, &gomp->natives[i]);
    count_children(gomp);
    return relate_dependences(gomp);
}
