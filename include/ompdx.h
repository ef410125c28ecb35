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
 * OMPD too, from them. Outside, each call reads anew; the handle remembers only where slabs and threads were,
 * which each call checks. Brackets do not nest. There is one per address space handle.
 * \retval ompd_rc_unavailable  A bracket is open already.
 */
ompd_rc_t ompdx_stop_begin(ompd_address_space_handle_t *handle);
/**
 * Ends the bracket and frees what was read, and what the handle remembers from calls outside of brackets.
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

/** What the layout of a runtime does not tell. Strings of the library's own, as `kind` below. */
typedef struct ompdx_missing_t {
    const char *fact; /**< "where a taskgroup's semaphore lies" */
    const char *cost; /**< "who waits at the end of a taskgroup is not known" */
} ompdx_missing_t;

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
    uint64_t flags; /**< bits of ompdx_runtime_flags_t */
    /** How the library knows the runtime's structures: "published table", "row by build-id", "row by
     * fingerprint", "layout file", "decoded from its code". A string of the library's own, as `kind`. */
    const char *found_how;
    const char *row;      /**< name of the row, "gomp-12.2.0"; NULL none. Valid until ompd_finalize. */
    const char *build_id; /**< hexadecimal; NULL not known. Valid as long as HANDLE. */
    /** Why the library cannot answer what an ability stands for, by ompdx_ability_t: as `kind`; NULL: it can.
     */
    const char *lacks[16];
    /** A thread that has so many tasks in its queue, at the latest, executes a further one that it creates at
     * once; 0 not known, UINT32_MAX no limit. */
    uint32_t queue_limit;
    /** What the layout lacks, and what is not known for that: MISSING_COUNT rows; NULL: none. Valid as
     *  long as HANDLE. */
    const ompdx_missing_t *missing;
    uint64_t missing_count;
} ompdx_runtime_info_t;

/** What a layout makes possible: indices of ompdx_runtime_info_t.lacks. */
typedef enum ompdx_ability_t {
    ompdx_ability_threads = 0, /**< thread numbers, team sizes, levels */
    ompdx_ability_states = 1,  /**< states, and what is waited for */
    ompdx_ability_mutexes = 2, /**< which lock or critical region is waited for */
    ompdx_ability_owners = 3,  /**< who holds it */
    ompdx_ability_regions = 4, /**< parents and members of regions */
    ompdx_ability_tasks = 5,   /**< all tasks, those in queues included */
    ompdx_ability_dependences = 6,
    ompdx_ability_arrivals = 7, /**< who has arrived at a barrier */
    ompdx_ability_icvs = 8
} ompdx_ability_t;

typedef enum ompdx_runtime_flags_t {
    /** Ids are valid during one stop only: after it another thing may have the same one. */
    ompdx_runtime_ids_of_stop = 1
} ompdx_runtime_flags_t;
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
    ompdx_owner_none = 0,    /**< no thread holds it now, or the wait is not for a mutex */
    ompdx_owner_thread = 1,  /**< a thread of this runtime: owner_thread, owner_tid, owner_pthread */
    ompdx_owner_ended = 2,   /**< a thread that has ended; owner_thread is its id, 0 if that is not known */
    ompdx_owner_unknown = 3, /**< not recorded by the runtime, or it could not be read */
    /** It is held now, and this thread surely still waits for it: the runtime does not record by whom, be it
     * by the thread itself. Of a thread that may have got it just now, or is about to be woken because it was
     * released, the owner is ompdx_owner_unknown. */
    ompdx_owner_somebody = 4
} ompdx_owner_kind_t;

/** Why owner_kind may be ompdx_owner_thread of the wrong thread; bits of owner_uncertain. */
/** Numbers of ended threads are in use again (Companion: after 2147483647 threads), so an earlier thread with
 *  that number may have left the mutex behind. */
#define OMPDX_OWNER_REUSED 1
/** Another copy of the runtime is in the process, whose threads have the same numbers. */
#define OMPDX_OWNER_SHARED 2

/** What is known of the condition that ends a wait: the flag, turn, generation or word that the waiting loop
 *  tests in memory, whether the thread spins, yields or sleeps there; bits of wait_flags. With neither of the
 *  first two it could not be read, or the runtime has none. */
/** It still says wait. */
#define OMPDX_WAIT_LASTS 1
/** It has come true: the thread goes on by itself as soon as it has a processor. Also of a thread that waits
 *  for nothing else: one that was called into a region, and has not begun its part; one that starts a region,
 *  or ends an inner one, and waits for members that are there, on their way in the runtime's own code. */
