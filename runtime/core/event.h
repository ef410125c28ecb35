/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Events: what the core and the entry points report to tools.
 *
 * A listener is an interface through which a tool watches the program (OMPT, the older tool interfaces). Each
 * says which kinds of events it wants. The union is one word, so an event that nobody wants costs one load
 * and a branch that is never taken; everything else about the event is computed behind that branch. A
 * listener keeps no state of threads, regions or tasks of its own: it reads the words that a debugger reads.
 *
 * The state word and the frames are stored before an event is reported. No lock of the runtime is held
 * meanwhile.
 */
#ifndef RT_EVENT_H
#define RT_EVENT_H

#include "base.h"

/**
 * Kinds of events, as bits. Begin and end are one kind, so that a listener never gets one without the other.
 */
enum rt_on {
    RT_ON_THREAD = 1 << 0,
    RT_ON_PARALLEL = 1 << 1,
    RT_ON_IMPLICIT = 1 << 2,
    RT_ON_CREATE = 1 << 3,   /**< a task is created */
    RT_ON_SCHEDULE = 1 << 4, /**< a thread goes from one task to another */
    RT_ON_DEPENDENCES = 1 << 5,
    RT_ON_DEPENDENCE = 1 << 6, /**< one task has to wait for another */
    RT_ON_SYNC = 1 << 7,       /**< barrier, taskwait, taskgroup, and the waiting inside them */
    RT_ON_ACQUIRE = 1 << 8,
    RT_ON_ACQUIRED = 1 << 9,
    RT_ON_RELEASED = 1 << 10,
    RT_ON_NEST =
        1 << 11, /**< a nestable lock that the task has already: taken again, or given back in part */
    RT_ON_LOCK_INIT = 1 << 12,
    RT_ON_LOCK_DESTROY = 1 << 13,
    RT_ON_WORK = 1 << 14,
    RT_ON_DISPATCH = 1 << 15,
    RT_ON_MASKED = 1 << 16,
    RT_ON_REDUCTION = 1 << 17,
    RT_ON_CANCEL = 1 << 18,
    RT_ON_FLUSH = 1 << 19,
    RT_ON_CONTROL = 1 << 20,
    RT_ON_ERROR = 1 << 21,
    RT_ON_IDLE = 1 << 22,       /**< a worker is in no region */
    RT_ON_WAIT = 1 << 23,       /**< a mutex or a turn is not free, so the thread waits for it */
    RT_ON_OTHER_WAIT = 1 << 24, /**< it waits for dependences, values to copy */
    RT_ON_MUTEX = RT_ON_ACQUIRE | RT_ON_ACQUIRED | RT_ON_RELEASED | RT_ON_NEST,
    RT_ON_REGION = RT_ON_IMPLICIT | RT_ON_SYNC | RT_ON_WORK | RT_ON_PARALLEL | RT_ON_IDLE,
};

/** Of RT_ON_SYNC: the construct or the waiting. */
enum rt_sync_part { RT_SYNC_REGION = 1, RT_SYNC_WAIT = 2 };

/*
 * What an event says further. The numbers are by contract those of OMPT 5.2 (../tools/ompt_events.c asserts
 * it), so that no table stands between an event and the tool's callback.
 */
