/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The adapter of LLVM's libomp and of libiomp5, which are one family ("kmp"): how a `struct world` is made of
 * __kmp_threads, of the teams and tasks that are reached from there, and of the threads' call stacks.
 *
 * kmp_ops.c builds and answers; kmp_threads.c reads records and teams; kmp_regions.c places threads;
 * kmp_stack.c knows the runtime's entry points; kmp_waits.c judges states, kmp_barriers.c those at
 * barriers; kmp_locks.c names mutexes and their owners, kmp_lock_sorts.c and kmp_lock_search.c find
 * locks; kmp_task_rows.c, kmp_deps.c and kmp_tasks.c find tasks; kmp_icvs.c reads control variables.
 *
 * No number of the target is trusted: walks are bounded, and a pointer leads to a row only if what it points
 * to points back.
 */
#ifndef OMPD_KMP_H
#define OMPD_KMP_H

#include "runtimes/world/world.h"

enum {
    KMP_THREADS_MAX = 1 << 16,
    KMP_TEAMS_MAX = 1 << 17,
    KMP_DEPTH_MAX = 64,   /**< teams from a thread to its root; regions that one team stands for */
    KMP_FRAMES_MAX = 128, /**< of a stack that are looked at */
    KMP_RECORD_MAX = 4096 /**< bytes of a structure that are taken */
};

/** Kinds of barrier as libomp numbers them: indices of th_bar and t_bar. */
enum { KMP_PLAIN, KMP_FORKJOIN, KMP_REDUCTION, KMP_BARRIERS };

/** How a thread's stack begins, from the inside. */
enum kmp_top {
    KMP_TOP_UNKNOWN, /**< the tool gives no stack, or it ends too early */
    KMP_TOP_USER,    /**< in the user's code, or in what that has called */
    KMP_TOP_RUNTIME, /**< in a call of the runtime that the user's code has made */
    KMP_TOP_WORKER   /**< in the loop of a worker that has nothing to run */
};

struct kmp_call;

struct kmp_stack {
    enum kmp_top top;
    bool looked;
    const struct kmp_call *call; /**< the entry point that waits, NULL: none of those that do */
    const char *slot;            /**< function whose frame is `frame`: innermost entry point with a mutex */
    ompdx_frame_t frame;
    uint64_t low, high; /**< stack from the innermost frame to the user's; 0 not known */
    uint64_t codeptr;   /**< where the call returns to in the user's code, 0 not known */
    uint64_t launch;    /**< return address in the outermost frame of the runtime but one */
    bool wrapped;       /**< `call` is not of those that libomp uses itself */
    bool covered;       /**< another entry point is between `call` and the user's code */
    bool forking;       /**< inside of __kmp_fork_call: the region has not begun */
    bool acquiring;     /**< inside of a function that takes a lock of the runtime's */
    bool waiting;       /**< inside of a function that does nothing but wait */
    bool polling;       /**< inside of that which waits for one number */
    bool deep;          /**< in libc, or in a function that a function called by `call` has called */
};

struct kmp_thread {
    uint64_t gtid, address, pthread, tid, team, root, task, ident, serial_team, task_team;
    uint64_t teams_microtask, teams_level, next_waiting, spin_here;
    uint64_t handed; /**< the user's word of a lock that it waited for and has been given just now, 0 none */
    uint64_t arrived[KMP_BARRIERS], go[KMP_BARRIERS];
    const struct stock_thread *native; /**< NULL: none */
    int32_t team_at;                   /**< index in kmp.teams of the team that it is in now, WORLD_NONE */
    int32_t row;                       /**< in the world, WORLD_NONE */
    bool helper;                       /**< a hidden helper thread */
    const char *contradiction;         /**< why its place is not known, NULL: it is */
    struct kmp_stack stack;
};

/** Does its primary thread wait for tasks at a barrier to which all have come? */
enum kmp_closing { KMP_CLOSING_ASK, KMP_CLOSING_NOT, KMP_CLOSING };

