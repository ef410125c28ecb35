/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Every structure of the runtime, with who writes each member.
 *
 * A structure that a debugger reads is listed in ../layout.def, whose comments are the contract; here stands
 * what only the runtime needs. Lines (64 bytes) are grouped by writer, so that no two threads fight over one.
 */
#ifndef RT_TYPES_H
#define RT_TYPES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define RT_LINE        64
#define RT_ALIGNED     __attribute__((aligned(RT_LINE)))
#define RT_NOINLINE    __attribute__((noinline, noclone))
#define RT_WARN_UNUSED __attribute__((warn_unused_result))
#define likely(x)      __builtin_expect(!!(x), 1)
#define unlikely(x)    __builtin_expect(!!(x), 0)

/*
 * In the archive the ABI is hidden: the program or shared library that holds a copy uses that copy for all
 * its calls. Exported, part of one copy's names could stand before another's, and a module would run on two
 * runtimes at once.
 */
#ifdef RT_STATIC
#define RT_EXPORT __attribute__((visibility("hidden")))
#else
#define RT_EXPORT __attribute__((visibility("default")))
#endif

/**
 * A lock of rt_lock(), for short sections of the runtime's own. 0: free. Else the two low bits are 1, or 2
 * when somebody may sleep, and the others tell in which process of a line of forks it was taken
 * (rt_lock_taken).
 */
typedef struct {
    _Atomic uint32_t word;
} rt_lock_t;

struct rt_task;
struct rt_team;
struct rt_thread;
struct rt_stats;

/** Where user code called the runtime: every entry point takes it first thing. */
struct rt_caller {
    uint64_t codeptr; /**< return address into user code */
    uint64_t frame;   /**< frame pointer of the entry point */
};

/** What clang passes as ident_t (docs/abi/kmpc.md 1.1). Read only. */
struct rt_loc {
    int32_t reserved_1;
    int32_t flags;
    int32_t reserved_2;
    int32_t reserved_3;
    const char *psource;
};

/** The numbers that layout.def gives as RT_CONST. */
enum {
#define RT_CONST(id, name, value, comment) name = (int)(value),
#define RT_STRUCT(id, tag, comment)
#define RT_FIELD(id, tag, member, comment)
#define RT_BITS(id, tag, member, name, mask, comment)
#define RT_VAR(id, variable, comment)
#include "../layout.def"
#undef RT_CONST
#undef RT_STRUCT
#undef RT_FIELD
#undef RT_BITS
#undef RT_VAR
};

/**
 * Thread states: OMPT 5.x numbers (ompt_state_t); omp-tools.h has the names, the runtime needs just these.
 */
enum rt_state {
    RT_WORK_SERIAL = 0x000,
    RT_WORK_PARALLEL = 0x001,
    RT_WORK_REDUCTION = 0x002,
    RT_WAIT_BARRIER_ANY = 0x010, /**< gcc does not say which */
    RT_WAIT_BARRIER_IMPLICIT_PARALLEL = 0x011,
    RT_WAIT_BARRIER_IMPLICIT_WORKSHARE = 0x012,
    RT_WAIT_BARRIER_EXPLICIT = 0x014,
    RT_WAIT_BARRIER_IMPLEMENTATION = 0x015,
    RT_STATE_TASKWAIT = 0x020,
    RT_STATE_TASKGROUP = 0x021,
    RT_STATE_MUTEX = 0x040,
    RT_STATE_LOCK = 0x041,
    RT_STATE_CRITICAL = 0x042,
    RT_STATE_ATOMIC = 0x043,
    RT_STATE_ORDERED = 0x044,
    RT_STATE_IDLE = 0x100,
    RT_STATE_OVERHEAD = 0x101,
};

/* ---- slabs (slab.c) ------------------------------------------------------------------------------------ */

/** A slot size that a heap serves; the slot's kind follows from the class. */
enum rt_class {
    RT_CLASS_TASK, /**< 0: rt_task_foreign is the shorter for it */
    RT_CLASS_SMALL,
    RT_CLASS_TASK_1K,
    RT_CLASS_TASK_4K,
    RT_CLASS_GROUP,
    RT_CLASSES,
    RT_CLASS_HUGE
};

