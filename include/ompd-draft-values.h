/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Conversions for ompd-draft.h: states, ICVs with the handle that their scope asks for, schedules, vectors of
 * handles. Not for use alone.
 */
#ifndef OMPD_DRAFT_VALUES_H
#define OMPD_DRAFT_VALUES_H

#include "ompd-draft-library.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ompd_rc_unsupported: a wait for a device, or a state of the runtime's own: the draft has no word for it. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_state(ompd_word_t today, ompd_state_t *state)
{
    static const struct {
        ompt_state_t today;
        ompd_state_t old;
    } table[] = {
        {ompt_state_work_serial, ompd_state_work_serial},
        {ompt_state_work_parallel, ompd_state_work_parallel},
        {ompt_state_work_free_agent, ompd_state_work_parallel},
        {ompt_state_work_induction, ompd_state_work_parallel},
        {ompt_state_work_reduction, ompd_state_work_reduction},
        {ompt_state_idle, ompd_state_idle},
        {ompt_state_overhead, ompd_state_overhead},
        {ompt_state_wait_barrier, ompd_state_wait_barrier},
        {ompt_state_wait_barrier_implementation, ompd_state_wait_barrier},
        {ompt_state_wait_barrier_teams, ompd_state_wait_barrier},
        {ompt_state_wait_barrier_implicit, ompd_state_wait_barrier_implicit},
        {ompt_state_wait_barrier_implicit_parallel, ompd_state_wait_barrier_implicit},
        {ompt_state_wait_barrier_implicit_workshare, ompd_state_wait_barrier_implicit},
        {ompt_state_wait_barrier_explicit, ompd_state_wait_barrier_explicit},
        {ompt_state_wait_taskwait, ompd_state_wait_taskwait},
        {ompt_state_wait_taskgroup, ompd_state_wait_taskgroup},
        {ompt_state_wait_mutex, ompd_state_wait_mutex},
        {ompt_state_wait_lock, ompd_state_wait_lock},
        {ompt_state_wait_critical, ompd_state_wait_critical},
        {ompt_state_wait_atomic, ompd_state_wait_atomic},
        {ompt_state_wait_ordered, ompd_state_wait_ordered},
        {ompt_state_undefined, ompd_state_undefined},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (today == (ompd_word_t)table[i].today) {
            *state = table[i].old;
            return ompd_rc_ok;
        }
    return ompd_rc_unsupported;
}

/* Sorts of handles. */
enum ompd_draft_sort {
    ompd_draft_of_aspace,
    ompd_draft_of_thread,
    ompd_draft_of_parallel,
    ompd_draft_of_task
};

OMPD_DRAFT_INLINE void ompd_draft_drop(enum ompd_draft_sort sort, void *handle)
{
    if (sort == ompd_draft_of_thread)
        OMPD_DRAFT_CALL(ompd_rel_thread_handle)((ompd_thread_handle_t *)handle);
    else if (sort == ompd_draft_of_parallel)
        OMPD_DRAFT_CALL(ompd_rel_parallel_handle)((ompd_parallel_handle_t *)handle);
    else if (sort == ompd_draft_of_task)
        OMPD_DRAFT_CALL(ompd_rel_task_handle)((ompd_task_handle_t *)handle);
}

OMPD_DRAFT_INLINE void ompd_draft_drop_threads(ompd_thread_handle_t **all, int count)
{
    for (int i = 0; i < count; i++)
        ompd_draft_drop(ompd_draft_of_thread, all[i]);
    ompd_draft_free(all);
}

OMPD_DRAFT_INLINE void ompd_draft_drop_tasks(ompd_task_handle_t **all, int count)
{
    for (int i = 0; i < count; i++)
        ompd_draft_drop(ompd_draft_of_task, all[i]);
    ompd_draft_free(all);
}

/* The thread of its team that executes a task. ompd_rc_unavailable: none does. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_thread_of_task(ompd_task_handle_t *task, ompd_thread_handle_t **ret)
{
    ompd_parallel_handle_t *region;
    ompd_word_t size = 0;
    const struct ompd_draft_icv_place *icv = &ompd_draft_library.icv[ompd_draft_team_size];
    if (icv->scope != ompd_scope_parallel)
        return ompd_rc_unsupported;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_get_task_parallel_handle)(task, &region);
    if (rc != ompd_rc_ok)
        return rc;
    rc = OMPD_DRAFT_CALL(ompd_get_icv_from_scope)(region, icv->scope, icv->id, &size);
    int differ = 1;
    for (int i = 0; rc == ompd_rc_ok && differ != 0 && i < size; i++) {
        ompd_thread_handle_t *thread;
        ompd_task_handle_t *current;
        rc = OMPD_DRAFT_CALL(ompd_get_thread_in_parallel)(region, i, &thread);
        if (rc != ompd_rc_ok)
            break;
        rc = OMPD_DRAFT_CALL(ompd_get_curr_task_handle)(thread, &current);
        if (rc == ompd_rc_ok) {
            rc = OMPD_DRAFT_CALL(ompd_task_handle_compare)(current, task, &differ);
            ompd_draft_drop(ompd_draft_of_task, current);
        }
        if (rc == ompd_rc_ok && differ == 0)
            *ret = thread;
        else
            ompd_draft_drop(ompd_draft_of_thread, thread);
    }
    ompd_draft_drop(ompd_draft_of_parallel, region);
    return rc == ompd_rc_ok && differ != 0 ? ompd_rc_unavailable : rc;
}

/* The initial task of the process: outermost in the first thread. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_initial_task(ompd_address_space_handle_t *aspace,
                                                    ompd_task_handle_t **ret)
{
    ompd_thread_handle_t **threads;
    ompd_task_handle_t *task, *outer;
    int count;
    if (!OMPD_DRAFT_HAS(ompdx_get_all_threads))
        return ompd_rc_unsupported;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompdx_get_all_threads)(aspace, &threads, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return rc;
    rc = count > 0 ? OMPD_DRAFT_CALL(ompd_get_curr_task_handle)(threads[0], &task) : ompd_rc_unavailable;
    ompd_draft_drop_threads(threads, count);
    while (rc == ompd_rc_ok) {
        rc = OMPD_DRAFT_CALL(ompd_get_generating_task_handle)(task, &outer);
        if (rc == ompd_rc_unavailable) {
            *ret = task;
            return ompd_rc_ok;
        }
        ompd_draft_drop(ompd_draft_of_task, task);
        task = outer;
    }
    return rc;
}

/*
 * The handle to ask for an ICV of `scope`, from a handle of another sort. *ret is the same handle, or a new
 * one to be dropped. ompd_rc_unsupported: no way leads there.
 */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_reach(enum ompd_draft_sort sort, void *handle,
                                             enum ompd_draft_sort wanted, void **ret)
{
    *ret = handle;
    if (sort == wanted)
        return ompd_rc_ok;
    if (sort == ompd_draft_of_thread && wanted == ompd_draft_of_task)
        return OMPD_DRAFT_CALL(ompd_get_curr_task_handle)((ompd_thread_handle_t *)handle,
                                                          (ompd_task_handle_t **)ret);
    if (sort == ompd_draft_of_thread && wanted == ompd_draft_of_parallel)
        return OMPD_DRAFT_CALL(ompd_get_curr_parallel_handle)((ompd_thread_handle_t *)handle,
                                                              (ompd_parallel_handle_t **)ret);
    if (sort == ompd_draft_of_task && wanted == ompd_draft_of_parallel)
        return OMPD_DRAFT_CALL(ompd_get_task_parallel_handle)((ompd_task_handle_t *)handle,
                                                              (ompd_parallel_handle_t **)ret);
    if (sort == ompd_draft_of_task && wanted == ompd_draft_of_thread)
        return ompd_draft_thread_of_task((ompd_task_handle_t *)handle, (ompd_thread_handle_t **)ret);
    if (sort == ompd_draft_of_aspace && wanted == ompd_draft_of_task)
        return ompd_draft_initial_task((ompd_address_space_handle_t *)handle, (ompd_task_handle_t **)ret);
    return ompd_rc_unsupported;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_sort_of_scope(ompd_scope_t scope, enum ompd_draft_sort *sort)
{
    switch (scope) {
    case ompd_scope_global:
    case ompd_scope_address_space:
        *sort = ompd_draft_of_aspace;
        return ompd_rc_ok;
    case ompd_scope_thread:
        *sort = ompd_draft_of_thread;
        return ompd_rc_ok;
    case ompd_scope_parallel:
        *sort = ompd_draft_of_parallel;
        return ompd_rc_ok;
    case ompd_scope_implicit_task:
    case ompd_scope_task:
        *sort = ompd_draft_of_task;
        return ompd_rc_ok;
    default:
        return ompd_rc_unsupported;
    }
}

/* An ICV's value for a handle of any sort, as a number (word) or else as a text (string), which the tool
 * frees. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_icv_value(enum ompd_draft_icv icv, enum ompd_draft_sort sort,
                                                 void *handle, ompd_tword_t *word, const char **string)
{
    const struct ompd_draft_icv_place *place = &ompd_draft_library.icv[icv];
    enum ompd_draft_sort wanted = sort;
    void *use;
    if (place->id == ompd_icv_undefined)
        return ompd_rc_unsupported;
    ompd_rc_t rc = ompd_draft_sort_of_scope(place->scope, &wanted);
    if (rc == ompd_rc_ok)
        rc = ompd_draft_reach(sort, handle, wanted, &use);
    if (rc != ompd_rc_ok)
        return ompd_draft_code(rc);
    if (word != NULL)
        rc = OMPD_DRAFT_CALL(ompd_get_icv_from_scope)(use, place->scope, place->id, word);
    else
        rc = OMPD_DRAFT_CALL(ompd_get_icv_string_from_scope)(use, place->scope, place->id, string);
    if (use != handle)
        ompd_draft_drop(wanted, use);
    /* Of a list the first item, which is what the draft asks for. */
    return rc == ompd_rc_incomplete && word != NULL ? ompd_rc_ok : ompd_draft_code(rc);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_icv_word(enum ompd_draft_icv icv, enum ompd_draft_sort sort,
                                                void *handle, ompd_tword_t *val)
{
    return val == NULL ? ompd_rc_bad_input : ompd_draft_icv_value(icv, sort, handle, val, NULL);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_icv_string(enum ompd_draft_icv icv, ompd_task_handle_t *task,
                                                  const char **text)
{
    return ompd_draft_icv_value(icv, ompd_draft_of_task, task, NULL, text);
}

/* Whether a task's ICV is above a bound. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_icv_more(enum ompd_draft_icv icv, void *task, ompd_tword_t than,
                                                ompd_tword_t *val)
{
    ompd_tword_t word;
    if (val == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = ompd_draft_icv_word(icv, ompd_draft_of_task, task, &word);
    if (rc == ompd_rc_ok)
        *val = word > than;
    return rc;
}

/* A schedule as OMP_SCHEDULE spells it: [modifier:]kind[,chunk]. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_schedule(const char *text, ompd_sched_t *kind, ompd_tword_t *modifier)
{
    static const char *const names[] = {"static", "dynamic", "guided", "auto"};
    const char *colon = strchr(text, ':');
    if (colon != NULL)
        text = colon + 1;
    const size_t length = strcspn(text, ",");
    for (int i = 0; i < 4; i++)
        if (strlen(names[i]) == length && strncmp(text, names[i], length) == 0) {
            *kind = (ompd_sched_t)(ompd_sched_static + i);
            *modifier = text[length] == ',' ? strtoll(text + length + 1, NULL, 10) : 0;
            return ompd_rc_ok;
        }
    return ompd_rc_unsupported;
}

/* How many threads a region has and, when wanted, a vector for as many handles. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_vector(ompd_parallel_handle_t *region, int wanted, void **vector,
                                              ompd_tword_t *size)
{
    ompd_rc_t rc = ompd_draft_icv_word(ompd_draft_team_size, ompd_draft_of_parallel, region, size);
    if (rc != ompd_rc_ok)
        return rc;
    if (*size < 1 || *size > INT32_MAX)
        return ompd_rc_error;
    if (!wanted)
        return ompd_rc_ok;
    rc = ompd_draft_alloc((ompd_size_t)*size * sizeof(void *), vector);
    return rc == ompd_rc_ok && *vector == NULL ? ompd_rc_nomem : rc;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_string_id(const char *word, uint64_t id, char **string_id)
{
    char text[48];
    void *copy;
    if (string_id == NULL)
        return ompd_rc_bad_input;
    snprintf(text, sizeof text, "%s_%llu", word, (unsigned long long)id);
    ompd_rc_t rc = ompd_draft_alloc(strlen(text) + 1, &copy);
    if (rc != ompd_rc_ok)
        return rc;
    *string_id = strcpy((char *)copy, text);
    return ompd_rc_ok;
}

#ifdef __cplusplus
}
#endif

#endif /* OMPD_DRAFT_VALUES_H */