#define OMPDX_WAIT_OVER 2
/** owner_kind is ompdx_owner_thread, the owner is the thread itself, and it was when the wait began. Without
 *  this such a thread may have acquired the mutex just now. */
#define OMPDX_WAIT_FOR_ITSELF 4
/** Of a wait at a barrier: the region has not been cancelled. A runtime that does not keep that until the
 *  region ends never says so. */
#define OMPDX_WAIT_NOT_CANCELLED 8

/** Facts of ompdx_thread_info_t that a runtime may keep to itself: indices of `unknown`. */
typedef enum ompdx_thread_fact_t {
    ompdx_fact_thread_num = 0,
    ompdx_fact_team_size = 1,
    ompdx_fact_level = 2,
    ompdx_fact_active_level = 3,
    ompdx_fact_region = 4,
    ompdx_fact_task = 5,
    ompdx_fact_state = 6,
    ompdx_fact_wait_kind = 7,
    ompdx_fact_wait_id = 8,
    ompdx_fact_wait_object = 9,
    ompdx_fact_wait_codeptr = 10,
    ompdx_fact_owner = 11
} ompdx_thread_fact_t;

/**
 * An id names a thread, region, task or taskgroup; 0 is none. It is never used again in the process, unless
 * ompdx_runtime_info_t says ompdx_runtime_ids_of_stop.
 */
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
     * Not 0: owner_kind is ompdx_owner_thread, but it may be wrong, for the reasons OMPDX_OWNER_*. A caller
     * whose structure ends before this member gets ompdx_owner_unknown and no owner instead.
     */
    uint64_t owner_uncertain;
    /**
     * Why a member cannot be known, by ompdx_thread_fact_t: a string of the library's own, valid until it is
     * unloaded; NULL: the member is as it says. A member that is not known has the value of "none".
     */
    const char *unknown[16];
    /** The runtime's exported function that the user's code has called and in which the thread waits
     * ("GOMP_barrier"): a string as above, NULL not known. */
    const char *wait_call;
    /** OMPDX_WAIT_* or-ed. An older library leaves it 0. */
    uint64_t wait_flags;
} ompdx_thread_info_t;
/**
 * \retval ompd_rc_bad_input  INFO is NULL, or its `size` is less than that of the structure's first release.
 */
ompd_rc_t ompdx_get_thread_info(ompd_thread_handle_t *thread, ompdx_thread_info_t *info);

/** A mutex that a thread holds. */
typedef struct ompdx_held_t {
    uint64_t object;   /**< as wait_id of who waits for it */
    uint64_t codeptr;  /**< return address in user code of the call that acquired it; 0 if unknown */
    int32_t kind;      /**< ompdx_wait_kind_t of who waits for it; unknown if that is not recorded */
    int32_t uncertain; /**< as owner_uncertain of ompdx_thread_info_t */
} ompdx_held_t;
/**
 * What the thread holds: locks, critical and ordered regions, the latest last. *held is a block of *count
 * rows; it is NULL if *count is 0. Companion keeps a list with OMP_DEBUG=enabled.
 * \retval ompd_rc_incomplete   The outputs are filled, but it may hold more than the list has room for, or a
 *                              mutex could not be read.
 * \retval ompd_rc_unsupported  The runtime keeps no such list.
 */
ompd_rc_t ompdx_get_held(ompd_thread_handle_t *thread, ompdx_held_t **held, int *count);
/**
 * The place that the thread is bound to: its number, and its processors as OMP_PLACES spells them, "{0,2}", a
 * block that the debugger frees.
 * \retval ompd_rc_unavailable  It is bound to none.
 * \retval ompd_rc_incomplete   The outputs are filled, the text is cut.
 * \retval ompd_rc_unsupported  This version of the runtime does not tell, or what is known of it does not.
 */
ompd_rc_t ompdx_get_place(ompd_thread_handle_t *thread, int *place, const char **processors);

/** Facts of ompdx_parallel_info_t that may not be known: indices of `unknown`. */
typedef enum ompdx_parallel_fact_t {
    ompdx_parallel_fact_parent_task = 0,
    ompdx_parallel_fact_team_num = 1,
    ompdx_parallel_fact_members = 2, /**< of which there may be more than can be listed */
    ompdx_parallel_fact_arrivals = 3 /**< then ompdx_get_barrier_arrivals says ompd_rc_unsupported */
} ompdx_parallel_fact_t;

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
    const char *unknown[8];        /**< by ompdx_parallel_fact_t, as in ompdx_thread_info_t */
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

