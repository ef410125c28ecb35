/* SPDX-License-Identifier: Apache-2.0 */
#include "runtimes/gomp/gomp_tasks.h"

#include <string.h>

#include "runtimes/gomp/gomp_fields.h"
#include "runtimes/gomp/gomp_queues.h"
#include "runtimes/gomp/gomp_regions.h"
#include "runtimes/gomp/gomp_teams.h"

/** Tasks inside one another on one stack; a target that has more is damaged. */
#define CHAIN_MAX 65536u
/** Taskgroups and tasks that depend on one task. */
#define GROUPS_MAX    1024u
#define DEPENDERS_MAX (1u << 20)

static const char no_task[] = "the record of its current task cannot be read, or is none";

/* ---- implicit and initial tasks ------------------------------------------------------------------------ */

static ompd_rc_t take_implicit(struct gomp *gomp)
{
    struct world *world = gomp->world;
    TRY(gomp_task_room(gomp));
    for (int32_t i = 0; i < world->team_count; i++) {
        const struct world_team *team = &world->teams[i];
        for (int32_t number = 0; team->kind != ompd_generator_program && number < team->size; number++)
            TRY(gomp_decode_task(gomp, gomp_implicit_bytes(gomp, &gomp->teams[i], (uint64_t)number),
                                 &gomp->tasks[team->tasks[number]]));
    }
    return ompd_rc_ok;
}

/** The initial task of REGION: it has no record until an omp_set_ routine was called. */
static ompd_rc_t add_initial(struct gomp *gomp, int32_t region, uint64_t address,
                             const struct gomp_task *task)
{
    TRY(gomp_task_room(gomp));
    struct world_task *row = world_add_task(gomp->aspace, gomp->world, address);
    if (row == NULL)
        return ompd_rc_nomem;
    const int32_t index = gomp->world->task_count - 1;
    row->flags = ompt_task_initial;
    row->team = region;
    row->thread_num = 0;
    gomp->tasks[index] = *task;
    gomp->world->teams[region].tasks[0] = index;
    return ompd_rc_ok;
}

/** The tasks of an initial region's stack from BOTTOM on to the initial task. */
static ompd_rc_t take_initial_chain(struct gomp *gomp, int32_t region, uint64_t bottom)
{
    uint8_t bytes[BRK_SLOT_BYTES_MAX];
    struct gomp_task task;
    int32_t index;
    uint64_t at = bottom;
    for (uint32_t step = 0; at != 0 && step < CHAIN_MAX && world_task_at(gomp->world, at) == WORLD_NONE;
         step++) {
        ompd_rc_t rc = pages_read(gomp->aspace, &gomp->world->pages, at,
                                  lay_size(gomp_lay(gomp), LAY_S_gomp_task), bytes);
        if (rc == ompd_rc_ok)
            rc = gomp_decode_task(gomp, bytes, &task);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc == ompd_rc_ok && task.kind == GOMP_KIND_IMPLICIT)
            return add_initial(gomp, region, at, &task);
        if (!gomp_has(gomp, LAY_F_gomp_task_kind))
            break;
        if (rc == ompd_rc_ok)
            TRY(gomp_add_task(gomp, at, region, &index));
        if (rc != ompd_rc_ok || index == WORLD_NONE) {
            gomp->world->incomplete = true;
            break;
        }
        at = task.parent;
    }
    static const struct gomp_task none;
    return add_initial(gomp, region, gomp->world->teams[region].address, &none);
}

