/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Extensions of this project's libompd.so: what a debugger wants to know and OMPD cannot say.
 *
 * All are found with dlsym; a vendor's library lacks them and a debugger does without. Conventions are OMPD's:
 * handles and arrays come from the tool's alloc_memory; the tool frees arrays with its own free and releases each
 * handle with ompd_rel_*; on any return code but ompd_rc_ok outputs are unaltered. Every structure starts with its own
 * size: the caller sets `size` to sizeof of what it was compiled with, the library fills at most that much.
 *
 * Return codes common to all: ompd_rc_stale_handle (NULL or dead handle), ompd_rc_bad_input (NULL output, size too
 * small), ompd_rc_nomem, ompd_rc_callback_error or the code of a failed memory callback, ompd_rc_error (target memory
 * is inconsistent). ompd_rc_incompatible_handle (a handle of another sort) and the newer codes are returned whatever
 * version ompd_initialize negotiated.
 */
#ifndef OMPDX_H
#define OMPDX_H

#include <stdint.h>
#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Bracket: the caller promises that nothing in the address space runs until ompdx_stop_end. Inside, slabs are read once,
 * in blocks, and all calls (standard ones too) answer from them. Brackets do not nest.
 * \retval ompd_rc_unavailable   stop_begin: a bracket is open; stop_end: none is.
 */
ompd_rc_t ompdx_stop_begin(ompd_address_space_handle_t *handle);
ompd_rc_t ompdx_stop_end(ompd_address_space_handle_t *handle);

/** Category that the library gives print_string: sentences for the user, and lines of the call trace. */
#define OMPDX_PRINT_SENTENCE 0
#define OMPDX_PRINT_TRACE    1

/**
 * Call trace: from ompdx_trace(1) to ompdx_trace(0) or ompd_finalize each call of a function of this library, but of
 * this one, gives one line to print_string after it returned:
 *   NAME(argument=value, ...) = CODE; callbacks: N, CALLBACK n, CALLBACK n (m failed), ...\n
 * Numbers are decimal, pointers hexadecimal or NULL; an output that was filled is shown as ->value. N counts all
 * callbacks that the call made, then those of each kind. The trace's own print_string is not counted. It is one for the
 * whole library, as its callbacks are; a line that is too long is cut.
 * \retval ompd_rc_callback_error  ompd_initialize was not called, or gave no print_string.
 * \retval ompd_rc_bad_input       `on` is neither 0 nor 1.
 */
ompd_rc_t ompdx_trace(int on);

/** What this runtime is. `kind` "companion", "libomp", "libgomp": static, owned by the library. */
typedef struct ompdx_runtime_info_t {
    uint64_t size;
    const char *kind;
    uint32_t layout_major, layout_minor;
    uint64_t slabs;         /**< slabs in the directory, 0 where the notion does not exist */
    uint64_t layout_fields; /**< entries in the published table */
    /**
     * [code_start, code_end): the runtime's own code in the target. It tells it from the program's where both are in one
     * file. Both 0: not known (Companion before 1.4). A caller whose structure ends before them does not get them.
     */
    uint64_t code_start, code_end;
} ompdx_runtime_info_t;
ompd_rc_t ompdx_get_runtime_info(ompd_address_space_handle_t *handle, ompdx_runtime_info_t *info);

/**
 * All OpenMP threads of the address space, in order of their ids. *handles is one alloc_memory block of *count (a block
 * even when *count is 0). This and the next two, before the runtime has started: ok with none.
 * \retval ompd_rc_incomplete   Part of the target's memory could not be read (a page that is not in the core): the
 *                              outputs are filled, as with ompd_rc_ok, with what could be.
 */
ompd_rc_t ompdx_get_all_threads(ompd_address_space_handle_t *handle, ompd_thread_handle_t ***handles,
                                int *count);
/** All regions that are open (initial ones included), in order of their ids. Codes as above. */
ompd_rc_t ompdx_get_all_parallels(ompd_address_space_handle_t *handle, ompd_parallel_handle_t ***handles,
                                  int *count);
/**
 * All tasks that are not complete (initial, implicit, explicit; queued ones too), in order of their ids; a complete one
 * while it still is a thread's current task; implicit ones also before their threads have begun them. Codes as above.
 */
ompd_rc_t ompdx_get_all_tasks(ompd_address_space_handle_t *handle, ompd_task_handle_t ***handles, int *count);

typedef enum ompdx_wait_kind_t {
    ompdx_wait_none = 0,
    ompdx_wait_lock = 1,
    ompdx_wait_nest_lock = 2,
    ompdx_wait_critical = 3,
    ompdx_wait_ordered = 4,
    ompdx_wait_atomic = 5,
    ompdx_wait_reduction = 6,
    ompdx_wait_barrier = 7,
    ompdx_wait_taskwait = 8,
    ompdx_wait_taskgroup = 9,
    ompdx_wait_depend = 10,
    ompdx_wait_event = 11,
    ompdx_wait_target = 12,
    ompdx_wait_unknown = 13
} ompdx_wait_kind_t;

typedef enum ompdx_owner_kind_t {
    ompdx_owner_none = 0,   /**< nobody holds it now, or the wait is not for a mutex */
    ompdx_owner_thread = 1, /**< a thread of this runtime: owner_thread, owner_tid, owner_pthread */
    ompdx_owner_ended = 2,  /**< a thread that has ended; owner_thread is its id, 0 unknown */
    ompdx_owner_unknown = 3 /**< the runtime does not record it */
} ompdx_owner_kind_t;

