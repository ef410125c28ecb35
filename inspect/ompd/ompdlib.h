/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * One loaded OMPD library: its functions, found with dlsym.
 */
#ifndef INSPECT_OMPDLIB_H
#define INSPECT_OMPDLIB_H

#include <stdbool.h>

#include "inspect/base/mem.h"
#include "omp-tools.h"
#include "ompdx.h"

/* Without these nothing can be shown; every OMPD library has them since 5.0. */
/* clang-format indents each further line of such a list more than the one before. */
/* clang-format off */
#define OMPDLIB_REQUIRED(F) \
    F(ompd_initialize) \
    F(ompd_get_api_version) \
    F(ompd_get_version_string) \
    F(ompd_finalize) \
    F(ompd_process_initialize) \
    F(ompd_rel_address_space_handle) \
    F(ompd_get_thread_handle) \
    F(ompd_rel_thread_handle) \
    F(ompd_get_curr_parallel_handle) \
    F(ompd_get_enclosing_parallel_handle) \
    F(ompd_rel_parallel_handle) \
    F(ompd_parallel_handle_compare) \
    F(ompd_get_curr_task_handle) \
    F(ompd_get_generating_task_handle) \
    F(ompd_get_task_parallel_handle) \
    F(ompd_rel_task_handle) \
    F(ompd_task_handle_compare) \
    F(ompd_get_state) \
    F(ompd_get_thread_in_parallel) \
    F(ompd_get_thread_id)
/* NULL when the library lacks them. */
#define OMPDLIB_OPTIONAL(F) \
    F(ompd_get_omp_version) \
    F(ompd_get_omp_version_string) \
    F(ompd_get_scheduling_task_handle) \
    F(ompd_get_task_in_parallel) \
    F(ompd_get_task_function) \
    F(ompd_enumerate_states) \
    F(ompd_enumerate_icvs) \
    F(ompd_get_icv_from_scope) \
    F(ompd_get_icv_string_from_scope) \
    F(ompdx_stop_begin) \
    F(ompdx_stop_end) \
    F(ompdx_get_runtime_info) \
    F(ompdx_get_all_threads) \
    F(ompdx_get_all_parallels) \
    F(ompdx_get_all_tasks) \
    F(ompdx_get_thread_info) \
    F(ompdx_get_parallel_info) \
    F(ompdx_get_barrier_arrivals) \
    F(ompdx_get_task_info) \
    F(ompdx_get_task_predecessors) \
    F(ompdx_get_loop_info) \
    F(ompdx_get_held) \
    F(ompdx_get_place) \
    F(ompdx_trace) \
    F(ompdx_layout_add) \
    F(ompdx_get_frame_rules)
/* clang-format on */

struct ompdlib {
    struct ompdlib *next;
    char *path;
    void *dl;
    int users; /* sessions; ompd_initialize may be called once only, so they share */
    const char *version;
    int64_t api;
#define OMPDLIB_MEMBER(name) __typeof__(name) *name;
    OMPDLIB_REQUIRED(OMPDLIB_MEMBER)
    OMPDLIB_OPTIONAL(OMPDLIB_MEMBER)
#undef OMPDLIB_MEMBER
};

/** Loads and initialises the library at PATH, or shares it. NULL with a malloc'ed sentence in *why. */
struct ompdlib *ompdlib_open(const char *path, char **why) INSP_WARN_UNUSED;
void ompdlib_close(struct ompdlib *lib);

/** Switches the trace of the loaded libraries, and of those that will be, on or off. */
void ompdlib_trace(bool on);

/** False: a vendor's library, which knows the vendor's runtime and finds it by symbols. */
bool ompdlib_is_ours(const struct ompdlib *lib);
/** What a return code means, for the `why` of a problem. */
const char *ompdlib_rc(ompd_rc_t rc);

#endif
