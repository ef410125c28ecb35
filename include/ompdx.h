/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Extensions of this project's libompd.so: what a debugger wants to know and OMPD cannot say.
 *
 * A debugger finds the functions with dlsym; the library of another vendor does not have them. The
 * conventions are those of OMPD: a block that a function returns (an array, a handle) comes from the
 * debugger's alloc_memory. The debugger frees an array as it frees its own memory, and releases each handle
 * with ompd_rel_*_handle.
 *
 * Outputs are filled if the return code is ompd_rc_ok, or ompd_rc_incomplete where that is listed. With any
 * other code they are unchanged.
 *
 * Each structure begins with its size, which the caller sets to the sizeof that it was compiled with. The
 * library fills no more than that, so a debugger and a library of different releases work together. New
 * members are added at the end only.
 *
 * Each function that takes a handle may return these codes, whatever version ompd_initialize negotiated:
 * \retval ompd_rc_ok                   The outputs are filled.
 * \retval ompd_rc_callback_error       ompd_initialize was not called, or a callback of the debugger failed
 *                                      without a code of its own.
 * \retval ompd_rc_stale_handle         The handle is NULL, was released, or what it names has ended.
 * \retval ompd_rc_incompatible_handle  It is a handle of another type.
 * \retval ompd_rc_bad_input            A pointer to an output is NULL.
 * \retval ompd_rc_nomem                alloc_memory gave no memory.
 * \retval ompd_rc_error                The target's memory is inconsistent, or could not be read.
 * Any other code of a memory callback is passed on. The \retval lines below add what is special to a
 * function.
 */
#ifndef OMPDX_H
#define OMPDX_H

#include <stdint.h>
#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Begins a bracket: the caller promises that nothing in the address space runs until ompdx_stop_end. Inside a
 * bracket the library reads the target's structures once, in large blocks, and answers all calls, those of
 * OMPD too, from them. Outside, each call reads anew. Brackets do not nest. There is one per address space
 * handle.
 * \retval ompd_rc_unavailable  A bracket is open already.
 */
ompd_rc_t ompdx_stop_begin(ompd_address_space_handle_t *handle);
/**
 * Ends the bracket and frees what was read.
 * \retval ompd_rc_unavailable  No bracket is open.
 */
ompd_rc_t ompdx_stop_end(ompd_address_space_handle_t *handle);

/** The `category` of the debugger's print_string: a sentence for the user, or a line of the call trace. */
#define OMPDX_PRINT_SENTENCE 0
#define OMPDX_PRINT_TRACE    1

/**
 * Turns the call trace on (1) or off (0). While it is on, each call of a function of this library, except
 * this one, is reported to print_string when it returns, by one line:
 *   NAME(argument=value, ...) = CODE; callbacks: N, CALLBACK n, CALLBACK n (m failed), ...\n
 * Numbers are decimal. Pointers are hexadecimal or NULL. An output that was filled is shown as ->value. N is
 * the number of callbacks that the call made; then each callback has its own number. The print_string of the
 * trace is not counted. A line that is too long is cut. The trace is one for the whole library, as its
 * callbacks are. ompd_finalize ends it.
 * \retval ompd_rc_ok              The trace is as wanted, also if it was before.
 * \retval ompd_rc_callback_error  ompd_initialize was not called, or gave no print_string.
 * \retval ompd_rc_bad_input       ON is neither 0 nor 1.
 */
ompd_rc_t ompdx_trace(int on);

/** What the OpenMP runtime of the address space is. */
typedef struct ompdx_runtime_info_t {
    uint64_t size;
    const char *kind; /**< "companion"; a string of the library's own, valid until it is unloaded */
    uint32_t layout_major,
        layout_minor;       /**< version of the published layout table (docs/runtime-design.md) */
    uint64_t slabs;         /**< slabs in the runtime's directory; 0 if it has no such thing */
    uint64_t layout_fields; /**< entries of the published table */
    /**
     * [code_start, code_end): the runtime's own code in the target. It tells runtime and program apart if
     * both are in one file. Both are 0 if it is not known (Companion before layout 1.4).
     */
    uint64_t code_start, code_end;
} ompdx_runtime_info_t;
/**
 * \retval ompd_rc_bad_input  INFO is NULL, or its `size` is less than that of the structure's first release.
 */