struct kmp_team {
    uint64_t address, parent, nproc, master_tid, level, active_level, serialized;
    uint64_t threads, pkfn, ident, argv, taskdata, cancelled;
    uint64_t arrived[KMP_BARRIERS];
    uint64_t *member;  /**< nproc addresses of kmp_info; NULL: could not be read */
    int32_t parent_at; /**< index in kmp.teams, WORLD_NONE */
    int32_t primary;   /**< index in kmp.threads, WORLD_NONE */
    int32_t row;       /**< of the innermost region that it stands for, WORLD_NONE */
    int32_t outermost; /**< of the outermost one */
    int32_t regions;   /**< that it stands for; rows lie one behind the other, outermost first */
    enum kmp_closing closing;
    bool open;   /**< its primary thread is in it */
    bool league; /**< of a teams construct: its members are the initial threads of the teams */
    bool teams;  /**< outermost of its regions is a teams region */
};

/** Where the lock behind a user's word was found: most threads wait for the same one. */
struct kmp_lock_hint {
    uint64_t id, lock;
};
enum { KMP_LOCK_HINTS = 64 };

/** Everything that is known while a world is made. */
struct kmp {
    aspace_t *aspace;
    struct world *world;
    const struct stock *stock;
    struct kmp_thread *threads;
    struct kmp_team *teams;
    int32_t thread_count, team_count, team_room;
    struct index by_address; /**< kmp_info -> index in threads */
    struct index by_gtid;
    struct index by_team; /**< kmp_team -> index in teams, sorted in place as teams come */
    bool natives;         /**< the tool tells of threads */
    bool counted;         /**< threads have counted themselves at barriers */
    struct index edges;   /**< row of a task -> row of one that it waits for */
    size_t edge_room;
    struct kmp_lock_hint hints[KMP_LOCK_HINTS];
};

/* ---- kmp_threads.c: records ---------------------------------------------------------------------------- */

/** A number of a record; VALUE 0 where the layout has no such field. */
WARN_UNUSED ompd_rc_t kmp_number(const struct kmp *kmp, const uint8_t *record, unsigned id, uint64_t *ret);
/** The number in a field of the structure at ADDRESS. Codes: ok; unsupported: no such field; the read's. */
WARN_UNUSED ompd_rc_t kmp_field(struct kmp *kmp, uint64_t address, unsigned id, uint64_t *ret);
/** A record of the structure ID at ADDRESS: BYTES of it, KMP_RECORD_MAX at most. */
WARN_UNUSED ompd_rc_t kmp_record(struct kmp *kmp, uint64_t address, uint32_t bytes, uint8_t *ret);
/** Bytes from a structure's start to the end of the last of FIELDS (ended by 0) that the layout has. */
uint32_t kmp_span(const struct lay *lay, const uint16_t *fields);

/** Where an array of barriers is in a record: its field, the structure of an element, a number in that. */
struct kmp_bar_ids {
    uint16_t array, element, number;
};
/** A number of each barrier of RECORD, of which there are BYTES; 0 where the layout does not have it. */
WARN_UNUSED ompd_rc_t kmp_bars(const struct kmp *kmp, const uint8_t *record, uint32_t bytes,
                               const struct kmp_bar_ids *ids, uint64_t ret[KMP_BARRIERS]);
/** Bytes of the record that kmp_bars needs. */
uint32_t kmp_bars_end(const struct lay *lay, const struct kmp_bar_ids *ids);

/** The records of all threads. Codes: as world_family.build; unavailable: libomp has not started. */
WARN_UNUSED ompd_rc_t kmp_read_threads(struct kmp *kmp);
/** Index in kmp.threads, WORLD_NONE. */
int32_t kmp_thread_at(const struct kmp *kmp, uint64_t address);
int32_t kmp_thread_of_gtid(const struct kmp *kmp, uint64_t gtid);

/** Why what depends on the entry ID is not known; NULL: the layout has it. */
static inline const char *kmp_missing(const struct kmp *kmp, unsigned id)
{
    return need_reason(&kmp->aspace->lay, id);
}

/* ---- kmp_teams.c: teams -------------------------------------------------------------------------------- */

