/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The snapshot: plain data, one set of structures for every printer and analysis. All strings and arrays live
 * in the snapshot's arena, and are as the target has them: no printer may write them as they are, see
 * printable.h. The field names follow JSON schema 1. Numbers that do not exist are -1 (ids: 0),
 * strings NULL.
 */
#ifndef INSPECT_MODEL_H
#define INSPECT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inspect/base/mem.h"
#include "inspect/inspect.h"
#include "inspect/model/kinds.h"
#include "inspect/model/loop.h"
#include "inspect/model/not_taken.h"
#include "inspect/model/thread.h"

#ifdef __cplusplus
extern "C" {
#endif

struct mdl_problem {
    const char *what, *why, *remedy;
};

/** Bits of mdl_task.flags, of ompt_task_flag_t. */
enum { MDL_TASK_UNTIED = 0x10000000, MDL_TASK_FINAL = 0x20000000 };

struct mdl_member {
    int thread_num;
    int64_t lwp; /**< 0: not known to the host */
    bool gone;   /**< no thread of this process is it, and none will be: fork() has left it in the parent */
};

struct mdl_region {
    uint64_t id;
    uint64_t serial; /**< what tells it from others at another stop; 0: its id does */
    int runtime;
    enum mdl_region_kind kind;
    uint64_t parent, parent_task;
    int level, active_level, team_size, league_size, team_num;
    uint64_t entry, codeptr;
    struct mdl_place place;
    struct mdl_member *members;
    int member_count;
    struct mdl_unknown *unknown;
    int unknown_count;
};

struct mdl_task {
    uint64_t id;
    uint64_t serial; /**< as in mdl_region */
    int runtime;
    enum mdl_task_kind kind;
    enum mdl_task_state state;
    uint64_t region, generator, scheduled_over;
    uint64_t taskgroup; /**< id of the innermost taskgroup that waits for it, 0 none */
    int64_t lwp;        /**< 0 none */
    int thread_num, creator_thread_num;
    uint32_t flags;
    int children;
    int priority; /**< -1 not known */
    uint64_t entry, codeptr;
    struct mdl_place place;
    const uint64_t *depends_on;
    int depends_count;
    struct mdl_not_taken not_taken; /**< of a ready task */
    struct mdl_unknown *unknown;
    int unknown_count;
};

struct mdl_icv {
    int runtime;
    const char *name, *value;
    enum mdl_scope scope;
    enum mdl_icv_of of;
    int64_t of_id;   /**< the task's or region's id, or the thread's lwp */
    const char *why; /**< value == NULL: the reason */
};

/** A thread (lwp), a task (task, runtime) or another process (pid); the others are 0. */
struct mdl_end {
    int64_t lwp;
    uint64_t task;
    int runtime;
    int64_t pid;
};

struct mdl_edge {
    int id;
    struct mdl_end from, to;
    const char *because;
    bool proved;
    bool in_verdict; /**< one of mdl_verdict.edges */
};

struct mdl_ability {
    const char *what;
    bool available;
    const char *why; /**< when not */
};

/** What is not known of a runtime's structures, "where a taskgroup's semaphore lies", and what that costs. */
struct mdl_missing {
    const char *fact, *cost;
};

struct mdl_runtime {
    int id;
    const char *kind, *library, *version;
    uint64_t base;
    int64_t openmp_version;         /**< yyyymm, 0 unknown */
    int layout_major, layout_minor; /**< -1 unknown */
    int cancellation;               /**< cancel-var: 1 true, 0 false, -1 unknown */
    int64_t queue_limit; /**< ready tasks of a thread beyond which it executes new ones itself; 0 unknown */
    /** How its structures are known ("row by build-id"), by which row ("gomp-12.2.0"), and of which build it
     *  is. */
    const char *found_how, *row, *build_id;
    bool ids_of_stop; /**< a number of a region or task is another's at the next stop */
    struct mdl_ability *abilities;
    int ability_count;
    struct mdl_missing *missing;
    int missing_count;
};

struct mdl_verdict {
    enum insp_verdict_kind kind;
    const char *sentence;
    const char *printable; /**< the sentence as it may be shown */
    const int *edges;
    int edge_count;
    const int64_t *stuck; /**< of a proof: the threads of which it says that they never go on */
    int stuck_count;
    bool withdrawn; /**< there was a proof, and one of these has moved since: insp_judge */
};

struct mdl_crash;

struct mdl_process {
    int64_t pid; /**< 0 unknown */
    const char *exe, *core, *host;
    int signal;
    int64_t crashed_lwp;
    struct mdl_crash *crash; /**< model/crash.h; NULL: no signal, or nobody asked */
    int64_t rank, size;      /**< of an MPI process; -1 not known */
    const char *job, *step;  /**< of a batch system, NULL none */
    /** What its launcher calls the processes that it has started together, among which `rank` counts; NULL
     *  not known. */
    const char *name_space;
    const char *boot_id; /**< of the kernel that runs it; NULL not known */
    uint64_t start;      /**< when it began, in clock ticks after the boot; 0 not known */
    int forked;          /**< 1 it was forked, and has begun no program since; 0 not so; -1 not known */
    int64_t forked_from; /**< the process that did it; 0 not known */
    int64_t taken;       /**< when it was so, in nanoseconds since 1970; 0 not known */
};

#ifdef __cplusplus
}
#endif

