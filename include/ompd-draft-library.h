/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the routines of ompd-draft.h stand on: how they reach the library, how the library reaches the draft's
 * callbacks, and ICVs by name. Not for use alone.
 *
 * An OMPD library keeps one table of callbacks, and a callback gets no word of its user's: so the draft's
 * table is one for the whole debugger too. It is a weak definition, of which the linker keeps one however
 * many files include this.
 */
#ifndef OMPD_DRAFT_LIBRARY_H
#define OMPD_DRAFT_LIBRARY_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompd-draft-types.h"
#include "ompdx.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file need not use all. */
#define OMPD_DRAFT_INLINE static inline __attribute__((unused))

/* clang-format off */
#define OMPD_DRAFT_ROUTINES(X) \
    X(ompd_initialize) X(ompd_get_api_version) X(ompd_get_version_string) X(ompd_finalize) \
    X(ompd_process_initialize) X(ompd_rel_address_space_handle) X(ompd_get_thread_in_parallel) \
    X(ompd_get_thread_handle) X(ompd_rel_thread_handle) X(ompd_thread_handle_compare) X(ompd_get_thread_id) \
    X(ompd_get_curr_parallel_handle) X(ompd_get_enclosing_parallel_handle) X(ompd_get_task_parallel_handle) \
    X(ompd_rel_parallel_handle) X(ompd_parallel_handle_compare) X(ompd_get_curr_task_handle) \
    X(ompd_get_generating_task_handle) X(ompd_get_scheduling_task_handle) X(ompd_get_task_in_parallel) \
    X(ompd_rel_task_handle) X(ompd_task_handle_compare) X(ompd_get_task_function) X(ompd_get_task_frame) \
    X(ompd_get_state) X(ompd_get_display_control_vars) X(ompd_rel_display_control_vars) \
    X(ompd_enumerate_icvs) \
    X(ompd_get_icv_from_scope) X(ompd_get_icv_string_from_scope)
/* Optional: this project's extensions, for what the draft asks and OMPD dropped. */
#define OMPD_DRAFT_EXTENSIONS(X) \
    X(ompdx_get_all_threads) X(ompdx_get_thread_info) X(ompdx_get_parallel_info) X(ompdx_get_task_info)
/* clang-format on */

/* The ICVs that the draft has routines for. */
enum ompd_draft_icv {
    ompd_draft_team_size,
    ompd_draft_thread_num,
    ompd_draft_num_procs,
    ompd_draft_final,
    ompd_draft_implicit,
    ompd_draft_levels,
    ompd_draft_active_levels,
    ompd_draft_nthreads,
    ompd_draft_dyn,
    ompd_draft_max_active_levels,
    ompd_draft_run_sched,
    ompd_draft_bind_var,
    ompd_draft_thread_limit,
    ompd_draft_icvs
};

struct ompd_draft_icv_place {
    ompd_icv_id_t id; /* 0: the library has none */
    ompd_scope_t scope;
};

/* Files with and without OMPD_DRAFT_LOADED must not meet in one program: hence two names. */
#ifdef OMPD_DRAFT_LOADED
#define ompd_draft_library ompd_draft_loaded_library
#endif
struct ompd_draft_library {
    int ready; /* callbacks are the library's */
    ompd_draft_callbacks_t callbacks;
    struct ompd_draft_icv_place icv[ompd_draft_icvs]; /* as the library's last process listed them */
#ifdef OMPD_DRAFT_LOADED
#define OMPD_DRAFT_POINTER(name) __typeof__(name) *at_##name;
    OMPD_DRAFT_ROUTINES(OMPD_DRAFT_POINTER)
    OMPD_DRAFT_EXTENSIONS(OMPD_DRAFT_POINTER)
#undef OMPD_DRAFT_POINTER
#endif
};

__attribute__((weak, visibility("hidden"))) struct ompd_draft_library ompd_draft_library;

/*
 * How a routine of the library is called. Linked: by its name. With OMPD_DRAFT_LOADED defined before the
 * header is included: by the pointer that ompd_draft_bind found, for a debugger that loads libraries itself.
 */
