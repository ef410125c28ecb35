/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The wait-for graph: which threads can ever continue.
 *
 * Nodes are threads ("continues past what it waits for now"), tasks ("completes") and a few facts about
 * regions. A clause says what a node needs: all of its needs (AND) or any of them (OR, marked so). The least
 * fixed point gives the nodes that may still become true under some schedule; every thread that is not among
 * them waits forever.
 *
 * The clauses are generous, because only "never" is to be proved: a thread that computes may do anything
 * (release what it holds, arrive at its barriers, end the tasks on its stack, take ready tasks); a task that
 * starts may end. Threads are nodes alike, whether they are OpenMP threads or not. What can end a thread's
 * wait is its `way` (graph_activity.h): where OpenMP knows of the wait, its clause; else its activity.
 *
 * Three fixed points tell three sorts of "can": `can` takes everything for possible that is not known or
 * comes from outside, so what it leaves out is stuck for ever. `known_can` leaves out what is not known,
 * `surely_can` also what only the outside can end: what it has goes on by itself.
 *
 * A node is true when:
 *   computes         always; also a thread that sleeps, or waits with a timeout.
 *   was released     always: what it waited for has come, whatever its row still says.
 *   mutex, rwlock    of pthreads or of the dynamic linker, with a recorded owner: its owner continues; join:
 *                    the thread that is joined continues. The owner of a lock has ended: never; where fork()
 *                    may have left it in the parent, as a lock that its waiter holds itself. A thread that
 *                    joins itself: never. A lock that its waiter holds itself: as for OpenMP's.
 *   any other wait   a condition variable, a semaphore, a barrier, a lock whose owner is not recorded or is
 *                    in another process, a futex, input, output, a child, MPI, a signal: may be ended from
 *                    outside of the graph. It proves nothing, and is nobody's way to go on by itself.
 *   ended thread     never; nor one that waits for members of its region which fork() has left in the parent.
 *   OpenMP's mutex,
 *   ordered          its owner continues. Without an owner: always. The owner has ended: never.
 *                    A lock that its waiter holds itself: never by itself; but omp_unset_lock by another
 *                    thread releases it on every runtime, conforming or not. graph.handed is the fixed point
 *                    with that.
 *                    Somebody holds it, and nobody records who: any thread continues. That is enough to prove
 *                    that it never ends; it is nobody's way to go on by itself.
 *   barrier          all members that have not arrived come back from the regions nested inside and continue,
 *                    AND all explicit tasks of the region complete. Not known who has arrived: all members
 *                    that are not seen waiting there, if this one surely does (mdl_wait.lasts).
 *                    A waiter that does not count as arrived was released and is about to leave: always. But
 *                    at the end of the region, surely waiting, its arrival was counted for another barrier,
 *                    which it skipped: only the next region calls it.
 *                    Arrived at the end of the region, while others arrived elsewhere in it, and both surely
 *                    wait: each side needs the other, for one of them has skipped the other's barrier.
 *   taskwait         all child tasks complete; taskgroup: all its tasks; depend: all predecessors.
 *   idle             any thread continues (and may start a region). Called into a region that it has not
 *                    entered yet: always, once thread 0 has begun its own part and so let all go; before,
 *                    that one continues.
 *   task on a stack  its thread comes back from nested regions and continues.
 *   ready task       a thread waits where it may run tasks and may run this one, OR any thread of the team
 *                    continues.
 *   blocked task     all predecessors complete AND as for a ready task.
 *   created task     its generating task, which is about to submit it, completes; an implicit one: its
 *                    thread continues.
 * Task scheduling constraint (OpenMP 6.0, 14.14): a thread at a barrier may run any ready task of its team;
 * elsewhere descendants of its current task and untied ones; if the current task is untied itself, any. Where
 * the specification and Companion differ this is the wider of both.
 */
#ifndef INSPECT_GRAPH_H
#define INSPECT_GRAPH_H

#include "inspect/graph/graph_activity.h"
#include "inspect/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Each edge is in two lists: the needs of `node`, and the nodes that need `need`. */
struct graph_edge {
    int node, need;
    int more, more_needed; /* next in each list, -1 */
};

