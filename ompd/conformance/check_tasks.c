/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks: the current one, chains of generating and scheduling tasks, all tasks. OpenMP 6.0 sections 41.6 to
 * 41.8.
 */
#include <stdlib.h>
#include <string.h>

#include "conf.h"

enum { LONGEST = 1000 };

static void rel_task(ompd_task_handle_t *task)
{
    check_rc(CALL(ompd_rel_task_handle, task), ompd_rc_ok, "ompd_rel_task_handle");
}

static int compared(ompd_task_handle_t *one, ompd_task_handle_t *two)
{
    int order = 99, back = 99;
    check_rc(CALL(ompd_task_handle_compare, one, two, &order), ompd_rc_ok, "ompd_task_handle_compare");
    check_rc(CALL(ompd_task_handle_compare, two, one, &back), ompd_rc_ok, "ompd_task_handle_compare");
    check((order < 0) == (back > 0) && (order == 0) == (back == 0), "tasks compare as %d and %d", order,
          back);
    return order;
}

typedef __typeof__(ompd_get_generating_task_handle) step_fn;

/** Follows a chain from a thread's current task to its end. Returns its length. */
static int chain(const struct scene *scene, ompd_thread_handle_t *thread, int function, step_fn *step)
{
    ompd_task_handle_t *task = NULL;
    int length = 0;
    (void)scene;
    if (!check_rc(CALL(ompd_get_curr_task_handle, thread, &task), ompd_rc_ok, "ompd_get_curr_task_handle"))
        return 0;
    for (;; length++) {
        ompd_task_handle_t *next = NULL;
        const ompd_rc_t rc = account(function, (enter_library(), step(task, &next)));
        if (rc == ompd_rc_ok)
            check(compared(task, next) != 0, "%s gives the task itself", functions[function].name);
        else
            check_rc(rc, ompd_rc_unavailable, functions[function].name);
        rel_task(task);
        if (rc != ompd_rc_ok)
            return length;
        task = next;
        if (!check(length < LONGEST, "%s does not come to an end", functions[function].name)) {
            rel_task(task);
            return length;
        }
    }
}

/** Its code is called by its creator, so no frame of the runtime lies below it. */
static bool is_undeferred(ompd_task_handle_t *task)
{
    ompdx_task_info_t info = {.size = sizeof info};
    return HAS(ompdx_get_task_info) && CALL(ompdx_get_task_info, task, &info) == ompd_rc_ok &&
           (info.flags & ompt_task_undeferred) != 0;
}

/** A frame is a place on a stack: readable, and aligned as the psABI has it. */
static void check_frame(const struct scene *scene, const ompd_frame_info_t *frame)
{
    uint64_t word;
    const uint64_t address = frame->frame_address.address;
    check(frame->frame_address.segment == ompd_segment_none, "a frame has a segment");
    if (address != 0)
        check(address % 8 == 0 && child_read(scene->child, address, &word, sizeof word),
              "a frame at 0x%lx is on no stack", (unsigned long)address);
}

static void check_frames(const struct scene *scene, const struct truth_thread *thread,
                         ompd_task_handle_t *task)
{
    ompd_frame_info_t exit_frame, enter_frame;
    ompd_address_t entry = {1, 1};
    memset(&exit_frame, 0, sizeof exit_frame);
    memset(&enter_frame, 0, sizeof enter_frame);
    if (HAS(ompd_get_task_frame) && check_rc(CALL(ompd_get_task_frame, task, &exit_frame, &enter_frame),
                                             ompd_rc_ok, "ompd_get_task_frame")) {
        /* These the compiler calls the runtime for; a lock's wait may have no frame of its own. */
        if (thread->state &&
            (strcmp(thread->state, "wait_taskwait") == 0 || strcmp(thread->state, "wait_taskgroup") == 0 ||
             strcmp(thread->state, "wait_barrier_explicit") == 0))
            check(enter_frame.frame_address.address != 0, "a waiting task has no enter frame");
        if (thread->task_explicit && !is_undeferred(task))
            check(exit_frame.frame_address.address != 0, "an explicit task has no exit frame");
        check_frame(scene, &exit_frame);
        check_frame(scene, &enter_frame);
    }
    if (!HAS(ompd_get_task_function))
        return;
    const ompd_rc_t rc = CALL(ompd_get_task_function, task, &entry);
    /*
     * An initial task's code is the program's own, and some compilers call the code of a region themselves.
     */
    check(rc == ompd_rc_ok || (rc == ompd_rc_unavailable && !thread->task_explicit),
          "ompd_get_task_function: %s", rc_name(rc));
    if (rc == ompd_rc_ok)
        check(entry.segment == ompd_segment_none, "a function has a segment");
    if (thread->task_explicit)
        check(entry.address > 4096, "an explicit task's function is at 0x%lx", (unsigned long)entry.address);
}

