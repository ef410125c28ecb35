/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The early draft of OMPD (technical report of 2016) on top of today's library: include this in place of the
 * ompd.h of that time, and source that was written to the draft's names compiles, as C or C++, and works with
 * a libompd.so of OpenMP 5.0 and later. Header only. docs/ompd-draft.md tells what each name became and what
 * could not be carried over.
 *
 * A debugger that is linked with the library needs nothing else. One that loads it defines OMPD_DRAFT_LOADED
 * before the include, the same in all files, and calls `ompd_draft_bind(dlsym, handle)` before
 * ompd_initialize.
 *
 * Return codes are the draft's eleven. From a newer library, its codes 11 and above become ompd_rc_error, or
 * ompd_rc_bad_input for a handle of the wrong sort. Outputs are set on ompd_rc_ok only, but for
 * ompd_get_thread_handle, whose handle is NULL for a thread that is none of OpenMP.
 *
 * After this header the names of today's routines that the draft has too (ompd_initialize, ompd_get_state,
 * ...) are the draft's: do not mix both in one file.
 */
#ifndef OMPD_DRAFT_H
#define OMPD_DRAFT_H

#include "ompd-draft-library.h"
#include "ompd-draft-values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The library. */

/* The version of today's API, as the value of _OPENMP: the draft had a number of its own, which no library
 * answers. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_get_version(int *version)
{
    ompd_word_t word;
    if (version == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_get_api_version)(&word);
    if (rc == ompd_rc_ok)
        *version = (int)word;
    return ompd_draft_code(rc);
}

/* Asks for 5.0, the oldest version that a library may speak and the one whose codes and names are nearest. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_initialize(const ompd_draft_callbacks_t *callbacks)
{
    ompd_callbacks_t today = {ompd_draft_alloc,     ompd_draft_free,          ompd_draft_print,
                              ompd_draft_sizeof,    ompd_draft_symbol,        ompd_draft_read,
                              ompd_draft_write,     ompd_draft_read_string,   ompd_draft_to_host,
                              ompd_draft_to_target, ompd_draft_thread_context};
    if (callbacks == NULL || callbacks->d_alloc_memory == NULL || callbacks->d_free_memory == NULL ||
        callbacks->t_sizeof_prim_type == NULL || callbacks->t_symbol_addr_lookup == NULL ||
        callbacks->t_read_memory == NULL || callbacks->target_to_host == NULL)
        return ompd_rc_bad_input;
    if (ompd_draft_library.ready)
        return ompd_rc_error;
    if (callbacks->print_string == NULL)
        today.print_string = NULL;
    ompd_draft_library.callbacks = *callbacks;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_initialize)(201811, &today);
    ompd_draft_library.ready = rc == ompd_rc_ok;
    return rc == ompd_rc_ok || rc == ompd_rc_bad_input ? rc : ompd_rc_error;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_finalize(void)
{
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_finalize)();
    if (rc == ompd_rc_ok)
        ompd_draft_library.ready = 0;
    return ompd_draft_code(rc);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_process_initialize(ompd_address_space_context_t *context,
                                                          ompd_address_space_handle_t **handle)
{
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_process_initialize)(context, handle);
    if (rc == ompd_rc_ok)
        ompd_draft_list_icvs(*handle);
    return ompd_draft_code(rc);
}

/* Routines with the same arguments, under their old name. */
#define OMPD_DRAFT_SAME(old, today, parameters, arguments)        \
    OMPD_DRAFT_INLINE ompd_rc_t old parameters                    \
    {                                                             \
        return ompd_draft_code(OMPD_DRAFT_CALL(today) arguments); \
    }

OMPD_DRAFT_SAME(ompd_draft_get_version_string, ompd_get_version_string, (const char **string), (string))
OMPD_DRAFT_SAME(ompd_release_address_space_handle, ompd_rel_address_space_handle,
                (ompd_address_space_handle_t * handle), (handle))
