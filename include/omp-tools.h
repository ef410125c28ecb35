/* SPDX-License-Identifier: Apache-2.0 */
/*
 * omp-tools.h: the two tool interfaces of OpenMP.
 *
 *   OMPT  a tool inside the process: callbacks and queries.             OpenMP 5.0 chapter 4, 5.2 chapter 19,
 *                                                                       6.0 chapters 32 to 37
 *   OMPD  a library that explains a stopped program or core file        OpenMP 5.0 chapter 5, 5.2 chapter 20,
 *         to a debugger.                                                6.0 chapters 38 to 42
 *
 * Everything of 6.0 is here; names that later versions renamed or dropped keep their old spelling as well, so
 * that source written for 5.0, 5.1 or 5.2 compiles unchanged. C11 and C++17; needs no other OpenMP header.
 */
#ifndef OMP_TOOLS_H
#define OMP_TOOLS_H

#include <stddef.h>
#include <stdint.h>

#include "ompd-types.h"

/* Some enumerations have bits or values that ISO C11 does not admit in an enumeration (above INT_MAX). */
#if !defined(__cplusplus) && defined(__GNUC__)
#define OMP_TOOLS_WIDE_ENUM __extension__
#else
#define OMP_TOOLS_WIDE_ENUM
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: basic types. OpenMP 5.0 sections 4.2 and 4.4, 6.0 chapters 32 and 33.
 * ------------------------------------------------------------------------------------------------------ */

/* 64-bit integers of the runtime or a device. */
typedef uint64_t ompt_id_t;            /* names a region or operation in a device trace */
typedef uint64_t ompt_wait_id_t;       /* names what a thread waits for: a lock, a critical region, ... */
typedef uint64_t ompt_device_time_t;   /* in the device's own unit; ompt_translate_time gives seconds */
typedef uint64_t ompt_buffer_cursor_t; /* a position in a trace buffer */
typedef uint64_t ompt_hwid_t;          /* a piece of hardware of a device */

/* What a device and its trace buffers are, only the device knows. */
typedef void ompt_device_t;
typedef void ompt_buffer_t;

/* "No such thing" for each of the types. */
#define ompt_id_none         0
#define ompt_wait_id_none    0
#define ompt_time_none       0
#define ompt_hwid_none       0
#define ompt_addr_none       (~(uintptr_t)0)
#define ompt_mutex_impl_none 0

/* A word that the runtime keeps for the tool with each thread, region and task; the content is the tool's. */
typedef union ompt_data_t {
    uint64_t value;
    void *ptr;
} ompt_data_t;

/* Initialiser for a data word without content. */
/* clang-format off */
#define ompt_data_none {0}
/* clang-format on */

/* Any entry point and any callback: to be cast to its own type before it is called. */
typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);

/* Finds an entry point by its name; NULL for a name that is not known. Good for the whole run. */
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *interface_function_name);

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: how runtime and tool meet. OpenMP 5.0 section 4.2, 6.0 sections 32.2 and 33.30.
 * ------------------------------------------------------------------------------------------------------ */

/*
 * The tool's beginning, once the runtime is ready and before the first event. Non-zero: the tool stays;
 * 0: it wants no more calls.
 */
typedef int (*ompt_initialize_t)(ompt_function_lookup_t lookup, int initial_device_num,
                                 ompt_data_t *tool_data);

/* The tool's end, after the last event. */
typedef void (*ompt_finalize_t)(ompt_data_t *tool_data);

/* The tool's answer to ompt_start_tool; both functions must be there. 24 bytes on LP64. */
typedef struct ompt_start_tool_result_t {
    ompt_initialize_t initialize;
    ompt_finalize_t finalize;
    ompt_data_t tool_data;
} ompt_start_tool_result_t;

/*
 * Defined by the tool, called by the runtime. omp_version is the runtime's _OPENMP, runtime_version a text
 * that stays for the run. NULL: the tool declines.
 */
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: enumerations. OpenMP 5.0 section 4.4, 5.2 section 19.4, 6.0 chapter 33.
 * ------------------------------------------------------------------------------------------------------ */

/* Events, as ompt_set_callback and the records of a device trace number them. */
typedef enum ompt_callbacks_t {
    ompt_callback_thread_begin = 1,
    ompt_callback_thread_end = 2,
    ompt_callback_parallel_begin = 3,
    ompt_callback_parallel_end = 4,
    ompt_callback_task_create = 5,
    ompt_callback_task_schedule = 6,
    ompt_callback_implicit_task = 7,
    ompt_callback_target = 8,         /* deprecated in 6.0: use target_emi */
    ompt_callback_target_data_op = 9, /* deprecated in 6.0: use target_data_op_emi */
    ompt_callback_target_submit = 10, /* deprecated in 6.0: use target_submit_emi */
    ompt_callback_control_tool = 11,
    ompt_callback_device_initialize = 12,
    ompt_callback_device_finalize = 13,
    ompt_callback_device_load = 14,
    ompt_callback_device_unload = 15,
    ompt_callback_sync_region_wait = 16,
    ompt_callback_mutex_released = 17,
    ompt_callback_dependences = 18,
    ompt_callback_task_dependence = 19,
    ompt_callback_work = 20,
    ompt_callback_masked = 21,                   /* 5.1 */
    ompt_callback_master = ompt_callback_masked, /* its name in 5.0 */
    ompt_callback_target_map = 22,               /* deprecated in 6.0: use target_map_emi */
    ompt_callback_sync_region = 23,
    ompt_callback_lock_init = 24,
    ompt_callback_lock_destroy = 25,
    ompt_callback_mutex_acquire = 26,
    ompt_callback_mutex_acquired = 27,
    ompt_callback_nest_lock = 28,
    ompt_callback_flush = 29,
    ompt_callback_cancel = 30,
    ompt_callback_reduction = 31,
    ompt_callback_dispatch = 32,
    ompt_callback_target_emi = 33,         /* 5.1 */
    ompt_callback_target_data_op_emi = 34, /* 5.1 */
    ompt_callback_target_submit_emi = 35,  /* 5.1 */
    ompt_callback_target_map_emi = 36,     /* 5.1 */
    ompt_callback_error = 37               /* 5.1 */
} ompt_callbacks_t;

/* How often a callback that was set will come, or whether trace records will. */
typedef enum ompt_set_result_t {
    ompt_set_error = 0,            /* not set */
    ompt_set_never = 1,            /* set, but the event never calls it */
    ompt_set_impossible = 2,       /* the event may happen, a call for it cannot; not for ompt_set_callback */
    ompt_set_sometimes = 3,        /* for some of the events */
    ompt_set_sometimes_paired = 4, /* the same, but begin and end both or neither */
    ompt_set_always = 5            /* every time */
} ompt_set_result_t;

/* How a thread came to be. */
typedef enum ompt_thread_t {
    ompt_thread_initial = 1, /* it began the program, or met OpenMP as a thread of the program */
    ompt_thread_worker = 2,  /* the runtime made it to work in teams */
    ompt_thread_other = 3,   /* the runtime made it for something else */
    ompt_thread_unknown = 4
} ompt_thread_t;

/* Which end of a region an event is. */
typedef enum ompt_scope_endpoint_t {
    ompt_scope_begin = 1,
    ompt_scope_end = 2,
    ompt_scope_beginend = 3 /* 5.1: both at once */
} ompt_scope_endpoint_t;

/* Kinds of mutual exclusion. */
typedef enum ompt_mutex_t {
    ompt_mutex_lock = 1,
    ompt_mutex_test_lock = 2,
    ompt_mutex_nest_lock = 3,
    ompt_mutex_test_nest_lock = 4,
    ompt_mutex_critical = 5,
    ompt_mutex_atomic = 6,
    ompt_mutex_ordered = 7
} ompt_mutex_t;

/* Kinds of synchronisation regions. */
typedef enum ompt_sync_region_t {
    ompt_sync_region_barrier = 1,          /* deprecated in 5.1: any barrier */
    ompt_sync_region_barrier_implicit = 2, /* deprecated in 5.1: see the last three */
    ompt_sync_region_barrier_explicit = 3,
    ompt_sync_region_barrier_implementation = 4, /* one that the standard does not ask for */
    ompt_sync_region_taskwait = 5,
    ompt_sync_region_taskgroup = 6,
    ompt_sync_region_reduction = 7,
    ompt_sync_region_barrier_implicit_workshare = 8, /* 5.1 */
    ompt_sync_region_barrier_implicit_parallel = 9,  /* 5.1 */
    ompt_sync_region_barrier_teams = 10              /* 5.1 */
} ompt_sync_region_t;

