/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the runtime's files offer to each other, and the fast paths that are inlined.
 *
 * Errors. The OpenMP ABI has no way to report one: what cannot be done (no memory for a task, no thread) either has a
 * weaker meaning that the specification allows (a smaller team) or ends the program with a sentence (rt_fatal).
 */
#ifndef RT_H
#define RT_H

#include "arch_x86_64.h"
#include "types.h"

extern struct rt_root rt_root;
extern _Thread_local struct rt_thread *rt_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/** Where user code called the runtime: every entry point takes it first thing. */
struct rt_caller {
    uint64_t codeptr; /**< return address into user code */
    uint64_t frame;   /**< frame pointer of the entry point */
};
#define RT_CALLER()                                                       \
    ((struct rt_caller){(uint64_t)(uintptr_t)__builtin_return_address(0), \
                        (uint64_t)(uintptr_t)__builtin_frame_address(0)})

/* State tracking. bench/ builds the runtime once with -DRT_NO_TRACKING to see what it costs. */
#ifdef RT_NO_TRACKING
#define RT_TRACK(statement) ((void)0)
#else
#define RT_TRACK(statement) statement
#endif
#define rt_store(object, value)   atomic_store_explicit(&(object), (value), memory_order_relaxed)
#define rt_load(object)           atomic_load_explicit(&(object), memory_order_relaxed)
#define rt_publish(object, value) atomic_store_explicit(&(object), (value), memory_order_release)
#define rt_acquire(object)        atomic_load_explicit(&(object), memory_order_acquire)

/* ---- root.c, env.c, message.c ---------------------------------------------------------------------------------- */
void rt_start(void);
void rt_env_read(struct rt_root *root);
void rt_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void rt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));
void rt_layout_fill(void);

/* ---- wait.c ---------------------------------------------------------------------------------------------------- */
/** A four-byte lock for the runtime's own short sections; never held while user code runs. */
void rt_lock_slow(_Atomic uint32_t *word);
void rt_unlock_wake(_Atomic uint32_t *word);
static inline void rt_lock(_Atomic uint32_t *word)
{
    uint32_t expected = 0;
    if (unlikely(!atomic_compare_exchange_strong_explicit(word, &expected, 1, memory_order_acquire,
                                                          memory_order_relaxed)))
        rt_lock_slow(word);
}
static inline void rt_unlock(_Atomic uint32_t *word)
{
    if (unlikely(atomic_exchange_explicit(word, 0, memory_order_seq_cst) == 2))
        rt_unlock_wake(word);
}

/** One waiter's patience: spins, then yields, then says that it is time to sleep. */
struct rt_patience {
    uint32_t rounds, yields;
};
/** Returns 1 when the caller should sleep now. */
int rt_patience_spent(struct rt_patience *patience);
void rt_futex_wait(_Atomic uint32_t *word, uint32_t value);
void rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits);
void rt_futex_wake(_Atomic uint32_t *word, int count);
void rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits);

/** Why a sleeper of a team may want to wake. */
enum rt_event { RT_EV_RELEASE = 1, RT_EV_WORK = 2, RT_EV_DONE = 4, RT_EV_ARRIVE = 8, RT_EV_FORK = 16 };
/** Tells a team's sleepers that something of BITS happened; the caller has already stored what they look at. */
void rt_notify_slow(struct rt_team *team, uint32_t bits, int count);
/** After a locked instruction, which orders as the fence of rt_notify does. */
static inline void rt_notify_ordered(struct rt_team *team, uint32_t bits, int count)
{
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_notify_slow(team, bits, count);
}
static inline void rt_notify(struct rt_team *team, uint32_t bits, int count)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_notify_slow(team, bits, count);
}
/**
 * Waits until ready(arg); wakes for BITS. With help it runs tasks of the team meanwhile: descendants of `ancestor`, or
 * any when that is NULL.
 */
struct rt_help {
    int on;
    struct rt_task *ancestor;
};
void rt_team_wait(struct rt_thread *th, struct rt_team *team, uint32_t bits, struct rt_help help,
                  int (*ready)(void *), void *arg);
/** Waits while *word == value, counting itself in *sleepers. */
void rt_word_wait(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers);

