/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Kinds and states of what a snapshot has. 0 of each is what a row without one has. words.h has their names
 * in JSON.
 */
#ifndef INSPECT_KINDS_H
#define INSPECT_KINDS_H

/** What a thread waits for, by the numbers of ompdx_wait_kind_t. */
enum mdl_wait_kind {
    MDL_WAIT_NONE, /**< it does not wait */
    MDL_WAIT_LOCK,
    MDL_WAIT_NEST_LOCK,
    MDL_WAIT_CRITICAL,
    MDL_WAIT_ORDERED,
    MDL_WAIT_ATOMIC,
    MDL_WAIT_REDUCTION,
    MDL_WAIT_BARRIER,
    MDL_WAIT_TASKWAIT,
    MDL_WAIT_TASKGROUP,
    MDL_WAIT_DEPEND,
    MDL_WAIT_EVENT,
    MDL_WAIT_TARGET,
    MDL_WAIT_UNKNOWN,
    MDL_WAITS
};

enum mdl_barrier {
    MDL_BARRIER_NONE,       /**< the thread waits at no barrier */
    MDL_BARRIER_UNKNOWN,    /**< the runtime cannot say which construct has it */
    MDL_BARRIER_EXPLICIT,   /**< the construct barrier */
    MDL_BARRIER_REGION_END, /**< at the end of a parallel region */
    MDL_BARRIER_WORKSHARE,  /**< at the end of a worksharing construct */
    MDL_BARRIER_TEAMS,
    MDL_BARRIERS
};

enum mdl_owner {
    MDL_OWNER_NONE,
    MDL_OWNER_THREAD,
    MDL_OWNER_ENDED,
    MDL_OWNER_UNKNOWN,
    MDL_OWNER_PROCESS, /**< a thread of another process */
    MDL_OWNER_FORK,    /**< a thread of the process from which this one was forked, since before that */
    /** No thread of this process, nor of one that is known: it has ended, or stayed behind when this process
     *  was forked. */
    MDL_OWNER_GONE,
    MDL_OWNER_SOMEBODY, /**< it is held now, by whom the runtime does not record */
    MDL_OWNERS
};

/** ompt_state_t without its values: constant, and the name in JSON. */
/* clang-format off */
#define MDL_STATE_LIST(F) \
    F(WORK_SERIAL, work_serial) \
    F(WORK_PARALLEL, work_parallel) \
    F(WORK_REDUCTION, work_reduction) \
    F(WORK_FREE_AGENT, work_free_agent) \
    F(WORK_INDUCTION, work_induction) \
    F(WAIT_BARRIER, wait_barrier) \
    F(WAIT_BARRIER_IMPLICIT_PARALLEL, wait_barrier_implicit_parallel) \
    F(WAIT_BARRIER_IMPLICIT_WORKSHARE, wait_barrier_implicit_workshare) \
    F(WAIT_BARRIER_IMPLICIT, wait_barrier_implicit) \
    F(WAIT_BARRIER_EXPLICIT, wait_barrier_explicit) \
    F(WAIT_BARRIER_IMPLEMENTATION, wait_barrier_implementation) \
    F(WAIT_BARRIER_TEAMS, wait_barrier_teams) \
    F(WAIT_TASKWAIT, wait_taskwait) \
    F(WAIT_TASKGROUP, wait_taskgroup) \
    F(WAIT_MUTEX, wait_mutex) \
    F(WAIT_LOCK, wait_lock) \
    F(WAIT_CRITICAL, wait_critical) \
    F(WAIT_ATOMIC, wait_atomic) \
    F(WAIT_ORDERED, wait_ordered) \
    F(WAIT_TARGET, wait_target) \
    F(WAIT_TARGET_MAP, wait_target_map) \
    F(WAIT_TARGET_UPDATE, wait_target_update) \
    F(IDLE, idle) \
    F(OVERHEAD, overhead) \
    F(UNDEFINED, undefined)
/* clang-format on */

/** A thread's state. The states of waiting are neighbours. */
enum mdl_state {
    MDL_STATE_UNKNOWN,
#define MDL_STATE_MEMBER(name, word) MDL_STATE_##name,
    MDL_STATE_LIST(MDL_STATE_MEMBER)
#undef MDL_STATE_MEMBER
        MDL_STATE_OTHER, /**< the OMPD library has a name of its own for it: mdl_thread.other_state */
    MDL_STATES
};