/** Directory entry, append-only. */
struct rt_slab {
    void *base;
    uint32_t slot_size;
    uint32_t capacity;
    _Atomic uint32_t used; /**< by the heap's owner only */
    uint32_t kind;
};

#define RT_ROOT_SLABS  40
#define RT_BLOCK_SLABS 165
struct rt_slab_block {
    struct rt_slab_block *_Atomic next;
    _Atomic uint32_t count;
    struct rt_slab slabs[RT_BLOCK_SLABS];
};

/** The head that every free slot has in common with every live one: serial 0 and the free list's link. */
struct rt_slot {
    _Atomic uint64_t serial;
    struct rt_slot *next;
};

/** Slots of one thread: LIFO free lists, a slab to carve from, and what other threads give back. */
struct rt_heap {
    struct rt_slot *free[RT_CLASSES];  /**< owner only */
    struct rt_slab *carve[RT_CLASSES]; /**< owner only */
    struct rt_heap *next_orphan;       /**< under the root's lock, after the owner has ended */
    RT_ALIGNED struct rt_slot *_Atomic remote[RT_CLASSES]; /**< pushed by others, taken whole by the owner */
};

/* ---- threads (thread.c) -------------------------------------------------------------------------------- */

/** Serials are handed out in blocks, so that creating a task or a region shares nothing. */
struct rt_serials {
    uint64_t next, end;
};

#define RT_NEST_LIST       8
#define RT_COLLECTOR_PAIRS 11 /**< events of the collector API that are a begin and an end */

/**
 * The mutexes that a thread holds and where it took them, the latest last; with OMP_DEBUG=enabled
 * (tools/held.c).
 */
#define RT_HELD_MAX 63 /**< further ones have no place */
struct rt_held_place {
    _Atomic uint64_t object, codeptr;
};
struct rt_held {
    _Atomic uint32_t count;
    struct rt_held_place places[RT_HELD_MAX];
};

struct rt_thread {
    /* What a debugger reads; the thread itself writes it. */
    _Atomic uint64_t serial;
    uint64_t pthread;
    struct rt_task *_Atomic cur_task;
    struct rt_team *_Atomic switching_team;
    _Atomic uint64_t wait_id;
    _Atomic uint64_t wait_codeptr;
    _Atomic uint32_t state; /**< OMPT state | RT_WAIT_* << 16 */
    int32_t tid;
    int32_t gtid;
    uint32_t
        lock_number; /**< what it stores in mutex words (numbers.c), 0 unless it lives; under the root's lock */

    /* The thread's own. */
    RT_ALIGNED struct rt_task *implicit; /**< implicit or initial task that it executes */
    struct rt_heap *heap;
    struct rt_serials task_serials, team_serials;
    struct rt_give_back {
        struct rt_slot *chain; /**< freed slots of one other heap, not yet pushed there */
        struct rt_heap *to;
        uint32_t count;
    } give_back[RT_CLASSES];
    uint8_t has_push;         /**< one of the push_* below waits for the next fork */
    uint8_t is_root;          /**< not created by the runtime */
    uint8_t gone;             /**< in the child of fork(): it was a thread of the parent */
    uint8_t push_proc_bind;   /**< proc_bind clause (omp_proc_bind_t) for the next fork, 0 none */
    uint8_t push_severity;    /**< num_threads(strict:): 0 not strict, 1 warning, 2 fatal */
    int32_t push_num_threads; /**< num_threads clause for the next fork, 0 none */
    int32_t push_num_teams;   /**< num_teams clause for the next league, 0 none */
    int32_t push_thread_limit;
    const char *push_message; /**< for push_severity; NULL: the runtime's own words */
    const int32_t *push_list; /**< num_threads list behind its first item, kept by the arena */
    uint32_t push_list_count;
    uint32_t kind; /**< ompt_thread_t; for the debugger too */
    int32_t place; /**< place that it is bound to, -1 none (places.c) */
    uint32_t steal_seed;
    uint64_t seen_task;           /**< serial of a single task that it has left to its owner */
    uint32_t shy;                 /**< how often in a row: so much rarer it looks at others' queues */
    uint8_t called;               /**< it was woken for work and has not looked at all queues yet */
    uint32_t at_once;             /**< so many more new tasks are run by their creator, whose queue is full */
    _Atomic uint32_t in_tool;     /**< inside a tool's code (tools/hub.c) */
    uint8_t yields;               /**< a tool is told that the task that is left has yielded */
    uint8_t only;                 /**< events go to this window alone: enum rt_window + 1, 0 to all */
    uint8_t told_idle;            /**< a tool was told that it idles */
    struct rt_held *_Atomic held; /**< made when it first takes a mutex */
    uint64_t tool_data;           /**< OMPT: the tool's word for this thread */
    struct rt_stats *stats;       /**< statistics, NULL none yet (tools/stats_gather.c) */
    void *last_unit;     /**< work unit that it has stopped running last, only as a handle (tools/units.c) */
    uint64_t *wait_data; /**< the same of a taskwait with dependences, while the thread waits in it */
    struct rt_task
        *detachable; /**< the last that clang's code has given an event, NULL none (abi/kmpc_task.c) */
    struct rt_team
        *serial_team;        /**< stack of teams kept for serialised regions: each depth gets its own again */
    uint64_t base_frame;     /**< of a worker: below all that it does */
    uint64_t collector_life; /**< of what the next counts: thread and session (tools/collector_tell.c) */
    uint8_t collector_open[RT_COLLECTOR_PAIRS];