/* ---- slab.c ---------------------------------------------------------------------------------------------------- */
void *rt_arena_take(size_t bytes);
struct rt_slot *rt_slot_refill(struct rt_heap *heap, enum rt_class class);
static inline void *rt_slot_take(struct rt_heap *heap, enum rt_class class)
{
    struct rt_slot *slot = heap->free[class];
    if (unlikely(slot == NULL))
        return rt_slot_refill(heap, class);
    heap->free[class] = slot->next;
    return slot;
}
/** Frees a slot that belongs to `heap`, whose owner is th or another thread. The serial becomes 0 here. */
void rt_slot_give_back(struct rt_thread *th, struct rt_heap *heap, enum rt_class class, struct rt_slot *slot);
static inline void rt_slot_free(struct rt_heap *own, enum rt_class class, struct rt_slot *slot)
{
    rt_store(slot->serial, 0);
    atomic_signal_fence(
        memory_order_seq_cst); /* the serial first: a reader must not see the link as a field */
    slot->next = own->free[class];
    own->free[class] = slot;
}
void rt_give_back_flush(struct rt_thread *th);
struct rt_task *rt_slot_huge(size_t bytes);
void rt_slot_huge_free(struct rt_task *task);
struct rt_heap *rt_heap_create(void);
void rt_heap_orphan(struct rt_heap *heap);
/** Slots of threads, teams and implicit tasks; the root's lock is held. */
struct rt_thread *rt_slot_thread(void);
struct rt_team *rt_slot_team(void);
struct rt_task *rt_slot_implicit(void);

/* ---- thread.c -------------------------------------------------------------------------------------------------- */
struct rt_thread *rt_thread_register(void);
static inline struct rt_thread *rt_me(void)
{
    struct rt_thread *th = rt_self;
    return likely(th != NULL) ? th : rt_thread_register();
}
/** Idle workers, new ones where the pool is empty: fills up to n, returns how many. */
int rt_workers_take(struct rt_thread **workers, int n);
void rt_worker_return(struct rt_thread *th);
uint64_t rt_serial_block(struct rt_serials *serials, _Atomic uint64_t *counter, uint64_t count);
static inline uint64_t rt_task_serial(struct rt_thread *th)
{
    if (unlikely(th->task_serials.next == th->task_serials.end))
        return rt_serial_block(&th->task_serials, &rt_root.next_task_serial, 64);
    return th->task_serials.next++;
}
static inline uint64_t rt_team_serial(struct rt_thread *th)
{
    if (unlikely(th->team_serials.next == th->team_serials.end))
        return rt_serial_block(&th->team_serials, &rt_root.next_team_serial, 16);
    return th->team_serials.next++;
}

/* ---- states ---------------------------------------------------------------------------------------------------- */
static inline enum rt_state rt_work_state(const struct rt_task *task)
{
    return task->team->level > 0 ? RT_WORK_PARALLEL : RT_WORK_SERIAL;
}
static inline void rt_set_state(struct rt_thread *th, enum rt_state state)
{
    RT_TRACK(rt_store(th->state, (uint32_t)state));
    (void)th;
    (void)state;
}
/** Enters a wait state: what and where are stored before the state, so that a reader never sees old ones with it. */
static inline void rt_enter_wait(struct rt_thread *th, enum rt_state state, uint32_t kind, const void *object,
                                 uint64_t codeptr)
{
    RT_TRACK(rt_store(th->wait_id, (uint64_t)(uintptr_t)object));
    RT_TRACK(rt_store(th->wait_codeptr, codeptr));
    RT_TRACK(rt_publish(th->state, (uint32_t)state | kind << 16));
    (void)th, (void)state, (void)kind, (void)object, (void)codeptr;
}

/* ---- team.c ---------------------------------------------------------------------------------------------------- */
void rt_fork(struct rt_thread *th, const struct rt_loc *loc, void *fn, int argc, void **argv,
             struct rt_caller caller);
void rt_serial_begin(struct rt_thread *th, const struct rt_loc *loc, void *fn, struct rt_caller caller);
void rt_serial_end(struct rt_thread *th);
void rt_team_serve(struct rt_thread *th, struct rt_team *team, int index, uint64_t fork);
void rt_team_disband(struct rt_team *team);
void rt_initial_begin(struct rt_thread *th);
void rt_initial_end(struct rt_thread *th);

/* ---- barrier.c ------------------------------------------------------------------------------------------------- */
void rt_barrier(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
/** Arrival at the join; the primary returns when all have arrived and all tasks are complete, others at once. */
void rt_join_arrive(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit);
void rt_join_wait(struct rt_thread *th, struct rt_team *team);
/** 1 when deferred tasks of the team are not complete. */
int rt_team_has_tasks(struct rt_team *team);

/* ---- mutex.c --------------------------------------------------------------------------------------------------- */
struct rt_wait_as {
    uint32_t state, kind; /**< enum rt_state, RT_WAIT_* */
};
void rt_mutex_lock_slow(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                        const void *object, uint64_t codeptr);
void rt_mutex_wake(_Atomic uint32_t *word);
/** What a thread stores in a mutex word that it holds. */
static inline uint32_t rt_mutex_mine(struct rt_thread *th)
{
    return (uint32_t)rt_load(th->serial) << RT_MUTEX_SHIFT;
}
static inline int rt_mutex_try(struct rt_thread *th, _Atomic uint32_t *word)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(word, &expected, rt_mutex_mine(th), memory_order_acquire,
                                                   memory_order_relaxed);
}
static inline void rt_mutex_lock(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                 const void *object, uint64_t codeptr)
{
    if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr);
}
static inline void rt_mutex_unlock(_Atomic uint32_t *word)
{
    if (unlikely(atomic_exchange_explicit(word, 0, memory_order_release) & 1))
        rt_mutex_wake(word);
}