/** Facts of ompdx_task_info_t that may not be known: indices of `unknown`. */
typedef enum ompdx_task_fact_t {
    ompdx_task_fact_generator = 0, /**< also `creator_thread_num` */
    ompdx_task_fact_function = 1,
    ompdx_task_fact_state = 2,
    ompdx_task_fact_final = 3,      /**< a bit of `flags` */
    ompdx_task_fact_untied = 4,     /**< the same */
    ompdx_task_fact_undeferred = 5, /**< the same */
    ompdx_task_fact_thread = 6,     /**< thread, tid, pthread, `thread_num` of an explicit task */
    ompdx_task_fact_scheduled_over = 7,
    ompdx_task_fact_children = 8 /**< then `children` is UINT32_MAX */
} ompdx_task_fact_t;

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
    /** Why ompdx_get_task_predecessors says ompd_rc_unsupported: a string as in ompdx_thread_info_t; NULL. */
    const char *predecessors_unknown;
    int32_t priority;        /**< of an explicit task: as it is scheduled, so at most max-task-priority-var */
    int32_t priority_known;  /**< 0: the runtime does not record it, or it is not read */
    const char *unknown[16]; /**< by ompdx_task_fact_t, as in ompdx_thread_info_t */
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

/** How the iterations of a loop come to threads. */
typedef enum ompdx_schedule_t {
    ompdx_schedule_unknown = 0,
    ompdx_schedule_static = 1,
    ompdx_schedule_dynamic = 2,
    ompdx_schedule_guided = 3,
    ompdx_schedule_sections = 4, /**< no loop: "iterations" are the sections of a construct, from 0 on */
    ompdx_schedule_taskloop = 5  /**< the task has a part of a taskloop construct's iterations */
} ompdx_schedule_t;

typedef enum ompdx_loop_flags_t {
    ompdx_loop_shares = 1,  /**< each member has a share, and takes from others' when it is through */
    ompdx_loop_ordered = 2, /**< `turn` counts */
    ompdx_loop_doacross = 4,
    ompdx_loop_chunked = 8,     /**< static: chunks go to the members in turn; without, each has one */
    ompdx_loop_or_sections = 16 /**< it may as well be a sections construct */
} ompdx_loop_flags_t;

/** Facts of ompdx_loop_info_t that a runtime may keep to itself: indices of `unknown`. */
typedef enum ompdx_loop_fact_t {
    ompdx_loop_fact_schedule = 0,
    ompdx_loop_fact_iterations = 1, /**< also `first` */
    ompdx_loop_fact_step = 2,
    ompdx_loop_fact_chunk = 3,
    ompdx_loop_fact_left = 4, /**< also `next` */
    ompdx_loop_fact_hand = 5, /**< hand_* */
    ompdx_loop_fact_share = 6,
    ompdx_loop_fact_turn = 7,
    ompdx_loop_fact_sink = 8,
    ompdx_loop_fact_at = 9
} ompdx_loop_fact_t;

/**
 * The worksharing loop that an implicit task is in, or the part of a taskloop construct that an explicit task
 * has. Numbers are those with which the compiler asks for iterations: gcc's are the values of the loop's
 * variable, but of collapsed and of doacross loops; clang's count from 0.
 */
typedef struct ompdx_loop_info_t {
    uint64_t size;
    uint64_t id;         /**< the same for all members that are in this loop now, and for no other loop */
    uint64_t sequence;   /**< of two loops of a region the later one has the greater; 0 not known */
    int32_t schedule;    /**< ompdx_schedule_t */
    uint32_t flags;      /**< ompdx_loop_flags_t */
    uint64_t iterations; /**< of the whole loop */
    int64_t first, step; /**< number of the first iteration, and from one to the next */
    uint64_t chunk;      /**< iterations of a chunk: those asked for */
    uint64_t left;       /**< iterations that no member has in hand or had: shares included */
    int64_t next;        /**< number of the first of them; with shares 0, as there are several */
    uint64_t hand_count; /**< iterations of the chunk that the task has in hand; 0 none */
    int64_t hand_first, hand_last;
    int64_t at;     /**< of these, the number of the one that is being executed */
    uint64_t share; /**< iterations that the task still gets after those in hand: static, or its share */
    int64_t turn;   /**< ordered: number of the iteration whose turn it is */
    int64_t sink;   /**< doacross: the iteration waited for, counted over the nest from 0 */
    uint64_t waits; /**< 1: the task's thread waits for `sink` */
    const char *unknown[16]; /**< by ompdx_loop_fact_t, as in ompdx_thread_info_t */
} ompdx_loop_info_t;
/**
 * \retval ompd_rc_unavailable  The task is in no loop that the runtime takes part in. A static loop is mostly
 *                              divided by the compiler's own code, and a team of one has nothing to divide.
 * \retval ompd_rc_unsupported  This version of the runtime does not tell of loops.
 * \retval ompd_rc_bad_input    INFO is NULL, or its `size` is less than that of the first release.
 */