ompd_rc_t ompdx_get_runtime_info(ompd_address_space_handle_t *handle, ompdx_runtime_info_t *info);

/**
 * All OpenMP threads of the address space in the order of their ids. *handles is one block of *count handles;
 * it is a block even if *count is 0, as it is before the runtime has started.
 * \retval ompd_rc_incomplete  The outputs are filled, but part of the target's memory could not be read (a
 *                             page that is not in the core file), so threads may be missing.
 */
ompd_rc_t ompdx_get_all_threads(ompd_address_space_handle_t *handle, ompd_thread_handle_t ***handles,
                                int *count);
/**
 * All parallel regions that have not ended, initial ones included, in the order of their ids. The rest is as
 * for ompdx_get_all_threads.
 * \retval ompd_rc_incomplete  As there.
 */
ompd_rc_t ompdx_get_all_parallels(ompd_address_space_handle_t *handle, ompd_parallel_handle_t ***handles,
                                  int *count);
/**
 * All tasks in the order of their ids: initial, implicit and explicit ones that are not complete, those in
 * queues included; a complete task as long as it is the current one of a thread; and implicit tasks that
 * their threads have not begun yet. The rest is as for ompdx_get_all_threads.
 * \retval ompd_rc_incomplete  As there.
 */
ompd_rc_t ompdx_get_all_tasks(ompd_address_space_handle_t *handle, ompd_task_handle_t ***handles, int *count);

/** What a thread waits for. */
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

/** Which thread holds what a thread waits for. */
typedef enum ompdx_owner_kind_t {
    ompdx_owner_none = 0,   /**< no thread holds it now, or the wait is not for a mutex */
    ompdx_owner_thread = 1, /**< a thread of this runtime: owner_thread, owner_tid, owner_pthread */
    ompdx_owner_ended = 2,  /**< a thread that has ended; owner_thread is its id, 0 if that is not known */
    ompdx_owner_unknown = 3 /**< not recorded by the runtime, or it could not be read */
} ompdx_owner_kind_t;

/** An id names a thread, region, task or taskgroup. It is never used again in the process; 0 is none. */
typedef struct ompdx_thread_info_t {
    uint64_t size;
    uint64_t id;
    uint64_t pthread;      /**< pthread_t in the target */
    int64_t tid;           /**< kernel thread id, as the target itself sees it */
    int32_t kind;          /**< ompt_thread_t */
    int32_t state;         /**< ompt_state_t */
    int32_t wait_kind;     /**< ompdx_wait_kind_t; none if the state is not a wait state */
    int32_t owner_kind;    /**< ompdx_owner_kind_t */
    uint64_t wait_id;      /**< what ompd_get_state returns; 0 if the state is not a wait state */
    uint64_t wait_codeptr; /**< return address in user code of the call that waits; 0 if unknown */
    /**
     * Id of what the thread waits for: region (barrier), task (taskwait, depend, event) or taskgroup; else 0.
     */
    uint64_t wait_object;
    uint64_t owner_thread;  /**< id of the owner */
    int64_t owner_tid;      /**< of the owner, as `tid` */
    uint64_t owner_pthread; /**< of the owner, as `pthread` */
    uint64_t region;        /**< id of the current region; 0 if the thread is idle */
    uint64_t task;          /**< id of the current task; 0 if the thread is idle */
    int32_t thread_num, team_size, level, active_level; /**< -1 if the thread is idle */
    /**
     * If owner_kind is ompdx_owner_thread: return address in user code of the call that acquired the mutex; 0
     * if unknown. Companion records it with OMP_DEBUG=enabled.
     */
    uint64_t owner_codeptr;
    /**
     * 1: owner_kind is ompdx_owner_thread, but it may be wrong. Numbers of threads that have ended are in use
     * again (Companion: after 2147483647 threads), so an earlier thread with that number may have left the
     * mutex behind. A caller whose structure ends before this member gets ompdx_owner_unknown and no owner
     * instead.
     */
    uint64_t owner_uncertain;
} ompdx_thread_info_t;
/**
 * \retval ompd_rc_bad_input  INFO is NULL, or its `size` is less than that of the structure's first release.
 */
ompd_rc_t ompdx_get_thread_info(ompd_thread_handle_t *thread, ompdx_thread_info_t *info);