    /* Of a worker: written by whoever docks or undocks it, under the root's lock (dock.c). */
    RT_ALIGNED struct rt_team *_Atomic dock; /**< team to join; NULL: the thread is to end */
    _Atomic int32_t dock_index;
    _Atomic uint32_t dock_turn;    /**< odd while it is docked; another number each time */
    _Atomic uint64_t dock_fork;    /**< team's fork word when this thread was docked */
    _Atomic uint32_t dock_word;    /**< futex: enum rt_dock_word */
    uint8_t dock_unwoken;          /**< it slept when it was docked, and nobody has woken it yet */
    struct rt_task *own_task;      /**< slot of its implicit tasks, in whatever team */
    struct rt_thread *next_pooled; /**< the next one in the pool */
};

/* ---- teams (team.c) ------------------------------------------------------------------------------------ */

struct rt_member {
    struct rt_task *task;
    struct rt_thread *thread;
    struct rt_team *hot; /**< team that this member led last, kept with its threads; the member's own */
    struct rt_deque *_Atomic deque; /**< this member's queue of tasks, made on first use */
    /*
     * Where the member is to run, if threads are bound (places.c); written by the primary before the region.
     */
    int32_t place, part_first, part_count; /**< place number, place-partition-var as first place and length */
};

/** Sleepers that wait for iterations, each for one: only those are woken for whom it is time (wait.c). */
#define RT_TURN_WORDS 8
struct rt_turns {
    _Atomic uint32_t sleepers;
    _Atomic uint32_t
        words[RT_TURN_WORDS]; /**< futexes: an iteration has one of them, and one of its 32 bits */
};

/**
 * A worksharing region in flight (loop.c): loop, sections, single copyprivate, scope, doacross nest. All
 * threads of a team meet the same ones in the same order; the ring lets nowait ones run ahead of slow
 * threads.
 */
#define RT_LOOPS 8
struct rt_loop {
    RT_ALIGNED _Atomic uint64_t next; /**< next logical iteration to hand out */
    RT_ALIGNED _Atomic uint32_t done; /**< threads that have finished with this entry */
    _Atomic uint32_t claim; /**< 0 nobody has come, 1 the first thread sets it up, 2 set up; futex */
    _Atomic uint32_t claim_sleepers;
    void *data;   /**< what the first thread made for all: copyprivate's struct, reductions */
    void *memory; /**< from rt_memory_take(), given back when all have left */
    size_t memory_size;
    RT_ALIGNED _Atomic uint64_t ordered_next;
    struct rt_turns turns; /**< who waits for an iteration: for its turn, or for it to be posted (doacross) */
    RT_ALIGNED _Atomic uint32_t seq; /**< number of the region that may use this entry */
    _Atomic uint32_t seq_sleepers;
    struct rt_team *team;
    uint32_t tag;               /**< of the next loop that is stolen from; see loop.c */
    _Atomic uint32_t stealing;  /**< this loop is one */
    struct rt_range *ranges;    /**< one a member: what it has left of a nonmonotonic dynamic loop */
    _Atomic uint32_t exclusive; /**< mutex of ordered regions, if regions can be cancelled (loop.c) */
    uint8_t scrap;              /**< an entry of one thread alone, in a cancelled region (work.c) */
    struct rt_loop *next_scrap; /**< in rt_task.scraps */
};