/* Kinds of work that is shared out. */
typedef enum ompt_work_t {
    ompt_work_loop = 1,
    ompt_work_sections = 2,
    ompt_work_single_executor = 3,
    ompt_work_single_other = 4,
    ompt_work_workshare = 5,
    ompt_work_distribute = 6,
    ompt_work_taskloop = 7,
    ompt_work_scope = 8,          /* 5.1 */
    ompt_work_workdistribute = 9, /* 6.0 */
    ompt_work_loop_static = 10,   /* 5.2 */
    ompt_work_loop_dynamic = 11,  /* 5.2 */
    ompt_work_loop_guided = 12,   /* 5.2 */
    ompt_work_loop_other = 13     /* 5.2 */
} ompt_work_t;

/* What is handed to a thread. */
typedef enum ompt_dispatch_t {
    ompt_dispatch_iteration = 1,       /* instance.value: the iteration */
    ompt_dispatch_section = 2,         /* instance.ptr: the section's code */
    ompt_dispatch_ws_loop_chunk = 3,   /* 5.2, and the next two: instance.ptr: an ompt_dispatch_chunk_t */
    ompt_dispatch_taskloop_chunk = 4,  /* 5.2 */
    ompt_dispatch_distribute_chunk = 5 /* 5.2 */
} ompt_dispatch_t;

/* What a task is: one kind, and bits. */
OMP_TOOLS_WIDE_ENUM typedef enum ompt_task_flag_t {
    ompt_task_initial = 0x00000001,
    ompt_task_implicit = 0x00000002,
    ompt_task_explicit = 0x00000004,
    ompt_task_target = 0x00000008,
    ompt_task_taskwait = 0x00000010,  /* 5.1 */
    ompt_task_importing = 0x02000000, /* 6.0 */
    ompt_task_exporting = 0x04000000, /* 6.0 */
    ompt_task_undeferred = 0x08000000,
    ompt_task_untied = 0x10000000,
    ompt_task_final = 0x20000000,
    ompt_task_mergeable = 0x40000000,
    ompt_task_merged = 0x80000000
} ompt_task_flag_t;

/* Why a thread leaves a task. */
typedef enum ompt_task_status_t {
    ompt_task_complete = 1,      /* it is complete */
    ompt_task_yield = 2,         /* taskyield */
    ompt_task_cancel = 3,        /* it was cancelled */
    ompt_task_detach = 4,        /* its code is done, its event is not */
    ompt_task_early_fulfill = 5, /* the event came before the code was done */
    ompt_task_late_fulfill = 6,  /* the event came after it */
    ompt_task_switch = 7,        /* any other switch */
    ompt_taskwait_complete = 8   /* 5.1: a taskwait with depend is complete */
} ompt_task_status_t;

/* Who calls the code of a parallel or teams region, and which of the two it is. */
OMP_TOOLS_WIDE_ENUM typedef enum ompt_parallel_flag_t {
    ompt_parallel_invoker_program = 0x00000001,
    ompt_parallel_invoker_runtime = 0x00000002,
    ompt_parallel_league = 0x40000000, /* teams */
    ompt_parallel_team = 0x80000000    /* parallel */
} ompt_parallel_flag_t;

/* What is cancelled, and how far that is. */
typedef enum ompt_cancel_flag_t {
    ompt_cancel_parallel = 0x01,
    ompt_cancel_sections = 0x02,
    ompt_cancel_loop = 0x04,
    ompt_cancel_taskgroup = 0x08,
    ompt_cancel_activated = 0x10,
    ompt_cancel_detected = 0x20,
    ompt_cancel_discarded_task = 0x40
} ompt_cancel_flag_t;

/* Kinds of dependences. */
typedef enum ompt_dependence_type_t {
    ompt_dependence_type_in = 1,
    ompt_dependence_type_out = 2,
    ompt_dependence_type_inout = 3,
    ompt_dependence_type_mutexinoutset = 4,
    ompt_dependence_type_source = 5,
    ompt_dependence_type_sink = 6,
    ompt_dependence_type_inoutset = 7,         /* 5.1 */
    ompt_dependence_type_out_all_memory = 34,  /* 6.0 */
    ompt_dependence_type_inout_all_memory = 35 /* 6.0 */
} ompt_dependence_type_t;

/* 5.1: how bad the error directive means it. */
typedef enum ompt_severity_t { ompt_warning = 1, ompt_fatal = 2 } ompt_severity_t;

/* Kinds of target constructs. */
typedef enum ompt_target_t {
    ompt_target = 1,
    ompt_target_enter_data = 2,
    ompt_target_exit_data = 3,
    ompt_target_update = 4,
    ompt_target_nowait = 9, /* 5.1, and the rest */
    ompt_target_enter_data_nowait = 10,
    ompt_target_exit_data_nowait = 11,
    ompt_target_update_nowait = 12
} ompt_target_t;

/* Operations on a device's data. */
typedef enum ompt_target_data_op_t {
    ompt_target_data_alloc = 1,
    ompt_target_data_transfer_to_device = 2,   /* deprecated in 6.0 */
    ompt_target_data_transfer_from_device = 3, /* deprecated in 6.0 */
    ompt_target_data_delete = 4,
    ompt_target_data_associate = 5,
    ompt_target_data_disassociate = 6,
    ompt_target_data_transfer = 7,                    /* 6.0 */
    ompt_target_data_memset = 8,                      /* 6.0 */
    ompt_target_data_transfer_rect = 9,               /* 6.0 */
    ompt_target_data_alloc_async = 17,                /* 5.1 */
    ompt_target_data_transfer_to_device_async = 18,   /* 5.1, deprecated in 6.0 */
    ompt_target_data_transfer_from_device_async = 19, /* 5.1, deprecated in 6.0 */
    ompt_target_data_delete_async = 20,               /* 5.1 */
    ompt_target_data_transfer_async = 23,             /* 6.0 */
    ompt_target_data_memset_async = 24,               /* 6.0 */
    ompt_target_data_transfer_rect_async = 25         /* 6.0 */
} ompt_target_data_op_t;

/* How data is mapped; bits. */
typedef enum ompt_target_map_flag_t {
    ompt_target_map_flag_to = 0x01,
    ompt_target_map_flag_from = 0x02,
    ompt_target_map_flag_alloc = 0x04,
    ompt_target_map_flag_release = 0x08,
    ompt_target_map_flag_delete = 0x10,
    ompt_target_map_flag_implicit = 0x20,
    ompt_target_map_flag_always = 0x40, /* 5.2, and the rest */
    ompt_target_map_flag_present = 0x80,
    ompt_target_map_flag_close = 0x100,
    ompt_target_map_flag_shared = 0x200
} ompt_target_map_flag_t;

/* Kinds of trace records. */
typedef enum ompt_record_t {
    ompt_record_ompt = 1,
    ompt_record_native = 2,
    ompt_record_invalid = 3
} ompt_record_t;

/* Kinds of a device's own records. */
typedef enum ompt_record_native_t {
    ompt_record_native_info = 1,
    ompt_record_native_event = 2
} ompt_record_native_t;

/* What a device's own trace may watch; bits for ompt_set_trace_native. */
typedef enum ompt_native_mon_flag_t {
    ompt_native_data_motion_explicit = 0x01,
    ompt_native_data_motion_implicit = 0x02,
    ompt_native_kernel_invocation = 0x04,
    ompt_native_kernel_execution = 0x08,
    ompt_native_driver = 0x10,
    ompt_native_runtime = 0x20,
    ompt_native_overhead = 0x40,
    ompt_native_idleness = 0x80
} ompt_native_mon_flag_t;

/*
 * What a thread is doing. An approximation, kept while the interface is active; which states a runtime ever
 * reports is its own affair. Its own states start at 0x200. OMPD reports the same numbers as ompd_word_t.
 * OpenMP 5.0 section 4.4.4, 6.0 section 33.31.
 */
typedef enum ompt_state_t {
    ompt_state_work_serial = 0x000,     /* user code outside every parallel region */
    ompt_state_work_parallel = 0x001,   /* user code inside a parallel region */
    ompt_state_work_reduction = 0x002,  /* combining the copies of a reduction */
    ompt_state_work_free_agent = 0x003, /* 6.0: runs a task of a team that it does not belong to */
    ompt_state_work_induction = 0x004,  /* 6.0: working on an induction */

    ompt_state_wait_barrier = 0x010,                    /* any barrier; deprecated in 5.1 */
    ompt_state_wait_barrier_implicit_parallel = 0x011,  /* the barrier that ends a parallel region */
    ompt_state_wait_barrier_implicit_workshare = 0x012, /* the barrier that ends a worksharing region */
    ompt_state_wait_barrier_implicit = 0x013,           /* either of the two; deprecated in 5.1 */
    ompt_state_wait_barrier_explicit = 0x014,           /* the barrier construct */
    ompt_state_wait_barrier_implementation = 0x015,     /* 5.1: a barrier the standard does not ask for */
    ompt_state_wait_barrier_teams = 0x016,              /* 5.1: the end of a teams region */

    ompt_state_wait_taskwait = 0x020,  /* for child tasks */
    ompt_state_wait_taskgroup = 0x021, /* for the tasks of a group */

    ompt_state_wait_mutex = 0x040,    /* a mutex of unknown sort; this and the next four have a wait id */
    ompt_state_wait_lock = 0x041,     /* a lock or nest lock */
    ompt_state_wait_critical = 0x042, /* a critical region */
    ompt_state_wait_atomic = 0x043,   /* an atomic region */
    ompt_state_wait_ordered = 0x044,  /* an ordered region */

    ompt_state_wait_target = 0x080,        /* for a target region */
    ompt_state_wait_target_map = 0x081,    /* for data of a target region */
    ompt_state_wait_target_update = 0x082, /* for a target update */

    ompt_state_idle = 0x100,     /* belongs to no team */
    ompt_state_overhead = 0x101, /* inside the runtime, not waiting */
    ompt_state_undefined = 0x102 /* not a thread of OpenMP; where enumerations of states start */
} ompt_state_t;