ompd_rc_t ompdx_get_loop_info(ompd_task_handle_t *task, ompdx_loop_info_t *info);

/*
 * What a tool may offer beside memory: the state of a runtime that publishes nothing is in its threads'
 * registers and stacks too. read_memory gets one of these segments, an address from OMPDX_SEGMENT_BASE on
 * and, for registers and frames, the thread's context. A tool that does not know them fails the read, as
 * nothing is mapped there: then the library says what it cannot tell. Numbers are in the tool's own byte
 * order.
 */
#define OMPDX_SEGMENT_REGISTERS UINT64_C(0x4f4d504401) /**< one ompdx_registers_t at the base */
#define OMPDX_SEGMENT_FRAMES    UINT64_C(0x4f4d504402) /**< ompdx_frame_t[], innermost first */
#define OMPDX_SEGMENT_THREADS   UINT64_C(0x4f4d504403) /**< ompdx_native_thread_t[], all of the process */
#define OMPDX_SEGMENT_MODULE    UINT64_C(0x4f4d504404) /**< one ompdx_module_t: the runtime of the context */
#define OMPDX_SEGMENT_BASE      (UINT64_C(1) << 63)

/** Registers of x86-64 in the order of the kernel's struct user_regs_struct. */
typedef enum ompdx_register_t {
    ompdx_reg_r15,
    ompdx_reg_r14,
    ompdx_reg_r13,
    ompdx_reg_r12,
    ompdx_reg_rbp,
    ompdx_reg_rbx,
    ompdx_reg_r11,
    ompdx_reg_r10,
    ompdx_reg_r9,
    ompdx_reg_r8,
    ompdx_reg_rax,
    ompdx_reg_rcx,
    ompdx_reg_rdx,
    ompdx_reg_rsi,
    ompdx_reg_rdi,
    ompdx_reg_orig_rax,
    ompdx_reg_rip,
    ompdx_reg_cs,
    ompdx_reg_eflags,
    ompdx_reg_rsp,
    ompdx_reg_ss,
    ompdx_reg_fs_base,
    ompdx_reg_gs_base,
    ompdx_reg_ds,
    ompdx_reg_es,
    ompdx_reg_fs,
    ompdx_reg_gs,
    ompdx_registers
} ompdx_register_t;

typedef struct ompdx_registers_t {
    uint64_t known; /**< bit N: reg[N] is known */
    uint64_t reg[27];
} ompdx_registers_t;

/** Whose code a frame is in. */
typedef enum ompdx_code_t {
    ompdx_code_unknown = 0,
    ompdx_code_program = 1, /**< the program's file, or that of a library that is none of those below */
    ompdx_code_system = 2,  /**< the C library, its thread library, the dynamic loader, the kernel's vdso */
    ompdx_code_runtime = 3  /**< an OpenMP runtime, that of the context or another one */
} ompdx_code_t;

/** A frame of a thread's stack. Registers are those that the function had at `pc`. */
typedef struct ompdx_frame_t {
    uint64_t pc;    /**< as in a call stack: of the instruction, or where the call returns to */
    uint64_t sp;    /**< stack pointer in this frame */
    uint64_t known; /**< bits of ompdx_register_t, of those that follow, and of rsp for `sp` */
    uint64_t rbx, rbp, r12, r13, r14, r15;
    uint64_t exact; /**< 1: `pc` is the instruction that comes next, not where a call returns to */
    uint64_t code;  /**< ompdx_code_t */
} ompdx_frame_t;

/** The end of the list is an error of the read, as is the end of the frames. */
typedef struct ompdx_native_thread_t {
    uint64_t pthread; /**< 0 not known */
    int64_t lwp;      /**< the tool's number of it */
} ompdx_native_thread_t;

typedef struct ompdx_module_t {
    uint64_t base;          /**< where its ELF header is */
    uint64_t end;           /**< behind its last segment; 0 not known */
    uint64_t bias;          /**< what is added to the addresses in its headers */
    uint64_t dynamic;       /**< its dynamic section in memory; 0 none */
    uint64_t build_id_size; /**< bytes; 0 not known */
    uint8_t build_id[64];
} ompdx_module_t;

/*
 * Layouts of runtimes that publish none: what one build's structures and code look like. The library has a
 * list of its own; a tool may add what a user has made with `ompd layout`.
 */
