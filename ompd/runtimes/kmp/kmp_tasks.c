/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: tasks. Found are the implicit ones of all open teams, those that threads run, those in the deques
 * and in the lists by priority, and whatever is reached from there: parents, tied tasks below, tasks that
 * wait for their dependences.
 * libomp has no list of a task's children, so a suspended untied task without any of these is not found.
 */
#include "runtimes/kmp/kmp.h"

/** A deque that claims to be larger is damaged. */
#define DEQUE_MAX (1u << 20)
/** And a longer list of priorities. */
#define PRIORITIES_MAX 4096u

static const char wrong_task[] = "its current task is not one of its team's";

/** Why nothing can be said of tasks; NULL: it can. */
static const char *no_tasks(const struct kmp *kmp)
{
    static const uint16_t ids[] = {LAY_S_kmp_taskdata, LAY_F_kmp_taskdata_team, LAY_F_kmp_taskdata_parent,
                                   LAY_F_kmp_taskdata_tasktype};
    const char *why = NULL;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0] && why == NULL; i++)
        why = kmp_missing(kmp, ids[i]);
    return why;
}

/** Why a thread's task may be missing among those that are known; NULL: it can only be none. */
static const char *no_task(const struct kmp *kmp)
{
    static const uint16_t ids[] = {LAY_F_kmp_team_implicit_task_taskdata, LAY_F_kmp_taskdata_complete,
                                   LAY_F_kmp_taskdata_freed};
    const char *why = NULL;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0] && why == NULL; i++)
        why = kmp_missing(kmp, ids[i]);
    return why;
}

/** The thread's task is not known, and with it what it waits for if that is tasks. */
static void forget_task(struct world_thread *row, const char *why)
{
    row->unknown[ompdx_fact_task] = why;
    if (row->wait_kind == ompdx_wait_taskwait || row->wait_kind == ompdx_wait_depend ||
        row->wait_kind == ompdx_wait_taskgroup)
        row->unknown[ompdx_fact_wait_id] = row->unknown[ompdx_fact_wait_object] = why;
}

/** The implicit task of member NUMBER in the region that is INNER regions outside of TEAM's innermost one. */
static ompd_rc_t add_implicit(struct kmp *kmp, const struct kmp_team *team, int32_t number, int32_t inner)
{
    const uint32_t bytes = lay_size(&kmp->aspace->lay, LAY_S_kmp_taskdata);
    const uint64_t address = team->taskdata + (uint64_t)number * bytes;
    const int32_t region = team->row - inner;
    struct kmp_task record;
    ompd_rc_t rc = kmp_get_task(kmp, address, &record);
    if (rc == ompd_rc_nomem)
        return rc;
    if (rc != ompd_rc_ok || record.flags_explicit != 0 || record.team != team->address ||
        world_task_at(kmp->world, address + (uint64_t)inner) != WORLD_NONE) {
        kmp->world->incomplete |= rc != ompd_rc_ok;
        return ompd_rc_ok;
    }
    struct world_task *row = world_add_task(kmp->aspace, kmp->world, address + (uint64_t)inner);
    if (row == NULL)
        return ompd_rc_nomem;
    struct world_team *in = &kmp->world->teams[region];
    in->tasks[number] = kmp->world->task_count - 1;
    row->team = region;
    row->thread = in->members[number];
    row->thread_num = number;
    row->state = ompdx_task_suspended;
    row->flags = in->kind == ompd_generator_program || in->kind == ompd_generator_teams
                     ? (uint32_t)ompt_task_initial
                     : (uint32_t)ompt_task_implicit;
    TRY(kmp_fill_task(kmp, &record, row));
    if (inner != 0)
        row->icvs = 0; /* those of the innermost one are in its place */
    return ompd_rc_ok;
}

static ompd_rc_t add_implicits(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->team_count; i++) {
        const struct kmp_team *team = &kmp->teams[i];
        if (team->row == WORLD_NONE || team->taskdata == 0)
            continue;
        for (int32_t inner = team->regions - 1; inner >= 0; inner--)
            for (int32_t number = 0; number < kmp->world->teams[team->row - inner].size; number++)
                TRY(add_implicit(kmp, team, number, inner));
    }
    return ompd_rc_ok;
}