/*
 * How to read a frame address: one owner bit (runtime or application) plus one kind.
 * OpenMP 5.0 section 4.4.4, 6.0 chapter 33.
 */
typedef enum ompt_frame_flag_t {
    ompt_frame_runtime = 0x00,      /* the frame belongs to the runtime */
    ompt_frame_application = 0x01,  /* the frame belongs to the program */
    ompt_frame_cfa = 0x10,          /* the address is the canonical frame address (DWARF) */
    ompt_frame_framepointer = 0x20, /* the address is the value of the frame pointer register */
    ompt_frame_stackaddress = 0x30  /* the address is somewhere inside the frame */
} ompt_frame_flag_t;

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: structures. OpenMP 5.0 section 4.4, 6.0 chapter 33.
 * ------------------------------------------------------------------------------------------------------ */

/*
 * Where a task left the runtime for its code (exit) and its code entered the runtime (enter); none: 0.
 * 24 bytes on LP64. The runtime may move it whenever the tool gives control back.
 */
typedef struct ompt_frame_t {
    ompt_data_t exit_frame;
    ompt_data_t enter_frame;
    int exit_frame_flags;  /* bits of ompt_frame_flag_t */
    int enter_frame_flags; /* bits of ompt_frame_flag_t */
} ompt_frame_t;

/* One dependence of a task: on the address in variable.ptr, or an iteration number in variable.value. */
typedef struct ompt_dependence_t {
    ompt_data_t variable;
    ompt_dependence_type_t dependence_type;
} ompt_dependence_t;

/* 5.2: a chunk of iterations. */
typedef struct ompt_dispatch_chunk_t {
    uint64_t start;
    uint64_t iterations;
} ompt_dispatch_chunk_t;

/* 6.0: a box in an array, for the transfers with _rect. size: of an element, in bytes. */
typedef struct ompt_subvolume_t {
    const void *base;
    uint64_t size;
    uint64_t num_dims;
    const uint64_t *volume;     /* extents of the box, in elements */
    const uint64_t *offsets;    /* its first corner, in elements */
    const uint64_t *dimensions; /* extents of the array, in elements */
} ompt_subvolume_t;

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: callbacks, which the tool sets and the runtime calls. OpenMP 5.0 section 4.5, 5.2 section 19.5,
 * 6.0 chapters 34 and 35. codeptr_ra is the address that the call into the runtime returns to, or NULL. A
 * callback must not use OpenMP.
 * ------------------------------------------------------------------------------------------------------ */

/* A thread begins or ends to take part in OpenMP. */
typedef void (*ompt_callback_thread_begin_t)(ompt_thread_t thread_type, ompt_data_t *thread_data);
typedef void (*ompt_callback_thread_end_t)(ompt_data_t *thread_data);

/*
 * A parallel or teams region begins or ends, in the thread that met it. requested_parallelism: threads or
 * teams asked for; flags: ompt_parallel_flag_t.
 */
typedef void (*ompt_callback_parallel_begin_t)(ompt_data_t *encountering_task_data,
                                               const ompt_frame_t *encountering_task_frame,
                                               ompt_data_t *parallel_data, unsigned int requested_parallelism,
                                               int flags, const void *codeptr_ra);
typedef void (*ompt_callback_parallel_end_t)(ompt_data_t *parallel_data, ompt_data_t *encountering_task_data,
                                             int flags, const void *codeptr_ra);

/*
 * A thread's implicit or initial task begins or ends. At the end parallel_data is NULL and
 * actual_parallelism 0. flags: ompt_task_initial or ompt_task_implicit.
 */
typedef void (*ompt_callback_implicit_task_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                                              ompt_data_t *task_data, unsigned int actual_parallelism,
                                              unsigned int index, int flags);

/* A masked region (master in 5.0), in the thread that executes it. */
typedef void (*ompt_callback_masked_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                                       ompt_data_t *task_data, const void *codeptr_ra);
typedef ompt_callback_masked_t ompt_callback_master_t; /* its name in 5.0 */

/* A worksharing, distribute, taskloop or scope region. count: iterations or sections; 0: not known. */
typedef void (*ompt_callback_work_t)(ompt_work_t work_type, ompt_scope_endpoint_t endpoint,
                                     ompt_data_t *parallel_data, ompt_data_t *task_data, uint64_t count,
                                     const void *codeptr_ra);

/* An iteration, a section or a chunk is handed to a thread. */
typedef void (*ompt_callback_dispatch_t)(ompt_data_t *parallel_data, ompt_data_t *task_data,
                                         ompt_dispatch_t kind, ompt_data_t instance);

/* A task is created. flags: ompt_task_flag_t. */
typedef void (*ompt_callback_task_create_t)(ompt_data_t *encountering_task_data,
                                            const ompt_frame_t *encountering_task_frame,
                                            ompt_data_t *new_task_data, int flags, int has_dependences,
                                            const void *codeptr_ra);

/* A thread goes from one task to another; next_task_data is NULL when an event fulfils a detached task. */
typedef void (*ompt_callback_task_schedule_t)(ompt_data_t *prior_task_data,
                                              ompt_task_status_t prior_task_status,
                                              ompt_data_t *next_task_data);

/* The dependences of a new task or of an ordered construct. The array lives for the call. */
typedef void (*ompt_callback_dependences_t)(ompt_data_t *task_data, const ompt_dependence_t *deps, int ndeps);

/* sink cannot start before src is complete. */
typedef void (*ompt_callback_task_dependence_t)(ompt_data_t *src_task_data, ompt_data_t *sink_task_data);

/* A barrier, taskwait, taskgroup or reduction; with sync_region_wait the wait inside one. */
typedef void (*ompt_callback_sync_region_t)(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                            ompt_data_t *parallel_data, ompt_data_t *task_data,
                                            const void *codeptr_ra);

/* A mutex is asked for, or a lock initialised. hint: omp_sync_hint_t; impl: a number of the runtime. */
typedef void (*ompt_callback_mutex_acquire_t)(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
                                              ompt_wait_id_t wait_id, const void *codeptr_ra);

/* A mutex was got or let go, or a lock destroyed. */
typedef void (*ompt_callback_mutex_t)(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);

/* A nest lock was taken once more (begin) or let go but once (end) by its owner. */
typedef void (*ompt_callback_nest_lock_t)(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id,
                                          const void *codeptr_ra);

/* A flush. */
typedef void (*ompt_callback_flush_t)(ompt_data_t *thread_data, const void *codeptr_ra);

/* Something is cancelled. flags: ompt_cancel_flag_t. */
typedef void (*ompt_callback_cancel_t)(ompt_data_t *task_data, int flags, const void *codeptr_ra);

/* The program called omp_control_tool; it gets the result: 0 done, 1 ignored, above 64 the tool's own. */
typedef int (*ompt_callback_control_tool_t)(uint64_t command, uint64_t modifier, void *arg,
                                            const void *codeptr_ra);

/* 5.1: the error directive at execution time. length: of the message in bytes. */
typedef void (*ompt_callback_error_t)(ompt_severity_t severity, const char *message, size_t length,
                                      const void *codeptr_ra);

/* A device is ready. lookup finds the entry points of its trace; NULL: it has none. */
typedef void (*ompt_callback_device_initialize_t)(int device_num, const char *type, ompt_device_t *device,
                                                  ompt_function_lookup_t lookup, const char *documentation);

/* A device is about to go. */
typedef void (*ompt_callback_device_finalize_t)(int device_num);

/* Code was loaded to a device. Unknown: offset_in_file -1, addresses ompt_addr_none. bytes: its size. */
typedef void (*ompt_callback_device_load_t)(int device_num, const char *filename, int64_t offset_in_file,
                                            void *vma_in_file, size_t bytes, void *host_addr,
                                            void *device_addr, uint64_t module_id);

/* Code was removed from a device. */
typedef void (*ompt_callback_device_unload_t)(int device_num, uint64_t module_id);

/* 5.1: a target construct. target_data stands for the target region. */
typedef void (*ompt_callback_target_emi_t)(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                                           ompt_data_t *task_data, ompt_data_t *target_task_data,
                                           ompt_data_t *target_data, const void *codeptr_ra);

