/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * An OpenMP thread.
 */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include "contract.h"
#include "heap.h"
#include "root.h"
#include "steal.h"

/** Serials are handed out in blocks, so that creating a task or a region shares nothing. */
struct rt_serials {
    uint64_t next, end;
};

#define RT_COLLECTOR_PAIRS 11 /**< events of the collector API that are a begin and an end */

struct rt_thread {
    /* What a debugger reads; the thread itself writes it. */
    _Atomic uint64_t serial; /* what the usual questions need comes first: it is one short read */
    struct rt_task *_Atomic cur_task;
    _Atomic uint32_t state; /**< OMPT state | RT_WAIT_* << 16 */
    int32_t tid;
    _Atomic uint64_t wait_id;
    uint64_t pthread;
    int32_t gtid;
    /** what it stores in mutex words (numbers.c), 0 unless it lives; under the root's lock */
    uint32_t lock_number;
    struct rt_team *_Atomic switching_team;
    _Atomic uint64_t wait_codeptr;

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
    uint32_t kind;          /**< ompt_thread_t; for the debugger too */
    int32_t place;          /**< place that it is bound to, -1 none (places.c) */
    int32_t keep_off;       /**< of a new worker: the processor that it begins beside, -1 any (attach.c) */
    uint32_t nested_direct; /**< tasks that it runs at once as their creator, one inside the other */
    uint32_t steal_seed;
    struct rt_steal steal;
    uint64_t seen_task; /**< serial of a single task that it has left to its owner */
    /** how often in a row it left a task to its owner; it looks at others' queues that much less often */
    uint32_t steal_backoff;
    uint8_t woken_for_work;       /**< it was woken for work and has not looked at all queues yet */
    uint8_t naps;                 /**< in a row, when it was woken for work in vain (wait.c) */
    _Atomic uint32_t in_tool;     /**< inside a tool's code (event.c) */
    uint8_t yields;               /**< the task that is left is reported as having yielded */
    uint8_t only_listener;        /**< events go to this listener alone: enum rt_listener + 1, 0 to all */
    uint8_t reported_idle;        /**< its idling was reported */
    struct rt_held *_Atomic held; /**< made when it first takes a mutex */
    uint64_t tool_data;           /**< OMPT: the tool's word for this thread */
    struct rt_stats *stats;       /**< statistics, NULL none yet (tools/stats_gather.c) */
    void *last_unit;     /**< work unit that it has stopped running last, only as a handle (tools/units.c) */
    uint64_t *wait_data; /**< the same of a taskwait with dependences, while the thread waits in it */
    /** the last that clang's code has given an event, NULL none (abi/kmpc_task.c) */
    struct rt_task *detachable;
    struct rt_team
        *serial_team;        /**< stack of teams kept for serialised regions: each depth gets its own again */
    uint64_t base_frame;     /**< of a worker: below all that it does */
    uint64_t collector_life; /**< of what the next counts: thread and session (tools/collector_events.c) */
    uint8_t collector_open[RT_COLLECTOR_PAIRS];

    /* Of a worker: written by the thread that docks or undocks it, under the root's lock (dock.c). */
    RT_ALIGNED struct rt_team *_Atomic dock; /**< team to join; NULL: the thread is to end */
    _Atomic int32_t dock_index;
    _Atomic uint32_t dock_turn;    /**< odd while it is docked; another number each time */
    _Atomic uint64_t dock_fork;    /**< team's fork word when this thread was docked */
    _Atomic uint32_t dock_word;    /**< futex: enum rt_dock_word */
    uint8_t dock_unwoken;          /**< it slept when it was docked, and nobody has woken it yet */
    struct rt_task *own_task;      /**< slot of its implicit tasks, in whatever team */
    struct rt_thread *next_pooled; /**< the next one in the pool */
};

/** What a worker without a team waits on. */
enum rt_dock_word { RT_DOCK_EMPTY, RT_DOCK_SET, RT_DOCK_ASLEEP };

extern _Thread_local struct rt_thread *rt_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** The first of at least so many new serials; those behind it are in *serials. */
uint64_t rt_serial_block(struct rt_serials *serials, _Atomic uint64_t *counter, uint64_t least);
static inline uint64_t rt_task_serial(struct rt_thread *th)
{
    if (unlikely(th->task_serials.next == th->task_serials.end))
        return rt_serial_block(&th->task_serials, &rt_root.next_task_serial, 1);
    return th->task_serials.next++;
}
static inline uint64_t rt_team_serial(struct rt_thread *th)
{
    if (unlikely(th->team_serials.next == th->team_serials.end))
        return rt_serial_block(&th->team_serials, &rt_root.next_team_serial, 1);
    return th->team_serials.next++;
}
/** The first of n serials that follow each other. */
static inline uint64_t rt_task_serial_range(struct rt_thread *th, uint32_t n)
{
    uint64_t first = th->task_serials.next;
    if (unlikely(th->task_serials.end - first < n))
        first = rt_serial_block(&th->task_serials, &rt_root.next_task_serial, n);
    th->task_serials.next = first + n;
    return first;
}

#endif