/**
 * A member's share of a loop, in chunks: tag << 48 | next << 24 | end. The tag tells a stale word (loop.c).
 */
struct rt_range {
    RT_ALIGNED _Atomic uint64_t word;
};

/**
 * What a member knows of its own range: 0 it has none; whether the word may still have an earlier loop's tag.
 */
enum rt_share { RT_SHARE_NEW = 1, RT_SHARE_TAGGED };

/** A contention group: the threads that share one thread limit (OpenMP 5.2 section 1.2.2). */
struct rt_group {
    _Atomic int32_t threads;
    int32_t limit;
};

struct rt_team {
    /* The primary writes this before the region. */
    _Atomic uint64_t serial;
    struct rt_task *parent_task;
    uint64_t parent_serial;
    uint64_t fn;
    uint64_t codeptr;
    const struct rt_loc *loc;
    struct rt_member *members;
    uint32_t kind;
    int32_t nthreads;

    RT_ALIGNED int32_t level;
    int32_t active_level;
    _Atomic int32_t capacity; /**< members docked, nthreads in a region; with RT_TEAM_IDLE (dock.c) */
    int32_t members_size;     /**< room in members[] */
    uint64_t first_task;      /**< serial of thread 0's implicit task; the others' follow */
    int32_t argc;
    void **argv;
    struct rt_loop *loops;         /**< RT_LOOPS entries, made with the first team of more than one thread */
    struct rt_member own_member;   /**< members[] of a team of one */
    uint32_t loop_seq, single_seq; /**< where the members' counts of this region start */
    uint8_t newcomers;             /**< some of its workers have not been woken since they were docked */
    uint8_t call;                  /**< enum rt_call */
    int32_t ring_threads;          /**< members that the ring's ranges have room for */
    struct rt_team *next_serial;   /**< in rt_thread.serial_team */
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
    int32_t widest;           /**< largest size that the system was found to have threads for */
    int32_t counted;          /**< of its workers, those in rt_root.busy */
    struct rt_team *next_hot; /**< in rt_root.hot_teams */

    /* Arrivals. */
    RT_ALIGNED _Atomic uint32_t arrived;  /**< at the current barrier or the join */
    _Atomic uint32_t arrived_cancellable; /**< at a barrier that a cancellation opens */
    /**
     * Tasks completed by threads of other teams (omp_fulfill_event), and what makes up for the counts that
     * members bring along and take away (dock.c).
     */
    _Atomic uint64_t completed_outside;

    /*
     * Read by all while they wait. A hot team's slot keeps these words from life to life, but for those that
     * slab.c clears: a worker that was undocked before it came may still look here once.
     */
    RT_ALIGNED _Atomic uint32_t bar_gen;
    _Atomic uint64_t fork;     /**< region number << 32 | threads in it; the docked threads' signal */
    _Atomic uint32_t event;    /**< futex; changes whenever a sleeper may have reason to look again */
    _Atomic uint32_t called;   /**< 1 while a sleeper that was woken for work looks for it (rt_notify_work) */
    _Atomic uint64_t sleepers; /**< how many; << 32: those that wait for tasks to end (RT_EV_DONE) */
    _Atomic uint32_t tasks_used;     /**< 1 once a task was deferred in this region */
    _Atomic uint32_t cancel;         /**< RT_CANCEL_* bits that are pending (cancel.c) */
    struct rt_deque *_Atomic urgent; /**< tasks with a priority, highest first; made on first use */
    _Atomic uint32_t inside;         /**< workers that have come and not left */
    _Atomic uint64_t let_go; /**< fork word of the last region whose join is over, if a tool wants to know */