typedef struct ompdx_parallel_info_t {
    uint64_t size;
    uint64_t id;
    uint64_t parent;      /**< id of the enclosing region; 0 if there is none */
    uint64_t parent_task; /**< id of the encountering task; 0 if there is none */
    uint64_t function;    /**< address of the outlined function; 0 if unknown */
    uint64_t codeptr; /**< return address in user code of the call that created the region; 0 if unknown */
    uint64_t
        source;   /**< address of clang's string ";file;function;line;column;;" in the target; 0 if unknown */
    int32_t kind; /**< ompd_team_generator_t */
    int32_t level, active_level, team_size;
    int32_t league_size, team_num; /**< -1 if the region is not in a teams region */
} ompdx_parallel_info_t;
/**
 * \retval ompd_rc_bad_input  INFO is NULL, or its `size` is less than that of the structure's first release.
 */
ompd_rc_t ompdx_get_parallel_info(ompd_parallel_handle_t *parallel, ompdx_parallel_info_t *info);

/**
 * The thread numbers of the team's members that have arrived at its current barrier, in ascending order.
 * *thread_nums is a block of *count numbers; it is NULL if *count is 0.
 * \retval ompd_rc_device_read_error  Part of the target's memory that this needs could not be read. A shorter
 *                                    list would be a guess.
 */
ompd_rc_t ompdx_get_barrier_arrivals(ompd_parallel_handle_t *parallel, int **thread_nums, int *count);

typedef enum ompdx_task_state_t {
    ompdx_task_created = 1,    /**< not submitted yet; implicit task: its thread has not begun it */
    ompdx_task_blocked = 2,    /**< its dependences are not fulfilled */
    ompdx_task_ready = 3,      /**< in a queue */
    ompdx_task_running = 4,    /**< the current task of a thread */
    ompdx_task_suspended = 5,  /**< on a thread's stack below another task, or untied and on none */
    ompdx_task_completing = 6, /**< its code has ended, but not all of its child tasks */
    ompdx_task_detached = 7,   /**< its code has ended, and its event is not fulfilled */
    ompdx_task_cancelled = 8
} ompdx_task_state_t;

typedef struct ompdx_task_info_t {
    uint64_t size;
    uint64_t id;
    uint64_t region;    /**< id of its region */
    uint64_t generator; /**< id of the generating task; 0 for an initial task */
    uint64_t
        scheduled_over; /**< id of the task that was suspended on the same stack in its favour; 0 if none */
    uint64_t thread;    /**< id of the thread that executes it or has it on its stack; 0 if none */
    int64_t tid;        /**< of that thread, as in ompdx_thread_info_t; 0 if none */
    uint64_t pthread;   /**< of that thread, as in ompdx_thread_info_t; 0 if none */
    uint64_t function;  /**< entry point; 0 if unknown */
    uint64_t codeptr;   /**< return address in user code of the call that created it; 0 if unknown */
    uint64_t source;    /**< as in ompdx_parallel_info_t */
    int32_t state;      /**< ompdx_task_state_t */
    uint32_t flags;     /**< bits of ompt_task_flag_t */
    int32_t thread_num; /**< thread number of `thread`; -1 if none */
    int32_t creator_thread_num; /**< explicit task: thread number of the thread that created it; else -1 */
    uint32_t children;          /**< child tasks that are not complete */
    int32_t taskloop;           /**< 1 if the task is a chunk of a taskloop construct, else 0 */
    uint64_t taskgroup;         /**< id of the innermost taskgroup that waits for it; 0 if none */
} ompdx_task_info_t;
/**
 * \retval ompd_rc_bad_input  INFO is NULL, or its `size` is less than that of the structure's first release.
 */
ompd_rc_t ompdx_get_task_info(ompd_task_handle_t *task, ompdx_task_info_t *info);

/**
 * The ids of the tasks that must complete before this one may start, in ascending order. *ids is a block of
 * *count ids; it is NULL if *count is 0.
 * \retval ompd_rc_device_read_error  Part of the target's memory that this needs could not be read. A shorter
 *                                    list would be a guess.
 */
ompd_rc_t ompdx_get_task_predecessors(ompd_task_handle_t *task, uint64_t **ids, int *count);

#ifdef __cplusplus
}
#endif
#endif