/** The tasks in one deque, a ring of pointers, which are scheduled with PRIORITY. */
static ompd_rc_t add_deque(struct kmp *kmp, uint64_t data, int32_t priority)
{
    uint64_t deque, size, head, count, task;
    int32_t at;
    TRY(kmp_field(kmp, data, LAY_F_kmp_thread_data_deque, &deque));
    if (deque == 0)
        return ompd_rc_ok;
    TRY(kmp_field(kmp, data, LAY_F_kmp_thread_data_deque_size, &size));
    TRY(kmp_field(kmp, data, LAY_F_kmp_thread_data_deque_head, &head));
    TRY(kmp_field(kmp, data, LAY_F_kmp_thread_data_deque_ntasks, &count));
    if (size == 0 || size > DEQUE_MAX || (size & (size - 1)) != 0 || count > size)
        return ompd_rc_error;
    for (uint64_t i = 0; i < count; i++) {
        TRY(pages_number(kmp->aspace, &kmp->world->pages, deque + ((head + i) & (size - 1)) * 8, 8, &task));
        TRY(kmp_add_task(kmp, task, &at));
        if (at == WORLD_NONE || kmp->world->tasks[at].state != ompdx_task_created)
            continue;
        kmp->world->tasks[at].state = ompdx_task_ready;
        kmp->world->tasks[at].priority = priority;
    }
    return ompd_rc_ok;
}

/** Has the library lists of tasks by priority that can be read? Older ones take no notice of priorities. */
static bool has_priorities(const struct lay *lay)
{
    return lay_has(lay, LAY_F_kmp_task_team_task_pri_list) && lay_has(lay, LAY_F_kmp_task_pri_td) &&
           lay_has(lay, LAY_F_kmp_task_pri_next) && lay_size(lay, LAY_F_kmp_task_team_task_pri_list) == 8;
}

/** Tasks with a priority, if the program may have them, are in lists of their own: one a priority. */
static ompd_rc_t add_priorities(struct kmp *kmp, uint64_t task_team)
{
    const struct lay *lay = &kmp->aspace->lay;
    uint64_t list, steps = 0;
    if (!has_priorities(lay))
        return ompd_rc_ok;
    TRY(kmp_field(kmp, task_team, LAY_F_kmp_task_team_task_pri_list, &list));
    for (; list != 0 && steps < PRIORITIES_MAX; steps++) {
        uint64_t priority = UINT64_MAX;
        if (lay_has(lay, LAY_F_kmp_task_pri_priority))
            TRY(kmp_field(kmp, list, LAY_F_kmp_task_pri_priority, &priority));
        TRY(add_deque(kmp, list + lay_offset(lay, LAY_F_kmp_task_pri_td),
                      priority <= INT32_MAX ? (int32_t)priority : WORLD_NONE));
        TRY(kmp_field(kmp, list, LAY_F_kmp_task_pri_next, &list));
    }
    return steps < PRIORITIES_MAX ? ompd_rc_ok : ompd_rc_error;
}

static ompd_rc_t add_task_team(struct kmp *kmp, uint64_t task_team)
{
    const uint32_t bytes = lay_size(&kmp->aspace->lay, LAY_S_kmp_thread_data);
    uint64_t data, count;
    TRY(kmp_field(kmp, task_team, LAY_F_kmp_task_team_threads_data, &data));
    TRY(kmp_field(kmp, task_team, LAY_F_kmp_task_team_nproc, &count));
    if (data == 0)
        return ompd_rc_ok;
    if (count > KMP_THREADS_MAX || bytes == 0)
        return ompd_rc_error;
    for (uint64_t i = 0; i < count; i++)
        TRY(add_deque(kmp, data + i * bytes, has_priorities(&kmp->aspace->lay) ? 0 : WORLD_NONE));
    return add_priorities(kmp, task_team);
}