    RT_ALIGNED _Atomic uint32_t single_claimed; /**< number of the next single to be claimed */
    void *_Atomic copyprivate;
};

#define RT_TEAM_IDLE INT32_MIN /**< bit of rt_team.capacity: it is in no region, its workers may be taken */

/** What a worker without a team waits on. */
enum rt_dock_word { RT_DOCK_EMPTY, RT_DOCK_SET, RT_DOCK_ASLEEP };

/* ---- tasks (task.c, depend.c) -------------------------------------------------------------------------- */

/**
 * A task's data environment ICVs; one line, copied whole. `p` prefixes each name: layout.def wants them flat
 * in rt_task.
 */
#define RT_ICVS(p)                                                                   \
    int32_t p##nthreads;                                                             \
    int32_t p##thread_limit;                                                         \
    int32_t p##max_active_levels;                                                    \
    uint32_t p##sched;                                                               \
    int32_t p##chunk;                                                                \
    int32_t p##default_device;                                                       \
    uint8_t p##dyn;                                                                  \
    uint8_t p##bind;                                                                 \
    uint16_t p##nthreads_rest_count;                                                 \
    int32_t p##place_first; /* place-partition-var: first place and length */        \
    int32_t p##place_count;                                                          \
    uint32_t p##reserved;                                                            \
    const int32_t *p##nthreads_rest; /* nthreads-var behind its first item */        \
    uint64_t p##allocator;           /* def-allocator-var, omp_allocator_handle_t */ \
    uint64_t p##tool_data;           /* no ICV: OMPT's word for the task, none when a tool hears of it */
struct rt_icvs {
    RT_ICVS()
};

/** An unfulfilled dependence, in the predecessor's list. */
struct rt_edge {
    _Atomic uint64_t serial;
    struct rt_edge *next;
    struct rt_task *pred;
    struct rt_task *succ;
    struct rt_heap *heap; /**< owner of the slot */
};

struct rt_taskgroup {
    _Atomic uint64_t serial;
    struct rt_taskgroup *parent;
    struct rt_task *task;
    _Atomic uint32_t count;
    _Atomic uint32_t cancelled;
    struct rt_reduction *reduction; /**< clang's task reductions (reduction.c), NULL none */
    uintptr_t *gomp_reductions;     /**< gcc's task reductions (abi/gomp_reduction.c), NULL none */
    uint8_t worksharing;  /**< opened by a worksharing construct's task reduction, not by taskgroup */
    uint8_t told;         /**< a tool was told of its begin */
    struct rt_heap *heap; /**< owner of the slot */
};
_Static_assert(sizeof(struct rt_taskgroup) <= RT_LINE, "a slot of RT_CLASS_GROUP");

/** What the compiler sees of an explicit task (docs/abi/kmpc.md 1.2). */
typedef int32_t (*rt_routine)(int32_t gtid, void *kmp_task);
struct rt_kmp_task {
    void *shareds;
    rt_routine routine;
    int32_t part_id;
    union {
        rt_routine destructors;
        int32_t priority;
    } data1, data2;
};

/** How user code is called: by clang's convention (gtid, ...) or gcc's (data). */
enum rt_call { RT_CALL_KMPC, RT_CALL_GOMP };

#define RT_BY_COMPILER       2 /**< if(0): compiled code calls the task's code itself */
#define RT_MARKS_BY_COMPILER ((uint64_t)RT_BY_COMPILER << 8) /**< rt_task.marks with that and nothing else */
#define RT_REF               (1ULL << 32)                    /**< one reference in rt_task.counts */

struct rt_task {
    /* Identity: written by the creator. */
    _Atomic uint64_t serial;
    struct rt_team *team;
    uint64_t team_serial;
    struct rt_task *parent;
    uint64_t fn;
    uint64_t codeptr;
    const struct rt_loc *loc;
    uint32_t flags;
    _Atomic uint32_t state;

    /* Execution: written by the executing thread. */
    RT_ALIGNED _Atomic uint64_t exit_frame;
    _Atomic uint64_t enter_frame;
    int32_t frame_flags
        [2]; /**< of exit and enter_frame: so these three are an ompt_frame_t; set if a tool is there */
    struct rt_task *_Atomic sched_parent;
    struct rt_thread *_Atomic thread;
    _Atomic int32_t thread_num;
    int32_t creator_thread_num;
    struct rt_taskgroup *taskgroup;
    struct rt_deps *deps; /**< of its children; executing thread only */