/** Reads the teams of all threads, and those around them. */
WARN_UNUSED ompd_rc_t kmp_read_teams(struct kmp *kmp);
/** Index in kmp.teams, WORLD_NONE. */
int32_t kmp_team_at(const struct kmp *kmp, uint64_t address);

/* ---- kmp_regions.c: rows of threads and regions -------------------------------------------------------- */

/** Rows of regions and of threads: team, number, size, levels; idle or not. */
WARN_UNUSED ompd_rc_t kmp_place(struct kmp *kmp);
/** clang's text of the place of a construct from its ident_t, 0: there is none. */
WARN_UNUSED ompd_rc_t kmp_source(struct kmp *kmp, uint64_t ident, uint64_t *ret);
/** Marks all facts of a thread that hang on its team as unknown. */
void kmp_unknown_place(struct world_thread *row, const char *why);

/* ---- kmp_stack.c: entry points ------------------------------------------------------------------------- */

struct kmp_call {
    const char *name;
    int16_t wait;  /**< ompdx_wait_kind_t */
    int16_t state; /**< ompt_state_t */
};
/** Looks at a thread's stack, once. */
WARN_UNUSED ompd_rc_t kmp_look(struct kmp *kmp, struct kmp_thread *thread);
/**
 * Has a thread that runs a task, or a region inside, come to a barrier of the region that is LEVEL regions
 * outside of its innermost one? Codes: ok; nomem; others: its stack could not be followed so far.
 */
WARN_UNUSED ompd_rc_t kmp_meets(struct kmp *kmp, const struct kmp_thread *thread, int32_t level, bool *ret);

/** A part of a thread's stack that is of one stay in the runtime. */
struct kmp_stay {
    uint64_t low, high;
    uint32_t next; /**< the frame outside of it */
    bool meets;    /**< it is for a barrier, or is a worker's loop */
};
/** The stay at or outside of the frame FIRST. Codes: ok; unavailable: there is none; those of stock_frame. */
WARN_UNUSED ompd_rc_t kmp_next_stay(struct kmp *kmp, const struct kmp_thread *thread, uint32_t first,
                                    struct kmp_stay *ret);

/* ---- kmp_barriers.c: counters of barriers -------------------------------------------------------------- */

/** What a thread that is in the runtime for a barrier does there. */
enum kmp_stand {
    KMP_STAND_UNKNOWN, /**< the barrier's counters are not known, or are not in use */
    KMP_STAND_WAITS,   /**< it has arrived, and what it waits for has not come */
    KMP_STAND_GOES_ON  /**< it has been released, or has not counted itself so far */
};
bool kmp_has_counters(const struct lay *lay);
/** Of THREAD, a member of TEAM, at the barrier BAR. Codes: ok; nomem. */
WARN_UNUSED ompd_rc_t kmp_stand(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_team *team,
                                unsigned bar, enum kmp_stand *ret);
/** Has the thread counted itself at the team's barrier BAR, and not been released? */
bool kmp_has_counted(const struct kmp_thread *thread, const struct kmp_team *team, unsigned bar);
/** Has the thread been called to go on, and has not seen that so far? */
bool kmp_is_called(const struct kmp_thread *thread, unsigned bar);

/* ---- kmp_waits.c: states ------------------------------------------------------------------------------- */

WARN_UNUSED ompd_rc_t kmp_judge(struct kmp *kmp);
/** Who has come to the barrier of each team; after tasks are known. */
WARN_UNUSED ompd_rc_t kmp_set_arrivals(struct kmp *kmp);

/* ---- kmp_lock_sorts.c: locks in libomp's own memory ---------------------------------------------------- */

