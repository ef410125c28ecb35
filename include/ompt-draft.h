/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT as it was before OpenMP 5.0: version 2 of the interface, of 2016, with the numbers that runtimes and
 * tools of that time had in their binaries. A tool defines ompt_tool(); everything else it gets from
 * `lookup`. docs/tools.md says what Companion answers and how this lives together with today's interface.
 *
 * Names that today's omp-tools.h gives to something else (states, frames, kinds of threads and tasks, some
 * inquiry functions) are declared only if that header was not included before.
 */
#ifndef OMPT_DRAFT_H
#define OMPT_DRAFT_H

#include <stdint.h>

/** Identifiers; 0 is none. Each is unique in a process; threads, regions and tasks count by themselves. */
typedef uint64_t ompt_thread_id_t;
typedef uint64_t ompt_parallel_id_t;
typedef uint64_t ompt_task_id_t;
typedef uint64_t ompt_target_id_t;
#define ompt_thread_id_none   ((ompt_thread_id_t)0)
#define ompt_parallel_id_none ((ompt_parallel_id_t)0)
#define ompt_task_id_none     ((ompt_task_id_t)0)
#define ompt_target_id_none   ((ompt_target_id_t)0)

/** Who calls the code of a region. */
typedef enum { ompt_invoker_program = 0, ompt_invoker_runtime = 1 } ompt_invoker_t;

/** Events; the callback's type stands behind each group. */
typedef enum {
    ompt_event_parallel_begin = 1, /* ompt_new_parallel_callback_t */
    ompt_event_parallel_end = 2,   /* ompt_end_parallel_callback_t */
    ompt_event_task_begin = 3,     /* ompt_new_task_callback_t: an explicit task is created */
    ompt_event_task_end = 4,       /* ompt_task_callback_t */
    ompt_event_thread_begin = 5,   /* ompt_thread_type_callback_t */
    ompt_event_thread_end = 6,
    ompt_event_control = 7,          /* ompt_control_callback_t */
    ompt_event_runtime_shutdown = 8, /* ompt_callback_t */
    ompt_event_idle_begin = 9,       /* ompt_thread_callback_t */
    ompt_event_idle_end = 10,
    ompt_event_wait_barrier_begin = 11, /* ompt_parallel_callback_t, to 16 */
    ompt_event_wait_barrier_end = 12,
    ompt_event_wait_taskwait_begin = 13,
    ompt_event_wait_taskwait_end = 14,
    ompt_event_wait_taskgroup_begin = 15,
    ompt_event_wait_taskgroup_end = 16,
    ompt_event_release_lock = 17, /* ompt_wait_callback_t, to 21 */
    ompt_event_release_nest_lock_last = 18,
    ompt_event_release_critical = 19,
    ompt_event_release_atomic = 20,
    ompt_event_release_ordered = 21,
    ompt_event_implicit_task_begin = 22, /* ompt_parallel_callback_t, to 25 */
    ompt_event_implicit_task_end = 23,
    ompt_event_initial_task_begin = 24,
    ompt_event_initial_task_end = 25,
    ompt_event_task_switch = 26, /* ompt_task_pair_callback_t */
    ompt_event_loop_begin = 27,  /* begins of 27, 29, 31, 35: ompt_new_workshare_callback_t; */
    ompt_event_loop_end = 28,    /* all others to 44: ompt_parallel_callback_t */
    ompt_event_sections_begin = 29,
    ompt_event_sections_end = 30,
    ompt_event_single_in_block_begin = 31,
    ompt_event_single_in_block_end = 32,
    ompt_event_single_others_begin = 33,
    ompt_event_single_others_end = 34,
    ompt_event_workshare_begin = 35,
    ompt_event_workshare_end = 36,
    ompt_event_master_begin = 37,
    ompt_event_master_end = 38,
    ompt_event_barrier_begin = 39,
    ompt_event_barrier_end = 40,
    ompt_event_taskwait_begin = 41,
    ompt_event_taskwait_end = 42,
    ompt_event_taskgroup_begin = 43,
    ompt_event_taskgroup_end = 44,
    ompt_event_release_nest_lock_prev = 45, /* ompt_wait_callback_t, to 60 */
    ompt_event_wait_lock = 46,
    ompt_event_wait_nest_lock = 47,
    ompt_event_wait_critical = 48,
    ompt_event_wait_atomic = 49,
    ompt_event_wait_ordered = 50,
    ompt_event_acquired_lock = 51,
    ompt_event_acquired_nest_lock_first = 52,
    ompt_event_acquired_nest_lock_next = 53,
    ompt_event_acquired_critical = 54,
    ompt_event_acquired_atomic = 55,
    ompt_event_acquired_ordered = 56,
    ompt_event_init_lock = 57,
    ompt_event_init_nest_lock = 58,
    ompt_event_destroy_lock = 59,
    ompt_event_destroy_nest_lock = 60,
    ompt_event_flush = 61, /* ompt_thread_callback_t */
    /* of devices and dependences: 62 to 70, none of which Companion reports */
    ompt_event_task_dependences = 69,
    ompt_event_task_dependence_pair = 70
} ompt_event_t;