/*
 * 5.1: an operation on device data. The two places are source and destination of a transfer; else host and
 * device. host_op_id is a word of the tool.
 */
typedef void (*ompt_callback_target_data_op_emi_t)(ompt_scope_endpoint_t endpoint,
                                                   ompt_data_t *target_task_data, ompt_data_t *target_data,
                                                   ompt_id_t *host_op_id, ompt_target_data_op_t optype,
                                                   void *src_addr, int src_device_num, void *dest_addr,
                                                   int dest_device_num, size_t bytes, const void *codeptr_ra);

/* 5.1: a kernel is started. */
typedef void (*ompt_callback_target_submit_emi_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *target_data,
                                                  ompt_id_t *host_op_id, unsigned int requested_num_teams);

/* 5.1: data is mapped: nitems elements in each array. mapping_flags: ompt_target_map_flag_t. */
typedef void (*ompt_callback_target_map_emi_t)(ompt_data_t *target_data, unsigned int nitems,
                                               void **host_addr, void **device_addr, size_t *bytes,
                                               unsigned int *mapping_flags, const void *codeptr_ra);

/* The four of 5.0 for the same events, deprecated in 6.0. Not to be set together with their twins above. */
typedef void (*ompt_callback_target_t)(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                                       ompt_data_t *task_data, ompt_id_t target_id, const void *codeptr_ra);
typedef void (*ompt_callback_target_data_op_t)(ompt_id_t target_id, ompt_id_t host_op_id,
                                               ompt_target_data_op_t optype, void *src_addr,
                                               int src_device_num, void *dest_addr, int dest_device_num,
                                               size_t bytes, const void *codeptr_ra);
typedef void (*ompt_callback_target_submit_t)(ompt_id_t target_id, ompt_id_t host_op_id,
                                              unsigned int requested_num_teams);
typedef void (*ompt_callback_target_map_t)(ompt_id_t target_id, unsigned int nitems, void **host_addr,
                                           void **device_addr, size_t *bytes, unsigned int *mapping_flags,
                                           const void *codeptr_ra);

/* A trace needs a buffer: the tool gives one of *bytes bytes; 0 stops recording until the next start. */
typedef void (*ompt_callback_buffer_request_t)(int device_num, ompt_buffer_t **buffer, size_t *bytes);

/* A buffer holds records: bytes bytes from begin on. buffer_owned 1: the tool may free it now. */
typedef void (*ompt_callback_buffer_complete_t)(int device_num, ompt_buffer_t *buffer, size_t bytes,
                                                ompt_buffer_cursor_t begin, int buffer_owned);

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: records of a device trace. The arguments of the callback, data words replaced by ids. OpenMP 5.0
 * section 4.4.3, 6.0 chapters 33 to 35.
 * ------------------------------------------------------------------------------------------------------ */

/* A device's own record in a form for all devices. Times in the device's unit. */
typedef struct ompt_record_abstract_t {
    ompt_record_native_t rclass;
    const char *type;
    ompt_device_time_t start_time;
    ompt_device_time_t end_time;
    ompt_hwid_t hwid;
} ompt_record_abstract_t;

/* One structure for each event; the members mean what the callback's arguments mean. */
typedef struct ompt_record_thread_begin_t {
    ompt_thread_t thread_type;
} ompt_record_thread_begin_t;

typedef struct ompt_record_parallel_begin_t {
    ompt_id_t encountering_task_id;
    ompt_id_t parallel_id;
    unsigned int requested_parallelism;
    int flags;
    const void *codeptr_ra;
} ompt_record_parallel_begin_t;

typedef struct ompt_record_parallel_end_t {
    ompt_id_t parallel_id;
    ompt_id_t encountering_task_id;
    int flags;
    const void *codeptr_ra;
} ompt_record_parallel_end_t;

typedef struct ompt_record_work_t {
    ompt_work_t work_type;
    ompt_scope_endpoint_t endpoint;
    ompt_id_t parallel_id;
    ompt_id_t task_id;
    uint64_t count;
    const void *codeptr_ra;
} ompt_record_work_t;

typedef struct ompt_record_dispatch_t {
    ompt_id_t parallel_id;
    ompt_id_t task_id;
    ompt_dispatch_t kind;
    ompt_data_t instance;
} ompt_record_dispatch_t;

typedef struct ompt_record_task_create_t {
    ompt_id_t encountering_task_id;
    ompt_id_t new_task_id;
    int flags;
    int has_dependences;
    const void *codeptr_ra;
} ompt_record_task_create_t;

typedef struct ompt_record_dependences_t {
    ompt_id_t task_id;
    ompt_dependence_t dep;
    int ndeps;
} ompt_record_dependences_t;

typedef struct ompt_record_task_dependence_t {
    ompt_id_t src_task_id;
    ompt_id_t sink_task_id;
} ompt_record_task_dependence_t;

typedef struct ompt_record_task_schedule_t {
    ompt_id_t prior_task_id;
    ompt_task_status_t prior_task_status;
    ompt_id_t next_task_id;
} ompt_record_task_schedule_t;

typedef struct ompt_record_implicit_task_t {
    ompt_scope_endpoint_t endpoint;
    ompt_id_t parallel_id;
    ompt_id_t task_id;
    unsigned int actual_parallelism;
    unsigned int index;
    int flags;
} ompt_record_implicit_task_t;

typedef struct ompt_record_masked_t {
    ompt_scope_endpoint_t endpoint;
    ompt_id_t parallel_id;
    ompt_id_t task_id;
    const void *codeptr_ra;
} ompt_record_masked_t;

typedef struct ompt_record_sync_region_t {
    ompt_sync_region_t kind;
    ompt_scope_endpoint_t endpoint;
    ompt_id_t parallel_id;
    ompt_id_t task_id;
    const void *codeptr_ra;
} ompt_record_sync_region_t;

