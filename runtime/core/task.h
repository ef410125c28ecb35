/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tasks: explicit, implicit and initial.
 */
#ifndef RT_TASK_H
#define RT_TASK_H

#include "contract.h"
#include "heap.h"
#include "icvs.h"
#include "lock.h"
#include "team.h"
#include "thread.h"

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
    uint8_t reported;     /**< its begin was reported */
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
enum rt_call { RT_CALL_KMPC = RT_CALLED_KMPC, RT_CALL_GOMP = RT_CALLED_GOMP };

#define RT_BY_COMPILER       2 /**< if(0): compiled code calls the task's code itself */
#define RT_MARKS_BY_COMPILER ((uint64_t)RT_BY_COMPILER << 8) /**< rt_task.marks with that and nothing else */
#define RT_REF               (1ULL << 32)                    /**< one reference in rt_task.counts */

struct rt_task {
    /* Identity: written by the creator. */
    _Atomic uint64_t serial;
    struct rt_task *parent; /**< of a free slot the link to the next one */
    struct rt_team *team;
    union {
        _Atomic uint64_t flags_and_state; /**< both, to store them at once (little endian) */
        struct {
            uint32_t flags;
            _Atomic uint32_t state;
        };
    };
    uint64_t fn;
    uint64_t team_serial;
    uint64_t codeptr;
    const struct rt_loc *loc;

    /* Execution: written by the executing thread. */
    RT_ALIGNED _Atomic uint64_t exit_frame;
    _Atomic uint64_t enter_frame;
    /** of exit and enter_frame: so these three are an ompt_frame_t; set if a tool is there */
    int32_t frame_flags[2];
    struct rt_task *_Atomic sched_parent;
    struct rt_thread *_Atomic thread;
    _Atomic int32_t thread_num;
    int32_t creator_thread_num;
    struct rt_taskgroup *taskgroup;
    struct rt_deps *deps; /**< of its children; executing thread only */

    /* Shared: children complete, successors register. */
    union {
        /** children not complete | references to the slot << 32; who acquires it at 0 children sees what they
         *  have done (litmus: taskwait) */
        _Atomic uint64_t counts;
        _Atomic uint32_t children; /**< low half of counts (little endian), for the debugger */
    };
    rt_spin_t lock;         /**< guards successors and the change to DONE */
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
            _Atomic uint32_t event; /**< enum rt_detach_state and the slot's life (detach.c) */
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
            uint8_t cancelled : 1;   /**< it was cancelled, which its end will report */
            uint8_t is_parent : 1;   /**< a child has held a reference to its slot, or has dependences */
            uint8_t chunked;         /**< of taskloop, and its rt_task_chunk will be reported */
            /** detachable: which of its two ends is being reported, and is waited for (detach.c) */
            _Atomic uint8_t reporting;
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
    RT_ALIGNED struct rt_workshare *_Atomic loop;
    _Atomic uint64_t loop_first, loop_last;
    uint64_t tasks_created; /**< deferred by this member in this region (atomic by width) */
    uint64_t tasks_completed;
    struct rt_member *member; /**< its place in the team */
    uint32_t workshare_seq;   /**< worksharing loops with shared state met so far */
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
    struct rt_workshare *workshare;          /**< entry of the sections, single or scope in hand */
    struct rt_doacross *doacross;            /**< nest in hand */
    _Atomic uint64_t doacross_sink;          /**< iteration of it that is waited for */
    struct rt_task *outer_implicit;          /**< serialised region: the implicit task around it */
    struct rt_workshare *private_workshares; /**< entries of its own, in a cancelled region */
    _Atomic uint32_t bar_seq;                /**< barriers arrived at */
    _Atomic uint32_t bar_left;               /**< the last that it has left, in a team of two */
    uint8_t reported_work; /**< enum rt_work of the worksharing region that a tool believes open, 0 none */
};

#define RT_TASK_PAYLOAD offsetof(struct rt_task, loop)
_Static_assert(sizeof(struct rt_task) <= RT_TASK_BYTES, "an implicit task fits the task class");
_Static_assert(RT_TASK_PAYLOAD == 256, "four lines of head");
_Static_assert(offsetof(struct rt_task, parent) == offsetof(struct rt_slot, next),
               "each new task stores it, so a free slot's link costs nothing");
_Static_assert(offsetof(struct rt_task, enter_frame) == offsetof(struct rt_task, exit_frame) + 8 &&
                   offsetof(struct rt_task, frame_flags) == offsetof(struct rt_task, exit_frame) + 16,
               "an ompt_frame_t");
_Static_assert(offsetof(struct rt_task, resubmit) == offsetof(struct rt_task, marks) + 1,
               "RT_MARKS_BY_COMPILER");
_Static_assert(sizeof(struct rt_icvs) == RT_LINE && offsetof(struct rt_task, icvs) % RT_LINE == 0 &&
                   offsetof(struct rt_task, counts) % RT_LINE == 0,
               "ICVs are one line");

/**
 * The low bits of rt_task.event; the others name the slot's life (detach.c). A task without an event has 0
 * there.
 */
enum rt_detach_state { RT_DETACH_NONE, RT_DETACH_PENDING, RT_DETACH_BODY_DONE, RT_DETACH_FULFILLED };

/** A task's ICVs, to change one: what it has inherited is no longer as its stamp says (task_inline.h). */
static inline struct rt_icvs *rt_icvs_change(struct rt_task *task)
{
    rt_store(task->stamp, 0);
    return &task->icvs;
}

static inline void *rt_task_payload(struct rt_task *task)
{
    return (char *)task + RT_TASK_PAYLOAD;
}
/** Bytes of a task's slot behind its head: at least what was asked for. */
static inline size_t rt_task_payload_room(const struct rt_task *task)
{
    size_t slot = task->class == RT_CLASS_HUGE      ? (size_t)task->huge_lines * RT_LINE
                  : task->class == RT_CLASS_TASK    ? RT_TASK_BYTES
                  : task->class == RT_CLASS_TASK_1K ? 1024
                                                    : 4096;
    return slot - RT_TASK_PAYLOAD;
}
/**
 * For a tool: which iterations a task of taskloop has. At the end of its slot, which has room for it if
 * `chunked`.
 */
struct rt_chunk {
    uint64_t first, iterations;
};

static inline struct rt_chunk *rt_task_chunk(struct rt_task *task)
{
    size_t room = rt_task_payload_room(task) & ~(sizeof(uint64_t) - 1);
    return (struct rt_chunk *)(void *)((char *)rt_task_payload(task) + room) - 1;
}

static inline struct rt_task *rt_task_of(void *payload)
{
    return (struct rt_task *)((char *)payload - RT_TASK_PAYLOAD);
}

#endif