static ompd_rc_t take_initial(struct gomp *gomp)
{
    struct world *world = gomp->world;
    for (int32_t i = 0; i < world->team_count; i++) { /* teams whose parent is an initial region */
        const int32_t parent = world->teams[i].parent;
        if (parent != WORLD_NONE && world->teams[parent].kind == ompd_generator_program &&
            world->teams[parent].tasks[0] == WORLD_NONE)
            TRY(take_initial_chain(gomp, parent, gomp->tasks[world->teams[i].tasks[0]].parent));
    }
    for (size_t i = 0; i < gomp->native_count; i++) {
        const struct gomp_native *native = &gomp->natives[i];
        const int32_t region =
            native->address != 0 ? world_team_at(world, gomp_initial_id(native)) : WORLD_NONE;
        if (region != WORLD_NONE && world->teams[region].tasks[0] == WORLD_NONE)
            TRY(take_initial_chain(gomp, region, native->record.task));
    }
    return ompd_rc_ok;
}

/* ---- explicit tasks ------------------------------------------------------------------------------------ */

/** TASK and its parents, of a team, as far as the world does not have them. */
static ompd_rc_t take_parents(struct gomp *gomp, uint64_t task, int32_t team)
{
    int32_t index;
    for (uint32_t step = 0; task != 0 && step < CHAIN_MAX && world_task_at(gomp->world, task) == WORLD_NONE;
         step++) {
        TRY(gomp_add_task(gomp, task, team, &index));
        if (index == WORLD_NONE)
            return ompd_rc_ok;
        task = gomp->tasks[index].parent;
    }
    return ompd_rc_ok;
}

/** Current tasks, and those in which regions were created. */
static ompd_rc_t take_current(struct gomp *gomp)
{
    struct world *world = gomp->world;
    for (size_t i = 0; i < gomp->native_count; i++) {
        struct gomp_native *native = &gomp->natives[i];
        if (native->thread == WORLD_NONE || native->refused != NULL || native->idle)
            continue;
        struct world_thread *thread = &world->threads[native->thread];
        if (native->record.team != 0)
            TRY(take_parents(gomp, native->record.task, thread->team));
        thread->task = native->record.task != 0 ? world_task_at(world, native->record.task)
                                                : world->teams[thread->team].tasks[0];
        if (thread->task == WORLD_NONE || world->tasks[thread->task].team != thread->team) {
            const char *no_kind = gomp_missing(gomp, LAY_F_gomp_task_kind);
            thread->task = WORLD_NONE;
            native->task_refused = thread->unknown[ompdx_fact_task] = no_kind != NULL ? no_kind : no_task;
        }
    }
    for (int32_t i = 0; i < world->team_count; i++) {
        struct world_team *team = &world->teams[i];
        if (team->kind == ompd_generator_program || team->parent == WORLD_NONE)
            continue;
        const uint64_t parent = gomp->tasks[team->tasks[0]].parent;
        team->unknown[ompdx_parallel_fact_parent_task] = gomp_missing(gomp, LAY_F_gomp_task_parent);
        if (team->unknown[ompdx_parallel_fact_parent_task] != NULL)
            continue;
        if (parent != 0)
            TRY(take_parents(gomp, parent, team->parent));
        team->parent_task = parent != 0 ? world_task_at(world, parent) : world->teams[team->parent].tasks[0];
        if (team->parent_task == WORLD_NONE)
            team->unknown[ompdx_parallel_fact_parent_task] = gomp_missing(gomp, LAY_F_gomp_task_kind);
    }
    return ompd_rc_ok;
}

/** Tasks that cannot start before this one has ended. */
static ompd_rc_t take_dependers(struct gomp *gomp, int32_t index)
{
    const struct gomp_task task = gomp->tasks[index];
    const int32_t team = gomp->world->tasks[index].team;
    struct pages *pages = &gomp->world->pages;
    uint64_t count, depender;
    int32_t added;
    if (task.dependers == 0)
        return ompd_rc_ok;
    if (!gomp_has(gomp, LAY_F_gomp_dependers_vec_elem) ||
        gomp_field(gomp, task.dependers, LAY_F_gomp_dependers_vec_n_elem, &count) != ompd_rc_ok ||
        count > DEPENDERS_MAX) {
        gomp->world->incomplete = true;
        return ompd_rc_ok;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (pages_number(gomp->aspace, pages,
                         task.dependers + gomp_offset(gomp, LAY_F_gomp_dependers_vec_elem) + 8 * i, 8,
                         &depender) != ompd_rc_ok) {
            gomp->world->incomplete = true;
            return ompd_rc_ok;
        }
        TRY(gomp_add_task(gomp, depender, team, &added));
    }
    return ompd_rc_ok;
}