enum mdl_region_kind {
    MDL_REGION_UNKNOWN,
    MDL_REGION_INITIAL,
    MDL_REGION_PARALLEL,
    MDL_REGION_TEAMS,
    MDL_REGIONS
};

enum mdl_task_kind {
    MDL_TASK_UNKNOWN,
    MDL_TASK_INITIAL,
    MDL_TASK_IMPLICIT,
    MDL_TASK_EXPLICIT,
    MDL_TASK_UNDEFERRED,
    MDL_TASK_TASKLOOP,
    MDL_TASK_TARGET,
    MDL_TASKS
};

/** By the numbers of ompdx_task_state_t. */
enum mdl_task_state {
    MDL_TASK_STATE_UNKNOWN,
    MDL_TASK_CREATED, /**< still being created; of an implicit task: its thread has not begun it */
    MDL_TASK_BLOCKED, /**< by dependences */
    MDL_TASK_READY,
    MDL_TASK_RUNNING,
    MDL_TASK_SUSPENDED,
    MDL_TASK_COMPLETING,
    MDL_TASK_DETACHED,
    MDL_TASK_CANCELLED,
    MDL_TASK_STATES
};

/** What a thread does, in whatever library. The kinds from MUTEX to MPI are waits. */
enum mdl_activity_kind {
    MDL_ACTIVITY_UNKNOWN,
    MDL_ACTIVITY_COMPUTES, /**< is in no system call, and in no function that waits */
    MDL_ACTIVITY_OPENMP,   /**< waits in OpenMP, or is idle there: mdl_thread.wait and .state say more */
    MDL_ACTIVITY_MUTEX,
    MDL_ACTIVITY_RWLOCK,
    MDL_ACTIVITY_SPINLOCK,
    MDL_ACTIVITY_CONDITION,
    MDL_ACTIVITY_BARRIER,
    MDL_ACTIVITY_SEMAPHORE,
    MDL_ACTIVITY_JOIN,
    MDL_ACTIVITY_ONCE,   /**< pthread_once, call_once, a static variable's first use */
    MDL_ACTIVITY_ATOMIC, /**< std::atomic::wait */
    MDL_ACTIVITY_FUTURE,
    MDL_ACTIVITY_LOADER, /**< a lock of the dynamic linker */
    MDL_ACTIVITY_MALLOC, /**< a lock of malloc */
    MDL_ACTIVITY_FUTEX,  /**< a futex of which no library says what it is for */
    MDL_ACTIVITY_SLEEP,
    MDL_ACTIVITY_READ,
    MDL_ACTIVITY_WRITE,
    MDL_ACTIVITY_POLL, /**< poll, select, epoll */
    MDL_ACTIVITY_IO_URING,
    MDL_ACTIVITY_CHILD,
    MDL_ACTIVITY_SIGNAL,      /**< pause, sigwait and their like */
    MDL_ACTIVITY_SYSTEM_CALL, /**< any other */
    MDL_ACTIVITY_MPI,
    MDL_ACTIVITY_STOPPED, /**< by a signal, before the debugger came */
    MDL_ACTIVITY_TRACED,  /**< by another debugger */
    MDL_ACTIVITY_ZOMBIE,  /**< has ended, and the process has not */
    MDL_ACTIVITY_KERNEL,  /**< waits within the kernel (state D): for a device, a page, a file system */
    MDL_ACTIVITIES
};

/** How it is known who holds what a thread waits for. */
enum mdl_owner_how {
    MDL_HOW_NONE,     /**< no owner is known */
    MDL_HOW_RECORDED, /**< the object says so: a fact */
    MDL_HOW_KERNEL,   /**< the kernel's word in the object, or an argument of the call, says so: a fact */
    MDL_HOW_CODE,     /**< that thread is in code which only runs while it holds the object: a fact */
    MDL_HOWS
};

/** The scope of an ICV, by the numbers of ompd_scope_t. */
enum mdl_scope {
    MDL_SCOPE_UNKNOWN,
    MDL_SCOPE_GLOBAL,
    MDL_SCOPE_ADDRESS_SPACE,
    MDL_SCOPE_THREAD,
    MDL_SCOPE_PARALLEL,
    MDL_SCOPE_IMPLICIT_TASK,
    MDL_SCOPE_TASK,
    MDL_SCOPE_TEAMS,
    MDL_SCOPE_TARGET,
    MDL_SCOPES
};

/** What an ICV is of. */
enum mdl_icv_of { MDL_ICV_OF_PROCESS, MDL_ICV_OF_THREAD, MDL_ICV_OF_REGION, MDL_ICV_OF_TASK };

#endif