    /* Shared: children complete, successors register. */
    union {
        _Atomic uint64_t counts;   /**< children not complete | references to the slot << 32 */
        _Atomic uint32_t children; /**< low half of counts (little endian), for the debugger */
    };
    rt_lock_t lock;         /**< guards successors and the change to DONE */
    _Atomic uint32_t npred; /**< predecessors not complete, +1 while registering */
    struct rt_edge *successors;
    union {
        struct rt_heap *heap; /**< owner of the slot; this and class are set once */
        uint64_t huge_lines;  /**< class RT_CLASS_HUGE, which no heap owns: slot size in lines */
    };
    uint16_t class; /**< enum rt_class */
    uint16_t unit;  /**< where it stands as a work unit (tools/units.c); says itself whether it is of now */
    uint32_t depth; /**< generations below the implicit task */
    union {
        _Atomic uint64_t priority_event; /**< both, 0 in a new task */
        struct {
            int32_t priority;
            _Atomic uint32_t event; /**< enum rt_event_state and the slot's life (detach.c) */
        };
    };
    union {
        uint64_t marks; /**< all of these together, 0 in a new task */
        struct {
            uint8_t owns_parent_ref; /**< this slot keeps the parent's slot alive */
            uint8_t resubmit;        /**< untied: 1 = its code asked to be queued again; RT_BY_COMPILER */
            uint8_t registered;      /**< siblings may depend on it */
            uint8_t call;            /**< enum rt_call */
            uint8_t lazy_reduction;  /**< holds its thread's copy of a lazy reduction item (reduction.c) */
            uint8_t told_cancel;     /**< it has met a cancellation, as a tool will be told at its end */
            uint8_t chunked;         /**< of taskloop, and a tool will be told its rt_task_chunk */
            _Atomic uint8_t telling; /**< detachable: who tells a tool of it, and is waited for (detach.c) */
        };
    };
    _Atomic uint64_t stamp; /**< of what it has inherited, 0 none; also of a free slot (task_inline.h) */

    union {
        struct rt_icvs icvs;
        struct {
            RT_ICVS(icv_)
        };
    } RT_ALIGNED;

    /* An explicit task's kmp_task and its privates start here; an implicit task has its worksharing state. */
    RT_ALIGNED struct rt_loop *_Atomic loop;
    _Atomic uint64_t loop_first, loop_last;
    uint64_t tasks_created; /**< deferred by this member in this region (atomic by width) */
    uint64_t tasks_completed;
    struct rt_member *member; /**< its place in the team */
    uint32_t loop_seq;        /**< worksharing loops with shared state met so far */
    uint32_t single_seq;
    uint32_t single_seen; /**< team's single_claimed when the thread last looked */
    int32_t reduce_method;
    uint32_t loop_kind;
    uint64_t loop_trip, loop_chunk; /**< the loop in hand, in logical iterations */
    uint64_t loop_lb, loop_st;
    uint64_t loop_static; /**< static kinds: next iteration of this thread */
    uint8_t loop_ordered; /**< 0 no, 1 by iteration (clang), 2 by chunk (gcc) */
    uint8_t loop_ordered_pending;
    uint8_t loop_stealing;   /**< nonmonotonic dynamic: this thread's share is in its range; enum rt_share */
    uint8_t loop_given_last; /**< the last iteration has been handed to this thread */
    uint64_t loop_iteration; /**< ordered: the iteration in hand */
    uint64_t loop_end;       /**< gcc: end of the loop in its own terms */
    struct rt_loop *work;    /**< entry of the sections, single or scope in hand */
    struct rt_doacross *doacross;   /**< nest in hand */
    struct rt_task *outer_implicit; /**< serialised region: the implicit task around it */
    struct rt_loop *scraps;         /**< entries of its own, in a cancelled region (work.c) */
    _Atomic uint32_t bar_seq;       /**< barriers arrived at */
    uint8_t told_work; /**< ompt_work_t of the worksharing region that a tool believes open, 0 none */
};

