/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/snapshot/snap_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/snapshot/snap_bodies.h"
#include "inspect/snapshot/snap_handles.h"
#include "inspect/snapshot/snap_icvs.h"
#include "inspect/snapshot/snap_loops.h"
#include "inspect/snapshot/snap_threads.h"

static ompd_rc_t collect_all(struct snap_run *run)
{
    ompd_task_handle_t **all = NULL;
    int count = 0, bad = 0;
    ompd_rc_t rc;

    if (!run->lib->ompdx_get_all_tasks)
        return ompd_rc_unsupported;
    rc = run->lib->ompdx_get_all_tasks(run->context->aspace, &all, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    for (int i = 0; i < count; i++) {
        if (!run->cancelled && snap_step(run, "tasks", i, count))
            bad++;
        bad += handle_set_add(run, HANDLE_TASK, all[i]) < 0;
    }
    free(all);
    return bad ? ompd_rc_error : rc; /* incomplete: what could be read is here */
}

typedef ompd_rc_t step_fn(ompd_task_handle_t *task, ompd_task_handle_t **ret);

/* Adds a task and what STEP leads to from it, until something is known already. */
static ompd_rc_t add_chain(struct snap_run *run, ompd_task_handle_t *task, step_fn *step)
{
    ompd_rc_t rc = ompd_rc_ok;

    for (;;) {
        ompd_task_handle_t *next = NULL;
        int added;

        rc = step(task, &next);
        added = handle_set_add(run, HANDLE_TASK, task);
        if (added <= 0 && rc == ompd_rc_ok)
            run->lib->ompd_rel_task_handle(next);
        if (added < 0)
            return ompd_rc_error;
        if (added == 0 || rc != ompd_rc_ok)
            return rc == ompd_rc_unavailable ? ompd_rc_ok : rc;
        task = next;
    }
}

/* The tasks of the threads, and those that generated them or were set aside for them. */
static ompd_rc_t collect_chains(struct snap_run *run)
{
    ompd_rc_t worst = ompd_rc_ok, rc;

    for (int i = 0; i < run->snap->thread_count; i++) {
        ompd_task_handle_t *task = NULL, *over = NULL;
        int stale = 0;
        bool more;

        if (!run->threads[i])
            continue;
        if (snap_step(run, "tasks", i, run->snap->thread_count))
            break;
        rc = run->lib->ompd_get_curr_task_handle(run->threads[i], &task);
        if (rc != ompd_rc_ok) {
            worst = rc == ompd_rc_unavailable ? worst : rc;
            continue;
        }
        /* The stack of this thread first, each with its generators behind it. */
        for (int depth = 0; depth < 100000; depth++) {
            int before = run->tasks.count;

            more = run->lib->ompd_get_scheduling_task_handle &&
                   run->lib->ompd_get_scheduling_task_handle(task, &over) == ompd_rc_ok;
            rc = add_chain(run, task, run->lib->ompd_get_generating_task_handle);
            if (rc != ompd_rc_ok)
                worst = rc;
            if (!more)
                break;
            task = over;
            /* The task set aside is often the generating one, so a step without news is no circle; many are.
               */
            stale = run->tasks.count == before ? stale + 1 : 0;
            if (stale > 64) {
                run->lib->ompd_rel_task_handle(task);
                break;
            }
        }
    }
    return worst;
}

void snap_collect_tasks(struct snap_run *run)
{
    ompd_rc_t rc = collect_all(run);

    if (rc != ompd_rc_ok || !run->task_ext)
        run->snap->tasks_known = false;
    if (rc != ompd_rc_ok && rc != ompd_rc_unsupported)
        snap_problem(run, "not all tasks are known", rc);
    if (rc != ompd_rc_ok && !run->cancelled) {
        rc = collect_chains(run);
        if (rc != ompd_rc_ok)
            snap_problem(run, "not all tasks are known", rc);
    }
    handle_set_number(run, HANDLE_TASK);
}

static enum mdl_task_kind task_kind(uint32_t flags, int taskloop)
{
    /* ompt_task_flag_t; a chunk of a taskloop or an undeferred task is explicit as well. */
    if (flags & 0x1)
        return MDL_TASK_INITIAL;
    if (flags & 0x2)
        return MDL_TASK_IMPLICIT;
    if (flags & 0x8)
        return MDL_TASK_TARGET;
    if (taskloop)
        return MDL_TASK_TASKLOOP;
    return flags & 0x08000000 ? MDL_TASK_UNDEFERRED : MDL_TASK_EXPLICIT;
}

_Static_assert((int)MDL_TASK_CREATED == (int)ompdx_task_created &&
                   (int)MDL_TASK_CANCELLED == (int)ompdx_task_cancelled &&
                   (int)MDL_TASK_RUNNING == (int)ompdx_task_running,
               "ompdx_task_state_t has the same order");

static enum mdl_task_state task_state(int state)
{
    return state > 0 && state < MDL_TASK_STATES ? (enum mdl_task_state)state : MDL_TASK_STATE_UNKNOWN;
}

/* WHY: the library's own reason where it cannot know them, or NULL. */
static void fill_predecessors(struct snap_run *run, struct mdl_task *task, ompd_task_handle_t *handle,
                              const char *why)
{
    uint64_t *ids = NULL, *copy;
    int count = 0;
    ompd_rc_t rc;

    rc = run->lib->ompdx_get_task_predecessors ? run->lib->ompdx_get_task_predecessors(handle, &ids, &count)
                                               : ompd_rc_unsupported;
    if (rc != ompd_rc_ok) {
        mdl_unknown(run->snap, &task->unknown, &task->unknown_count, "depends_on",
                    why ? arena_str(&run->snap->arena, why) : ompdlib_rc(rc));
        return;
    }
    copy = count > 0 ? arena_alloc(&run->snap->arena, (size_t)count * sizeof(*copy)) : NULL;
    if (copy) {
        memcpy(copy, ids, (size_t)count * sizeof(*copy));
        task->depends_on = copy;
        task->depends_count = count;
    }
    free(ids);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Undeferred tasks, whose threads wait for their predecessors. Collected once: there may be a million tasks.
 */
static void list_depend_tasks(struct snap_run *run)
{
    const insp_snapshot *snap = run->snap;
    uint64_t *list = arena_alloc(&run->snap->arena, ((size_t)snap->thread_count + 1) * sizeof(*list));

    for (int i = 0; list && i < snap->thread_count; i++) {
        const struct mdl_thread *t = &snap->threads[i];

        if (t->runtime == run->id && t->wait.kind == MDL_WAIT_DEPEND)
            list[run->depend_count++] = t->wait.object ? t->wait.object : t->task;
    }
    if (list)
        qsort(list, (size_t)run->depend_count, sizeof(*list), by_number);
    run->depend_tasks = list;
}

static bool waits_for_dependences(const struct snap_run *run, uint64_t task)
{
    return run->depend_tasks &&
           bsearch(&task, run->depend_tasks, (size_t)run->depend_count, sizeof(task), by_number);
}

/* What the library keeps to itself, under the names that the facts have in JSON. */
static void copy_reasons(struct snap_run *run, struct mdl_task *task, const ompdx_task_info_t *info)
{
    static const char *const fields[] = {
        [ompdx_task_fact_generator] = "generator", [ompdx_task_fact_function] = "entry",
        [ompdx_task_fact_state] = "state",         [ompdx_task_fact_final] = "final",
        [ompdx_task_fact_untied] = "untied",       [ompdx_task_fact_undeferred] = "kind",
        [ompdx_task_fact_thread] = "lwp",          [ompdx_task_fact_scheduled_over] = "scheduled_over",
        [ompdx_task_fact_children] = "children",
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        if (info->unknown[i])
            mdl_unknown(run->snap, &task->unknown, &task->unknown_count, fields[i],
                        arena_str(&run->snap->arena, info->unknown[i]));
    if (info->unknown[ompdx_task_fact_state])
        task->state = MDL_TASK_STATE_UNKNOWN;
    if (info->unknown[ompdx_task_fact_thread] && info->thread_num < 0)
        mdl_unknown(run->snap, &task->unknown, &task->unknown_count, "thread_num",
                    arena_str(&run->snap->arena, info->unknown[ompdx_task_fact_thread]));
}

static ompd_rc_t fill_from_info(struct snap_run *run, struct mdl_task *task, ompd_task_handle_t *handle)
{
    ompdx_task_info_t info = {.size = sizeof(info)};
    ompd_rc_t rc = run->lib->ompdx_get_task_info(handle, &info);

    if (rc != ompd_rc_ok)
        return rc;
    task->kind = task_kind(info.flags, info.taskloop);
    task->state = task_state(info.state);
    copy_reasons(run, task, &info);
    task->region = info.region;
    task->generator = info.generator;
    task->scheduled_over = info.scheduled_over;
    task->taskgroup = info.taskgroup;
    task->flags = info.flags;
    task->thread_num = info.thread_num < 0 ? -1 : info.thread_num;
    task->creator_thread_num = info.creator_thread_num < 0 ? -1 : info.creator_thread_num;
    task->children = info.children > INT32_MAX ? -1 : (int)info.children;
    task->priority = info.priority_known ? info.priority : -1;
    task->entry = info.function;
    task->codeptr = info.codeptr;
    task->lwp = info.thread ? snap_lwp(run->snap, info.pthread, info.tid) : 0;
    if (info.thread && !task->lwp)
        mdl_unknown(run->snap, &task->unknown, &task->unknown_count, "lwp", "its thread is not listed");
    construct_place(run->places, info.function, info.codeptr, info.source, &task->place);
    if (info.state == ompdx_task_created || info.state == ompdx_task_blocked ||
        info.unknown[ompdx_task_fact_state] || waits_for_dependences(run, info.id))
        fill_predecessors(run, task, handle, info.predecessors_unknown);
    return rc;
}

/* Who runs the task or has it on the stack, found from the threads. */
static void find_runner(struct snap_run *run, struct mdl_task *task)
{
    for (int i = 0; i < run->snap->thread_count && run->lib->ompd_get_scheduling_task_handle; i++) {
        const struct mdl_thread *t = &run->snap->threads[i];
        ompd_task_handle_t *handle = NULL, *over = NULL;

        if (t->runtime != run->id || !run->threads[i])
            continue;
        if (t->task == task->id) {
            task->state = MDL_TASK_RUNNING;
            task->lwp = t->lwp;
            task->thread_num = t->thread_num;
            return;
        }
        if (run->lib->ompd_get_curr_task_handle(run->threads[i], &handle) != ompd_rc_ok)
            continue;
        for (int depth = 0; depth < 1000 && !task->lwp; depth++) {
            ompd_rc_t rc = run->lib->ompd_get_scheduling_task_handle(handle, &over);
            int at;

            run->lib->ompd_rel_task_handle(handle);
            handle = NULL;
            if (rc != ompd_rc_ok)
                break;
            at = handle_set_find(run, HANDLE_TASK, over);
            handle = over;
            if (at >= 0 && run->tasks.id[at] == task->id) {
                task->state = MDL_TASK_SUSPENDED;
                task->lwp = t->lwp;
                task->thread_num = t->thread_num;
            }
        }
        if (handle)
            run->lib->ompd_rel_task_handle(handle);
        if (task->lwp)
            return;
    }
}

static void fill_from_standard(struct snap_run *run, struct mdl_task *task, ompd_task_handle_t *handle)
{
    static const char reason[] = "this OMPD library does not provide it";
    struct icv_handles handles = {.task = handle};
    ompd_parallel_handle_t *region = NULL;
    ompd_task_handle_t *generator = NULL;
    ompd_address_t entry = {0};
    int64_t n;

    task->thread_num = task->creator_thread_num = task->children = task->priority = -1;
    if (run->lib->ompd_get_task_parallel_handle(handle, &region) == ompd_rc_ok)
        task->region = handle_set_id(run, HANDLE_REGION, region);
    if (run->lib->ompd_get_generating_task_handle(handle, &generator) == ompd_rc_ok)
        task->generator = handle_set_id(run, HANDLE_TASK, generator);
    if (run->lib->ompd_get_task_function && run->lib->ompd_get_task_function(handle, &entry) == ompd_rc_ok)
        task->entry = entry.address;
    construct_place(run->places, task->entry, 0, 0, &task->place);
    if (!task->generator)
        task->kind = MDL_TASK_INITIAL;
    else if (icv_number(run, "implicit-task-var", &handles, &n))
        task->kind = n ? MDL_TASK_IMPLICIT : MDL_TASK_EXPLICIT;
    else if (icv_number(run, "explicit-task-var", &handles, &n))
        task->kind = n ? MDL_TASK_EXPLICIT : MDL_TASK_IMPLICIT;
    else
        mdl_unknown(run->snap, &task->unknown, &task->unknown_count, "kind", reason);
    find_runner(run, task);
    if (!task->state)
        mdl_unknown(run->snap, &task->unknown, &task->unknown_count, "state", reason);
    mdl_unknown(run->snap, &task->unknown, &task->unknown_count, "depends_on", reason);
}

/* The implicit task of a member that is gone is nobody's. */
static bool is_of_gone(const struct snap_run *run, const struct mdl_task *task)
{
    const struct mdl_region *r =
        task->kind == MDL_TASK_IMPLICIT ? mdl_region_by_id(run->snap, run->id, task->region) : NULL;

    return r && mdl_is_gone(r, task->thread_num);
}

void snap_tasks(struct snap_run *run)
{
    insp_snapshot *snap = run->snap;

    list_depend_tasks(run);
    for (int i = 0; i < run->tasks.count; i++) {
        struct mdl_task *rows =
            arena_grow(&snap->arena, snap->tasks, (size_t)snap->task_count, sizeof(*rows));
        ompd_rc_t rc = ompd_rc_ok;

        if (!rows || snap_step(run, "tasks", i, run->tasks.count))
            return;
        snap->tasks = rows;
        rows += snap->task_count;
        *rows = (struct mdl_task){.id = run->tasks.id[i], .runtime = run->id};
        if (run->task_ext)
            rc = fill_from_info(run, rows, run->tasks.handle[i]);
        else
            fill_from_standard(run, rows, run->tasks.handle[i]);
        if (rc != ompd_rc_ok) {
            snap_problem(run, "not all tasks are known", rc);
            snap->tasks_known = false;
            continue;
        }
        if (is_of_gone(run, rows))
            continue;
        snap_loop(run, rows, run->tasks.handle[i]);
        snap->task_count++;
    }
    snap_construct_functions(run);
}