typedef struct ompdx_thread_info_t {
    uint64_t size;
    uint64_t id;           /**< the thread's serial */
    uint64_t pthread;      /**< pthread_t in the target */
    int64_t tid;           /**< kernel id as the target sees it */
    int32_t kind;          /**< ompt_thread_t */
    int32_t state;         /**< ompt_state_t */
    int32_t wait_kind;     /**< ompdx_wait_kind_t; none when state is no wait */
    int32_t owner_kind;    /**< ompdx_owner_kind_t */
    uint64_t wait_id;      /**< 0 when state is no wait */
    uint64_t wait_codeptr; /**< return address into user code, 0 unknown */
    uint64_t
        wait_object; /**< id of what is waited on where it is ours: region (barrier), task (taskwait, depend, event),
                          taskgroup, else 0 */
    uint64_t owner_thread; /**< owner's id */
    int64_t owner_tid;
    uint64_t owner_pthread;
    uint64_t region;                                    /**< id of the current region, 0 when idle */
    uint64_t task;                                      /**< id of the current task, 0 when idle */
    int32_t thread_num, team_size, level, active_level; /**< -1 when idle */
    uint64_t
        owner_codeptr; /**< owner_thread: return address into user code of the call that took it, 0 unknown
                                 (Companion: kept with OMP_DEBUG=enabled) */
    /**
     * 1: owner_kind is ompdx_owner_thread, and it cannot be known for certain: numbers of ended threads are in use again
     * (Companion: after 2147483647 threads), so the mutex may have been left behind by an earlier thread of that number.
     * A caller whose structure ends before this member gets ompdx_owner_unknown and no owner instead.
     */
    uint64_t owner_uncertain;
} ompdx_thread_info_t;
ompd_rc_t ompdx_get_thread_info(ompd_thread_handle_t *thread, ompdx_thread_info_t *info);

typedef struct ompdx_parallel_info_t {
    uint64_t size;
    uint64_t id;
    uint64_t parent;      /**< id of the enclosing region, 0 none */
    uint64_t parent_task; /**< id of the encountering task, 0 none */
    uint64_t function;    /**< outlined function, 0 unknown */
    uint64_t codeptr;     /**< return address of the fork call in user code, 0 unknown */
    uint64_t source;      /**< target address of clang's ";file;function;line;column;;" string, 0 unknown */
    int32_t kind;         /**< ompd_team_generator_t */
    int32_t level, active_level, team_size;
    int32_t league_size, team_num; /**< -1 when not in a league */
} ompdx_parallel_info_t;
ompd_rc_t ompdx_get_parallel_info(ompd_parallel_handle_t *parallel, ompdx_parallel_info_t *info);

/**
 * Thread numbers of the team that have arrived at its current barrier, ascending. *thread_nums is an alloc_memory block
 * (of *count ints; NULL when *count is 0).
 */
ompd_rc_t ompdx_get_barrier_arrivals(ompd_parallel_handle_t *parallel, int **thread_nums, int *count);

typedef enum ompdx_task_state_t {
    ompdx_task_created = 1,    /**< allocated, not submitted; implicit: its thread has not begun it */
    ompdx_task_blocked = 2,    /**< waits for dependences */
    ompdx_task_ready = 3,      /**< queued */
    ompdx_task_running = 4,    /**< current task of a thread */
    ompdx_task_suspended = 5,  /**< on a thread's stack below another task, or untied and set aside */
    ompdx_task_completing = 6, /**< its code has ended, child tasks have not */
    ompdx_task_detached = 7,
    ompdx_task_cancelled = 8
} ompdx_task_state_t;

typedef struct ompdx_task_info_t {
    uint64_t size;
    uint64_t id;
    uint64_t region;            /**< id of its region */
    uint64_t generator;         /**< id of the generating task, 0 none (initial task) */
    uint64_t scheduled_over;    /**< id of the task set aside on the same stack in its favour, 0 none */
    uint64_t thread;            /**< id of the thread that runs it or has it on its stack, 0 none */
    int64_t tid;                /**< that thread's kernel id in the target, 0 none */
    uint64_t pthread;           /**< that thread's pthread_t, 0 none */
    uint64_t function;          /**< entry point, 0 unknown */
    uint64_t codeptr;           /**< return address of the creating call, 0 unknown */
    uint64_t source;            /**< as ompdx_parallel_info_t.source */
    int32_t state;              /**< ompdx_task_state_t */
    uint32_t flags;             /**< ompt_task_flag_t bits */
    int32_t thread_num;         /**< number of the thread in `thread`, -1 none */
    int32_t creator_thread_num; /**< explicit tasks: number of the creating thread in its team, else -1 */
    uint32_t children;          /**< incomplete child tasks */
    int32_t taskloop;           /**< 1 for a chunk of a taskloop */
    uint64_t taskgroup;         /**< id of the innermost taskgroup that waits for it, 0 none */
} ompdx_task_info_t;
ompd_rc_t ompdx_get_task_info(ompd_task_handle_t *task, ompdx_task_info_t *info);

/** Ids of the tasks that must complete before this one may start, ascending (alloc_memory block, NULL when none). */
ompd_rc_t ompdx_get_task_predecessors(ompd_task_handle_t *task, uint64_t **ids, int *count);

#ifdef __cplusplus
}
#endif
#endif