enum rt_work {
    RT_WORK_SECTIONS = 2,
    RT_WORK_SINGLE_EXECUTOR = 3,
    RT_WORK_SINGLE_OTHER = 4,
    RT_WORK_DISTRIBUTE = 6,
    RT_WORK_TASKLOOP = 7,
    RT_WORK_SCOPE = 8,
    RT_WORK_LOOP_STATIC = 10,
    RT_WORK_LOOP_DYNAMIC = 11,
    RT_WORK_LOOP_GUIDED = 12,
    RT_WORK_LOOP_OTHER = 13
};
enum rt_dispatch {
    RT_DISPATCH_SECTION = 2,
    RT_DISPATCH_WS_LOOP_CHUNK = 3,
    RT_DISPATCH_TASKLOOP_CHUNK = 4,
    RT_DISPATCH_DISTRIBUTE_CHUNK = 5
};
/** Why a thread leaves a task. */
enum rt_left {
    RT_LEFT_COMPLETE = 1,
    RT_LEFT_YIELD = 2,
    RT_LEFT_CANCEL = 3,
    RT_LEFT_DETACH = 4,
    RT_LEFT_EARLY_FULFILL = 5,
    RT_LEFT_LATE_FULFILL = 6,
    RT_LEFT_SWITCH = 7,
    RT_LEFT_TASKWAIT_COMPLETE = 8
};
/** Bits: the construct, and what happens to it. */
enum {
    RT_CANCELS_PARALLEL = 0x01,
    RT_CANCELS_SECTIONS = 0x02,
    RT_CANCELS_LOOP = 0x04,
    RT_CANCELS_TASKGROUP = 0x08,
    RT_CANCELS_ACTIVATED = 0x10,
    RT_CANCELS_DETECTED = 0x20,
    RT_CANCELS_DISCARDED_TASK = 0x40
};
enum rt_doacross_part { RT_DOACROSS_SOURCE = 5, RT_DOACROSS_SINK = 6 };
enum rt_severity { RT_SEVERITY_WARNING = 1, RT_SEVERITY_FATAL = 2 };
#define RT_TASK_TASKWAIT 0x10 /**< flag of the task that a taskwait with dependences is for a tool */

/** One event. What a kind does not name is zero. */
struct rt_event {
    uint32_t on;     /**< enum rt_on */
    uint8_t end;     /**< 1: the end of what had a begin */
    uint8_t part;    /**< SYNC: enum rt_sync_part */
    uint8_t test;    /**< mutexes: omp_test_*lock */
    uint8_t program; /**< PARALLEL: the program calls the region's code itself */
    /**
     * SYNC: enum rt_state; mutexes, WAIT: RT_WAIT_*; WORK, DISPATCH: enum rt_work, enum rt_dispatch;
     * SCHEDULE: enum rt_left of the task that is left
     */
    uint32_t what;
    uint32_t flags; /**< CREATE: of the task; CANCEL: RT_CANCELS_*; ERROR: enum rt_severity; mutexes: hint */
    int32_t n;      /**< number of deps or items of the vector; CONTROL: the tool's answer */
    uint64_t codeptr, frame; /**< where user code called, as struct rt_caller; 0 unknown */
    struct rt_team *team;
    struct rt_task *task;  /**< what the event is about; of SCHEDULE the task that is left */
    struct rt_task *other; /**< SCHEDULE: the task that goes on; DEPENDENCE: the one that waits */
    union {
        /** of events of tasks: instead of the data word of what is no task of ours (taskwait depend) */
        uint64_t *data;
        /** mutexes: its address; CONTROL: the argument; ERROR: the text; DISPATCH: the code */
        const void *object;
    };
    uint64_t count; /**< threads, teams, iterations, bytes of the text; CONTROL: command */
    uint64_t first; /**< DISPATCH: first iteration; IMPLICIT: number of thread or team; CONTROL: modifier */
    union {         /* DEPENDENCES */
        const struct rt_dep *deps;
        const int64_t *vector; /**< of doacross: the iteration, with its enum rt_doacross_part in `what` */
    };
};
/*
 * So much gcc clears in line; more with a string instruction, which takes longer than all the rest of an
 * event.
 */
_Static_assert(sizeof(struct rt_event) <= 96, "an event's description is short");

/** Listeners, in the order in which a begin is reported to them; an end is reported in reverse. */
enum rt_listener {
    RT_LISTENER_OMPT,
    RT_LISTENER_DRAFT,
    RT_LISTENER_COLLECTOR,
    RT_LISTENER_UNITS,
    RT_LISTENER_STATS,
    RT_LISTENER_HELD,
    RT_LISTENERS
};
typedef void rt_listener_fn(struct rt_thread *th, struct rt_event *event);

/** Union of what the listeners want; and RT_MUTEX_NOT_ALL_QUIET. */
extern _Atomic uint32_t rt_wanted __attribute__((visibility("hidden")));
/**
 * No event: a mutex may have to be released by an exchange (mutex.h). It is here because who releases a mutex
 * looks at that word in any case.
 */