#define RT_TASK_PAYLOAD offsetof(struct rt_task, loop)
#define RT_TASK_BYTES   512 /**< of RT_CLASS_TASK */
_Static_assert(sizeof(struct rt_task) <= RT_TASK_BYTES, "an implicit task fits the task class");
_Static_assert(RT_TASK_PAYLOAD == 256, "four lines of head");
_Static_assert(offsetof(struct rt_task, enter_frame) == offsetof(struct rt_task, exit_frame) + 8 &&
                   offsetof(struct rt_task, frame_flags) == offsetof(struct rt_task, exit_frame) + 16,
               "an ompt_frame_t");
_Static_assert(offsetof(struct rt_task, resubmit) == offsetof(struct rt_task, marks) + 1,
               "RT_MARKS_BY_COMPILER");
_Static_assert(sizeof(struct rt_icvs) == RT_LINE && offsetof(struct rt_task, icvs) % RT_LINE == 0 &&
                   offsetof(struct rt_task, counts) % RT_LINE == 0,
               "ICVs are one line");

/** A member's queue of ready tasks: own end is the tail, thieves take from the head. */
struct rt_deque {
    RT_ALIGNED rt_lock_t lock;
    _Atomic uint32_t count; /**< tasks inside; read without the lock as a hint */
    uint32_t head;
    uint32_t size; /**< power of two */
    struct rt_task **ring;
    const struct rt_thread *forking; /**< who holds the lock over a fork(), NULL nobody; under the lock */
};

/* ---- root (root.c) ------------------------------------------------------------------------------------- */

struct rt_root {
    _Atomic uint32_t initialized;
    uint32_t openmp_version;
    _Atomic uint32_t slab_count;
    uint32_t procs;
    uint32_t wait_policy;
    uint32_t debug;
    uint64_t stacksize;
    int32_t thread_limit;
    uint32_t nthreads_list_count;
    int32_t nthreads_list[RT_NEST_LIST];
    char version_string[64];
    struct rt_slab_block *_Atomic more_slabs;
    struct rt_slab slabs[RT_ROOT_SLABS];

    /* Not for the debugger. */
    struct rt_icvs icvs;   /**< of every initial task */
    uint32_t spin;         /**< rounds of spinning before a thread sleeps */
    uint32_t queue_enough; /**< with so many tasks waiting a new one is run at once by its creator */
    uint32_t binding;      /**< threads are bound to places (places.c) */
    uint32_t cancellation; /**< cancel-var */
    int32_t max_task_priority;
    int32_t nteams, teams_thread_limit; /**< nteams-var, teams-thread-limit-var; 0 unset */
    uint32_t display_affinity;
    uint64_t stacksize_default; /**< the system's, for stacksize 0 */
    RT_ALIGNED _Atomic uint64_t next_task_serial, next_team_serial, next_thread_serial;
    RT_ALIGNED rt_lock_t lock; /**< guards what follows and the slab directory */
    struct rt_thread *pool;    /**< workers that belong to no team */
    struct rt_team *hot_teams; /**< all slots that were ever a hot team's */
    struct rt_heap *orphans;
    struct rt_heap shared; /**< slots of threads, teams and implicit tasks: under the lock */
    struct rt_slab *thread_slab, *team_slab;
    struct rt_slot *free_threads, *free_teams, *free_huge;
    struct rt_slot *free_hot_teams; /**< with their arrays */
    char *arena, *arena_end;
    uint64_t next_lock_number; /**< of the second and further rounds (numbers.c); 0 in the first */
    uint64_t forked_at;        /**< in the child of fork(): the next thread's serial at that time, else 0 */
    _Atomic uint32_t threads;  /**< live OpenMP threads */
    _Atomic uint32_t lock_numbers_reused; /**< for the debugger too (numbers.c) */
    uint32_t dismissed;                   /**< workers that were told to end */
    _Atomic uint32_t ended;               /**< of these, those that have */
    /**
     * To see oversubscription: threads of the program, and workers that are in regions or in an outermost
     * team.
     */
    RT_ALIGNED _Atomic int32_t busy;
};

#endif
