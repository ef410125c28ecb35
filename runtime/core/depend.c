/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Dependences between sibling tasks.
 *
 * Per address the parent remembers the newest set of tasks that may run side by side (all `in`, all
 * `inoutset`, or one writer) and the set before it. A new task of the same side-by-side kind joins the newest
 * set and waits for the one before; any other task waits for the newest set and becomes a set of its own.
 * mutexinoutset counts as inout: running such tasks in the order of their creation excludes them from each
 * other, which is all that is asked.
 */
#include <stdlib.h>
#include <string.h>

#include "depend.h"
#include "event.h"
#include "message.h"
#include "notify.h"
#include "ready.h"
#include "task_slot.h"

#define FIRST_BUCKETS 64
#define FIRST_SWEEP   32 /**< tasks in a set before those that are complete are looked for */
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
    uint32_t kind;         /* of the newest set: DEP_IN, DEP_INOUTSET or DEP_OUT */
    uint32_t count, sweep; /* tasks in the newest set; so many and it is swept */
};
_Static_assert(sizeof(struct entry) <= 64 && sizeof(struct node) <= 64 && sizeof(struct rt_edge) <= 64,
               "small slots");

struct rt_deps {
    struct rt_task *all; /**< the last task with omp_all_memory, 0 none: it stands before every set */
    uint32_t bits;       /**< 1 << bits buckets */
    uint32_t entries;
    struct entry **buckets;
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

/** Whether it has completed, by its state, which only ever moves on to there. A detached one has not. */
static int is_complete(struct rt_task *task)
{
    uint32_t state = rt_acquire(task->state);
    return state == RT_TS_COMPLETING || state == RT_TS_DONE;
}

/** The current task waits for a task that is to run at once, or for a taskwait: then that is the sink. */
static RT_COLD void report_edge(struct rt_thread *th, struct rt_task *pred, struct rt_task *task)
{
    int waits = task == rt_load(th->cur_task);
    if (!waits || th->wait_data != NULL)
        RT_EVENT(th, RT_ON_DEPENDENCE, .task = pred, .other = task, .data = waits ? th->wait_data : NULL);
    rt_task_deref(th, pred);
}

/** Makes `task` wait for `pred` unless that is complete. */
static void edge_add(struct rt_thread *th, struct rt_task *pred, struct rt_task *task)
{
    if (pred == task)
        return;
    int report = 0;
    rt_spin_lock(&pred->lock);
    if (!is_complete(pred)) {
        if (RT_WANTS(RT_ON_DEPENDENCE)) { /* the slot stays until this is reported, outside the lock */
            report = 1;
            atomic_fetch_add_explicit(&pred->counts, RT_REF, memory_order_relaxed);
        }
        struct rt_edge *edge = small_take(th);
        edge->pred = pred;
        edge->succ = task;
        edge->heap = th->heap;
        edge->next = pred->successors;
        pred->successors = edge;
        atomic_fetch_add_explicit(&task->npred, 1, memory_order_relaxed);
        RT_TRACK(rt_publish(edge->serial, rt_task_serial(th)));
    } else if (task == rt_load(th->cur_task)) {
        rt_tsan_acquire(pred); /* as rt_deps_wait says */
    }
    rt_spin_unlock(&pred->lock);
    if (unlikely(report))
        report_edge(th, pred, task);
}

static void edges_add(struct rt_thread *th, const struct node *set, struct rt_task *task)
{
    for (; set != NULL; set = (const struct node *)set->slot.next)
        edge_add(th, set->task, task);
}

static struct rt_deps *deps_of(struct rt_task *parent)
{
    struct rt_deps *deps = parent->deps;
    if (deps != NULL)
        return deps;
    deps = calloc(1, sizeof *deps);
    struct entry **buckets = calloc(FIRST_BUCKETS, sizeof(struct entry *));
    if (deps == NULL || buckets == NULL)
        rt_fatal("no memory for task dependences");
    deps->buckets = buckets;
    deps->bits = __builtin_ctz(FIRST_BUCKETS);
    parent->deps = deps;
    return deps;
}

/** Multiplicative hashing (Knuth 6.4): addresses come in regular steps. */
static uint32_t bucket_of(uint64_t address, uint32_t bits)
{
    return (uint32_t)(address * 0x9e3779b97f4a7c15ULL >> (64 - bits));
}

/** Twice the buckets; without memory for them the lists stay longer. */
static void buckets_grow(struct rt_deps *deps)
{
    uint32_t bits = deps->bits + 1;
    struct entry **buckets = calloc(1UL << bits, sizeof(struct entry *));
    if (buckets == NULL)
        return;
    for (uint32_t b = 0; b < 1U << deps->bits; b++) {
        for (struct entry *entry = deps->buckets[b]; entry != NULL;) {
            struct entry *next = (struct entry *)entry->slot.next;
            uint32_t to = bucket_of(entry->address, bits);
            entry->slot.next = (struct rt_slot *)buckets[to];
            buckets[to] = entry;
            entry = next;
        }
    }
    free(deps->buckets);
    deps->buckets = buckets;
    deps->bits = bits;
}

/** Drops the tasks of a set that are complete: nobody has to wait for them. Returns how many are left. */
static uint32_t set_sweep(struct rt_thread *th, struct node **link)
{
    uint32_t count = 0;
    while (*link != NULL) {
        struct node *node = *link;
        if (is_complete(node->task)) {
            *link = (struct node *)node->slot.next;
            rt_task_deref(th, node->task);
            small_free(th, node);
        } else {
            link = (struct node **)(void *)&node->slot.next;
            count++;
        }
    }
    return count;
}

/**
 * Forgets the addresses whose tasks are all complete. A set keeps its tasks' slots, so without this a parent
 * that never has all its children complete would keep a slot for every address that it has ever named.
 */
static void entries_sweep(struct rt_thread *th, struct rt_deps *deps)
{
    for (uint32_t b = 0; b < 1U << deps->bits; b++) {
        struct entry **link = &deps->buckets[b];
        while (*link != NULL) {
            struct entry *entry = *link;
            entry->count = set_sweep(th, &entry->newest);
            if (set_sweep(th, &entry->before) == 0 && entry->count == 0) {
                *link = (struct entry *)entry->slot.next;
                small_free(th, entry);
                deps->entries--;
            } else {
                link = (struct entry **)(void *)&entry->slot.next;
            }
        }
    }
}

static struct entry *entry_find(struct rt_thread *th, struct rt_deps *deps, uint64_t address, int create)
{
    struct entry *entry = deps->buckets[bucket_of(address, deps->bits)];
    for (; entry != NULL; entry = (struct entry *)entry->slot.next)
        if (entry->address == address)
            return entry;
    if (!create)
        return NULL;
    if (deps->entries >= 2U << deps->bits) {
        entries_sweep(th, deps);
        if (deps->entries >= 1U << deps->bits)
            buckets_grow(deps);
    }
    struct entry **bucket = &deps->buckets[bucket_of(address, deps->bits)];
    entry = small_take(th);
    entry->address = address;
    entry->slot.next = (struct rt_slot *)*bucket;
    entry->kind = DEP_OUT;
    entry->sweep = FIRST_SWEEP;
    if (deps->all != NULL)
        entry->newest = node_add(th, deps->all, NULL);
    *bucket = entry;
    deps->entries++;
    return entry;
}

static void depend_clear(struct rt_thread *th, struct rt_deps *deps)
{
    for (uint32_t b = 0; b < 1U << deps->bits; b++) {
        for (struct entry *entry = deps->buckets[b]; entry != NULL;) {
            struct entry *next = (struct entry *)entry->slot.next;
            set_free(th, entry->newest);
            set_free(th, entry->before);
            small_free(th, entry);
            entry = next;
        }
        deps->buckets[b] = NULL;
    }
    deps->entries = 0;
    if (deps->all != NULL)
        rt_task_deref(th, deps->all);
    deps->all = NULL;
}

void rt_deps_forget(struct rt_thread *th, struct rt_task *parent)
{
    depend_clear(th, parent->deps);
    free(parent->deps->buckets);
    free(parent->deps);
    parent->deps = NULL;
}

/** omp_all_memory: by its flag, or by the address that libomp takes for it. */
static int is_all(const struct rt_dep *dep)
{
    return (dep->type & DEP_ALL) != 0 || dep->address == UINTPTR_MAX;
}

static int has_all(const struct rt_dep *deps, int n)
{
    for (int i = 0; i < n; i++)
        if (is_all(&deps[i]))
            return 1;
    return 0;
}

/** omp_all_memory: after everything, before everything. */
static void edges_all(struct rt_thread *th, struct rt_deps *known, struct rt_task *task)
{
    for (uint32_t b = 0; b < 1U << known->bits; b++)
        for (struct entry *entry = known->buckets[b]; entry != NULL; entry = (struct entry *)entry->slot.next)
            edges_add(th, entry->newest, task);
    if (known->all != NULL)
        edge_add(th, known->all, task);
}

int rt_deps_register(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n)
{
    struct rt_deps *known = deps_of(task->parent);
    if (known->entries != 0 && rt_acquire(task->parent->children) == 1)
        depend_clear(th, known); /* all its siblings are complete */
    task->registered = 1;
    rt_store(task->npred, 1); /* not ready before all is registered */
    if (has_all(deps, n)) {
        edges_all(th, known, task);
        depend_clear(th, known);
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
                if (entry->count >= entry->sweep) {
                    entry->count = set_sweep(th, &entry->newest);
                    entry->sweep = 2 * entry->count + FIRST_SWEEP;
                }
                entry->newest = node_add(th, task, entry->newest);
                entry->count++;
            } else {
                edges_add(th, entry->newest, task);
                set_free(th, entry->before);
                entry->before = entry->newest;
                entry->newest = node_add(th, task, NULL);
                entry->kind = kind;
                entry->count = 1;
            }
        }
    }
    rt_store(task->state, RT_TS_BLOCKED);
    return atomic_fetch_sub_explicit(&task->npred, 1, memory_order_acq_rel) != 1;
}