/** The deques of all threads' task teams, each once. */
static ompd_rc_t add_queued(struct kmp *kmp)
{
    struct index teams = {0};
    TRY(brk_alloc(&kmp->aspace->brk, ((size_t)kmp->thread_count + 1) * sizeof *teams.rows, &teams.rows));
    for (int32_t i = 0; i < kmp->thread_count; i++)
        if (kmp->threads[i].task_team != 0)
            teams.rows[teams.count++] = (struct index_row){kmp->threads[i].task_team, 0};
    index_sort(&teams);
    for (size_t i = 0; i < teams.count; i++) {
        if (i != 0 && teams.rows[i].key == teams.rows[i - 1].key)
            continue;
        ompd_rc_t rc = add_task_team(kmp, teams.rows[i].key);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok && rc != ompd_rc_unsupported)
            kmp->world->incomplete = true;
    }
    return ompd_rc_ok;
}

/** What is reached from each task: rows come at the end while this walks. */
static ompd_rc_t follow(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->world->task_count; i++) {
        struct world_task *row = &kmp->world->tasks[i];
        struct kmp_task record;
        int32_t at;
        const bool is_explicit = (row->flags & ompt_task_explicit) != 0;
        if (!is_explicit && row->address % 8 != 0)
            continue; /* of an outer one of several regions of one team */
        ompd_rc_t rc = kmp_get_task(kmp, row->address, &record);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok)
            continue;
        TRY(kmp_add_task(kmp, record.parent, &at));
        if (!is_explicit)
            continue;
        kmp->world->tasks[i].generator = at;
        if (at == WORLD_NONE)
            kmp->world->tasks[i].unknown[ompdx_task_fact_generator] = no_task(kmp);
        TRY(kmp_add_task(kmp, record.last_tied, &at));
        TRY(kmp_add_successors(kmp, i));
    }
    return ompd_rc_ok;
}

/** The tasks that met the constructs of TEAM's regions are not known as long as they are not found. */
static void forget_parents(struct kmp *kmp, const struct kmp_team *team)
{
    for (int32_t row = team->outermost; row <= team->row; row++)
        if (kmp->world->teams[row].parent != WORLD_NONE)
            kmp->world->teams[row].unknown[ompdx_parallel_fact_parent_task] = no_task(kmp);
}

static void set_generator(struct world_task *task, const struct world_team *region)
{
    task->generator = region->parent_task;
    task->unknown[ompdx_task_fact_generator] = region->unknown[ompdx_parallel_fact_parent_task];
}

/** The task that met the construct of TEAM's outermost region. */
static ompd_rc_t name_parents(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->team_count; i++) {
        const struct kmp_team *team = &kmp->teams[i];
        uint64_t parent;
        if (team->row == WORLD_NONE)
            continue;
        forget_parents(kmp, team);
        if (team->taskdata == 0)
            continue;
        ompd_rc_t rc = kmp_field(kmp, team->taskdata, LAY_F_kmp_taskdata_parent, &parent);
        if (rc == ompd_rc_nomem)
            return rc;
        int32_t task = rc == ompd_rc_ok && parent != 0 ? world_task_at(kmp->world, parent) : WORLD_NONE;
        for (int32_t row = team->outermost; row <= team->row; row++) {
            struct world_team *region = &kmp->world->teams[row];
            region->parent_task = task;
            if (task != WORLD_NONE)
                region->unknown[ompdx_parallel_fact_parent_task] = NULL;
            for (int32_t number = 0; number < region->size; number++)
                if (region->tasks[number] != WORLD_NONE)
                    set_generator(&kmp->world->tasks[region->tasks[number]], region);
            task = region->tasks[0];
        }
    }
    return ompd_rc_ok;
}

