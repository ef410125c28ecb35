/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Answers while a program goes on: right at each place outside a bracket, those of the first look inside one;
 * and handles to what has ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

enum { PHASES = 8 };

/** What walk.c says of the thread that speaks. */
struct place {
    int32_t tid;
    int thread_num, team_size, level, is_explicit, max_threads;
};

/** What the library holds of a place. */
struct held {
    ompd_thread_handle_t *thread;
    ompd_parallel_handle_t *parallel;
    ompd_task_handle_t *task;
};

static bool read_place(const struct child *child, int phase, struct place *place)
{
    char mark[32];
    snprintf(mark, sizeof mark, "PHASE %d ", phase);
    const char *line = child->text ? strstr(child->text, mark) : NULL;
    if (!line)
        return false;
    int *const numbers[] = {&place->tid,   &place->thread_num,  &place->team_size,
                            &place->level, &place->is_explicit, &place->max_threads};
    const char *at = line + strlen(mark);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *end;
        *numbers[i] = (int)strtol(at, &end, 10);
        if (end == at)
            return false;
        at = end;
    }
    return true;
}

static bool take(const struct scene *scene, int32_t tid, struct held *held)
{
    *held = (struct held){0};
    return check_rc(CALL(ompd_get_thread_handle, scene->space, OMPD_THREAD_ID_LWP, sizeof tid, &tid,
                         &held->thread),
                    ompd_rc_ok, "ompd_get_thread_handle") &&
           check_rc(CALL(ompd_get_curr_parallel_handle, held->thread, &held->parallel), ompd_rc_ok,
                    "ompd_get_curr_parallel_handle") &&
           check_rc(CALL(ompd_get_curr_task_handle, held->thread, &held->task), ompd_rc_ok,
                    "ompd_get_curr_task_handle");
}

static void give(const struct held *held)
{
    if (held->task)
        check_rc(CALL(ompd_rel_task_handle, held->task), ompd_rc_ok, "ompd_rel_task_handle");
    if (held->parallel)
        check_rc(CALL(ompd_rel_parallel_handle, held->parallel), ompd_rc_ok, "ompd_rel_parallel_handle");
    if (held->thread)
        check_rc(CALL(ompd_rel_thread_handle, held->thread), ompd_rc_ok, "ompd_rel_thread_handle");
}

/** What the handles say is what the program said at PLACE. */
static void check_place(const struct scene *scene, const struct held *held, const struct place *place)
{
    const struct {
        const char *name;
        int truth;
    } values[] = {{"thread-num-var", place->thread_num},
                  {"team-size-var", place->team_size},
                  {"levels-var", place->level},
                  {"explicit-task-var", place->is_explicit},
                  {"nthreads-var", place->max_threads}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int64_t value = 0;
        if (!icv_by_name(scene, values[i].name, held->parallel, held->task, held->thread, &value))
            continue;
        tally.icvs++;
        check(value == values[i].truth, "%s is %ld, truth %d", values[i].name, (long)value, values[i].truth);
    }
    ompd_word_t state = -1;
    check_rc(CALL(ompd_get_state, held->thread, &state, NULL), ompd_rc_ok, "ompd_get_state");
    check(state == (place->level ? ompt_state_work_parallel : ompt_state_work_serial), "state 0x%lx",
          (long)state);
}

/** Everything that PLACE was asked before is stale: its region and task have ended. */
static void check_stale(const struct held *held)
{
    ompd_thread_handle_t *thread = NULL;
    ompd_parallel_handle_t *parallel = NULL;
    ompd_task_handle_t *task = NULL;
    const ompd_rc_t stale = ompd_rc_stale_handle;
    check_rc(CALL(ompd_get_thread_in_parallel, held->parallel, 0, &thread), stale,
             "a member of an ended region");
    check_rc(CALL(ompd_get_enclosing_parallel_handle, held->parallel, &parallel), stale,
             "around an ended region");
    check_rc(CALL(ompd_get_task_parallel_handle, held->task, &parallel), stale, "region of an ended task");
    check_rc(CALL(ompd_get_generating_task_handle, held->task, &task), stale, "generator of an ended task");
    if (HAS(ompd_get_task_in_parallel))
        check_rc(CALL(ompd_get_task_in_parallel, held->parallel, 0, &task), stale,
                 "a task of an ended region");
    check(!thread && !parallel && !task, "an ended region or task gave a handle");
}

