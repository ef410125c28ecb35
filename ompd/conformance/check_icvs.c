/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Internal control variables, each through its own scope, against the program's omp_get_* routines. OpenMP
 * 6.0 section 41.11.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"

enum { ICVS = 96 };
static struct icv {
    ompd_icv_id_t id;
    ompd_scope_t scope;
    char name[48];
} icvs[ICVS];
static int icv_count;

static const struct icv *icv_called(const char *name)
{
    for (int i = 0; i < icv_count; i++)
        if (strcmp(icvs[i].name, name) == 0)
            return &icvs[i];
    /* 5.0 has OMPD's own name for some; its "final" and "implicit" have no "-task". */
    char own[64];
    snprintf(own, sizeof own, "ompd-%s", name);
    for (int i = 0; i < icv_count; i++)
        if (strcmp(icvs[i].name, own) == 0)
            return &icvs[i];
    if (strcmp(name, "final-task-var") == 0)
        return icv_called("final-var");
    return strcmp(name, "implicit-task-var") == 0 ? icv_called("implicit-var") : NULL;
}

static void *handle_for(const struct scene *scene, ompd_scope_t scope, void *parallel, void *task,
                        void *thread)
{
    switch (scope) {
    case ompd_scope_global:
    case ompd_scope_address_space:
        return scene->space;
    case ompd_scope_thread:
        return thread;
    case ompd_scope_parallel:
    case ompd_scope_teams:
    case ompd_scope_target:
        return parallel;
    default:
        return task;
    }
}

static ompd_word_t enumerated; /* the version that icvs[] is of */

static void enumerate(const struct scene *scene)
{
    ompd_icv_id_t id = 0, next = 0;
    int more = 1;
    icv_count = 0;
    enumerated = version;
    while (more && icv_count < ICVS && HAS(ompd_enumerate_icvs)) {
        const char *name = NULL;
        ompd_scope_t scope = 0;
        if (!check_rc(CALL(ompd_enumerate_icvs, scene->space, id, &next, &name, &scope, &more), ompd_rc_ok,
                      "ompd_enumerate_icvs"))
            return;
        check(next != 0, "an ICV has the id of none");
        check(scope >= ompd_scope_global &&
                  scope <= (version < VERSION_60 ? ompd_scope_task : ompd_scope_target),
              "%s has scope %d", name, (int)scope);
        for (int i = 0; i < icv_count; i++)
            check(icvs[i].id != next && strcmp(icvs[i].name, name) != 0, "%s is listed twice", name);
        icvs[icv_count].id = next;
        icvs[icv_count].scope = scope;
        snprintf(icvs[icv_count++].name, sizeof icvs->name, "%s", name);
        give_back(name);
        id = next;
    }
}

/** Both forms of one value; what a wrong question about it gets. */
static void check_one(const struct icv *icv, void *handle)
{
    const char *text = NULL;
    ompd_word_t value = 0x5a5a5a;
    const ompd_rc_t rc = CALL(ompd_get_icv_from_scope, handle, icv->scope, icv->id, &value);
    if (rc == ompd_rc_unsupported && truth_only)
        return;
    check(rc == ompd_rc_ok || rc == ompd_rc_incomplete || rc == ompd_rc_incompatible, "%s as a number: %s",
          icv->name, rc_name(rc));
    if (rc == ompd_rc_incompatible)
        check(value == 0x5a5a5a, "%s has no number, but changed the output", icv->name);
    if (!HAS(ompd_get_icv_string_from_scope) ||
        !check_rc(CALL(ompd_get_icv_string_from_scope, handle, icv->scope, icv->id, &text), ompd_rc_ok,
                  icv->name))
        return;
    char *end;
    const long number = strtol(text, &end, 10);
    if (rc == ompd_rc_ok && end != text && *end == 0)
        check(number == (long)value, "%s is %ld and \"%s\"", icv->name, (long)value, text);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        check(value == (*text == 't'), "%s is %ld and \"%s\"", icv->name, (long)value, text);
    if (strcmp(icv->name, "run-sched-var") == 0)
        check((value & 0x7fffffff) == 3 && strstr(text, "guided,7"), "run-sched-var is %ld and \"%s\"",
              (long)value, text);
    give_back(text);
    if (truth_only)
        return;
    value = 0x5a5a5a;
    check_rc(CALL(ompd_get_icv_from_scope, handle, (ompd_scope_t)99, icv->id, &value), ompd_rc_bad_input,
             "scope 99");
    check_rc(CALL(ompd_get_icv_from_scope, handle, icv->scope, (ompd_icv_id_t)0, &value), ompd_rc_bad_input,
             "ICV 0");
    check_rc(CALL(ompd_get_icv_from_scope, handle, icv->scope, (ompd_icv_id_t)1000000, &value),
             ompd_rc_bad_input, "ICV 1000000");
    check(value == 0x5a5a5a, "a refused question for %s changed the output", icv->name);
    check_rc(CALL(ompd_get_icv_from_scope, handle, icv->scope, icv->id, NULL), ompd_rc_bad_input, icv->name);
    check_rc(CALL(ompd_get_icv_string_from_scope, handle, icv->scope, icv->id, NULL), ompd_rc_bad_input,
             icv->name);
}

