/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A process on a runtime that publishes nothing, as an adapter has understood it: threads, teams and tasks of
 * one moment. An adapter fills it (gomp_*.c, kmp_*.c); world_ops.c answers all of struct rtm_ops from it.
 *
 * All memory is the bracket's. A pointer of the target was checked before it got in here. What could not be
 * known has its reason beside it: text of the library's own.
 */
#ifndef OMPD_WORLD_H
#define OMPD_WORLD_H

#include "runtimes/base/pages.h"
#include "runtimes/base/stock.h"

enum { WORLD_NONE = -1 };
/** A target that has more of one sort is damaged. */
#define WORLD_ROWS_MAX (1 << 22)

struct world_thread {
    uint64_t address; /**< of its record in the target; its id */
    uint64_t serial;  /**< differs when another thread has the record; never 0, 1 if nothing can tell */
    uint64_t pthread;
    int64_t lwp;  /**< the tool's number */
    int32_t kind; /**< ompt_thread_t */
    bool idle;
    int32_t team, task; /**< index, WORLD_NONE */
    int32_t thread_num, team_size, level, active_level;
    int32_t state; /**< ompt_state_t */
    int32_t wait_kind;
    uint64_t wait_id, wait_codeptr;
    int32_t wait_team, wait_task; /**< index of what is waited for, WORLD_NONE */
    uint64_t wait_group;          /**< address of the taskgroup, 0 none */
    int32_t owner_kind;           /**< ompdx_owner_kind_t */
    int32_t owner;                /**< index of the thread, WORLD_NONE */
    const char *wait_call;        /**< as in ompdx_thread_info_t */
    uint64_t wait_flags;          /**< the same */
    const char *unknown[16];      /**< by ompdx_thread_fact_t */
};

struct world_team {
    uint64_t address, serial; /**< as above */
    int32_t kind;             /**< ompd_team_generator_t */
    int32_t parent;           /**< index, WORLD_NONE for an initial region */
    int32_t parent_task;
    int32_t level, active_level, size, league_size, team_num;
    uint64_t function, codeptr, source; /**< as in ompdx_parallel_info_t */
    int32_t *members;                   /**< size entries: index of a thread, WORLD_NONE not known */
    int32_t *tasks;                     /**< size entries: index of the implicit task, WORLD_NONE */
    bool *arrived;                      /**< size entries; NULL: not known */
    const char *arrived_why;            /**< why not */
    const char *unknown[8];             /**< by ompdx_parallel_fact_t */
};

struct world_task {
    uint64_t address, serial; /**< as above */
    uint32_t flags;           /**< ompt_task_flag_t */
    int32_t state;            /**< ompdx_task_state_t */
    /** Indices, WORLD_NONE. `thread` executes the task or has it on its stack. */
    int32_t team, generator, scheduled_over, thread;
    int32_t thread_num;         /**< of `thread`; of an implicit task always */
    int32_t creator_thread_num; /**< explicit task: WORLD_NONE not known */
    uint64_t function, codeptr, source, taskgroup;
    ompd_frame_info_t exit_frame, enter_frame; /**< zero: not known */
    uint32_t children;
    int32_t taskloop;
    int32_t priority;      /**< explicit task: as it is scheduled; WORLD_NONE not known */
    int32_t *predecessors; /**< indices; NULL when count is 0 */
    int32_t predecessor_count;
    const char *predecessors_why; /**< why they are not known; NULL: they are */
    uint64_t icvs;                /**< address of its control variables, 0 not known */
    const char *unknown[16];      /**< by ompdx_task_fact_t */
};

/** Where the row with an address is: open addressing over indices. */
struct world_table {
    int32_t *slots;
    uint32_t room; /**< a power of two, 0 none */
};

struct world {
    struct pages pages;          /**< what was read of the target beside larger structures */
    struct stock_thread *native; /**< all threads of the process, OpenMP's or not */
    size_t native_count;
    struct world_thread *threads;
    struct world_team *teams;
    struct world_task *tasks;
    int32_t thread_count, team_count, task_count;
    int32_t thread_room, team_room, task_room;
    struct world_table thread_table, team_table, task_table;
    bool incomplete;       /**< part of the target could not be read: rows may be missing */
    bool tasks_incomplete; /**< tasks are missing */
    bool natives_tell;     /**< threads are missing only where `native` says so */
    void *beside;          /**< what the family keeps of what was asked for before, NULL: nothing yet */
};

/**
 * A new row at the end for what is at ADDRESS, which no row of that sort may have yet: zeroed, with serial 1,
 * and WORLD_NONE where an index or a number is not known. NULL: no memory, or more rows than a process can
 * have. Rows move when the next one is made; indices stay.
 */
struct world_thread *world_add_thread(aspace_t *aspace, struct world *world, uint64_t address);
struct world_team *world_add_team(aspace_t *aspace, struct world *world, uint64_t address);
struct world_task *world_add_task(aspace_t *aspace, struct world *world, uint64_t address);
/** Index of the row with ADDRESS, WORLD_NONE. O(1). */
int32_t world_thread_at(const struct world *world, uint64_t address);
int32_t world_team_at(const struct world *world, uint64_t address);
int32_t world_task_at(const struct world *world, uint64_t address);

/** COUNT entries of WORLD_NONE in memory of the bracket. */
WARN_UNUSED ompd_rc_t world_alloc_indices(aspace_t *aspace, int32_t count, int32_t **ret);

/** What a family does. struct rtm_ops points to it; world_ops.h makes the operations. */
struct world_family {
    /** Fills WORLD, which is empty. Codes: ok; nomem; those of a read that everything depends on. */
    ompd_rc_t (*build)(aspace_t *aspace, struct world *world);
    /** Fills what costs much and is seldom asked for: `codeptr` and `function` of a team. May be NULL. */
    ompd_rc_t (*complete_team)(aspace_t *aspace, struct world *world, struct world_team *team);
    /** Fills RET, which is zero, for the task INDEX. Codes as in struct rtm_ops. NULL: unsupported. */
    ompd_rc_t (*loop)(aspace_t *aspace, struct world *world, int32_t index, ompdx_loop_info_t *ret);
    /** The index of a team or task in WORLD, WORLD_NONE for the process. Codes as in struct rtm_ops. */
    ompd_rc_t (*icv)(aspace_t *aspace, const struct world *world, enum rtm_icv icv, int32_t index,
                     ompd_scope_t scope, struct rtm_icv_value *ret);
    /** The place of the thread INDEX, and its processors as text. Codes as in struct rtm_ops. NULL:
     *  unsupported. */
    ompd_rc_t (*place)(aspace_t *aspace, const struct world *world, int32_t index, int *ret,
                       struct grown *processors);
    ompd_rc_t (*openmp_version)(aspace_t *aspace, ompd_word_t *ret);
    ompd_rc_t (*version_string)(aspace_t *aspace, const char **ret);
};

/** The world of this bracket or call; the family builds it when it is first asked for. */
WARN_UNUSED ompd_rc_t world_get(aspace_t *aspace, struct world **ret);

extern const struct rtm_ops rtm_gomp, rtm_kmp;

#endif