static void check_current(const struct scene *scene, const struct truth_thread *truth,
                          ompd_thread_handle_t *thread)
{
    ompd_task_handle_t *task = NULL, *implicit = NULL;
    ompd_parallel_handle_t *region = NULL, *current = NULL;
    int order = 99;
    if (!check_rc(CALL(ompd_get_curr_task_handle, thread, &task), ompd_rc_ok, "ompd_get_curr_task_handle"))
        return;
    if (check_rc(CALL(ompd_get_task_parallel_handle, task, &region), ompd_rc_ok,
                 "ompd_get_task_parallel_handle") &&
        check_rc(CALL(ompd_get_curr_parallel_handle, thread, &current), ompd_rc_ok,
                 "ompd_get_curr_parallel_handle")) {
        check_rc(CALL(ompd_parallel_handle_compare, region, current, &order), ompd_rc_ok,
                 "ompd_parallel_handle_compare");
        check(order == 0, "the current task is not of the current region");
        if (HAS(ompd_get_task_in_parallel) &&
            check_rc(CALL(ompd_get_task_in_parallel, region, truth->thread_num, &implicit), ompd_rc_ok,
                     "ompd_get_task_in_parallel")) {
            check((compared(task, implicit) == 0) != truth->task_explicit,
                  "thread %ld is %sin its implicit task, truth: it is %s", (long)truth->tid,
                  truth->task_explicit ? "" : "not ", truth->task_explicit ? "not" : "there");
            rel_task(implicit);
        }
    }
    check_frames(scene, truth, task);
    if (current)
        check_rc(CALL(ompd_rel_parallel_handle, current), ompd_rc_ok, "ompd_rel_parallel_handle");
    if (region)
        check_rc(CALL(ompd_rel_parallel_handle, region), ompd_rc_ok, "ompd_rel_parallel_handle");
    rel_task(task);
    /* Each region's implicit task was generated in the one around it, explicit tasks come on top. */
    const int generations =
        chain(scene, thread, FN_ompd_get_generating_task_handle, api.ompd_get_generating_task_handle);
    check(generations >= truth->level + truth->task_explicit, "%d generating tasks at level %d", generations,
          truth->level);
    if (HAS(ompd_get_scheduling_task_handle)) {
        const int below =
            chain(scene, thread, FN_ompd_get_scheduling_task_handle, api.ompd_get_scheduling_task_handle);
        check(truth->task_explicit ? below >= 1 : below >= 0, "an explicit task was scheduled over none");
    }
}

static void check_all(const struct scene *scene)
{
    const struct truth *truth = scene->truth;
    const struct {
        const char *name;
        int wanted, state;
    } states[] = {{"running", truth->running, ompdx_task_running},
                  {"ready", truth->ready, ompdx_task_ready},
                  {"blocked", truth->blocked, ompdx_task_blocked},
                  {"suspended", truth->suspended, ompdx_task_suspended},
                  {"completing", truth->completing, ompdx_task_completing}};
    ompd_task_handle_t **all = NULL;
    int count = -1, seen[16] = {0}, total = 0;
    if (!HAS(ompdx_get_all_tasks) || !HAS(ompdx_get_task_info) ||
        !check_rc(CALL(ompdx_get_all_tasks, scene->space, &all, &count), ompd_rc_ok, "ompdx_get_all_tasks"))
        return;
    for (int i = 0; i < count; i++) {
        ompdx_task_info_t info = {.size = sizeof info};
        uint64_t *before = NULL;
        int predecessors = -1;
        check_rc(CALL(ompdx_get_task_info, all[i], &info), ompd_rc_ok, "ompdx_get_task_info");
        check_rc(CALL(ompdx_get_task_predecessors, all[i], &before, &predecessors), ompd_rc_ok,
                 "ompdx_get_task_predecessors");
        if (before)
            give_back(before);
        if (info.flags & ompt_task_explicit) {
            seen[info.state & 15]++;
            total += info.state != ompdx_task_completing;
            check((predecessors > 0) == (info.state == ompdx_task_blocked),
                  "a task of state %d waits for %d others", info.state, predecessors);
        }
        if (i > 0)
            check(compared(all[i - 1], all[i]) < 0, "all tasks are not in the order of compare");
    }
    if (truth->explicit_total >= 0)
        check(total == truth->explicit_total, "%d explicit tasks, truth %d", total, truth->explicit_total);
    for (int i = 0; i < 5; i++)
        if (states[i].wanted >= 0)
            check(seen[states[i].state] == states[i].wanted, "%d %s tasks, truth %d", seen[states[i].state],
                  states[i].name, states[i].wanted);
    for (int i = 0; i < count; i++)
        rel_task(all[i]);
    give_back(all);
}

void check_tasks(const struct scene *scene)
{
    for (int i = 0; i < scene->truth->thread_count; i++) {
        const struct truth_thread *truth = &scene->truth->threads[i];
        ompd_thread_handle_t *thread = thread_of(scene, truth);
        ompd_task_handle_t *none = NULL;
        if (!thread)
            continue;
        if (truth->idle) {
            check_rc(CALL(ompd_get_curr_task_handle, thread, &none), ompd_rc_unavailable,
                     "ompd_get_curr_task_handle of an idle thread");
            check(!none, "ompd_get_curr_task_handle changed its output");
        } else {
            check_current(scene, truth, thread);
        }
        check_rc(CALL(ompd_rel_thread_handle, thread), ompd_rc_ok, "ompd_rel_thread_handle");
    }
    check_all(scene);
}