OMPD_DRAFT_SAME(ompd_release_thread_handle, ompd_rel_thread_handle, (ompd_thread_handle_t * thread_handle),
                (thread_handle))
OMPD_DRAFT_SAME(ompd_release_parallel_handle, ompd_rel_parallel_handle,
                (ompd_parallel_handle_t * parallel_handle), (parallel_handle))
OMPD_DRAFT_SAME(ompd_release_task_handle, ompd_rel_task_handle, (ompd_task_handle_t * task_handle),
                (task_handle))
OMPD_DRAFT_SAME(ompd_draft_thread_handle_compare, ompd_thread_handle_compare,
                (ompd_thread_handle_t * thread_handle_1, ompd_thread_handle_t *thread_handle_2,
                 int *cmp_value),
                (thread_handle_1, thread_handle_2, cmp_value))
OMPD_DRAFT_SAME(ompd_draft_parallel_handle_compare, ompd_parallel_handle_compare,
                (ompd_parallel_handle_t * parallel_handle_1, ompd_parallel_handle_t *parallel_handle_2,
                 int *cmp_value),
                (parallel_handle_1, parallel_handle_2, cmp_value))
OMPD_DRAFT_SAME(ompd_draft_task_handle_compare, ompd_task_handle_compare,
                (ompd_task_handle_t * task_handle_1, ompd_task_handle_t *task_handle_2, int *cmp_value),
                (task_handle_1, task_handle_2, cmp_value))
OMPD_DRAFT_SAME(ompd_get_osthread, ompd_get_thread_id,
                (ompd_thread_handle_t * thread_handle, ompd_osthread_kind_t kind, ompd_size_t sizeof_osthread,
                 void *osthread),
                (thread_handle, (ompd_thread_id_t)kind, sizeof_osthread, osthread))
OMPD_DRAFT_SAME(ompd_get_top_parallel_region, ompd_get_curr_parallel_handle,
                (ompd_thread_handle_t * thread_handle, ompd_parallel_handle_t **parallel_handle),
                (thread_handle, parallel_handle))
OMPD_DRAFT_SAME(ompd_draft_get_enclosing_parallel_handle, ompd_get_enclosing_parallel_handle,
                (ompd_parallel_handle_t * parallel_handle,
                 ompd_parallel_handle_t **enclosing_parallel_handle),
                (parallel_handle, enclosing_parallel_handle))
OMPD_DRAFT_SAME(ompd_draft_get_task_parallel_handle, ompd_get_task_parallel_handle,
                (ompd_task_handle_t * task_handle, ompd_parallel_handle_t **task_parallel_handle),
                (task_handle, task_parallel_handle))
OMPD_DRAFT_SAME(ompd_get_top_task_region, ompd_get_curr_task_handle,
                (ompd_thread_handle_t * thread_handle, ompd_task_handle_t **task_handle),
                (thread_handle, task_handle))
OMPD_DRAFT_SAME(ompd_get_generating_ancestor_task_region, ompd_get_generating_task_handle,
                (ompd_task_handle_t * task_handle, ompd_task_handle_t **parent_task_handle),
                (task_handle, parent_task_handle))
OMPD_DRAFT_SAME(ompd_get_scheduling_ancestor_task_region, ompd_get_scheduling_task_handle,
                (ompd_task_handle_t * task_handle, ompd_task_handle_t **parent_task_handle),
                (task_handle, parent_task_handle))
OMPD_DRAFT_SAME(ompd_draft_get_task_function, ompd_get_task_function,
                (ompd_task_handle_t * task_handle, ompd_address_t *entry_point), (task_handle, entry_point))
OMPD_DRAFT_SAME(ompd_draft_get_display_control_vars, ompd_get_display_control_vars,
                (ompd_address_space_handle_t * handle, const char *const **control_var_values),
                (handle, control_var_values))
/* Today's takes one pointer more. */
OMPD_DRAFT_SAME(ompd_release_display_control_vars, ompd_rel_display_control_vars,
                (const char *const *control_var_values), (&control_var_values))