typedef enum ompdx_layout_kind_t {
    ompdx_layout_size = 1,     /**< name: structure; a: bytes */
    ompdx_layout_field = 2,    /**< name: "structure.member.member"; a: offset, b: bytes, c: 0 or the mask */
    ompdx_layout_variable = 3, /**< name; a: address in the file, b: bytes */
    ompdx_layout_constant = 4, /**< name; a: value */
    /** A system call in which the runtime waits. a: address in the file of the next instruction, b: bytes
     * from the stack pointer to the caller's (the canonical frame address), c: register (ompdx_register_t)
     * that holds what is waited on. */
    ompdx_layout_site = 5,
    /** A loop that waits without a system call. a, b: from and to (exclusive) in the file; c as above. name:
     * how long it goes on. "rdx": as long as the word that is waited on (four bytes) equals that register,
     * "0x2": that number; "<=rdx": as long as the word (eight bytes) is not greater than that register. NULL
     * or "": not known. */
    ompdx_layout_spin = 6,
    /** An exported function. name; a, b: from and to (exclusive) in the file. Ranges are disjoint. */
    ompdx_layout_function = 7,
    /** Where the frame of the exported function NAME has the mutex: a: register, b: 0 it is the register's
     * value, 1: the word at register + c. */
    ompdx_layout_slot = 8,
    ompdx_layout_build_id = 9, /**< name: hexadecimal */
    ompdx_layout_fingerprint =
        10, /**< name: hexadecimal, of the code; docs/runtimes.md says how it is made */
    /**
     * How the caller of the code from a to b (exclusive) in the file is found. name: as "rsp+96 rbx-56": the
     * canonical frame address is that register's value and so many bytes; the other registers are saved so
     * far from it, and those that are not named are as the caller had them. The return address lies 8 bytes
     * before the canonical frame address. Ranges are disjoint.
     */
    ompdx_layout_frame = 11
} ompdx_layout_kind_t;

typedef struct ompdx_layout_entry_t {
    uint32_t kind; /**< ompdx_layout_kind_t */
    const char *name;
    uint64_t a, b, c;
} ompdx_layout_entry_t;

typedef struct ompdx_layout_t {
    uint64_t size;
    const char *family; /**< "gomp", "kmp" */
    const char *name;   /**< "gomp-12.2.0" */
    const char *source; /**< what it was made from, in words */
    uint64_t count;
    const ompdx_layout_entry_t *entries;
} ompdx_layout_t;

/**
 * Adds a layout, of which the library keeps a copy until ompd_finalize. It counts before the library's own
 * for processes that are opened afterwards.
 * \retval ompd_rc_ok              It was added.
 * \retval ompd_rc_callback_error  ompd_initialize was not called.
 * \retval ompd_rc_bad_input       LAYOUT or a part of it is NULL, `size` is too small, an entry is not as its
 *                                 kind wants it, or the family is unknown; after a sentence.
 * \retval ompd_rc_nomem           alloc_memory gave no memory.
 */
ompd_rc_t ompdx_layout_add(const ompdx_layout_t *layout);

/** Registers that a call keeps (psABI x86-64, figure 3.4), in the order of ompdx_frame_rule_t.saved. */
enum {
    OMPDX_KEPT_RBX,
    OMPDX_KEPT_RBP,
    OMPDX_KEPT_R12,
    OMPDX_KEPT_R13,
    OMPDX_KEPT_R14,
    OMPDX_KEPT_R15,
    OMPDX_KEPT
};

/** How the caller of some of the runtime's code is found (ompdx_layout_frame). */
typedef struct ompdx_frame_rule_t {
    uint64_t from, to; /**< addresses of the target, `to` exclusive */
    uint32_t base;     /**< ompdx_reg_rsp or ompdx_reg_rbp */
    int32_t offset;    /**< bytes from its value to the canonical frame address */
    int32_t
        saved[OMPDX_KEPT]; /**< bytes from there to where the register is saved; 0: the caller's is in it */
} ompdx_frame_rule_t;

/**
 * The frame rules of the runtime's file, by address: for stacks through a file that is not at hand, with the
 * unwind tables in it. *rules is one block of *count rules.
 * \retval ompd_rc_unavailable  The layout has none, or it is not for exactly this file: a fingerprint says
 *                              nothing of all code.
 */
ompd_rc_t ompdx_get_frame_rules(ompd_address_space_handle_t *handle, ompdx_frame_rule_t **rules, int *count);

#ifdef __cplusplus
}
#endif
#endif