typedef struct ompt_record_mutex_acquire_t {
    ompt_mutex_t kind;
    unsigned int hint;
    unsigned int impl;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_mutex_acquire_t;

typedef struct ompt_record_mutex_t {
    ompt_mutex_t kind;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_mutex_t;

typedef struct ompt_record_nest_lock_t {
    ompt_scope_endpoint_t endpoint;
    ompt_wait_id_t wait_id;
    const void *codeptr_ra;
} ompt_record_nest_lock_t;

typedef struct ompt_record_flush_t {
    const void *codeptr_ra;
} ompt_record_flush_t;

typedef struct ompt_record_cancel_t {
    ompt_id_t task_id;
    int flags;
    const void *codeptr_ra;
} ompt_record_cancel_t;

typedef struct ompt_record_target_data_op_emi_t {
    ompt_id_t host_op_id;
    ompt_target_data_op_t optype;
    void *src_addr;
    int src_device_num;
    void *dest_addr;
    int dest_device_num;
    size_t bytes;
    ompt_device_time_t end_time;
    const void *codeptr_ra;
} ompt_record_target_data_op_emi_t;

typedef struct ompt_record_target_emi_t {
    ompt_target_t kind;
    ompt_scope_endpoint_t endpoint;
    int device_num;
    ompt_id_t task_id;
    ompt_id_t target_id;
    const void *codeptr_ra;
} ompt_record_target_emi_t;

typedef struct ompt_record_target_map_emi_t {
    ompt_id_t target_id;
    unsigned int nitems;
    void **host_addr;
    void **device_addr;
    size_t *bytes;
    unsigned int *mapping_flags;
    const void *codeptr_ra;
} ompt_record_target_map_emi_t;

typedef struct ompt_record_target_submit_emi_t {
    ompt_id_t host_op_id;
    unsigned int requested_num_teams;
    unsigned int granted_num_teams;
    ompt_device_time_t end_time;
} ompt_record_target_submit_emi_t;

typedef struct ompt_record_control_tool_t {
    uint64_t command;
    uint64_t modifier;
    const void *codeptr_ra;
} ompt_record_control_tool_t;

typedef struct ompt_record_error_t {
    ompt_severity_t severity;
    const char *message;
    size_t length;
    const void *codeptr_ra;
} ompt_record_error_t;

/* The names of 5.0 to 5.2. */
typedef ompt_record_masked_t ompt_record_master_t;
typedef ompt_record_target_emi_t ompt_record_target_t;
typedef ompt_record_target_data_op_emi_t ompt_record_target_data_op_t;
typedef ompt_record_target_map_emi_t ompt_record_target_map_t;
typedef ompt_record_target_submit_emi_t ompt_record_target_kernel_t;

/* Any of them; which one, says the type in ompt_record_ompt_t. */
typedef union ompt_any_record_ompt_t {
    ompt_record_thread_begin_t thread_begin;
    ompt_record_parallel_begin_t parallel_begin;
    ompt_record_parallel_end_t parallel_end;
    ompt_record_work_t work;
    ompt_record_dispatch_t dispatch;
    ompt_record_task_create_t task_create;
    ompt_record_dependences_t dependences;
    ompt_record_task_dependence_t task_dependence;
    ompt_record_task_schedule_t task_schedule;
    ompt_record_implicit_task_t implicit_task;
    ompt_record_masked_t masked;
    ompt_record_master_t master; /* its name in 5.0 */
    ompt_record_sync_region_t sync_region;
    ompt_record_mutex_acquire_t mutex_acquire;
    ompt_record_mutex_t mutex;
    ompt_record_nest_lock_t nest_lock;
    ompt_record_flush_t flush;
    ompt_record_cancel_t cancel;
    ompt_record_target_t target;
    ompt_record_target_data_op_t target_data_op;
    ompt_record_target_map_t target_map;
    ompt_record_target_kernel_t target_kernel;
    ompt_record_target_emi_t target_emi;
    ompt_record_target_data_op_emi_t target_data_op_emi;
    ompt_record_target_map_emi_t target_map_emi;
    ompt_record_target_submit_emi_t target_submit_emi;
    ompt_record_control_tool_t control_tool;
    ompt_record_error_t error;
} ompt_any_record_ompt_t;

/* A record: which event, when (in the device's unit), on which thread, for which target region. */
typedef struct ompt_record_ompt_t {
    ompt_callbacks_t type;
    ompt_device_time_t time;
    ompt_id_t thread_id;
    ompt_id_t target_id;
    ompt_any_record_ompt_t record;
} ompt_record_ompt_t;

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: entry points, to be found by name (the type's name without _t) with the lookup of ompt_initialize_t.
 * OpenMP 5.0 section 4.6.1, 5.2 section 19.6, 6.0 chapter 36. "Signal": may be called in a signal handler.
 * ------------------------------------------------------------------------------------------------------ */

/*
 * Walks over the states (from ompt_state_undefined) or the mutex implementations (from ompt_mutex_impl_none)
 * of the runtime. 1: the next one is set, its name stays for the run; 0: there is none.
 */
typedef int (*ompt_enumerate_states_t)(int current_state, int *next_state, const char **next_state_name);
typedef int (*ompt_enumerate_mutex_impls_t)(int current_impl, int *next_impl, const char **next_impl_name);

/*
 * Sets the callback of an event, or removes it (NULL). ompt_set_error: not set. get: 1 and the callback, or
 * 0 when none is set.
 */
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t callback);
typedef int (*ompt_get_callback_t)(ompt_callbacks_t event, ompt_callback_t *callback);

/* The calling thread's data word; NULL for a thread without. Signal. */
typedef ompt_data_t *(*ompt_get_thread_data_t)(void);

/* How many processors and places there are for the program. Signal. */
typedef int (*ompt_get_num_procs_t)(void);
typedef int (*ompt_get_num_places_t)(void);

/* The processors of a place. Gives how many there are; if that is more than ids_size, ids is of no use. */
typedef int (*ompt_get_place_proc_ids_t)(int place_num, int ids_size, int *ids);

/* The calling thread's place; -1: not bound. Signal. */
typedef int (*ompt_get_place_num_t)(void);

/* The places of the calling thread's partition; result and array as with the processors. Signal. */
typedef int (*ompt_get_partition_place_nums_t)(int place_nums_size, int *place_nums);

/* The processor that the thread runs on; negative: not known. Signal. */
typedef int (*ompt_get_proc_id_t)(void);

/* The calling thread's ompt_state_t; *wait_id means something only in a wait for a mutex. Signal. */
typedef int (*ompt_get_state_t)(ompt_wait_id_t *wait_id);

/*
 * The region ancestor_level levels out, 0 the innermost. 2: the outputs are set; 1: it exists, but is not to
 * be had now; 0: there is none. Outputs may be NULL. Signal.
 */
typedef int (*ompt_get_parallel_info_t)(int ancestor_level, ompt_data_t **parallel_data, int *team_size);

/* The same for the tasks on this thread's stack, 0 the current one. flags: ompt_task_flag_t. Signal. */
typedef int (*ompt_get_task_info_t)(int ancestor_level, int *flags, ompt_data_t **task_data,
                                    ompt_frame_t **task_frame, ompt_data_t **parallel_data, int *thread_num);

/* Memory that holds the current task's data: range number block; 1: there are more; size in bytes. Signal. */
typedef int (*ompt_get_task_memory_t)(void **addr, size_t *size, int block);

/* 1: inside a target region, the outputs are set; 0: not. Signal. */
typedef int (*ompt_get_target_info_t)(uint64_t *device_num, ompt_id_t *target_id, ompt_id_t *host_op_id);

/* How many devices there are. Signal. */
typedef int (*ompt_get_num_devices_t)(void);

/* A number that comes once in a run; not necessarily rising. Signal. */
typedef uint64_t (*ompt_get_unique_id_t)(void);

/* Ends the tool now, as at the end of the program; not inside a parallel region. */
typedef void (*ompt_finalize_tool_t)(void);

/* ---------------------------------------------------------------------------------------------------------
 * OMPT: entry points of a device, to be found with the lookup of its device_initialize callback. OpenMP 5.0
 * section 4.6.2, 6.0 chapter 37.
 * ------------------------------------------------------------------------------------------------------ */

/* How many processors the device has. */
typedef int (*ompt_get_device_num_procs_t)(ompt_device_t *device);

/* The device's clock, in its own unit, and that time as omp_get_wtime would give it, in seconds. */
typedef ompt_device_time_t (*ompt_get_device_time_t)(ompt_device_t *device);
typedef double (*ompt_translate_time_t)(ompt_device_t *device, ompt_device_time_t time);

/* Chooses what is recorded: an event (etype 0: all), or what the bits of ompt_native_mon_flag_t say. */
typedef ompt_set_result_t (*ompt_set_trace_ompt_t)(ompt_device_t *device, unsigned int enable,
                                                   unsigned int etype);
typedef ompt_set_result_t (*ompt_set_trace_native_t)(ompt_device_t *device, int enable, int flags);

/* 6.0: how many buffers at once and of how many bytes suit the device. */
typedef void (*ompt_get_buffer_limits_t)(ompt_device_t *device, int *max_concurrent_allocs,
                                         size_t *recommended_bytes);

/* Starts, halts (begin_pause 1) or resumes (0), empties, stops the trace. 1: done; 0: not. */
typedef int (*ompt_start_trace_t)(ompt_device_t *device, ompt_callback_buffer_request_t request,
                                  ompt_callback_buffer_complete_t complete);
typedef int (*ompt_pause_trace_t)(ompt_device_t *device, int begin_pause);
typedef int (*ompt_flush_trace_t)(ompt_device_t *device);
typedef int (*ompt_stop_trace_t)(ompt_device_t *device);

/* Goes to the next record of a buffer of size bytes. 1: *next is set; 0: there is none. */
typedef int (*ompt_advance_buffer_cursor_t)(ompt_device_t *device, ompt_buffer_t *buffer, size_t size,
                                            ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next);

/* What a record is, and the record in each form; NULL when it has not that form. */
typedef ompt_record_t (*ompt_get_record_type_t)(ompt_buffer_t *buffer, ompt_buffer_cursor_t current);
typedef ompt_record_ompt_t *(*ompt_get_record_ompt_t)(ompt_buffer_t *buffer, ompt_buffer_cursor_t current);
typedef void *(*ompt_get_record_native_t)(ompt_buffer_t *buffer, ompt_buffer_cursor_t current,
                                          ompt_id_t *host_op_id);
typedef ompt_record_abstract_t *(*ompt_get_record_abstract_t)(void *native_record);

/* ---------------------------------------------------------------------------------------------------------
 * OMPD: types
 * ------------------------------------------------------------------------------------------------------ */

/* Segment of an address on a target with flat memory. OpenMP 5.0 section 5.3, 6.0 chapter 39. */
#define ompd_segment_none 0

/* No ICV: where ompd_enumerate_icvs starts. OpenMP 5.0 section 5.3, 6.0 chapter 39. */
#define ompd_icv_undefined 0

/*
 * What every routine and callback returns. On any code but ok and incomplete the outputs keep the values
 * that they had before the call. OpenMP 5.0 section 5.3, 6.0 chapter 39.
 */
typedef enum ompd_rc_t {
    ompd_rc_ok = 0,                   /* done */
    ompd_rc_unavailable = 1,          /* there is no such thing here: no region, no task, no OpenMP thread */
    ompd_rc_stale_handle = 2,         /* the handle is not valid, or no longer */
    ompd_rc_bad_input = 3,            /* an argument that is not a handle is wrong */
    ompd_rc_error = 4,                /* anything else */
    ompd_rc_unsupported = 5,          /* not possible with these arguments */
    ompd_rc_needs_state_tracking = 6, /* the program ran without OMP_DEBUG=enabled, so nobody recorded it */
    ompd_rc_incompatible = 7,        /* the library cannot deal with this program, or value and type differ */
    ompd_rc_device_read_error = 8,   /* the target's memory could not be read */
    ompd_rc_device_write_error = 9,  /* the target's memory could not be written */
    ompd_rc_nomem = 10,              /* the tool gave no memory */
    ompd_rc_incomplete = 11,         /* 5.1: the outputs are right, but not all there is */
    ompd_rc_callback_error = 12,     /* 5.1: the table of callbacks is unusable, or a callback failed */
    ompd_rc_incompatible_handle = 13 /* 6.0: a handle of the wrong sort */
} ompd_rc_t;

/*
 * What an ICV or a tool's data word belongs to; decides which handle goes with it.
 * OpenMP 5.0 section 5.3, 6.0 chapter 39.
 */
typedef enum ompd_scope_t {
    ompd_scope_global = 1,        /* address-space handle of the host */
    ompd_scope_address_space = 2, /* any address-space handle */
    ompd_scope_thread = 3,        /* thread handle */
    ompd_scope_parallel = 4,      /* parallel handle */
    ompd_scope_implicit_task = 5, /* task handle of an implicit task */
    ompd_scope_task = 6,          /* any task handle */
    ompd_scope_teams = 7,         /* 6.0: parallel handle of the region that teams made */
    ompd_scope_target = 8         /* 6.0: parallel handle of the region that target made */
} ompd_scope_t;

/* 6.0: which construct made a team: the value of team-generator-var. OpenMP 6.0 section 39.13. */
typedef enum ompd_team_generator_t {
    ompd_generator_program = 0, /* none: the initial team */
    ompd_generator_parallel = 1,
    ompd_generator_teams = 2,
    ompd_generator_target = 3
} ompd_team_generator_t;

/* A place in the target; 16 bytes. OpenMP 5.0 section 5.3, 6.0 chapter 39. */
typedef struct ompd_address_t {
    ompd_seg_t segment; /* ompd_segment_none on flat targets */
    ompd_addr_t address;
} ompd_address_t;

/* A frame of a task and how to read it; 24 bytes. OpenMP 5.0 section 5.3, 6.0 chapter 39. */
typedef struct ompd_frame_info_t {
    ompd_address_t frame_address;
    ompd_word_t frame_flag; /* bits of ompt_frame_flag_t */
} ompd_frame_info_t;

/*
 * Handles: made by the library, opaque to the tool, given back with ompd_rel_*. Two handles may mean the
 * same thing: compare them with ompd_*_handle_compare. After the end of what it stands for a handle is
 * stale. OpenMP 5.0 section 5.3, 6.0 section 39.18.
 * A handle is memory of the tool (callback alloc_memory): once it has been given back, no function may get it
 * again, ompd_rel_* neither. The library keeps no list in which it could find that out.
 */
typedef struct _ompd_aspace_handle ompd_address_space_handle_t;
typedef struct _ompd_thread_handle ompd_thread_handle_t;
typedef struct _ompd_parallel_handle ompd_parallel_handle_t;
typedef struct _ompd_task_handle ompd_task_handle_t;

/*
 * Contexts: made by the tool, opaque to the library, which never frees one. They live until the last handle
 * that may refer to them is released. OpenMP 5.0 section 5.3, 6.0 chapter 39.
 */
typedef struct _ompd_aspace_cont ompd_address_space_context_t;
typedef struct _ompd_thread_cont ompd_thread_context_t;

/* Sizes in bytes of the basic C types in the target; 6 bytes. OpenMP 5.0 section 5.3, 6.0 chapter 39. */
typedef struct ompd_device_type_sizes_t {
    uint8_t sizeof_char;
    uint8_t sizeof_short;
    uint8_t sizeof_int;
    uint8_t sizeof_long;
    uint8_t sizeof_long_long;
    uint8_t sizeof_pointer;
} ompd_device_type_sizes_t;

/* ---------------------------------------------------------------------------------------------------------
 * OMPD: callbacks, which the tool provides and the library calls, only while the tool is inside a call to the
 * library. All may return ok and stale_handle; further codes stand with each. A careful library takes any
 * code but ok as a failure. OpenMP 5.0 section 5.4, 5.2 section 20.4, 6.0 chapter 40.
 * ------------------------------------------------------------------------------------------------------ */

/* Gives nbytes of memory, aligned for any type, not zeroed. A tool without memory answers nomem. */
typedef ompd_rc_t (*ompd_callback_memory_alloc_fn_t)(ompd_size_t nbytes, void **ptr);

/* Takes back a block of alloc_memory. */
typedef ompd_rc_t (*ompd_callback_memory_free_fn_t)(void *ptr);

/* Shows a text as it is. The category's numbers are the library's. May be NULL: the library stays silent. */
typedef ompd_rc_t (*ompd_callback_print_string_fn_t)(const char *string, int category);

/* Fills *sizes with the target's sizes. */
typedef ompd_rc_t (*ompd_callback_sizeof_fn_t)(ompd_address_space_context_t *address_space_context,
                                               ompd_device_type_sizes_t *sizes);

/*
 * Finds a variable, function or label with exactly this name, local, global or weak. thread_context NULL: a
 * global one; else the thread's own copy of a thread-local one. file_name: where to look first, or NULL.
 * error: no such symbol; bad_input: no name given.
 */
typedef ompd_rc_t (*ompd_callback_symbol_addr_fn_t)(ompd_address_space_context_t *address_space_context,
                                                    ompd_thread_context_t *thread_context,
                                                    const char *symbol_name, ompd_address_t *symbol_addr,
                                                    const char *file_name);

/*
 * Copies nbytes of the target as they are (read_memory), or up to and with the first NUL but at most nbytes
 * (read_string). error: memory that is not there; incomplete: read_string met no NUL, and the buffer, full,
 * has none.
 */
typedef ompd_rc_t (*ompd_callback_memory_read_fn_t)(ompd_address_space_context_t *address_space_context,
                                                    ompd_thread_context_t *thread_context,
                                                    const ompd_address_t *addr, ompd_size_t nbytes,
                                                    void *buffer);

/* Copies nbytes into the target as they are. error: memory that is not there. */
typedef ompd_rc_t (*ompd_callback_memory_write_fn_t)(ompd_address_space_context_t *address_space_context,
                                                     ompd_thread_context_t *thread_context,
                                                     const ompd_address_t *addr, ompd_size_t nbytes,
                                                     const void *buffer);

/* Turns count units of unit_size bytes from the target's byte order into the tool's, or the other way. */
typedef ompd_rc_t (*ompd_callback_device_host_fn_t)(ompd_address_space_context_t *address_space_context,
                                                    const void *input, ompd_size_t unit_size,
                                                    ompd_size_t count, void *output);

/*
 * Gives the tool's context of a native thread. It is good until the library returns to the tool.
 * bad_input: sizeof_thread_id does not fit the kind; unsupported: unknown kind.
 */
typedef ompd_rc_t (*ompd_callback_get_thread_context_for_thread_id_fn_t)(
    ompd_address_space_context_t *address_space_context, ompd_thread_id_t kind, ompd_size_t sizeof_thread_id,
    const void *thread_id, ompd_thread_context_t **thread_context);

/* The table that ompd_initialize gets; 88 bytes on LP64. OpenMP 5.0 section 5.4, 6.0 chapter 40. */
typedef struct ompd_callbacks_t {
    ompd_callback_memory_alloc_fn_t alloc_memory;
    ompd_callback_memory_free_fn_t free_memory;
    ompd_callback_print_string_fn_t print_string; /* may be NULL */
    ompd_callback_sizeof_fn_t sizeof_type;
    ompd_callback_symbol_addr_fn_t symbol_addr_lookup;
    ompd_callback_memory_read_fn_t read_memory;
    ompd_callback_memory_write_fn_t write_memory;
    ompd_callback_memory_read_fn_t read_string;
    ompd_callback_device_host_fn_t device_to_host;
    ompd_callback_device_host_fn_t host_to_device;
    ompd_callback_get_thread_context_for_thread_id_fn_t get_thread_context_for_thread_id;
} ompd_callbacks_t;

/* ---------------------------------------------------------------------------------------------------------
 * OMPD: routines of the library. OpenMP 5.0 section 5.5, 5.2 section 20.5, 6.0 chapter 41.
 *
 * The tool lets one of its threads in at a time. Answers mean something only while the threads that they
 * are about stand still. Each comment lists every code that libompd.so of this project returns from the
 * routine; another library may return others. Under "ok" and "incomplete" stands what happens to the
 * outputs; with every other code they keep what they held. Words used in the lists:
 *   stale_handle         a handle is NULL, was released, is from before ompd_finalize, or its process or
 *                        thread or region has ended or, for a task, its record was freed; to callers
 *                        before 6.0 also a handle of another sort
 *   incompatible_handle  (6.0) a handle of another sort
 *   bad_input            an output pointer is NULL, or what the routine says
 *   callback_error       (5.1; error in 5.0) no ompd_initialize yet, or a callback returned a code that it
 *                        must not
 *   device_read_error    the read_memory callback said so, or what it could not read may hold the answer
 *   error                a callback said so, or the target's memory holds what no runtime writes
 *   nomem                alloc_memory gave nothing
 * needs_state_tracking is returned by no routine: Companion records what OMPD asks for whether OMP_DEBUG
 * is enabled or not. Neither is device_write_error: nothing is written. Every routine may be called in
 * every version, also those that came with 5.2.
 * ------------------------------------------------------------------------------------------------------ */

/* The library. */

/*
 * Makes the library ready: once after loading, before everything but the two routines on versions.
 * api_version is the version that the tool was written for, callbacks stay in use until ompd_finalize.
 *   ok: no output.
 *   bad_input: callbacks is NULL or lacks one that must be there (alloc_memory, free_memory, sizeof_type,
 *     symbol_addr_lookup, read_memory, device_to_host); the library stays as it was.
 *   unsupported: api_version is not 201811, 202011, 202111 or 202411; the library stays as it was.
 *   error: it is ready already, perhaps for another tool in the same process; it stays as it was.
 */
ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks);

/*
 * The newest version of OMPD that the library speaks, as the value of _OPENMP. May come before
 * ompd_initialize.
 *   ok: *version is set.
 *   bad_input: version is NULL.
 */
ompd_rc_t ompd_get_api_version(ompd_word_t *version);

/*
 * A text that names vendor, version and build. May come before ompd_initialize.
 *   ok: *string points to static text of the library: not to be changed or freed.
 *   bad_input: string is NULL.
 */
ompd_rc_t ompd_get_version_string(const char **string);

/*
 * The last call before unloading; release all handles first.
 *   ok: no output; the callbacks are not used any more, and handles that were not released are stale.
 *   unsupported: the library is not initialised.
 */
ompd_rc_t ompd_finalize(void);

/* Processes and devices. */

/*
 * Opens a process or core file. Comes before all other questions about it.
 *   ok: *host_handle is a new handle, for ompd_rel_address_space_handle.
 *   unavailable: the runtime is there but has not started; try again later; unchanged.
 *   incompatible: no runtime there that this library can deal with, which a sentence through print_string
 *     explains; unchanged.
 *   bad_input: context or host_handle is NULL; unchanged.
 *   stale_handle: a callback says that the context is gone; unchanged.
 *   callback_error, device_read_error, error, nomem: as above; unchanged.
 */
ompd_rc_t ompd_process_initialize(ompd_address_space_context_t *context,
                                  ompd_address_space_handle_t **host_handle);

/*
 * Opens a device that has at least one active target region. kind, sizeof_id and id are its identifier.
 *   unsupported: always, once the arguments are right: no runtime that this library knows offloads, and
 *     the host is no device to open; unchanged.
 *   bad_input: device_context, id or device_handle is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error: as above; unchanged.
 */
ompd_rc_t ompd_device_initialize(ompd_address_space_handle_t *host_handle,
                                 ompd_address_space_context_t *device_context, ompd_device_t kind,
                                 ompd_size_t sizeof_id, void *id,
                                 ompd_address_space_handle_t **device_handle);

/*
 * Gives an address-space handle back. Its context must not be used afterwards.
 *   ok: the handle is gone; handles below it are stale, but each is still to be released.
 *   stale_handle, incompatible_handle, callback_error: as above; nothing is released.
 */
ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle);