OMPD_DRAFT_SAME(ompd_get_master_thread_in_parallel, ompd_get_thread_in_parallel,
                (ompd_parallel_handle_t * parallel_handle, ompd_thread_handle_t **thread_handle),
                (parallel_handle, 0, thread_handle))

/* Threads. */

/* The draft answers bad_input and a NULL handle for a thread that is none of OpenMP. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_get_thread_handle(ompd_address_space_handle_t *handle,
                                                         ompd_osthread_kind_t kind,
                                                         ompd_size_t sizeof_osthread, const void *osthread,
                                                         ompd_thread_handle_t **thread_handle)
{
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_get_thread_handle)(handle, (ompd_thread_id_t)kind, sizeof_osthread,
                                                           osthread, thread_handle);
    if (rc != ompd_rc_unavailable)
        return ompd_draft_code(rc);
    *thread_handle = NULL;
    return ompd_rc_bad_input;
}

/* ompd_rc_unsupported: the library has no such extension, or the thread's state has no name in the draft. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_get_state(ompd_thread_handle_t *thread_handle, ompd_state_t *state,
                                                 ompd_wait_id_t *wait_id)
{
    ompd_word_t today;
    ompd_wait_id_t wait;
    ompd_state_t old;
    if (state == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_get_state)(thread_handle, &today, &wait);
    if (rc != ompd_rc_ok)
        return ompd_draft_code(rc);
    rc = ompd_draft_state(today, &old);
    if (rc != ompd_rc_ok)
        return rc;
    *state = old;
    if (wait_id != NULL)
        *wait_id = wait;
    return ompd_rc_ok;
}

/* All threads: an extension, since OMPD leaves it to the debugger to try each native thread. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_get_threads(ompd_address_space_handle_t *handle,
                                             ompd_thread_handle_t ***thread_handle_vector, int *num_handles)
{
    ompd_thread_handle_t **all;
    int count;
    if (!OMPD_DRAFT_HAS(ompdx_get_all_threads))
        return ompd_rc_unsupported;
    if (num_handles == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompdx_get_all_threads)(handle, &all, &count);
    if (rc != ompd_rc_ok && rc != ompd_rc_incomplete)
        return ompd_draft_code(rc);
    if (rc == ompd_rc_incomplete || thread_handle_vector == NULL) {
        ompd_draft_drop_threads(all, count);
        if (rc == ompd_rc_incomplete) /* the draft has no way to say that some are missing */
            return ompd_rc_target_read_error;
    } else {
        *thread_handle_vector = all;
    }
    *num_handles = count;
    return ompd_rc_ok;
}

/* Regions. */