/** A longer list helps no reader, and each new problem is compared with all others. */
enum { MDL_PROBLEMS_MAX = 1000 };

/** Threads by a number that names them, ascending. */
struct mdl_key {
    uint64_t key;
    int thread;
};

/**
 * A region, some of whose threads have arrived at its end, others at another barrier of it: none of the two
 * will ever be complete, though a runtime that counts arrivals counts all of them.
 */
struct mdl_split {
    uint64_t region;
    int runtime;
    int end, other;             /**< index of the first thread at each */
    int end_count, other_count; /**< threads */
};

/** Rows by two numbers, ascending: snap_index.c. */
struct snap_key {
    uint64_t major, minor;
    int row;
};
struct snap_index {
    struct snap_key *key;
    int count;
};

/** What is wrong with where threads run. words.c has the names in JSON. */
enum mdl_finding_kind {
    MDL_FINDING_CROWDED,  /**< more OpenMP threads want to run than they have processors */
    MDL_FINDING_TOGETHER, /**< members of a region may all run on one and the same processor only */
    MDL_FINDING_RUNTIMES, /**< two runtimes have OpenMP threads at work, or more than there are processors */
    MDL_FINDING_KINDS
};
struct mdl_finding {
    enum mdl_finding_kind kind;
    int threads, processors;
    int processor;       /**< of MDL_FINDING_TOGETHER */
    int runtime;         /**< the same */
    uint64_t region;     /**< the same */
    const int64_t *lwps; /**< the threads, but of MDL_FINDING_RUNTIMES */
};

struct insp_snapshot {
    struct arena arena;
    int local_count; /**< variables of all frames */
    unsigned want;
    bool complete;
    bool moving;      /**< the process ran on while it was read */
    bool tasks_known; /**< tasks[] is all there are, with their states */
    bool stable;      /**< of insp_stable: what differs from run to run is not said */
    struct mdl_process process;
    struct mdl_problem *problems;
    int problem_count;
    struct mdl_runtime *runtimes;
    int runtime_count;
    struct mdl_thread *threads;
    int thread_count;
    struct mdl_key *by_lwp, *by_pthread; /**< of mdl_index_threads, NULL before it */
    struct mdl_split *splits;            /**< of mdl_index_barriers, in order of (runtime, region) */
    int split_count;
    struct snap_index by_tid; /**< of snap_index_tids */
    struct mdl_region *regions;
    int region_count;
    struct mdl_task *tasks;
    int task_count;
    struct mdl_loop *loops; /**< by task */
    int loop_count;
    bool loops_untold; /**< a runtime of the process does not tell of loops */
    struct mdl_edge *edges;
    int edge_count;
    struct mdl_icv *icvs;
    int icv_count;
    struct mdl_finding *findings;
    int finding_count;
    struct mdl_verdict verdict;
    int current; /**< index of the current thread in threads[], -1 none */
    const char *ompd_library, *ompd_version,
        *ompd_why; /**< ompd_why: the reason when the library was not loaded */
    int64_t ompd_api;
    struct insp_stats stats;
};