#ifdef OMPD_DRAFT_LOADED
#define OMPD_DRAFT_CALL(name) (*ompd_draft_library.at_##name)
#define OMPD_DRAFT_HAS(name)  (ompd_draft_library.at_##name != NULL)
/*
 * Takes all routines from a library by `find`, for which dlsym fits. Before ompd_initialize.
 * ompd_rc_incompatible: a routine is missing, and nothing was taken.
 */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_bind(void *(*find)(void *library, const char *name), void *library)
{
    struct ompd_draft_library found;
    memset(&found, 0, sizeof found);
    void *address;
/* POSIX: what dlsym gives may be stored as a pointer to a function; ISO C has no cast for it. */
#define OMPD_DRAFT_TAKE(name)       \
    address = find(library, #name); \
    memcpy(&found.at_##name, &address, sizeof address);
#define OMPD_DRAFT_MUST(name) \
    OMPD_DRAFT_TAKE(name)     \
    if (address == NULL)      \
        return ompd_rc_incompatible;
    OMPD_DRAFT_ROUTINES(OMPD_DRAFT_MUST)
    OMPD_DRAFT_EXTENSIONS(OMPD_DRAFT_TAKE)
#undef OMPD_DRAFT_MUST
#undef OMPD_DRAFT_TAKE
    ompd_draft_library = found;
    return ompd_rc_ok;
}
#else
#define OMPD_DRAFT_CALL(name) name
#define OMPD_DRAFT_HAS(name)  (name != NULL)
#pragma weak ompdx_get_all_threads
#pragma weak ompdx_get_thread_info
#pragma weak ompdx_get_parallel_info
#pragma weak ompdx_get_task_info
#endif

/* Today's code as one of the draft's. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_code(ompd_rc_t rc)
{
    if (rc == ompd_rc_incompatible_handle)
        return ompd_rc_bad_input;
    return (int)rc < 0 || rc > ompd_rc_nomem ? ompd_rc_error : rc;
}

/* The table that the library gets: each calls the draft's callback. */

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_alloc(ompd_size_t nbytes, void **ptr)
{
    return ompd_draft_library.callbacks.d_alloc_memory(nbytes, ptr);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_free(void *ptr)
{
    return ompd_draft_library.callbacks.d_free_memory(ptr);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_print(const char *string, int category)
{
    (void)category; /* the draft knows none */
    return ompd_draft_library.callbacks.print_string(string);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_sizeof(ompd_address_space_context_t *context,
                                              ompd_device_type_sizes_t *sizes)
{
    ompd_target_type_sizes_t wide;
    memset(&wide, 0, sizeof wide);
    ompd_rc_t rc = ompd_draft_library.callbacks.t_sizeof_prim_type(context, &wide);
    if (rc != ompd_rc_ok)
        return rc;
    const int all[] = {wide.sizeof_char, wide.sizeof_short,     wide.sizeof_int,
                       wide.sizeof_long, wide.sizeof_long_long, wide.sizeof_pointer};
    uint8_t narrow[sizeof all / sizeof *all];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i] < 1 || all[i] > UINT8_MAX)
            return ompd_rc_error;
        narrow[i] = (uint8_t)all[i];
    }
    memcpy(sizes, narrow, sizeof narrow); /* six bytes, in the same order */
    return ompd_rc_ok;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_symbol(ompd_address_space_context_t *context,
                                              ompd_thread_context_t *thread, const char *name,
                                              ompd_address_t *address, const char *file_name)
{
    (void)file_name; /* a hint only */
    return ompd_draft_library.callbacks.t_symbol_addr_lookup(context, thread, name, address);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_read(ompd_address_space_context_t *context,
                                            ompd_thread_context_t *thread, const ompd_address_t *address,
                                            ompd_size_t nbytes, void *buffer)
{
    if (nbytes > INT64_MAX)
        return ompd_rc_bad_input;
    return ompd_draft_library.callbacks.t_read_memory(context, thread, address, (ompd_tword_t)nbytes, buffer);
}

/* The draft reads no strings. Pieces end at multiples of 256, so that none reaches beyond the string's last
 * page. */
OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_read_string(ompd_address_space_context_t *context,
                                                   ompd_thread_context_t *thread,
                                                   const ompd_address_t *address, ompd_size_t nbytes,
                                                   void *buffer)
{
    char *to = (char *)buffer;
    ompd_address_t from = *address;
    while (nbytes > 0) {
        ompd_size_t piece = 256 - from.address % 256;
        if (piece > nbytes)
            piece = nbytes;
        ompd_rc_t rc = ompd_draft_read(context, thread, &from, piece, to);
        if (rc != ompd_rc_ok)
            return rc;
        if (memchr(to, 0, (size_t)piece) != NULL)
            return ompd_rc_ok;
        to += piece;
        from.address += piece;
        nbytes -= piece;
    }
    return ompd_rc_incomplete;
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_write(ompd_address_space_context_t *context,
                                             ompd_thread_context_t *thread, const ompd_address_t *address,
                                             ompd_size_t nbytes, const void *buffer)
{
    if (nbytes > INT64_MAX)
        return ompd_rc_bad_input;
    if (ompd_draft_library.callbacks.t_write_memory == NULL)
        return ompd_rc_unsupported;
    return ompd_draft_library.callbacks.t_write_memory(context, thread, address, (ompd_tword_t)nbytes,
                                                       buffer);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_convert(ompd_target_host_fn_t callback,
                                               ompd_address_space_context_t *context, const void *input,
                                               ompd_size_t unit_size, ompd_size_t count, void *output)
{
    if (callback == NULL)
        return ompd_rc_unsupported;
    if (unit_size > INT32_MAX || count > INT32_MAX)
        return ompd_rc_bad_input;
    return callback(context, input, (int)unit_size, (int)count, output);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_to_host(ompd_address_space_context_t *context, const void *input,
                                               ompd_size_t unit_size, ompd_size_t count, void *output)
{
    return ompd_draft_convert(ompd_draft_library.callbacks.target_to_host, context, input, unit_size, count,
                              output);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_to_target(ompd_address_space_context_t *context, const void *input,
                                                 ompd_size_t unit_size, ompd_size_t count, void *output)
{
    return ompd_draft_convert(ompd_draft_library.callbacks.host_to_target, context, input, unit_size, count,
                              output);
}

OMPD_DRAFT_INLINE ompd_rc_t ompd_draft_thread_context(ompd_address_space_context_t *context,
                                                      ompd_thread_id_t kind, ompd_size_t sizeof_thread_id,
                                                      const void *thread_id, ompd_thread_context_t **thread)
{
    if (kind > ompd_osthread_winthread ||
        ompd_draft_library.callbacks.get_thread_context_for_osthread == NULL)
        return ompd_rc_unsupported;
    return ompd_draft_library.callbacks.get_thread_context_for_osthread(context, (ompd_osthread_kind_t)kind,
                                                                        sizeof_thread_id, thread_id, thread);
}

/* ICVs. The draft has a routine for each; today they have names, and a number that the library gives. */

OMPD_DRAFT_INLINE void ompd_draft_note_icv(const char *name, ompd_icv_id_t id, ompd_scope_t scope)
{
    /* 5.0's names first; a library may have the later ones, or both. */
    static const char *const names[ompd_draft_icvs][3] = {
        {"ompd-team-size-var", "team-size-var", ""},
        {"ompd-thread-num-var", "thread-num-var", ""},
        {"ompd-num-procs-var", "num-procs-var", ""},
        {"ompd-final-var", "ompd-final-task-var", "final-task-var"},
        {"ompd-implicit-var", "ompd-implicit-task-var", "implicit-task-var"},
        {"levels-var", "", ""},
        {"active-levels-var", "", ""},
        {"nthreads-var", "", ""},
        {"dyn-var", "", ""},
        {"max-active-levels-var", "", ""},
        {"run-sched-var", "", ""},
        {"bind-var", "", ""},
        {"thread-limit-var", "", ""},
    };
    for (int i = 0; i < ompd_draft_icvs; i++)
        for (int k = 0; k < 3; k++)
            if (ompd_draft_library.icv[i].id == ompd_icv_undefined && strcmp(names[i][k], name) == 0) {
                ompd_draft_library.icv[i].id = id;
                ompd_draft_library.icv[i].scope = scope;
            }
}

/* Asks which ICVs there are. One that is not found is unsupported when it is asked for. */
OMPD_DRAFT_INLINE void ompd_draft_list_icvs(ompd_address_space_handle_t *handle)
{
    ompd_icv_id_t id = ompd_icv_undefined;
    int more = 1;
    memset(ompd_draft_library.icv, 0, sizeof ompd_draft_library.icv);
    for (int bound = 0; more && bound < 1000; bound++) {
        const char *name;
        ompd_scope_t scope;
        if (OMPD_DRAFT_CALL(ompd_enumerate_icvs)(handle, id, &id, &name, &scope, &more) != ompd_rc_ok)
            return;
        ompd_draft_note_icv(name, id, scope);
        ompd_draft_free((void *)(uintptr_t)name);
    }
}

#ifdef __cplusplus
}
#endif

#endif /* OMPD_DRAFT_LIBRARY_H */