/** The thread's own handle outlives its regions: it says where the thread is now. */
static bool check_thread_now(const struct scene *scene, ompd_thread_handle_t *thread,
                             const struct place *place)
{
    struct held now = {.thread = thread};
    const bool taken =
        check_rc(CALL(ompd_get_curr_parallel_handle, thread, &now.parallel), ompd_rc_ok,
                 "ompd_get_curr_parallel_handle") &&
        check_rc(CALL(ompd_get_curr_task_handle, thread, &now.task), ompd_rc_ok, "ompd_get_curr_task_handle");
    if (taken)
        check_place(scene, &now, place);
    now.thread = NULL;
    give(&now);
    return taken;
}

static bool step(struct child *child, int phase, struct place *place)
{
    char mark[32];
    snprintf(mark, sizeof mark, "PHASE %d ", phase);
    return check(child_resume(child, mark) && read_place(child, phase, place),
                 "the program does not reach %s", mark);
}

/** From place 1 to 2 in a bracket, with a second handle of the process beside that has none. */
static void check_bracket(struct scene *scene, struct held *held, struct place *place)
{
    struct scene beside = *scene;
    struct held other;
    const struct place first = *place;
    if (!HAS(ompdx_stop_begin) || !HAS(ompdx_stop_end)) {
        step(scene->child, 2, place);
        return;
    }
    if (!check_rc(CALL(ompd_process_initialize, &beside.context, &beside.space), ompd_rc_ok,
                  "ompd_process_initialize") ||
        !take(&beside, place->tid, &other))
        return;
    check_rc(CALL(ompdx_stop_end, scene->space), ompd_rc_unavailable, "ompdx_stop_end without a bracket");
    check_rc(CALL(ompdx_stop_begin, scene->space), ompd_rc_ok, "ompdx_stop_begin");
    check_rc(CALL(ompdx_stop_begin, scene->space), ompd_rc_unavailable, "ompdx_stop_begin in a bracket");
    check_place(scene, held, place);
    const unsigned long before = callback_counts.read;
    check_place(scene, held, place);
    check(callback_counts.read == before, "%lu reads of what the bracket has read",
          callback_counts.read - before);
    /* The promise is broken on purpose: the one handle answers as it did, the other as things are. */
    if (!step(scene->child, 2, place))
        return;
    check_place(scene, held, &first);
    check_thread_now(scene, held->thread, &first);
    check_stale(&other);
    check_thread_now(&beside, other.thread, place);
    check_rc(CALL(ompdx_stop_end, scene->space), ompd_rc_ok, "ompdx_stop_end");
    give(&other);
    check_rc(CALL(ompd_rel_address_space_handle, beside.space), ompd_rc_ok, "ompd_rel_address_space_handle");
}

static void walk_through(struct scene *scene)
{
    struct held held[PHASES + 1] = {0};
    struct place place = {0};
    ompd_word_t state;
    int last = 1;
    if (!check(read_place(scene->child, 1, &place), "no first place") || !take(scene, place.tid, &held[1]))
        return;
    check_place(scene, &held[1], &place);
    check_bracket(scene, &held[1], &place);
    for (int phase = 2; phase <= PHASES; phase++) {
        if (phase > 2 && !step(scene->child, phase, &place))
            break;
        /* One handle of the thread that is at all places but 7; 7's thread has ended at 8. */
        if (phase != 7)
            check_thread_now(scene, held[1].thread, &place);
        if (phase == 8)
            check_rc(CALL(ompd_get_state, held[7].thread, &state, NULL), ompd_rc_stale_handle,
                     "an ended thread");
        if (!take(scene, place.tid, &held[phase]))
            break;
        last = phase;
        check_place(scene, &held[phase], &place);
        for (int ended = 1; ended < phase; ended++)
            if (ended != 3) /* the initial region */
                check_stale(&held[ended]);
    }
    for (int i = 1; i <= last; i++)
        give(&held[i]);
}

void check_walk(const char *program)
{
    static const ompd_word_t versions[] = {VERSION_50, VERSION_60};
    char *argv[] = {(char *)(uintptr_t)program, NULL};
    const char *env[] = {"OMP_WAIT_POLICY", "passive", NULL};
    const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    for (int v = 0; v < 2; v++) {
        struct child child;
        struct scene scene = {.child = &child};
        version = 0;
        set_title(name, versions[v]);
        symbols_forget();
        if (check(child_start(&child, argv, env, "PHASE 1 ", false),
                  "the program did not come to its first place")) {
            check_initialize(versions[v]);
            if (check_process(&scene)) {
                walk_through(&scene);
                check_rc(CALL(ompd_rel_address_space_handle, scene.space), ompd_rc_ok, "release");
            }
            check_finalize();
            check_behaviour();
        }
        child_forget(&child);
    }
}