int rt_deps_register_current(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n)
{
    struct rt_deps *known = task->deps;
    if (known == NULL)
        return 0;
    /* The current task itself stands as the successor: nothing created later can come before it anyway. */
    rt_store(task->npred, 1);
    if (has_all(deps, n))
        edges_all(th, known, task);
    for (int i = 0; i < n; i++) {
        struct entry *entry = is_all(&deps[i]) ? NULL : entry_find(th, known, deps[i].address, 0);
        uint8_t kind = kind_of(deps[i].type);
        if (entry != NULL)
            edges_add(th, kind != DEP_OUT && kind == entry->kind ? entry->before : entry->newest, task);
        else if (known->all != NULL)
            edge_add(th, known->all, task);
    }
    if (atomic_fetch_sub_explicit(&task->npred, 1, memory_order_acq_rel) != 1)
        return 1;
    rt_tsan_acquire(task);
    return 0;
}

void rt_deps_fulfil(struct rt_thread *th, struct rt_task *task)
{
    rt_tsan_release(task);
    rt_spin_lock(&task->lock);
    rt_store(task->state, (uint32_t)rt_acquire(task->counts) != 0 ? RT_TS_COMPLETING : RT_TS_DONE);
    struct rt_edge *edge = task->successors;
    task->successors = NULL;
    rt_spin_unlock(&task->lock);
    while (edge != NULL) {
        struct rt_edge *next = edge->next;
        struct rt_task *succ = edge->succ;
        rt_slot_give_back(th, edge->heap, RT_CLASS_SMALL, (struct rt_slot *)edge);
        int waits = rt_load(succ->state) == RT_TS_STARTED; /* in rt_deps_wait, not queued */
        if (waits)
            rt_tsan_release(succ);
        /* Each predecessor releases what it did; the last one acquires all of it (litmus: depend). */
        if (atomic_fetch_sub_explicit(&succ->npred, 1, memory_order_acq_rel) == 1) {
            if (waits)
                rt_notify_ordered(task->team, RT_WAKE_DONE, INT32_MAX);
            else
                rt_task_make_ready(th, succ);
        }
        edge = next;
    }
}