#ifdef __cplusplus
extern "C" {
#endif

/** Adds a problem and marks the snapshot incomplete. The strings are copied; REMEDY may be "". */
void mdl_problem(struct insp_snapshot *s, const char *what, const char *why, const char *remedy);
/** Adds to an `unknown` list of a row; FIELD and REASON are not copied (literals or arena strings). */
void mdl_unknown(struct insp_snapshot *s, struct mdl_unknown **list, int *count, const char *field,
                 const char *reason);

/** The same; where the list has a reason for FIELD already, REASON takes its place. */
void mdl_unknown_instead(struct insp_snapshot *s, struct mdl_unknown **list, int *count, const char *field,
                         const char *reason);
/** The reason for FIELD, NULL. */
const char *mdl_unknown_reason(const struct mdl_unknown *list, int count, const char *field);

/** Makes the look-ups of threads fast; once all threads are in the list. */
void mdl_index_threads(struct insp_snapshot *s);
struct mdl_thread *mdl_thread_by_lwp(const struct insp_snapshot *s, int64_t lwp);
struct mdl_thread *mdl_thread_by_pthread(const struct insp_snapshot *s, uint64_t pthread);
/** Puts regions and tasks into the order in which these find them. */
void mdl_sort_rows(struct insp_snapshot *s);
struct mdl_region *mdl_region_by_id(const struct insp_snapshot *s, int runtime, uint64_t id);
struct mdl_task *mdl_task_by_id(const struct insp_snapshot *s, int runtime, uint64_t id);

/** The index of the thread whose control variables are shown: the one the user has selected; without a
 *  debugger the process' first OpenMP thread. -1 none. */
int mdl_icv_thread(const struct insp_snapshot *s);

/** Fills splits. */
void mdl_index_barriers(struct insp_snapshot *s);
/** The split of the region at whose barrier THREAD has arrived; NULL: there is none. */
const struct mdl_split *mdl_split_of(const struct insp_snapshot *s, const struct mdl_thread *thread);
/** Waits at the barrier at the end of its region. */
bool mdl_ends_region(const struct mdl_thread *thread);
/** The region whose barrier a thread waits at. */
uint64_t mdl_barrier_region(const struct mdl_thread *thread);
/** Has it arrived at a barrier? */
bool mdl_has_arrived(const struct mdl_thread *thread);

/** The thread that perhaps holds what T waits for, if it is not known who does and only one comes into
 *  question; 0. */
int64_t mdl_probable_owner(const struct mdl_thread *t);
/** Is it something that one thread at a time holds? */
bool mdl_is_mutex(enum mdl_wait_kind kind);
/** Waits at a barrier at which it does not count as arrived itself. */
bool mdl_misses_itself(const struct mdl_thread *thread);
/** Finds the threads that are `called`; once all regions and tasks are in their lists. */
void mdl_find_called(struct insp_snapshot *s);
/** Is member NUM of the region gone? */
bool mdl_is_gone(const struct mdl_region *r, int num);
/** Is there anything to say of it? */
static inline bool mdl_place_known(const struct mdl_place *p)
{
    return p->function || (p->file && p->line > 0);
}
/** Both NULL, or the same text. */
bool mdl_same(const char *a, const char *b);
/** Are both in the same state? */
bool mdl_same_state(const struct mdl_thread *a, const struct mdl_thread *b);
/** Is the state one of waiting, by its name? */
bool mdl_state_waits(enum mdl_state state);

/** The last component of a path. */
const char *mdl_base_name(const char *path);

#ifdef __cplusplus
}
#endif
#endif