static const struct gomp_queue_sort of_team = {LAY_F_gomp_team_task_queue_root,
                                               LAY_F_gomp_team_task_queue_tasks, LAY_F_gomp_task_node_team};
static const struct gomp_queue_sort of_children = {
    LAY_F_gomp_task_children_root, LAY_F_gomp_task_children_tasks, LAY_F_gomp_task_node_children};
static const struct gomp_queue_sort of_taskgroup = {
    LAY_F_gomp_taskgroup_queue_root, LAY_F_gomp_taskgroup_queue_tasks, LAY_F_gomp_task_node_taskgroup};

/** Reads a field; one that the layout lacks is left as it is. false: it cannot be read. */
static bool has_read(struct gomp *gomp, uint64_t address, unsigned id, uint64_t *ret)
{
    ompd_rc_t rc = gomp_field(gomp, address, id, ret);
    return rc == ompd_rc_ok || rc == ompd_rc_unsupported;
}

struct groups {
    uint64_t seen[GROUPS_MAX];
    uint32_t count;
};

/** The tasks of the taskgroups that a task is in, as far as no other task was in them. */
static ompd_rc_t take_groups(struct gomp *gomp, struct groups *groups, uint64_t group, int32_t team)
{
    while (group != 0) {
        struct gomp_queue queue = {.sort = &of_taskgroup};
        uint64_t prev = 0;
        for (uint32_t i = groups->count; i > 0; i--)
            if (groups->seen[i - 1] == group)
                return ompd_rc_ok;
        if (groups->count == GROUPS_MAX || !has_read(gomp, group, LAY_F_gomp_taskgroup_prev, &prev) ||
            !has_read(gomp, group, LAY_F_gomp_taskgroup_queue_root, &queue.root) ||
            !has_read(gomp, group, LAY_F_gomp_taskgroup_queue_tasks, &queue.tasks)) {
            gomp->world->incomplete = true;
            return ompd_rc_ok;
        }
        groups->seen[groups->count++] = group;
        TRY(gomp_add_queue(gomp, &queue, team));
        group = prev;
    }
    return ompd_rc_ok;
}

/** All that can be reached from the tasks that are known, and from the queues of teams. */
static ompd_rc_t take_reachable(struct gomp *gomp)
{
    struct world *world = gomp->world;
    struct groups *groups = NULL;
    TRY(brk_alloc(&gomp->aspace->brk, sizeof *groups, &groups));
    groups->count = 0;
    for (int32_t i = 0; i < world->team_count; i++) {
        const struct gomp_queue queue = {&of_team, gomp->teams[i].queue_root, gomp->teams[i].queue_tasks};
        TRY(gomp_add_queue(gomp, &queue, i));
    }
    for (int32_t i = 0; i < world->task_count; i++) {
        const struct gomp_task task = gomp->tasks[i];
        const struct gomp_queue children = {&of_children, task.children_root, task.children_tasks};
        TRY(gomp_add_queue(gomp, &children, world->tasks[i].team));
        if (task.kind != GOMP_KIND_WAITING)
            TRY(take_groups(gomp, groups, task.taskgroup, world->tasks[i].team));
        TRY(take_dependers(gomp, i));
    }
    return ompd_rc_ok;
}

ompd_rc_t gomp_find_tasks(struct gomp *gomp)
{
    TRY(take_implicit(gomp));
    TRY(take_initial(gomp));
    TRY(take_current(gomp));
    return take_reachable(gomp);
}