/* ---- loop.c ---------------------------------------------------------------------------------------------------- */
/** Starts this thread's part of a loop of `trip` iterations; kind is a sched_type without modifiers (kmpc.md 1.6). */
void rt_loop_begin(struct rt_thread *th, uint32_t kind, uint64_t trip, uint64_t chunk);
/** Next chunk in logical iterations [*first, *last]; 0 = none left. */
int rt_loop_next(struct rt_thread *th, uint64_t *first, uint64_t *last, int *is_last);
void rt_loop_iteration_done(struct rt_thread *th);
void rt_ordered_begin(struct rt_thread *th, struct rt_caller caller);
void rt_ordered_end(struct rt_thread *th);

/** clang's kmp_depend_info (kmpc.md 1.3). */
struct rt_dep {
    uint64_t address;
    uint64_t length;
    uint8_t type;
    uint8_t padding[7];
};

/* ---- task.c ---------------------------------------------------------------------------------------------------- */
struct rt_task *rt_task_create(struct rt_thread *th, uint32_t flags, size_t payload, uint64_t fn,
                               const struct rt_loc *loc, struct rt_caller caller);
/** Queues or runs a created task. */
void rt_task_submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);
/** A task without unfulfilled dependences becomes available to the team. */
void rt_task_make_ready(struct rt_thread *th, struct rt_task *task);
/** Makes it the current task / goes back to the task below; the caller keeps the thread's state word. */
void rt_task_switch_in(struct rt_thread *th, struct rt_task *task, uint64_t frame);
void rt_task_switch_out(struct rt_thread *th, struct rt_task *task);
/** After the code of an undeferred or deferred task has ended: dependences, parent, taskgroup, slot. */
void rt_task_complete(struct rt_thread *th, struct rt_task *task);
void rt_task_deref(struct rt_thread *th, struct rt_task *task);
/** Runs one queued task of the team that is allowed; 0 = found none. */
int rt_task_help(struct rt_thread *th, struct rt_team *team, struct rt_help help);
void rt_taskwait_slow(struct rt_thread *th, struct rt_task *task, struct rt_caller caller);
void rt_taskgroup_begin(struct rt_thread *th);
void rt_taskgroup_end(struct rt_thread *th, struct rt_caller caller);
static inline void *rt_task_payload(struct rt_task *task)
{
    return (char *)task + RT_TASK_PAYLOAD;
}
static inline struct rt_task *rt_task_of(void *payload)
{
    return (struct rt_task *)((char *)payload - RT_TASK_PAYLOAD);
}

/* ---- deque.c --------------------------------------------------------------------------------------------------- */
struct rt_deque *rt_deque_create(void);
void rt_deque_push(struct rt_deque *deque, struct rt_task *task);
/** A task of the region `team_serial` below `ancestor` (any if NULL): from the tail, or from the head for a thief. */
struct rt_task *rt_deque_take(struct rt_deque *deque, uint64_t team_serial, const struct rt_task *ancestor,
                              int thief);

/* ---- depend.c -------------------------------------------------------------------------------------------------- */
/** Orders `task` behind its siblings; returns 1 when it must wait. */
int rt_deps_register(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);
/** Waits until what the list depends on is complete. */
void rt_deps_wait(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller);
void rt_deps_fulfil(struct rt_thread *th, struct rt_task *task);
void rt_deps_forget(struct rt_thread *th, struct rt_task *parent);

/* ---- threadprivate.c ------------------------------------------------------------------------------------------- */
typedef void *(*rt_ctor)(void *);
typedef void *(*rt_cctor)(void *, void *);
typedef void (*rt_dtor)(void *);
void rt_threadprivate_register(void *data, rt_ctor ctor, rt_cctor cctor, rt_dtor dtor);
void *rt_threadprivate_get(struct rt_thread *th, void *data, size_t size);
void rt_threadprivate_end(struct rt_thread *th);

/* ---- debug.c --------------------------------------------------------------------------------------------------- */
/** An exported label for a debugger's breakpoint; each name in one place, in a function that is never copied. */
#define RT_BREAKPOINT(name) \
    __asm__ volatile(".globl " #name "\n\t.type " #name ", @function\n" #name ":\n\tnop" ::: "memory")
void rt_bp_thread_begin(void);
void rt_bp_thread_end(void);
void rt_bp_parallel_begin(void);
void rt_bp_parallel_end(void);
void rt_debug_publish(void);

#endif
