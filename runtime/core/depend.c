/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Dependences between sibling tasks.
 *
 * Per address the parent remembers the newest set of tasks that may run side by side (all `in`, all `inoutset`, or one
 * writer) and the set before it. A new task of the same side-by-side kind joins the newest set and waits for the one
 * before; any other task waits for the newest set and becomes a set of its own. mutexinoutset counts as inout: running
 * such tasks in the order of their creation excludes them from each other, which is all that is asked.
 */
#include <stdlib.h>
#include <string.h>

#include "rt.h"

#define BUCKETS 64
enum { DEP_IN = 1, DEP_OUT = 2, DEP_MUTEX = 4, DEP_INOUTSET = 8, DEP_ALL = 0x80 };

/* Slots of RT_CLASS_SMALL whose serial stays 0, so that a debugger takes them for free edges. */
struct node {
    struct rt_slot slot; /* .next: next in the set */
    struct rt_task *task;
};
struct entry {
    struct rt_slot slot; /* .next: next in the bucket */
    uint64_t address;
    struct node *newest, *before;
    uint8_t kind; /* of the newest set: DEP_IN, DEP_INOUTSET or DEP_OUT */
};
_Static_assert(sizeof(struct entry) <= 64 && sizeof(struct node) <= 64 && sizeof(struct rt_edge) <= 64,
               "small slots");

struct rt_deps {
    struct entry *buckets[BUCKETS];
    struct rt_task *all; /**< the last task with omp_all_memory, 0 none: it stands before every set */
};

static uint8_t kind_of(uint8_t type)
{
    type &= 0x0f;
    return type == DEP_IN ? DEP_IN : type == DEP_INOUTSET ? DEP_INOUTSET : DEP_OUT;
}

static void *small_take(struct rt_thread *th)
{
    struct rt_slot *slot = rt_slot_take(th->heap, RT_CLASS_SMALL);
    memset((void *)slot, 0, 64);
    return slot;
}

static void small_free(struct rt_thread *th, void *slot)
{
    rt_slot_free(th->heap, RT_CLASS_SMALL, slot);
}

static void set_free(struct rt_thread *th, struct node *node)
{
    while (node != NULL) {
        struct node *next = (struct node *)node->slot.next;
        rt_task_deref(th, node->task);
        small_free(th, node);
        node = next;
    }
}

static struct node *node_add(struct rt_thread *th, struct rt_task *task, struct node *next)
{
    struct node *node = small_take(th);
    atomic_fetch_add_explicit(&task->counts, RT_REF, memory_order_relaxed);
    node->task = task;
    node->slot.next = (struct rt_slot *)next;
    return node;
}

/** Makes `task` wait for `pred` unless that is complete. */
static void edge_add(struct rt_thread *th, struct rt_task *pred, struct rt_task *task)
{
    if (pred == task)
        return;
    rt_lock(&pred->lock);
    if (rt_load(pred->state) < RT_TS_COMPLETING) {
        struct rt_edge *edge = small_take(th);
        edge->pred = pred;
        edge->succ = task;
        edge->heap = th->heap;
        edge->next = pred->successors;
        pred->successors = edge;
        atomic_fetch_add_explicit(&task->npred, 1, memory_order_relaxed);
        RT_TRACK(rt_publish(edge->serial, rt_task_serial(th)));
    }
    rt_unlock(&pred->lock);
}

static void edges_add(struct rt_thread *th, const struct node *set, struct rt_task *task)
{
    for (; set != NULL; set = (const struct node *)set->slot.next)
        edge_add(th, set->task, task);
}

static struct rt_deps *deps_of(struct rt_task *parent)
{
    if (parent->deps == NULL && (parent->deps = calloc(1, sizeof *parent->deps)) == NULL)
        rt_fatal("no memory for task dependences");
    return parent->deps;
}

static struct entry *entry_find(struct rt_thread *th, struct rt_deps *deps, uint64_t address, int create)
{
    struct entry **bucket = &deps->buckets[(address >> 3 ^ address >> 9) % BUCKETS];
    for (struct entry *entry = *bucket; entry != NULL; entry = (struct entry *)entry->slot.next)
        if (entry->address == address)
            return entry;
    if (!create)
        return NULL;
    struct entry *entry = small_take(th);
    entry->address = address;
    entry->slot.next = (struct rt_slot *)*bucket;
    entry->kind = DEP_OUT;
    if (deps->all != NULL)
        entry->newest = node_add(th, deps->all, NULL);
    *bucket = entry;
    return entry;
}

static void clear(struct rt_thread *th, struct rt_deps *deps)
{
    for (int b = 0; b < BUCKETS; b++) {
        for (struct entry *entry = deps->buckets[b]; entry != NULL;) {
            struct entry *next = (struct entry *)entry->slot.next;
            set_free(th, entry->newest);
            set_free(th, entry->before);
            small_free(th, entry);
            entry = next;
        }
        deps->buckets[b] = NULL;
    }
    if (deps->all != NULL)
        rt_task_deref(th, deps->all);
    deps->all = NULL;
}