OMPD_DRAFT_INLINE ompd_rc_t ompd_get_num_threads(ompd_parallel_handle_t *parallel_handle, ompd_tword_t *val)
{
    return ompd_draft_icv_word(ompd_draft_team_size, ompd_draft_of_parallel, parallel_handle, val);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle,
                                                              ompd_thread_handle_t ***thread_handle_vector,
                                                              int *num_handles)
{
    ompd_thread_handle_t **all = NULL;
    ompd_tword_t size = 0;
    if (num_handles == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = ompd_draft_vector(parallel_handle, thread_handle_vector != NULL, (void **)&all, &size);
    for (int i = 0; rc == ompd_rc_ok && all != NULL && i < (int)size; i++) {
        rc = ompd_draft_code(OMPD_DRAFT_CALL(ompd_get_thread_in_parallel)(parallel_handle, i, &all[i]));
        if (rc != ompd_rc_ok)
            ompd_draft_drop_threads(all, i);
    }
    if (rc != ompd_rc_ok)
        return rc;
    if (all != NULL)
        *thread_handle_vector = all;
    *num_handles = (int)size;
    return ompd_rc_ok;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_get_implicit_task_in_parallel(ompd_parallel_handle_t *parallel_handle,
                                                               ompd_task_handle_t ***task_handle_vector,
                                                               int *num_handles)
{
    ompd_task_handle_t **all = NULL;
    ompd_tword_t size;
    if (num_handles == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = ompd_draft_vector(parallel_handle, task_handle_vector != NULL, (void **)&all, &size);
    for (int i = 0; rc == ompd_rc_ok && all != NULL && i < (int)size; i++) {
        rc = ompd_draft_code(OMPD_DRAFT_CALL(ompd_get_task_in_parallel)(parallel_handle, i, &all[i]));
        if (rc != ompd_rc_ok)
            ompd_draft_drop_tasks(all, i);
    }
    if (rc != ompd_rc_ok)
        return rc;
    if (all != NULL)
        *task_handle_vector = all;
    *num_handles = (int)size;
    return ompd_rc_ok;
}

/* The region's code is what its implicit tasks execute. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_get_parallel_function(ompd_parallel_handle_t *parallel_handle,
                                                       ompd_address_t *entry_point)
{
    ompd_task_handle_t *task;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_get_task_in_parallel)(parallel_handle, 0, &task);
    if (rc != ompd_rc_ok)
        return ompd_draft_code(rc);
    rc = OMPD_DRAFT_CALL(ompd_get_task_function)(task, entry_point);
    OMPD_DRAFT_CALL(ompd_rel_task_handle)(task);
    return ompd_draft_code(rc);
}

/* Tasks. */

/* The draft has no flags that say what kind of address each is. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_get_task_frame(ompd_task_handle_t *task_handle,
                                                      ompd_address_t *exit_runtime_addr,
                                                      ompd_address_t *reenter_runtime_addr)
{
    ompd_frame_info_t exit_frame, enter_frame;
    if (exit_runtime_addr == NULL || reenter_runtime_addr == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = OMPD_DRAFT_CALL(ompd_get_task_frame)(task_handle, &exit_frame, &enter_frame);
    if (rc != ompd_rc_ok)
        return ompd_draft_code(rc);
    *exit_runtime_addr = exit_frame.frame_address;
    *reenter_runtime_addr = enter_frame.frame_address;
    return ompd_rc_ok;
}

/* One routine for each ICV. */
#define OMPD_DRAFT_ICV(name, icv, sort, handle_type)                                             \
    OMPD_DRAFT_INLINE ompd_rc_t name(handle_type *handle, ompd_tword_t *val)                     \
    {                                                                                            \
        return ompd_draft_icv_word(ompd_draft_##icv, ompd_draft_of_##sort, (void *)handle, val); \
    }

OMPD_DRAFT_ICV(ompd_get_num_procs, num_procs, aspace, ompd_address_space_handle_t)
OMPD_DRAFT_ICV(ompd_get_thread_limit, thread_limit, aspace, ompd_address_space_handle_t)
OMPD_DRAFT_ICV(ompd_get_level, levels, task, ompd_task_handle_t)
OMPD_DRAFT_ICV(ompd_get_active_level, active_levels, task, ompd_task_handle_t)
OMPD_DRAFT_ICV(ompd_get_max_threads, nthreads, task, const ompd_task_handle_t)
OMPD_DRAFT_ICV(ompd_get_thread_num, thread_num, thread, const ompd_thread_handle_t)
OMPD_DRAFT_ICV(ompd_in_final, final, task, const ompd_task_handle_t)
OMPD_DRAFT_ICV(ompd_get_dynamic, dyn, task, const ompd_task_handle_t)
OMPD_DRAFT_ICV(ompd_get_max_active_levels, max_active_levels, thread, const ompd_thread_handle_t)
OMPD_DRAFT_ICV(ompd_is_implicit, implicit, task, ompd_task_handle_t)

OMPD_DRAFT_INLINE ompd_rc_t ompd_in_parallel(const ompd_task_handle_t *task_handle, ompd_tword_t *val)
{
    return ompd_draft_icv_more(ompd_draft_active_levels, (void *)task_handle, 0, val);
}

/* nest-var is gone: nested regions get threads exactly when more than one level may be active. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_get_nested(const ompd_task_handle_t *task_handle, ompd_tword_t *val)
{
    return ompd_draft_icv_more(ompd_draft_max_active_levels, (void *)task_handle, 1, val);
}

/* A modifier of today's (monotonic:) has no place in ompd_sched_t: it is left out. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_get_schedule(ompd_task_handle_t *task_handle, ompd_sched_t *kind,
                                              ompd_tword_t *modifier)
{
    const char *text;
    if (kind == NULL || modifier == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = ompd_draft_icv_string(ompd_draft_run_sched, task_handle, &text);
    if (rc != ompd_rc_ok)
        return rc;
    rc = ompd_draft_schedule(text, kind, modifier);
    ompd_draft_free((void *)(uintptr_t)text);
    return rc;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_get_proc_bind(ompd_task_handle_t *task_handle, ompd_proc_bind_t *bind)
{
    ompd_tword_t word;
    if (bind == NULL)
        return ompd_rc_bad_input;
    ompd_rc_t rc = ompd_draft_icv_word(ompd_draft_bind_var, ompd_draft_of_task, task_handle, &word);
    if (rc != ompd_rc_ok)
        return rc;
    if (word < ompd_proc_bind_false || word > ompd_proc_bind_spread)
        return ompd_rc_unsupported;
    *bind = (ompd_proc_bind_t)word;
    return ompd_rc_ok;
}

/* Names to print: a word and the number that an extension gives to each thread, region and task for its whole
 * life. */
#define OMPD_DRAFT_STRING_ID(word, type, extension)                                                      \
    OMPD_DRAFT_INLINE ompd_rc_t ompd_get_##word##_handle_string_id(ompd_##word##_handle_t *handle,       \
                                                                   char **string_id)                     \
    {                                                                                                    \
        type info;                                                                                       \
        if (!OMPD_DRAFT_HAS(extension))                                                                  \
            return ompd_rc_unsupported;                                                                  \
        info.size = sizeof info;                                                                         \
        ompd_rc_t rc = OMPD_DRAFT_CALL(extension)(handle, &info);                                        \
        return rc == ompd_rc_ok ? ompd_draft_string_id(#word, info.id, string_id) : ompd_draft_code(rc); \
    }

OMPD_DRAFT_STRING_ID(thread, ompdx_thread_info_t, ompdx_get_thread_info)
OMPD_DRAFT_STRING_ID(parallel, ompdx_parallel_info_t, ompdx_get_parallel_info)
OMPD_DRAFT_STRING_ID(task, ompdx_task_info_t, ompdx_get_task_info)

#ifdef __cplusplus
}
#endif

/* From here on these names are the draft's. */
#define ompd_callbacks_t                   ompd_draft_callbacks_t
#define ompd_initialize                    ompd_draft_initialize
#define ompd_finalize                      ompd_draft_finalize
#define ompd_get_version_string            ompd_draft_get_version_string
#define ompd_process_initialize            ompd_draft_process_initialize
#define ompd_thread_handle_compare         ompd_draft_thread_handle_compare
#define ompd_parallel_handle_compare       ompd_draft_parallel_handle_compare
#define ompd_task_handle_compare           ompd_draft_task_handle_compare
#define ompd_get_thread_in_parallel        ompd_draft_get_thread_in_parallel
#define ompd_get_thread_handle             ompd_draft_get_thread_handle
#define ompd_get_enclosing_parallel_handle ompd_draft_get_enclosing_parallel_handle
#define ompd_get_task_parallel_handle      ompd_draft_get_task_parallel_handle
#define ompd_get_task_function             ompd_draft_get_task_function
#define ompd_get_task_frame                ompd_draft_get_task_frame
#define ompd_get_state                     ompd_draft_get_state
#define ompd_get_display_control_vars      ompd_draft_get_display_control_vars

#endif /* OMPD_DRAFT_H */
