/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/graph/graph_activity.h"

#include "inspect/model/phrases.h"

/* What one thread at a time holds, and only that one gives back. */
static bool is_lock(enum mdl_activity_kind kind)
{
    return kind == MDL_ACTIVITY_MUTEX || kind == MDL_ACTIVITY_RWLOCK || kind == MDL_ACTIVITY_LOADER ||
           kind == MDL_ACTIVITY_FUTEX || kind == MDL_ACTIVITY_ONCE;
}

/* No thread of this process has it, and it may have been so since a fork. */
static bool left_behind(const struct mdl_activity *a)
{
    return a->owner == MDL_OWNER_FORK || a->owner == MDL_OWNER_GONE;
}

static enum graph_way by_owner(const struct mdl_thread *t)
{
    const struct mdl_activity *a = &t->activity;

    if (a->owner == MDL_OWNER_THREAD) {
        /* The moment after it got the lock looks like this too, and the kernel gives one to a sleeper. */
        if (is_lock(a->kind) && a->owner_lwp == t->lwp && (!a->asleep || a->owner_how == MDL_HOW_KERNEL))
            return GRAPH_BY_ITSELF;
        return GRAPH_OWNER;
    }
    /* The kernel wakes who joins before a thread is gone: such a wait is about to end. */
    if ((a->owner == MDL_OWNER_ENDED || left_behind(a)) && is_lock(a->kind))
        return GRAPH_NEVER;
    if (a->owner == MDL_OWNER_NONE && a->kind == MDL_ACTIVITY_MUTEX && !a->asleep)
        return GRAPH_BY_ITSELF; /* is about to take it */
    return GRAPH_OUTSIDE;
}

static enum graph_way by_activity(const struct mdl_thread *t)
{
    const struct mdl_activity *a = &t->activity;

    switch (a->kind) {
    case MDL_ACTIVITY_UNKNOWN:
        return GRAPH_NOT_KNOWN;
    case MDL_ACTIVITY_COMPUTES:
    case MDL_ACTIVITY_OPENMP: /* in the runtime, on its way to something */
        return a->asleep ? GRAPH_NOT_KNOWN : GRAPH_BY_ITSELF;
    case MDL_ACTIVITY_SLEEP:
        return GRAPH_BY_ITSELF;
    case MDL_ACTIVITY_ZOMBIE:
        return GRAPH_NEVER;
    case MDL_ACTIVITY_MUTEX:
    case MDL_ACTIVITY_RWLOCK:
    case MDL_ACTIVITY_LOADER:
    case MDL_ACTIVITY_FUTEX:
    case MDL_ACTIVITY_JOIN:
    case MDL_ACTIVITY_ONCE:
        return a->timeout_ns != MDL_TIMEOUT_NONE ? GRAPH_BY_ITSELF : by_owner(t);
    default:
        return a->timeout_ns != MDL_TIMEOUT_NONE ? GRAPH_BY_ITSELF : GRAPH_OUTSIDE;
    }
}

/* Its own turn is what it waits for. */
static bool has_turn(const struct mdl_thread *t)
{
    return t->wait.kind == MDL_WAIT_ORDERED && t->wait.owner == MDL_OWNER_THREAD &&
           t->wait.owner_lwp == t->lwp;
}

/* The runtime takes it for idle, and its stack is elsewhere: in a destructor of the thread's, or in a
   handler. */
static bool strays(const struct mdl_thread *t)
{
    return mdl_activity_known(&t->activity) && t->activity.kind != MDL_ACTIVITY_OPENMP;
}

enum graph_way graph_way(const struct mdl_thread *t)
{
    if (t->running)
        return GRAPH_NOT_KNOWN;
    if (t->abandoned)
        return GRAPH_NEVER;
    if (t->released || t->moving || (t->openmp && has_turn(t)))
        return GRAPH_BY_ITSELF;
    if (t->openmp && !t->state)
        return GRAPH_NOT_KNOWN;
    if (t->openmp && t->wait.kind)
        return GRAPH_OPENMP;
    if (t->openmp && t->state == MDL_STATE_IDLE && !strays(t))
        return t->called && !t->called_by ? GRAPH_BY_ITSELF : GRAPH_OPENMP;
    return by_activity(t);
}

bool graph_wants_lock(const struct mdl_thread *t)
{
    const enum graph_way way = graph_way(t);

    return (way == GRAPH_OWNER || way == GRAPH_NEVER) && is_lock(t->activity.kind);
}

bool graph_left_behind(const struct mdl_thread *t)
{
    return graph_way(t) == GRAPH_NEVER && is_lock(t->activity.kind) && left_behind(&t->activity);
}

bool graph_blocked(const struct mdl_thread *t)
{
    const enum graph_way way = graph_way(t);

    return t->abandoned || (t->wait.kind && way != GRAPH_BY_ITSELF) || way == GRAPH_OWNER ||
           graph_wants_lock(t);
}

bool graph_released(const struct mdl_thread *t)
{
    return graph_way(t) == GRAPH_BY_ITSELF && !t->moving && (t->released || t->called || t->wait.kind);
}

bool graph_runs(const struct mdl_thread *t)
{
    return t->running || (graph_way(t) == GRAPH_BY_ITSELF && !t->activity.asleep &&
                          (graph_released(t) || t->moving || t->activity.kind == MDL_ACTIVITY_COMPUTES ||
                           t->activity.kind == MDL_ACTIVITY_OPENMP));
}