/*
 * 5.2: which kinds of native thread identifiers the library takes for this address space, and their sizes
 * in bytes.
 *   ok: *kinds and *thread_id_sizes are arrays of *count elements, from alloc_memory; the tool frees both.
 *     They say: OMPD_THREAD_ID_PTHREAD with the size of a pointer, OMPD_THREAD_ID_LWP with 4 (8 is taken
 *     too).
 *   stale_handle, incompatible_handle, bad_input, callback_error, nomem: as above; unchanged.
 */
ompd_rc_t ompd_get_device_thread_id_kinds(ompd_address_space_handle_t *device_handle,
                                          ompd_thread_id_t **kinds, ompd_size_t **thread_id_sizes,
                                          int *count);

/*
 * The version of OpenMP that the runtime implements, as the value of _OPENMP.
 *   ok: *omp_version is set.
 *   unavailable: the runtime has not started; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space, ompd_word_t *omp_version);

/*
 * The same as a text.
 *   ok: *string is text from alloc_memory, which the tool frees.
 *   unavailable: the runtime has not started; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *address_space, const char **string);

/* Threads. */

/*
 * The thread with number thread_num in the team of a region. Stopped: all threads of the team.
 *   ok: *thread_handle is a new handle, for ompd_rel_thread_handle.
 *   unavailable: no thread has entered the region with that number yet; unchanged.
 *   bad_input: thread_num is below 0 or not below the team's size, or thread_handle is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_thread_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                      ompd_thread_handle_t **thread_handle);

/*
 * The OpenMP thread that a native thread is. The identifier is copied, not kept.
 *   ok: *thread_handle is a new handle, for ompd_rel_thread_handle.
 *   unavailable: the native thread is none of OpenMP, or has ended; unchanged.
 *   unsupported: a kind that ompd_get_device_thread_id_kinds does not list; unchanged.
 *   bad_input: sizeof_thread_id does not fit the kind, or a pointer is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_thread_handle(ompd_address_space_handle_t *handle, ompd_thread_id_t kind,
                                 ompd_size_t sizeof_thread_id, const void *thread_id,
                                 ompd_thread_handle_t **thread_handle);

/*
 * Gives a thread handle back.
 *   ok: the handle is gone, also when its thread or its process has ended.
 *   stale_handle, incompatible_handle, callback_error: as above; nothing is released.
 */
ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle);