enum kmp_lock_sort { KMP_LOCK_QUEUING, KMP_LOCK_TICKET, KMP_LOCK_DRDPA };
struct kmp_lock {
    enum kmp_lock_sort sort;
    uint64_t address;
    uint64_t tail, head; /**< queuing: as in kmp.def; ticket: the next ticket, and that which is served */
    uint64_t owner;      /**< gtid + 1; 0 none, or not recorded */
    uint64_t flags;
    int64_t depth; /**< -1: no nest lock */
};
/** Codes: ok; unavailable: there is none of a sort that the layout knows; those of the reads. */
WARN_UNUSED ompd_rc_t kmp_read_lock(struct kmp *kmp, uint64_t address, struct kmp_lock *ret);
/** As long as the structure of its sort is. */
uint32_t kmp_lock_bytes(const struct kmp *kmp, const struct kmp_lock *lock);
/** Does the layout tell where the table of locks is? */
bool kmp_has_lock_table(const struct lay *lay);
/** The address of the lock that an omp_lock_t means by NUMBER. unavailable: there is none; as above. */
WARN_UNUSED ompd_rc_t kmp_numbered_lock(struct kmp *kmp, uint64_t number, uint64_t *ret);

/* ---- kmp_lock_search.c: which lock a thread waits for -------------------------------------------------- */

/** The queuing lock in whose queue THREAD is, where its last one was found for the user's word at ID too. */
WARN_UNUSED ompd_rc_t kmp_find_queuing(struct kmp *kmp, const struct kmp_thread *thread, uint64_t id,
                                       struct kmp_lock *lock, bool *found);
/** Does THREAD wait for LOCK? A queuing lock knows; of others the thread's stack has to have the address. */
WARN_UNUSED ompd_rc_t kmp_waits_for(struct kmp *kmp, const struct kmp_thread *thread,
                                    const struct kmp_lock *lock, bool *ret);
/** Is there a pointer to one of the BYTES at ADDRESS in the stack of THREAD inside of the runtime, or in a
 * register that is kept there? */
WARN_UNUSED ompd_rc_t kmp_points_to(struct kmp *kmp, const struct kmp_thread *thread, uint64_t address,
                                    uint32_t bytes, bool *ret);

/* ---- kmp_locks.c: mutexes ------------------------------------------------------------------------------ */

/** Fills wait_id and the owner of a thread that waits for a lock or critical region. */
WARN_UNUSED ompd_rc_t kmp_mutex(struct kmp *kmp, const struct kmp_thread *thread, struct world_thread *row);
/** After that of all threads: who has been handed a lock is its owner for those that wait for it. */
WARN_UNUSED ompd_rc_t kmp_name_holders(struct kmp *kmp);

/* ---- kmp_task_rows.c, kmp_deps.c, kmp_tasks.c: tasks --------------------------------------------------- */

/** What is taken of a task: of kmp_taskdata, and of kmp_task behind it. */
struct kmp_task {
    uint64_t flags_explicit, tied, final, started, executing, complete, freed, serial, detachable, proxy;
    uint64_t team, parent, alloc_thread, ident, taskgroup, children, last_tied, routine;
};
/** The record of the task at ADDRESS. Codes: ok; those of the reads. */
WARN_UNUSED ompd_rc_t kmp_get_task(struct kmp *kmp, uint64_t address, struct kmp_task *ret);
/** The members of a row that are the same for all tasks. */
WARN_UNUSED ompd_rc_t kmp_fill_task(struct kmp *kmp, const struct kmp_task *task, struct world_task *row);
/** The row of the explicit task at ADDRESS, which is made if one is there; WORLD_NONE: none is. */
WARN_UNUSED ompd_rc_t kmp_add_task(struct kmp *kmp, uint64_t address, int32_t *ret);
/** Rows for the tasks that depend on the row TASK, and who waits for whom. */
WARN_UNUSED ompd_rc_t kmp_add_successors(struct kmp *kmp, int32_t task);
/** After all rows are there. */
WARN_UNUSED ompd_rc_t kmp_set_predecessors(struct kmp *kmp);
/** Rows of tasks; what threads and regions need of them. */
WARN_UNUSED ompd_rc_t kmp_read_tasks(struct kmp *kmp);

/* ---- kmp_icvs.c ---------------------------------------------------------------------------------------- */

ompd_rc_t kmp_icv(aspace_t *aspace, const struct world *world, enum rtm_icv icv, int32_t index,
                  ompd_scope_t scope, struct rtm_icv_value *ret);

#endif