bool icv_by_name(const struct scene *scene, const char *name, void *parallel, void *task, void *thread,
                 int64_t *ret)
{
    if (enumerated != version || icv_count == 0)
        enumerate(scene);
    const struct icv *icv = icv_called(name);
    void *handle = icv ? handle_for(scene, icv->scope, parallel, task, thread) : NULL;
    ompd_word_t value;
    if (!handle || !HAS(ompd_get_icv_from_scope))
        return false;
    const ompd_rc_t rc = CALL(ompd_get_icv_from_scope, handle, icv->scope, icv->id, &value);
    /* An explicit task has no value of its own of what belongs to implicit ones (thread-num-var in 5.1). */
    if (rc == ompd_rc_incompatible && icv->scope == ompd_scope_implicit_task)
        return false;
    if (rc == ompd_rc_unsupported && truth_only) /* an old runtime does not keep it */
        return false;
    if (!check(rc == ompd_rc_ok || rc == ompd_rc_incomplete, "%s: %s", name, rc_name(rc)))
        return false;
    *ret = value;
    return true;
}

static void compare_one(const struct scene *scene, const char *name, int64_t wanted, void *parallel,
                        void *task, void *thread)
{
    int64_t value = -1;
    if (!icv_by_name(scene, name, parallel, task, thread, &value))
        return;
    tally.icvs++;
    if (strcmp(name, "run-sched-var") == 0)
        value &= 0x7fffffff; /* less the modifier */
    check(value == wanted, "%s is %ld, truth %ld", name, (long)value, (long)wanted);
}

static void check_thread(const struct scene *scene, const struct truth_thread *truth)
{
    ompd_thread_handle_t *thread = thread_of(scene, truth);
    ompd_task_handle_t *task = NULL;
    ompd_parallel_handle_t *parallel = NULL;
    if (thread && CALL(ompd_get_curr_task_handle, thread, &task) == ompd_rc_ok &&
        CALL(ompd_get_curr_parallel_handle, thread, &parallel) == ompd_rc_ok) {
        compare_one(scene, "levels-var", truth->level, parallel, task, thread);
        compare_one(scene, "active-levels-var", truth->active_level, parallel, task, thread);
        compare_one(scene, "thread-num-var", truth->thread_num, parallel, task, thread);
        compare_one(scene, "team-size-var", truth->team_size, parallel, task, thread);
        compare_one(scene, "final-task-var", truth->in_final, parallel, task, thread);
        compare_one(scene, "explicit-task-var", truth->task_explicit, parallel, task, thread);
        compare_one(scene, "implicit-task-var", !truth->task_explicit, parallel, task, thread);
        for (int i = 0; i < truth->icv_count; i++)
            if (strcmp(truth->icvs[i].name, "run-sched-chunk") != 0)
                compare_one(scene, truth->icvs[i].name, truth->icvs[i].value, parallel, task, thread);
        for (int i = 0; i < icv_count; i++) {
            void *handle = handle_for(scene, icvs[i].scope, parallel, task, thread);
            /* Values of implicit tasks only are asked of those. */
            if (icvs[i].scope != ompd_scope_implicit_task || !truth->task_explicit)
                check_one(&icvs[i], handle);
        }
    }
    if (parallel)
        check_rc(CALL(ompd_rel_parallel_handle, parallel), ompd_rc_ok, "ompd_rel_parallel_handle");
    if (task)
        check_rc(CALL(ompd_rel_task_handle, task), ompd_rc_ok, "ompd_rel_task_handle");
    if (thread)
        check_rc(CALL(ompd_rel_thread_handle, thread), ompd_rc_ok, "ompd_rel_thread_handle");
}

void check_icvs(const struct scene *scene)
{
    enumerate(scene);
    if (HAS(ompd_enumerate_icvs)) {
        ompd_icv_id_t next = 77;
        const char *name = NULL;
        ompd_scope_t scope = 0;
        int more = 77;
        check_rc(CALL(ompd_enumerate_icvs, scene->space, (ompd_icv_id_t)1000000, &next, &name, &scope, &more),
                 ompd_rc_bad_input, "ompd_enumerate_icvs after an unknown one");
        check(next == 77 && !name && scope == 0 && more == 77, "ompd_enumerate_icvs changed its outputs");
    }
    for (int i = 0; i < scene->truth->thread_count && i < 16; i++)
        if (!scene->truth->threads[i].idle)
            check_thread(scene, &scene->truth->threads[i]);
}