/*
 * Compares two threads in an order that the library chooses and keeps to: by process, then as they came to
 * be. Looks at the handles alone, so also handles of threads that have ended have their place in it.
 *   ok: *cmp_value is below 0, 0 (the same thread) or above 0.
 *   stale_handle, incompatible_handle, bad_input, callback_error: as above; unchanged.
 */
ompd_rc_t ompd_thread_handle_compare(ompd_thread_handle_t *thread_handle_1,
                                     ompd_thread_handle_t *thread_handle_2, int *cmp_value);

/*
 * The native identifier of a thread, written to the tool's buffer of sizeof_thread_id bytes. Stopped: the
 * thread.
 *   ok: the buffer is filled.
 *   unsupported: a kind that ompd_get_device_thread_id_kinds does not list; the buffer is unchanged.
 *   bad_input: sizeof_thread_id does not fit the kind, or thread_id is NULL; the buffer is unchanged.
 *   stale_handle, incompatible_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_thread_id(ompd_thread_handle_t *thread_handle, ompd_thread_id_t kind,
                             ompd_size_t sizeof_thread_id, void *thread_id);

/*
 * 5.2: the device on which a thread runs. Stopped: the thread.
 *   ok: *device is the handle that ompd_process_initialize gave, for all OpenMP threads are on the host:
 *     no new one, not to be released once more.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_device_from_thread(ompd_thread_handle_t *thread_handle,
                                      ompd_address_space_handle_t **device);

/* Parallel regions. */

/*
 * The innermost region that a thread is in. Stopped: the thread.
 *   ok: *parallel_handle is a new handle, for ompd_rel_parallel_handle.
 *   unavailable: the thread is in no team; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_curr_parallel_handle(ompd_thread_handle_t *thread_handle,
                                        ompd_parallel_handle_t **parallel_handle);

/*
 * The region around a region. Stopped: at least one thread of the team.
 *   ok: *enclosing_parallel_handle is a new handle, for ompd_rel_parallel_handle.
 *   unavailable: there is none: it is an initial region; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_enclosing_parallel_handle(ompd_parallel_handle_t *parallel_handle,
                                             ompd_parallel_handle_t **enclosing_parallel_handle);

/*
 * The region that a task belongs to. Stopped: at least one thread of the team.
 *   ok: *task_parallel_handle is a new handle, for ompd_rel_parallel_handle.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_task_parallel_handle(ompd_task_handle_t *task_handle,
                                        ompd_parallel_handle_t **task_parallel_handle);

/*
 * Gives a parallel handle back.
 *   ok: the handle is gone, also when its region or its process has ended.
 *   stale_handle, incompatible_handle, callback_error: as above; nothing is released.
 */
ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle);

/*
 * Compares two regions, as ompd_thread_handle_compare does.
 *   ok: *cmp_value is below 0, 0 (the same region) or above 0.
 *   stale_handle, incompatible_handle, bad_input, callback_error: as above; unchanged.
 */
ompd_rc_t ompd_parallel_handle_compare(ompd_parallel_handle_t *parallel_handle_1,
                                       ompd_parallel_handle_t *parallel_handle_2, int *cmp_value);

/* Tasks. */