/** The number of tasks at ADDRESS + FIELD, for which ROW waits, is 0 when they have ended. */
static ompd_rc_t count_awaited(struct kmp *kmp, uint64_t address, unsigned field, struct world_thread *row)
{
    uint64_t count;
    ompd_rc_t rc = address != 0 ? kmp_field(kmp, address, field, &count) : ompd_rc_unavailable;
    if (rc == ompd_rc_ok)
        row->wait_flags = count != 0 ? OMPDX_WAIT_LASTS : OMPDX_WAIT_OVER;
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/** What a wait for tasks in the task AT waits for. Of one for dependences libomp's count is on its stack. */
static ompd_rc_t name_awaited(struct kmp *kmp, int32_t at, struct world_thread *row)
{
    const struct world_task *task = &kmp->world->tasks[at];
    if (row->wait_kind == ompdx_wait_taskwait || row->wait_kind == ompdx_wait_depend) {
        row->wait_task = at;
        row->wait_id = task->address;
    } else if (row->wait_kind == ompdx_wait_taskgroup) {
        row->wait_group = row->wait_id = task->taskgroup;
        return count_awaited(kmp, task->taskgroup, LAY_F_kmp_taskgroup_count, row);
    }
    return row->wait_kind == ompdx_wait_taskwait
               ? count_awaited(kmp, task->address, LAY_F_kmp_taskdata_incomplete_child_tasks, row)
               : ompd_rc_ok;
}

/** Threads and their current tasks, each way. */
static ompd_rc_t join(struct kmp *kmp, const struct kmp_thread *thread)
{
    struct world_thread *row = &kmp->world->threads[thread->row];
    const int32_t at = world_task_at(kmp->world, thread->task);
    if (at == WORLD_NONE) {
        const char *why = no_task(kmp);
        forget_task(row, why != NULL ? why : wrong_task);
        return ompd_rc_ok;
    }
    struct world_task *task = &kmp->world->tasks[at];
    const struct world_team *team = &kmp->world->teams[row->team];
    const bool begun = row->state != ompt_state_overhead || thread->stack.top != KMP_TOP_WORKER;
    row->task = at;
    task->state = begun ? ompdx_task_running : ompdx_task_created;
    task->unknown[ompdx_task_fact_state] = NULL;
    task->thread = thread->row;
    task->thread_num = row->thread_num;
    if ((task->flags & ompt_task_explicit) != 0 && task->generator == WORLD_NONE)
        task->unknown[ompdx_task_fact_scheduled_over] = task->unknown[ompdx_task_fact_generator];
    if ((task->flags & ompt_task_explicit) != 0 && task->generator != WORLD_NONE &&
        (kmp->world->tasks[task->generator].flags & ompt_task_explicit) == 0 && team->tasks != NULL)
        task->scheduled_over = team->tasks[row->thread_num];
    return name_awaited(kmp, at, row);
}

/** Of a member of an open team that counts as idle: its part has not begun, and nobody has called it to. */
static void not_begun(struct kmp *kmp, const struct kmp_thread *thread)
{
    const int32_t row = thread->team_at != WORLD_NONE ? kmp->teams[thread->team_at].row : WORLD_NONE;
    if (row == WORLD_NONE || thread->contradiction != NULL || !kmp->world->threads[thread->row].idle ||
        thread->tid >= (uint64_t)kmp->world->teams[row].size)
        return;
    const int32_t at = kmp->world->teams[row].tasks[thread->tid];
    if (at == WORLD_NONE)
        return;
    kmp->world->tasks[at].state = ompdx_task_created;
    kmp->world->tasks[at].thread = WORLD_NONE;
}

/** An explicit task that is suspended in a taskwait says on which thread. */
static ompd_rc_t name_waiters(struct kmp *kmp)
{
    if (!lay_has(&kmp->aspace->lay, LAY_F_kmp_taskdata_taskwait_thread))
        return ompd_rc_ok;
    for (int32_t i = 0; i < kmp->world->task_count; i++) {
        struct world_task *row = &kmp->world->tasks[i];
        uint64_t waiter;
        if (row->state != ompdx_task_suspended || (row->flags & ompt_task_explicit) == 0)
            continue;
        ompd_rc_t rc = kmp_field(kmp, row->address, LAY_F_kmp_taskdata_taskwait_thread, &waiter);
        if (rc == ompd_rc_nomem)
            return rc;
        if (rc != ompd_rc_ok || (int32_t)waiter <= 0)
            continue;
        const int32_t at = kmp_thread_of_gtid(kmp, waiter - 1);
        if (at == WORLD_NONE || kmp->world->threads[kmp->threads[at].row].idle)
            continue;
        row->thread = kmp->threads[at].row;
        row->thread_num = kmp->world->threads[row->thread].thread_num;
    }
    return ompd_rc_ok;
}

/** An explicit task that has met a region is on the stack of the thread that the region belongs to. */
static void name_creators(struct kmp *kmp)
{
    for (int32_t i = 0; i < kmp->team_count; i++) {
        const struct kmp_team *team = &kmp->teams[i];
        if (team->row == WORLD_NONE || !team->open || team->primary == WORLD_NONE)
            continue;
        const int32_t at = kmp->world->teams[team->outermost].parent_task;
        struct world_task *task = at != WORLD_NONE ? &kmp->world->tasks[at] : NULL;
        if (task == NULL || task->thread != WORLD_NONE || task->state != ompdx_task_suspended ||
            (task->flags & ompt_task_explicit) == 0 || team->master_tid >= INT32_MAX ||
            kmp_missing(kmp, LAY_F_kmp_team_master_tid) != NULL)
            continue;
        task->thread = kmp->threads[team->primary].row;
        task->thread_num = (int32_t)team->master_tid;
    }
}

/** Which thread has a task on its stack cannot be found out where it is not known whether it has begun,
 *  nor where the numbers of creators are not known. */
static void forget_threads(struct kmp *kmp)
{
    const char *no_number = kmp_missing(kmp, LAY_F_kmp_team_master_tid);
    for (int32_t i = 0; i < kmp->world->task_count; i++) {
        struct world_task *task = &kmp->world->tasks[i];
        const char *no_state = task->unknown[ompdx_task_fact_state];
        if (task->thread != WORLD_NONE || (task->flags & ompt_task_explicit) == 0)
            continue;
        if (no_state != NULL)
            task->unknown[ompdx_task_fact_thread] = no_state;
        else if (task->state == ompdx_task_suspended)
            task->unknown[ompdx_task_fact_thread] = no_number;
    }
}

/**
 * An undeferred task with dependences is in no list while its thread, still in the task that created it,
 * waits for them. Nothing but that thread waits for it.
 */
static int32_t unlisted(const struct world *world, int32_t task)
{
    const int32_t thread = world->tasks[task].thread;
    return thread != WORLD_NONE && world->threads[thread].task == task &&
                   world->threads[thread].wait_kind == ompdx_wait_depend
               ? 1
               : 0;
}

/**
 * Are all child tasks found? libomp counts those that are not complete; in a region of one thread it counts
 * only some.
 */
static ompd_rc_t count_children(struct kmp *kmp)
{
    struct world *world = kmp->world;
    int32_t *found = NULL;
    TRY(world_alloc_indices(kmp->aspace, world->task_count, &found));
    for (int32_t i = 0; i < world->task_count; i++)
        found[i] = unlisted(world, i);
    for (int32_t i = 0; i < world->task_count; i++) {
        const struct world_task *task = &world->tasks[i];
        if ((task->flags & ompt_task_explicit) != 0 && task->generator != WORLD_NONE &&
            task->state != ompdx_task_completing)
            found[task->generator]++;
    }
    for (int32_t i = 0; i < world->task_count; i++) /* of several regions of one team the innermost counts */
        if (world->tasks[i].address % 8 == 0 && (int64_t)world->tasks[i].children > found[i])
            world->tasks_incomplete = true;
    return ompd_rc_ok;
}

ompd_rc_t kmp_read_tasks(struct kmp *kmp)
{
    int32_t at;
    const char *why = no_tasks(kmp);
    if (why != NULL) {
        for (int32_t i = 0; i < kmp->thread_count; i++)
            forget_task(&kmp->world->threads[kmp->threads[i].row], why);
        for (int32_t i = 0; i < kmp->world->team_count; i++)
            if (kmp->world->teams[i].parent != WORLD_NONE)
                kmp->world->teams[i].unknown[ompdx_parallel_fact_parent_task] = why;
        return ompd_rc_ok;
    }
    TRY(add_implicits(kmp));
    for (int32_t i = 0; i < kmp->thread_count; i++)
        if (kmp->world->threads[kmp->threads[i].row].team != WORLD_NONE)
            TRY(kmp_add_task(kmp, kmp->threads[i].task, &at));
    TRY(add_queued(kmp));
    TRY(follow(kmp));
    TRY(name_parents(kmp));
    for (int32_t i = 0; i < kmp->thread_count; i++)
        if (kmp->world->threads[kmp->threads[i].row].team != WORLD_NONE)
            TRY(join(kmp, &kmp->threads[i]));
        else
            not_begun(kmp, &kmp->threads[i]);
    TRY(name_waiters(kmp));
    name_creators(kmp);
    forget_threads(kmp);
    TRY(count_children(kmp));
    return kmp_set_predecessors(kmp);
}