#define RT_MUTEX_NOT_ALL_QUIET (1U << 31)
void rt_mutex_not_all_quiet(void);

/* bench/ builds the runtime once with -DRT_NO_TOOLS to see what it costs that a tool might be there. */
#ifdef RT_NO_TOOLS
#define RT_WANTED(bits) 0U
#define RT_WANTS(bits)  0
#else
#define RT_WANTED(bits) (uint32_t)(bits)
#define RT_WANTS(bits) \
    unlikely((atomic_load_explicit(&rt_wanted, memory_order_relaxed) & (uint32_t)(bits)) != 0)
#endif
/**
 * Reports an event; the arguments behind the kind are members of rt_event, worked out only when it is
 * wanted.
 */
#define RT_EVENT(th, kind, ...)                                             \
    do {                                                                    \
        if (RT_WANTS(kind))                                                 \
            rt_report((th), &(struct rt_event){.on = (kind), __VA_ARGS__}); \
    } while (0)

RT_COLD void rt_report(struct rt_thread *th, struct rt_event *event);

/* ---- events of many places: what they have in common -------------------- */
/**
 * Begin and end of `parts` (enum rt_sync_part) of a barrier, taskwait or taskgroup. The state word and the
 * frame are set meanwhile; behind them the thread is in user code again, unless there is none (caller.frame
 * 0).
 */
RT_COLD void rt_report_sync_begin(struct rt_thread *th, int parts, uint32_t state, uint32_t kind,
                                  const void *object, uint64_t codeptr, uint64_t frame);
RT_COLD void rt_report_sync_end(struct rt_thread *th, int parts, uint32_t state, uint64_t codeptr,
                                uint64_t frame);
/** Of waiting for a mutex or a turn, with the state word set accordingly; kind RT_WAIT_*. */
RT_COLD void rt_report_wait(struct rt_thread *th, int end, uint32_t kind, const void *object,
                            uint64_t codeptr);
/** A worker has left its region, or is new; its end is reported if and only if its begin was. */
RT_COLD void rt_report_idle(struct rt_thread *th, int end);
/** A task is left for the one below it: complete, cancelled, or, untied, for now. */
RT_COLD void rt_report_leave(struct rt_thread *th, struct rt_task *task);
RT_COLD void rt_report_mutex(struct rt_thread *th, uint32_t on, uint32_t kind, int test, const void *object,
                             uint64_t codeptr, uint64_t frame);
/**
 * frame: that the encountering task has called the runtime with, if its enter_frame does not say so already.
 */
RT_COLD void rt_report_create(struct rt_thread *th, struct rt_task *task, uint32_t flags,
                              const struct rt_dep *deps, int n, uint64_t frame);
RT_COLD void rt_report_schedule(struct rt_thread *th, struct rt_task *left, uint32_t status,
                                struct rt_task *next);
/** The calling thread's implicit task begins or ends, and with its end what was still open in it. */
RT_COLD void rt_report_implicit(struct rt_thread *th, int end);
/**
 * Worksharing: a region that compiled code leaves without a word ends where the next one begins, at the
 * latest.
 */
RT_COLD void rt_report_work_begin(struct rt_thread *th, uint32_t kind, uint64_t count,
                                  struct rt_caller caller);
/** Of single: the executing thread's region stays open, the others' is over at once. Returns mine. */
RT_COLD int rt_report_single(struct rt_thread *th, int mine, struct rt_caller caller);
RT_COLD void rt_report_work_end(struct rt_thread *th, struct rt_caller caller);
RT_COLD void rt_report_chunk(struct rt_thread *th, uint32_t kind, uint64_t first, uint64_t count);

/* ---- listeners ----------------------------------------------------------------------------------------- */
/**
 * Sets which kinds of events a listener wants; 0 closes it. by_kind: a function for each kind of event, by
 * the number of its bit, which is called directly where nobody else listens; NULL: `function` for all.
 */
void rt_listener_set(enum rt_listener listener, rt_listener_fn *function, rt_listener_fn *const *by_kind,
                     uint32_t wants);
/** Waits until no other thread is inside a tool. */
void rt_tools_quiet(struct rt_thread *th);

#endif