/*
 * The task that a thread executes. Stopped: the thread.
 *   ok: *task_handle is a new handle, for ompd_rel_task_handle.
 *   unavailable: the thread executes none: it is idle; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle);

/*
 * The task that created a task. Stopped: the thread that executes the task.
 *   ok: *generating_task_handle is a new handle, for ompd_rel_task_handle. For an implicit task: of the
 *     task that met the construct.
 *   unavailable: there is none: it is an initial task; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_generating_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **generating_task_handle);

/*
 * The task that its thread set aside to run this one, further out on the same stack. An implicit task has
 * none. Stopped: the thread that executes the task.
 *   ok: *scheduling_task_handle is a new handle, for ompd_rel_task_handle.
 *   unavailable: there is none: the task is implicit or initial, has not started, or has left the stack;
 *     unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_scheduling_task_handle(ompd_task_handle_t *task_handle,
                                          ompd_task_handle_t **scheduling_task_handle);

/*
 * The implicit task of the thread with number thread_num of a region, also before that thread has begun it:
 * such a task has its function, its region, its generating task and the control variables that it will begin
 * with; its frames and its tool data are 0. Stopped: all threads of the region.
 *   ok: *task_handle is a new handle, for ompd_rel_task_handle.
 *   unavailable: the implicit task with that number has not begun, and the runtime is older than layout 1.3;
 *     unchanged.
 *   bad_input: thread_num is below 0 or not below the team's size, or task_handle is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_task_in_parallel(ompd_parallel_handle_t *parallel_handle, int thread_num,
                                    ompd_task_handle_t **task_handle);

/*
 * Gives a task handle back.
 *   ok: the handle is gone, also when its task or its process has ended.
 *   stale_handle, incompatible_handle, callback_error: as above; nothing is released.
 */
ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle);

/*
 * Compares two tasks, as ompd_thread_handle_compare does.
 *   ok: *cmp_value is below 0, 0 (the same task) or above 0.
 *   stale_handle, incompatible_handle, bad_input, callback_error: as above; unchanged.
 */
ompd_rc_t ompd_task_handle_compare(ompd_task_handle_t *task_handle_1, ompd_task_handle_t *task_handle_2,
                                   int *cmp_value);

/*
 * Where the code of a task's body starts. Stopped: the thread that executes the task.
 *   ok: *entry_point is set.
 *   unavailable: the task has no function that the runtime knows, as an initial task; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point);

/*
 * The two frames of a task: exit, where the runtime went into its code, and enter, where its code went into
 * the runtime; address 0 for none. Stopped: the thread that executes the task.
 *   ok: *exit_frame and *enter_frame are set.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_task_frame(ompd_task_handle_t *task_handle, ompd_frame_info_t *exit_frame,
                              ompd_frame_info_t *enter_frame);

/* States of threads. */

/*
 * Walks over the states that the runtime may report: start with ompt_state_undefined, go on with the last
 * *next_state while *more_enums is 1.
 *   ok: *next_state and *more_enums are set; *next_state_name is text from alloc_memory, which the tool
 *     frees. Only states that the version of ompd_initialize has.
 *   bad_input: current_state is unknown or the last one, or an output is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error, nomem: as above; unchanged.
 */
ompd_rc_t ompd_enumerate_states(ompd_address_space_handle_t *address_space_handle, ompd_word_t current_state,
                                ompd_word_t *next_state, const char **next_state_name,
                                ompd_word_t *more_enums);

/*
 * What a thread is doing, and what it waits for. wait_id may be NULL. Stopped: the thread.
 *   ok: *state is set: one of ompd_enumerate_states, or ompt_state_undefined. *wait_id too: the address of
 *     what a wait state waits for (the lock, the word of the critical's name, the barrier's team, the
 *     waiting task, the taskgroup), 0 in other states.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state, ompd_wait_id_t *wait_id);

/* Control variables, ICVs, and the data words of a first-party tool. */

/*
 * The settings that the runtime runs with, as a vector of texts NAME=VALUE that NULL ends: the variables of
 * OpenMP that the version of ompd_initialize has. Settings that each task has are the initial task's; they
 * are left out when it has ended.
 *   ok: *control_vars is set, for ompd_rel_display_control_vars.
 *   unavailable: the runtime has not started; unchanged.
 *   stale_handle, incompatible_handle, bad_input, callback_error, device_read_error, error, nomem: as
 *     above; unchanged.
 */
ompd_rc_t ompd_get_display_control_vars(ompd_address_space_handle_t *address_space_handle,
                                        const char *const **control_vars);

/*
 * Gives that vector and its texts back.
 *   ok: vector and texts are gone, and *control_vars is NULL.
 *   bad_input: control_vars or what it points to is NULL.
 *   callback_error: as above; nothing is released.
 */
ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars);

/*
 * Walks over the ICVs: start with ompd_icv_undefined, go on with the last *next_id while *more is 1. OpenMP
 * 6.0 section 41.11.1.
 *   ok: *next_id, *next_scope and *more are set; *next_icv_name is text from alloc_memory, which the tool
 *     frees. Only ICVs that the version of ompd_initialize has.
 *   bad_input: current is unknown or the last one, or an output is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error, nomem: as above; unchanged.
 */
ompd_rc_t ompd_enumerate_icvs(ompd_address_space_handle_t *handle, ompd_icv_id_t current,
                              ompd_icv_id_t *next_id, const char **next_icv_name, ompd_scope_t *next_scope,
                              int *more);

/*
 * The value of an ICV as a number. scope is the one that ompd_enumerate_icvs gave, handle the sort that
 * goes with it.
 *   ok: *icv_value is set.
 *   incomplete: (5.1; ok in 5.0) *icv_value is set to the first item of a list that has more.
 *   incompatible: the value is no number, or handle and scope do not match; unchanged.
 *   unavailable: the runtime has not started, or the task has not (thread-num-var); unchanged.
 *   unsupported: this runtime is too old to tell; unchanged.
 *   bad_input: icv_id is unknown, or icv_value is NULL; unchanged.
 *   stale_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_icv_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                  ompd_word_t *icv_value);

/*
 * The value of an ICV as text.
 *   ok: *icv_string is text from alloc_memory, which the tool frees.
 *   incomplete: (5.1; ok in 5.0) as ok, but the text is cut: it is longer than any setting is (1 MB, or a
 *     list of more than 256 numbers), so the target's memory may be damaged.
 *   incompatible: handle and scope do not match; unchanged.
 *   unavailable: the runtime has not started, or the task has not (thread-num-var); unchanged.
 *   unsupported: this runtime is too old to tell; unchanged.
 *   bad_input: icv_id is unknown, or icv_string is NULL; unchanged.
 *   stale_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_icv_string_from_scope(void *handle, ompd_scope_t scope, ompd_icv_id_t icv_id,
                                         const char **icv_string);

/*
 * The ompt_data_t that an OMPT tool has stored with a thread, region or task, read as both of its members. A
 * tool that is in place has 0 until it stores something; so has a process without a tool.
 *   ok: *value is the number, *ptr the pointer (segment none).
 *   unsupported: the handle is an address space's, for which OMPT has no such data, or this runtime is too
 *     old to tell; unchanged.
 *   bad_input: scope is unknown to the version of ompd_initialize, or an output is NULL; unchanged.
 *   stale_handle, incompatible_handle, callback_error, device_read_error, error, nomem: as above;
 *     unchanged.
 */
ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr);

/* ---------------------------------------------------------------------------------------------------------
 * OMPD: what the runtime in the target exports. OpenMP 5.0 section 5.6, 6.0 chapter 42.
 * ------------------------------------------------------------------------------------------------------ */

/*
 * Paths of the libraries that explain this runtime; NULL ends the vector. The pointer is NULL until the
 * vector is complete, then stays. A tool that finds NULL waits at ompd_dll_locations_valid.
 */
extern const char **ompd_dll_locations;
void ompd_dll_locations_valid(void);

/*
 * Places that execution passes, where a debugger may stop; possibly mere labels, never to be called.
 * At *_begin and *_end of a region the thread's current region is the one that begins or ends, and its
 * current task the one that met the construct; at task_begin and task_end the current task is the one that
 * starts or has finished. Past an *_end the handles of what ended are stale. Passed for sure only with
 * OMP_DEBUG=enabled.
 */
void ompd_bp_thread_begin(void);   /* before the thread's first region */
void ompd_bp_thread_end(void);     /* after its last one */
void ompd_bp_device_begin(void);   /* before work of any region on the device */
void ompd_bp_device_end(void);     /* after all of it */
void ompd_bp_parallel_begin(void); /* before the region starts */
void ompd_bp_parallel_end(void);   /* after it finished */
void ompd_bp_task_begin(void);     /* just before the body of a task that is not merged */
void ompd_bp_task_end(void);       /* just after it */
void ompd_bp_teams_begin(void);    /* 6.0 */
void ompd_bp_teams_end(void);      /* 6.0 */
void ompd_bp_target_begin(void);   /* 6.0; here the current task is the initial task on the device */
void ompd_bp_target_end(void);     /* 6.0; the same */

#ifdef __cplusplus
}
#endif

#undef OMP_TOOLS_WIDE_ENUM

#endif /* OMP_TOOLS_H */
