/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A team: the structure. What begins and ends a region is in region.h.
 */
#ifndef RT_TEAM_H
#define RT_TEAM_H

#include "base.h"

struct rt_member {
    struct rt_task *task;
    struct rt_thread *thread;
    struct rt_team *hot; /**< team that this member led last, kept with its threads; the member's own */
    struct rt_deque *_Atomic deque; /**< this member's queue of tasks, made on first use */
    /*
     * Where the member is to run, if threads are bound (places.c); written by the primary before the region.
     */
    int32_t place, part_first, part_count; /**< place number, place-partition-var as first place and length */
    struct rt_arrivals *counter;           /**< where it counts itself in, in a team with RT_WAY_TREE */
};

#define RT_TEAM_ARGS 8 /**< arguments of a region's code that its team has a place for */

/** A contention group: the threads that share one thread limit (OpenMP 5.2 section 1.2.2). */
struct rt_group {
    _Atomic int32_t threads;
    int32_t limit;
};

struct rt_team {
    /* The primary writes this before the region. */
    _Atomic uint64_t serial;
    int32_t nthreads;
    uint32_t kind;
    struct rt_member *members;
    uint64_t fn;
    uint64_t first_task; /**< serial of thread 0's implicit task; the others' follow */
    struct rt_task *parent_task;
    uint64_t parent_serial;
    uint64_t codeptr;

    RT_ALIGNED const struct rt_loc *loc;
    int32_t level;
    int32_t active_level;
    _Atomic int32_t capacity; /**< members docked, nthreads in a region; with RT_TEAM_IDLE (dock.c) */
    int32_t members_size;     /**< room in members[] */
    int32_t argc;
    uint8_t ways; /**< RT_WAY_*: how its threads meet; 0: at one counter, all of them */
    void **argv;  /**< of clang's code, `args` if there are few; gcc's one pointer */
    /** RT_WORKSHARES entries, made with the first team of more than one thread */
    struct rt_workshare *workshares;
    uint32_t workshare_seq, single_seq; /**< where the members' counts of this region start */
    uint8_t newcomers;                  /**< some of its workers have not been woken since they were docked */
    uint8_t call;                       /**< enum rt_call */
    int32_t ring_threads;               /**< members that the ring's ranges have room for */
    struct rt_team *next_serial;        /**< in rt_thread.serial_team */
    void (*prepare)(struct rt_thread *th, void *argument); /**< each member, before its code; may be NULL */
    void *prepare_argument;
    struct rt_group *group;       /**< contention group */
    struct rt_group own_group;    /**< group of an initial region */
    int32_t num_teams, team_num;  /**< of the league around; 1 and 0 outside teams */
    const int32_t *nthreads_rest; /**< num_threads list for the regions inside; else the parent's */
    uint32_t nthreads_rest_count;
    int32_t placed[5];        /**< what the members' places were worked out for (places.c) */
    uint8_t by_program;       /**< the program calls the region's code itself */
    uint8_t bind;             /**< bind-var of the implicit tasks, if threads are bound (places.c) */
    uint8_t display;          /**< its threads' affinity is shown (display.c) */
    uint64_t tool_data;       /**< OMPT: the tool's word for this region; of a league, in each of its teams */
    int32_t size_checked;     /**< largest size that the system was found to have threads for */
    _Atomic int32_t busy;     /**< of its threads, those in rt_root.busy (dock.c) */
    struct rt_team *next_hot; /**< in rt_root.hot_teams */
    struct rt_member own_member;         /**< members[] of a team of one */
    struct rt_arrivals *counters;        /**< of RT_WAY_TREE (arrivals.c) */
    int32_t counters_room, counters_for; /**< room there; the number of members that it was built for */
    int32_t leaves;                      /**< with copies of the release, the first of them; 0: no copies */

    RT_ALIGNED void *args[RT_TEAM_ARGS];

    /* Arrivals, and what is claimed on the way there: so it takes no line of its own. */
    /** at the current barrier or the join; of two threads at joins alone, from region to region */
    RT_ALIGNED _Atomic uint32_t arrived;
    _Atomic uint32_t arrived_cancellable; /**< at a barrier that a cancellation opens */
    /** arrivals at barriers of a team of two, from the beginning on; between barriers twice bar_gen */
    _Atomic uint64_t meets;
    _Atomic uint32_t single_claimed; /**< number of the next single to be claimed */
    /**
     * Tasks completed by threads of other teams (omp_fulfill_event), and what makes up for the counts that
     * members bring along and take away (dock.c).
     */
    _Atomic uint64_t completed_outside;

    /*
     * Read by all while they wait: what lets them go, and what is written with that or seldom. What a thread
     * writes that goes to sleep or wakes others is in the next line, so that it does not disturb those who
     * look. When a hot team's slot is reused, the words of both lines keep their values, except those that
     * slots.c clears: a worker that was undocked before it came may still look here once.
     */
    RT_ALIGNED _Atomic uint32_t bar_gen;
    _Atomic uint32_t to_copy; /**< members that have yet to find what is in copy_from (copyprivate.c) */
    void *_Atomic copy_from;  /**< single copyprivate: where the values are, in the thread that has them */
    RT_ALIGNED _Atomic uint32_t tasks_used; /**< 1 once a task was deferred in this region */
    _Atomic uint32_t device_tasks; /**< target tasks whose code has ended and whose device has not finished */
    _Atomic uint64_t fork;         /**< region number << 32 | threads in it; the docked threads' signal */
    _Atomic uint32_t cancel;       /**< RT_CANCEL_* bits that are pending (cancel.c) */
    struct rt_deque *_Atomic priority_queue; /**< tasks with a priority, highest first; made on first use */
    /** fork word of the last region whose join is over, if a tool wants to know */
    _Atomic uint64_t join_over;
    struct rt_deque *_Atomic device_queue; /**< those of device_tasks that no thread asks after just now */

    RT_ALIGNED _Atomic uint32_t event; /**< futex; changes whenever a sleeper may have reason to look again */
    /** 1 while a sleeper that was woken for work looks for it (rt_notify_work) */
    _Atomic uint32_t work_wakeup;
    _Atomic uint64_t sleepers;       /**< how many; << 32: those that wait for tasks to end (RT_WAKE_DONE) */
    _Atomic uint32_t workers_inside; /**< workers that have come and not left */
};

#define RT_TEAM_IDLE INT32_MIN /**< bit of rt_team.capacity: it is in no region, its workers may be taken */

enum rt_way {
    RT_WAY_TREE = 1,       /**< they count themselves in at several counters (arrivals.h) */
    RT_WAY_CANCELLABLE = 2 /**< a cancellation may let them go (barrier.c) */
};

enum rt_cancel {
    RT_CANCEL_PARALLEL = 1,
    RT_CANCEL_LOOP = 2,
    RT_CANCEL_SECTIONS = 4,
    RT_CANCEL_TASKGROUP = 8
};

#endif
