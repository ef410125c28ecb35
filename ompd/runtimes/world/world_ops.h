/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The operations of an adapter that answers from a `struct world`. A family writes
 *   const struct rtm_ops rtm_x = {.kind = "x", .family = &x_family, .check = x_check, WORLD_OPS};
 *
 * An entity's id is its address in the target, so ids are valid for one stop only.
 */
#ifndef OMPD_WORLD_OPS_H
#define OMPD_WORLD_OPS_H

#include "runtimes/world/world.h"

ompd_rc_t world_op_omp_version(aspace_t *, ompd_word_t *ret);
ompd_rc_t world_op_version_string(aspace_t *, const char **ret);
ompd_rc_t world_op_runtime_info(aspace_t *, ompdx_runtime_info_t *ret);
ompd_rc_t world_op_find_thread(aspace_t *, ompd_thread_id_t kind, uint64_t native, struct rtm_ref *ret);
ompd_rc_t world_op_thread_native(aspace_t *, const struct rtm_ref *, ompd_thread_id_t kind, uint64_t *ret);
ompd_rc_t world_op_thread_state(aspace_t *, const struct rtm_ref *, ompd_word_t *state, uint64_t *wait_id);
ompd_rc_t world_op_thread_region(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t world_op_thread_task(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t world_op_thread_info(aspace_t *, const struct rtm_ref *, ompdx_thread_info_t *ret);
ompd_rc_t world_op_region_enclosing(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t world_op_region_thread(aspace_t *, const struct rtm_ref *, int number, struct rtm_ref *ret);
ompd_rc_t world_op_region_task(aspace_t *, const struct rtm_ref *, int number, struct rtm_ref *ret);
ompd_rc_t world_op_region_info(aspace_t *, const struct rtm_ref *, ompdx_parallel_info_t *ret);
ompd_rc_t world_op_region_arrivals(aspace_t *, const struct rtm_ref *, int **ret, int *count);
ompd_rc_t world_op_task_generator(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t world_op_task_scheduler(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t world_op_task_region(aspace_t *, const struct rtm_ref *, struct rtm_ref *ret);
ompd_rc_t world_op_task_function(aspace_t *, const struct rtm_ref *, uint64_t *ret);
ompd_rc_t world_op_task_frame(aspace_t *, const struct rtm_ref *, ompd_frame_info_t *, ompd_frame_info_t *);
ompd_rc_t world_op_task_info(aspace_t *, const struct rtm_ref *, ompdx_task_info_t *ret);
ompd_rc_t world_op_task_predecessors(aspace_t *, const struct rtm_ref *, uint64_t **ret, int *count);
ompd_rc_t world_op_thread_held(aspace_t *, const struct rtm_ref *, ompdx_held_t **ret, int *count);
ompd_rc_t world_op_thread_place(aspace_t *, const struct rtm_ref *, int *place, struct grown *processors);
ompd_rc_t world_op_loop_info(aspace_t *, const struct rtm_ref *, ompdx_loop_info_t *ret);
ompd_rc_t world_op_tool_data(aspace_t *, enum rtm_entity, const struct rtm_ref *, uint64_t *value,
                             uint64_t *pointer);
ompd_rc_t world_op_alive(aspace_t *, enum rtm_entity, const struct rtm_ref *);
ompd_rc_t world_op_list(aspace_t *, enum rtm_entity, struct index *ret);
ompd_rc_t world_op_icv(aspace_t *, enum rtm_icv, const struct rtm_ref *, ompd_scope_t,
                       struct rtm_icv_value *ret);
ompd_rc_t world_op_icv_text(aspace_t *, enum rtm_icv, const struct rtm_ref *, ompd_scope_t,
                            struct grown *ret);
ompd_rc_t world_op_setting_text(aspace_t *, enum rtm_setting, struct grown *ret);
ompd_rc_t world_op_initial_task(aspace_t *, struct rtm_ref *ret);

/* clang-format off */
#define WORLD_OPS                                   \
    .omp_version = world_op_omp_version,            \
    .version_string = world_op_version_string,      \
    .runtime_info = world_op_runtime_info,          \
    .find_thread = world_op_find_thread,            \
    .thread_native = world_op_thread_native,        \
    .thread_state = world_op_thread_state,          \
    .thread_region = world_op_thread_region,        \
    .thread_task = world_op_thread_task,            \
    .thread_info = world_op_thread_info,            \
    .region_enclosing = world_op_region_enclosing,  \
    .region_thread = world_op_region_thread,        \
    .region_task = world_op_region_task,            \
    .region_info = world_op_region_info,            \
    .region_arrivals = world_op_region_arrivals,    \
    .task_generator = world_op_task_generator,      \
    .task_scheduler = world_op_task_scheduler,      \
    .task_region = world_op_task_region,            \
    .task_function = world_op_task_function,        \
    .task_frame = world_op_task_frame,              \
    .task_info = world_op_task_info,                \
    .task_predecessors = world_op_task_predecessors,\
    .loop_info = world_op_loop_info,                \
    .thread_held = world_op_thread_held,            \
    .thread_place = world_op_thread_place,          \
    .tool_data = world_op_tool_data,                \
    .alive = world_op_alive,                        \
    .list = world_op_list,                          \
    .icv = world_op_icv,                            \
    .icv_text = world_op_icv_text,                  \
    .setting_text = world_op_setting_text,          \
    .initial_task = world_op_initial_task
/* clang-format on */

#endif