#ifndef OMP_TOOLS_H
typedef uint64_t ompt_wait_id_t;

typedef enum {
    ompt_state_work_serial = 0x00,
    ompt_state_work_parallel = 0x01,
    ompt_state_work_reduction = 0x02,
    ompt_state_idle = 0x10,
    ompt_state_overhead = 0x20,
    ompt_state_wait_barrier = 0x40,
    ompt_state_wait_barrier_implicit = 0x41,
    ompt_state_wait_barrier_explicit = 0x42,
    ompt_state_wait_taskwait = 0x50,
    ompt_state_wait_taskgroup = 0x51,
    ompt_state_wait_lock = 0x60,
    ompt_state_wait_nest_lock = 0x61,
    ompt_state_wait_critical = 0x62,
    ompt_state_wait_atomic = 0x63,
    ompt_state_wait_ordered = 0x64,
    ompt_state_undefined = 0x70, /* the thread is none of OpenMP's */
    ompt_state_first = 0x71      /* where an enumeration starts */
} ompt_state_t;

typedef enum { ompt_thread_initial = 1, ompt_thread_worker = 2, ompt_thread_other = 3 } ompt_thread_type_t;

typedef enum {
    ompt_task_initial = 1,
    ompt_task_implicit = 2,
    ompt_task_explicit = 3,
    ompt_task_target = 4
} ompt_task_type_t;

/**
 * Where a task's stack frames begin and end; binaries of the time said exit_runtime_frame,
 * reenter_runtime_frame.
 */
typedef struct ompt_frame_s {
    void *exit_frame;  /**< of the runtime's function that calls the task's code */
    void *enter_frame; /**< of where the task's code calls the runtime */
} ompt_frame_t;

typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *name);

/* What `lookup` leads to, besides the functions further down. */
typedef int (*ompt_set_callback_t)(ompt_event_t event, ompt_callback_t callback);
typedef int (*ompt_get_callback_t)(ompt_event_t event, ompt_callback_t *callback);
typedef ompt_state_t (*ompt_get_state_t)(ompt_wait_id_t *wait_id);
typedef int (*ompt_get_parallel_info_t)(int ancestor_level, ompt_parallel_id_t *parallel_id, int *team_size);
typedef int (*ompt_get_task_info_t)(int ancestor_level, ompt_task_type_t *type, ompt_task_id_t *task_id,
                                    ompt_frame_t **frame, ompt_parallel_id_t *parallel_id,
                                    uint32_t *thread_num);
typedef int (*ompt_get_target_info_t)(uint64_t *device_id, ompt_target_id_t *target_id,
                                      ompt_target_id_t *host_op_id);
typedef void (*ompt_thread_type_callback_t)(ompt_thread_type_t type, ompt_thread_id_t thread_id);
#endif

typedef int (*ompt_enumerate_state_t)(int current_state, int *next_state, const char **next_state_name);
typedef ompt_thread_id_t (*ompt_get_thread_id_t)(void);
typedef void *(*ompt_get_idle_frame_t)(void);
typedef ompt_parallel_id_t (*ompt_get_parallel_id_t)(int ancestor_level);
typedef int (*ompt_get_parallel_team_size_t)(int ancestor_level); /* -1: there is no such level */
typedef ompt_task_id_t (*ompt_get_task_id_t)(int depth);
typedef ompt_frame_t *(*ompt_get_task_frame_t)(int depth);

typedef void (*ompt_new_parallel_callback_t)(ompt_task_id_t parent_task_id, ompt_frame_t *parent_frame,
                                             ompt_parallel_id_t parallel_id, uint32_t requested_team_size,
                                             void *function, ompt_invoker_t invoker);
typedef void (*ompt_end_parallel_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                                             ompt_invoker_t invoker);
typedef void (*ompt_new_task_callback_t)(ompt_task_id_t parent_task_id, ompt_frame_t *parent_frame,
                                         ompt_task_id_t new_task_id, void *function);
typedef void (*ompt_task_callback_t)(ompt_task_id_t task_id);
typedef void (*ompt_task_pair_callback_t)(ompt_task_id_t first, ompt_task_id_t second);
typedef void (*ompt_thread_callback_t)(ompt_thread_id_t thread_id);
typedef void (*ompt_control_callback_t)(uint64_t command, uint64_t modifier);
typedef void (*ompt_parallel_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id);
typedef void (*ompt_new_workshare_callback_t)(ompt_parallel_id_t parallel_id, ompt_task_id_t task_id,
                                              void *function);
typedef void (*ompt_wait_callback_t)(uint64_t wait_id);

/** Registers callbacks: ompt_set_callback succeeds nowhere else. ompt_version is 2. */
typedef void (*ompt_initialize_fn_t)(ompt_function_lookup_t lookup, const char *runtime_version,
                                     unsigned int ompt_version);

#ifdef __cplusplus
extern "C" {
#endif
/** The tool's. NULL: it does not want to be used. */
ompt_initialize_fn_t ompt_tool(void);
/** The runtime's, for programs that speak to their tool: its callback of ompt_event_control. */
void ompt_control(uint64_t command, uint64_t modifier);
#ifdef __cplusplus
}
#endif

#endif