/**
 * Nodes by number: threads 0.., then tasks, then facts: for each region "a member comes back to it" (OR),
 * "its explicit tasks are complete" (AND), "it ends" (AND: all members come back, tasks are complete); for
 * each member of each region "it goes on, and the regions inside, in which it is, end" (AND); last "anybody
 * goes on" (OR), and the same of all threads, whether OpenMP's or not (OR).
 */
enum { GRAPH_INHERITS = 3 };

struct graph {
    const insp_snapshot *snap;
    int first_task, first_team, first_drain, first_end, first_member, anybody, any_thread, nodes;
    int *members; /* region -> node of its first member */
    struct graph_edge *edges;
    int edge_count;
    int *needs;       /* node -> its first edge, -1; further ones by graph_edge.more */
    int *needed_by;   /* node -> first edge that needs it, -1 */
    const char **why; /* node -> the reason why nothing can be said of it, NULL */
    bool *never;      /* node has no clause: nothing can make it true */
    bool *outside;    /* node -> its wait may be ended by what is no part of the graph */
    bool *unrecorded; /* node -> it waits for what somebody holds, and nobody records who */
    bool *can;        /* least fixed point; what is not known, or comes from outside, counts as true */
    bool *known_can;  /* the same; what is not known counts as false */
    bool *surely_can; /* the same; what comes from outside counts as false too */
    /** as `can`, if any code that can still run releases locks that their waiters hold themselves */
    bool *handed;
    int *home;     /* task -> thread on whose stack it is, -1 */
    int *inherits; /* task -> GRAPH_INHERITS: a thread waits in an ancestor; others: graph_tasks.c */
    int *seen;     /**< node -> last round of graph_needs that saw it; behind the nodes, the rounds */
    bool closed;   /**< built by graph_build_closed */
    bool probable; /**< built by graph_build_probable */
    bool oom;
};

void graph_free(struct graph *g);

/** A need of NODE that can never come true, the most telling one; -1: there is none, NODE itself is the end.
 *  Region facts are seen through: the result is a thread or a task. */
int graph_blocker(const struct graph *g, int node) INSP_WARN_UNUSED;
/** Calls VISIT for each thread or task that NODE needs, region facts seen through, until it returns false. Of
 *  an `unrecorded` node it is not known which one that is: VISIT is not called. */
void graph_needs(const struct graph *g, int node, bool (*visit)(void *arg, int need), void *arg);

static inline bool graph_is_thread(const struct graph *g, int node)
{
    return node >= 0 && node < g->first_task;
}
static inline bool graph_is_task(const struct graph *g, int node)
{
    return node >= g->first_task && node < g->first_team;
}

/** Two of the reasons in graph.why, of which the sentence names the task and the thread. */
#define GRAPH_WHY_EVENT    "a detached task waits for its event, which any code may fulfil"
#define GRAPH_WHY_ACTIVITY "what a thread does is not known"

/** Deeper nests of regions are damage. */
enum { GRAPH_MAX_NEST = 256 };

/** Why NODE, a thread that waits for what another holds, may wait for another thread; NULL: it does not. */
const char *graph_doubt(const struct graph *g, int node);

/** Adds a need of NODE. */
void graph_need(struct graph *g, int node, int need);
/** NODE needs thread LWP; where that is not listed, WHY is why nothing can be said of NODE. */
void graph_need_thread(struct graph *g, int node, int64_t lwp, const char *why);
/** NODE needs that thread LWP, NUM in the team of region R (-1: whichever it is), comes back there. */
void graph_need_member(struct graph *g, int node, int region, int num, int64_t lwp, const char *why);
/** Index of a region or task in the snapshot, -1. */
int graph_region(const struct graph *g, int runtime, uint64_t id);
int graph_task(const struct graph *g, int runtime, uint64_t id);
/** At the end of its region, where it does not count as arrived: it left out a barrier that the others waited
 *  at. */
bool graph_left_out_barrier(const struct mdl_thread *thread);
/** Waits for a lock of OpenMP or of pthreads that it holds itself, and has not got it just now. */
bool graph_holds_itself(const struct mdl_thread *thread);
/** Explicit and not complete: what barriers, taskwaits and taskgroups wait for. */
bool graph_counts(const struct mdl_task *task);

#ifdef __cplusplus
}
#endif
#endif