void rt_deps_forget(struct rt_thread *th, struct rt_task *parent)
{
    clear(th, parent->deps);
    free(parent->deps);
    parent->deps = NULL;
}

static int has_all(const struct rt_dep *deps, int n)
{
    for (int i = 0; i < n; i++)
        if (deps[i].type & DEP_ALL)
            return 1;
    return 0;
}

/** omp_all_memory: after everything, before everything. */
static void edges_all(struct rt_thread *th, struct rt_deps *known, struct rt_task *task)
{
    for (int b = 0; b < BUCKETS; b++)
        for (struct entry *entry = known->buckets[b]; entry != NULL; entry = (struct entry *)entry->slot.next)
            edges_add(th, entry->newest, task);
    if (known->all != NULL)
        edge_add(th, known->all, task);
}

int rt_deps_register(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n)
{
    struct rt_deps *known = deps_of(task->parent);
    task->registered = 1;
    rt_store(task->npred, 1); /* not ready before all is registered */
    if (has_all(deps, n)) {
        edges_all(th, known, task);
        clear(th, known);
        atomic_fetch_add_explicit(&task->counts, RT_REF, memory_order_relaxed);
        known->all = task;
    } else {
        for (int i = 0; i < n; i++) {
            struct entry *entry = entry_find(th, known, deps[i].address, 1);
            uint8_t kind = kind_of(deps[i].type);
            if (entry->newest != NULL && entry->newest->task == task && entry->kind == DEP_OUT)
                continue; /* the same list names the address twice and a write covers all */
            if (kind != DEP_OUT && kind == entry->kind) {
                edges_add(th, entry->before, task);
                entry->newest = node_add(th, task, entry->newest);
            } else {
                edges_add(th, entry->newest, task);
                set_free(th, entry->before);
                entry->before = entry->newest;
                entry->newest = node_add(th, task, NULL);
                entry->kind = kind;
            }
        }
    }
    rt_store(task->state, RT_TS_BLOCKED);
    return atomic_fetch_sub_explicit(&task->npred, 1, memory_order_acq_rel) != 1;
}

static int fulfilled(void *argument)
{
    return rt_acquire(((struct rt_task *)argument)->npred) == 0;
}

void rt_deps_wait(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller)
{
    struct rt_task *task = rt_load(th->cur_task);
    struct rt_deps *known = task->deps;
    if (known == NULL)
        return;
    /* The current task itself stands as the successor: nothing created later can come before it anyway. */
    rt_store(task->npred, 1);
    if (has_all(deps, n))
        edges_all(th, known, task);
    for (int i = 0; i < n; i++) {
        struct entry *entry = deps[i].type & DEP_ALL ? NULL : entry_find(th, known, deps[i].address, 0);
        uint8_t kind = kind_of(deps[i].type);
        if (entry != NULL)
            edges_add(th, kind != DEP_OUT && kind == entry->kind ? entry->before : entry->newest, task);
        else if (known->all != NULL)
            edge_add(th, known->all, task);
    }
    if (atomic_fetch_sub_explicit(&task->npred, 1, memory_order_acq_rel) == 1)
        return;
    RT_TRACK(rt_store(task->enter_frame, caller.frame));
    rt_enter_wait(th, RT_STATE_TASKWAIT, RT_WAIT_DEPEND, task, caller.codeptr);
    rt_team_wait(th, task->team, RT_EV_WORK | RT_EV_DONE,
                 (struct rt_help){.on = 1, .ancestor = task, .steal = RT_STEAL_ANY}, fulfilled, task);
    rt_set_state(th, rt_work_state(task));
    RT_TRACK(rt_store(task->enter_frame, 0));
}

void rt_deps_fulfil(struct rt_thread *th, struct rt_task *task)
{
    rt_lock(&task->lock);
    rt_store(task->state, (uint32_t)rt_acquire(task->counts) != 0 ? RT_TS_COMPLETING : RT_TS_DONE);
    struct rt_edge *edge = task->successors;
    task->successors = NULL;
    rt_unlock(&task->lock);
    while (edge != NULL) {
        struct rt_edge *next = edge->next;
        struct rt_task *succ = edge->succ;
        rt_slot_give_back(th, edge->heap, RT_CLASS_SMALL, (struct rt_slot *)edge);
        int waits = rt_load(succ->state) == RT_TS_STARTED; /* in rt_deps_wait, not queued */
        if (atomic_fetch_sub_explicit(&succ->npred, 1, memory_order_acq_rel) == 1) {
            if (waits)
                rt_notify_ordered(task->team, RT_EV_DONE, INT32_MAX);
            else
                rt_task_make_ready(th, succ);
        }
        edge = next;
    }
}
