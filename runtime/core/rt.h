/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the runtime's files offer to each other, and the fast paths that are inlined.
 *
 * Errors. The OpenMP ABI has no way to report one: what cannot be done (no memory for a task, no thread)
 * either has a weaker meaning that the specification allows (a smaller team) or ends the program with a
 * sentence (rt_fatal).
 */
#ifndef RT_H
#define RT_H

#include "../tools/events.h"
#include "arch_x86_64.h"
#include "types.h"

extern struct rt_root rt_root __attribute__((visibility("hidden")));
extern _Thread_local struct rt_thread *rt_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

#define RT_CALLER()                                                       \
    ((struct rt_caller){(uint64_t)(uintptr_t)__builtin_return_address(0), \
                        (uint64_t)(uintptr_t)__builtin_frame_address(0)})

/* State tracking. bench/ builds the runtime once with -DRT_NO_TRACKING to see what it costs. */
#ifdef RT_NO_TRACKING
#define RT_TRACK(statement) \
    do {                    \
        if (0) {            \
            statement;      \
        }                   \
    } while (0)
#else
#define RT_TRACK(statement) statement
#endif
#define rt_store(object, value)   atomic_store_explicit(&(object), (value), memory_order_relaxed)
#define rt_load(object)           atomic_load_explicit(&(object), memory_order_relaxed)
#define rt_publish(object, value) atomic_store_explicit(&(object), (value), memory_order_release)
#define rt_acquire(object)        atomic_load_explicit(&(object), memory_order_acquire)

/* ---- root.c, env.c ------------------------------------------------------------------------------------- */
void rt_start(void);
void rt_env_read(struct rt_root *root);

/* ---- message.c: one line on stderr, without control characters ----------------------------------------- */
void rt_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Ends the program with status 1 (what the program asked for), or by abort() (what must not be). */
_Noreturn void rt_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void rt_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

void rt_layout_fill(void);
/** For the static archive: a shared library that holds the runtime is never unmapped. */
void rt_stay_resident(void);

/* ---- wait.c -------------------------------------------------------------------------------------------- */
/**
 * Never held while user code runs, but for the two under which a tool is looked for and begins: no thread may
 * be an OpenMP thread before that is over. Code of the program's runs under a mutex (mutex.c), for which a
 * thread is seen to wait.
 */
void rt_lock_slow(rt_lock_t *lock);
void rt_unlock_wake(rt_lock_t *lock);
/**
 * What a lock's word is while it is held and nobody waits; a number of its own in each child of fork()
 * (fork.c).
 */
extern uint32_t rt_lock_taken __attribute__((visibility("hidden")));
/** Takes it if it is free, which it may be without success: see rt_lock_slow. */
static inline int rt_lock_try(rt_lock_t *lock)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(&lock->word, &expected, rt_lock_taken,
                                                   memory_order_acquire, memory_order_relaxed);
}
static inline void rt_lock(rt_lock_t *lock)
{
    if (unlikely(!rt_lock_try(lock)))
        rt_lock_slow(lock);
}
static inline void rt_unlock(rt_lock_t *lock)
{
    if (unlikely(atomic_exchange_explicit(&lock->word, 0, memory_order_seq_cst) & 2))
        rt_unlock_wake(lock);
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
/**
 * Tells a team's sleepers that something of BITS happened; the caller has already stored what they look at.
 */
void rt_notify_slow(struct rt_team *team, uint32_t bits, int count);
/** After a locked instruction, which orders as the fence of rt_notify does. */
static inline void rt_notify_ordered(struct rt_team *team, uint32_t bits, int count)
{
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_notify_slow(team, bits, count);
}
/** Tells those who wait for tasks to end; as rt_notify_ordered. */
static inline void rt_notify_done(struct rt_team *team)
{
    if (unlikely(rt_load(team->sleepers) >> 32 != 0))
        rt_notify_slow(team, RT_EV_DONE, INT32_MAX);
}
/**
 * Tells one sleeper that a task is ready; as rt_notify_ordered. While one that was woken for that still looks
 * around, nobody else is: he calls the next one when he has found a task and sees more (rt_call_answered). So
 * a thread that makes small tasks pays a system call for each time that somebody goes to sleep, not for each
 * task.
 */
void rt_notify_work_slow(struct rt_team *team);
static inline void rt_notify_work(struct rt_team *team)
{
    if (unlikely(rt_load(team->sleepers) != 0) && !rt_load(team->called))
        rt_notify_work_slow(team);
}
/** The calling thread, which was woken for work, has found a task or is about to do something else. */
void rt_call_answered(struct rt_thread *th, struct rt_team *team);
/** Whether a task of the team waits in a queue. */
int rt_task_queued(struct rt_team *team);
static inline void rt_notify(struct rt_team *team, uint32_t bits, int count)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (unlikely(rt_load(team->sleepers) != 0))
        rt_notify_slow(team, bits, count);
}
/**
 * Waits until ready(arg); wakes for BITS. With help it runs tasks of the team meanwhile: descendants of
 * `ancestor`, or any when that is NULL.
 */
struct rt_help {
    int on;
    struct rt_task *ancestor;
    enum { RT_STEAL_NO, RT_STEAL_LEFT, RT_STEAL_ANY } steal; /**< others' tasks: none, what they leave, any */
};
/** Any task below `ancestor`, or any of the team if that is NULL. */
static inline struct rt_help rt_help_below(struct rt_task *ancestor)
{
    return (struct rt_help){.on = 1, .ancestor = ancestor, .steal = RT_STEAL_ANY};
}
void rt_team_wait(struct rt_thread *th, struct rt_team *team, uint32_t bits, struct rt_help help,
                  int (*ready)(void *), void *arg);
/** Sleeps until an iteration's turn is passed on, or less long; not if ready(arg) by now. */
void rt_turn_sleep(struct rt_turns *turns, uint64_t iteration, int (*ready)(void *), void *arg);
void rt_turn_pass_slow(struct rt_turns *turns, uint64_t iteration);
/** Wakes those who wait for the iteration. What they look at was stored before, with memory_order_seq_cst. */
static inline void rt_turn_pass(struct rt_turns *turns, uint64_t iteration)
{
    if (unlikely(atomic_load_explicit(&turns->sleepers, memory_order_seq_cst) != 0))
        rt_turn_pass_slow(turns, iteration);
}
/** Wakes all. */
void rt_turns_void(struct rt_turns *turns);
/** Waits while *word == value, counting itself in *sleepers. */
void rt_word_wait(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers);

/* ---- slab.c -------------------------------------------------------------------------------------------- */
/**
 * ThreadSanitizer, if it is in the process. It sees what the program does with a task's private data, but not
 * this library, which is not instrumented: that a slot which another thread has left is a new task's from
 * some time on. Told of that, it does not take the two tasks' accesses for a race. (Of what OpenMP orders it
 * learns from an OMPT tool, Archer.)
 */
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));
/** What this thread did before is before what a thread does behind rt_tsan_acquire of the same address. */
static inline void rt_tsan_release(void *address)
{
    if (unlikely(__tsan_release != NULL))
        __tsan_release(address);
}
static inline void rt_tsan_acquire(void *address)
{
    if (unlikely(__tsan_acquire != NULL))
        __tsan_acquire(address);
}

/**
 * Zeroed memory that is never given back. Without any, rt_arena_take ends the program and rt_arena_try
 * returns NULL.
 */
void *rt_arena_take(size_t bytes);
void *rt_arena_try(size_t bytes);
/** The same with the root's lock held. */
void *rt_arena_take_locked(size_t bytes);
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
/** One for a hot team, with the arrays of an earlier one if there was. */
struct rt_team *rt_slot_hot_team(void);
struct rt_task *rt_slot_implicit(void);
void rt_slot_implicit_free(struct rt_task *task);

/* ---- numbers.c: the root's lock is held ---------------------------------------------------------------- */
int32_t rt_gtid_take(void);
void rt_gtid_give(int32_t gtid);
/** The lock number of a thread that begins; it is never that of a living one. */
uint32_t rt_lock_number_take(uint64_t serial);
/**
 * In the child of fork(): `self`, or NULL, is the only thread that is left. Before other threads' serials are
 * cleared.
 */
void rt_numbers_after_fork(const struct rt_thread *self);
/** Whether it is the number of a thread that is only in the parent; without the lock. */
int rt_lock_number_is_gone(uint32_t number);

/* ---- thread.c ------------------------------------------------------------------------------------------ */
struct rt_thread *rt_thread_register(void);
static inline struct rt_thread *rt_me(void)
{
    struct rt_thread *th = rt_self;
    return likely(th != NULL) ? th : rt_thread_register();
}
/** A new worker, which waits to be docked; NULL: the system has none. */
struct rt_thread *rt_worker_create(void);
/** omp_pause_resource: idle workers end. 0; or -1 inside a region, where nothing can be paused. */
int rt_pause_resources(void);
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
/** The first of n serials that follow each other. */
static inline uint64_t rt_task_serial_range(struct rt_thread *th, uint32_t n)
{
    uint64_t first = th->task_serials.next;
    if (unlikely(th->task_serials.end - first < n))
        first = rt_serial_block(&th->task_serials, &rt_root.next_task_serial, n > 64 ? n : 64);
    th->task_serials.next = first + n;
    return first;
}

/* ---- dock.c -------------------------------------------------------------------------------------------- */
/**
 * th, which leads the team, has it for a region of n threads: `capacity` becomes that, or as many as can be
 * had. There is room for them.
 */
void rt_dock(struct rt_thread *th, struct rt_team *team, int n);
/** A nested region has ended: until its leader forks again, others may take the team's workers. */
void rt_dock_idle(struct rt_team *team);
/** All workers go to the pool; returns when they have left, so that the team can be another's. */
void rt_dock_disband(struct rt_team *team);
/** Wakes the members that sleep, for the region that has begun. */
void rt_dock_call(struct rt_team *team);
/** Where a worker is docked. */
struct rt_docking {
    struct rt_team *team; /**< NULL: the thread is to end */
    int index;
    uint32_t turn;
    uint64_t fork;
};
/** Waits until the calling worker, which is in no team, is docked. */
struct rt_docking rt_dock_wait(struct rt_thread *th);
/** A worker of the pool is to end; 0: there is none. */
int rt_dock_dismiss(void);
/** In the child of fork() no team has workers. */
void rt_dock_after_fork(void);

/* ---- states -------------------------------------------------------------------------------------------- */
static inline enum rt_state rt_work_state(const struct rt_task *task)
{
    return task->team->level > 0 ? RT_WORK_PARALLEL : RT_WORK_SERIAL;
}
/** RT_WAIT_* of a thread's state word. */
static inline uint32_t rt_wait_kind(uint32_t word)
{
    return word >> 16 & ~(uint32_t)RT_WAIT_REUSED;
}
static inline void rt_set_state(struct rt_thread *th, enum rt_state state)
{
    RT_TRACK(rt_store(th->state, (uint32_t)state));
    (void)th;
    (void)state;
}
/**
 * Enters a wait state: what and where are stored before the state, so that a reader never sees old ones with
 * it.
 */
static inline void rt_enter_wait(struct rt_thread *th, enum rt_state state, uint32_t kind, const void *object,
                                 uint64_t codeptr)
{
    RT_TRACK(rt_store(th->wait_id, (uint64_t)(uintptr_t)object));
    RT_TRACK(rt_store(th->wait_codeptr, codeptr));
    RT_TRACK(rt_publish(th->state, (uint32_t)state | kind << 16));
    (void)th, (void)state, (void)kind, (void)object, (void)codeptr;
}

/** A task's ICVs, to change one: what it has inherited is no longer as its stamp says (task_inline.h). */
static inline struct rt_icvs *rt_icvs_change(struct rt_task *task)
{
    rt_store(task->stamp, 0);
    return &task->icvs;
}

/* ---- team.c -------------------------------------------------------------------------------------------- */
/** What a parallel region is to do. Zero means "none" in every member. */
struct rt_region {
    const struct rt_loc *loc; /**< clang's ident_t; gcc has none */
    void *fn;
    enum rt_call call;
    int argc;        /**< RT_CALL_KMPC: words in argv */
    void **argv;     /**< RT_CALL_KMPC: the words; RT_CALL_GOMP: the one argument, data */
    int num_threads; /**< num_threads clause; 1 serialises (if clause false) */
    int proc_bind;   /**< proc_bind clause, omp_proc_bind_t */
    int by_program;  /**< the program calls the region's code itself */
    void (*setup)(struct rt_thread *th, int threads, void *argument); /**< once, by the primary, size known */
    void (*prepare)(struct rt_thread *th,
                    void *argument); /**< each member inside the region before its code */
    void *argument;
};
/** Runs a whole region; returns the number of threads that it had. */
int rt_fork(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
/**
 * The same in two parts: on return of the first the caller is thread 0 inside the region and runs the code
 * itself.
 */
int rt_fork_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
void rt_fork_end(struct rt_thread *th);
void rt_serial_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
void rt_serial_end(struct rt_thread *th);
/**
 * One team of a league, or a target region on the host: the thread becomes an initial thread, level 0, alone
 * in its team, its own contention group. Regions nest like serialised ones.
 */
struct rt_initial_region {
    uint32_t kind; /**< RT_TEAM_TEAMS; RT_TEAM_INITIAL for a target region, whose ICVs are the initial ones */
    const struct rt_loc *loc;
    void *fn;
    int num_teams, team_num, thread_limit; /**< thread_limit 0: as outside */
};
void rt_initial_region_begin(struct rt_thread *th, const struct rt_initial_region *region,
                             struct rt_caller caller);
void rt_initial_region_end(struct rt_thread *th);
/** What a worker does for its team, until it is undocked. */
void rt_team_serve(struct rt_thread *th, struct rt_docking docking);
void rt_team_disband(struct rt_team *team);
void rt_initial_begin(struct rt_thread *th);
void rt_initial_end(struct rt_thread *th);
void rt_initial_disband(struct rt_thread *th);
/** A thread ends: the teams that it kept for serialised regions, with their threads. */
void rt_serial_teams_end(struct rt_thread *th);

/* ---- barrier.c ----------------------------------------------------------------------------------------- */
void rt_barrier_untold(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
RT_COLD void rt_barrier_told(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
static inline void rt_barrier(struct rt_thread *th, enum rt_state state, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_SYNC | RT_ON_WORK))
        rt_barrier_told(th, state, caller);
    else
        rt_barrier_untold(th, state, caller);
}
/**
 * The same, and whether the region is cancelled: with OMP_CANCELLATION a cancellation lets the waiting ones
 * go.
 */
int rt_barrier_cancellable(struct rt_thread *th, enum rt_state state, struct rt_caller caller);
/**
 * Arrival at the join; the primary returns when all have arrived and all tasks are complete, others at once.
 */
void rt_join_arrive(struct rt_thread *th, struct rt_team *team, struct rt_task *implicit);
void rt_join_wait(struct rt_thread *th, struct rt_team *team);
/** 1 when deferred tasks of the team are not complete. */
int rt_team_has_tasks(struct rt_team *team);

/* ---- mutex.c ------------------------------------------------------------------------------------------- */
struct rt_wait_as {
    uint32_t state, kind; /**< enum rt_state, RT_WAIT_* */
};
void rt_mutex_lock_slow(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                        const void *object, uint64_t codeptr);
void rt_mutex_wake(_Atomic uint32_t *word);
/** What a thread stores in a mutex word that it holds. */
static inline uint32_t rt_mutex_mine(struct rt_thread *th)
{
    return th->lock_number << RT_MUTEX_SHIFT;
}
static inline int rt_mutex_try(struct rt_thread *th, _Atomic uint32_t *word)
{
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(word, &expected, rt_mutex_mine(th), memory_order_acquire,
                                                   memory_order_relaxed);
}
RT_COLD void rt_mutex_lock_told(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                const void *object, uint64_t codeptr, uint32_t hint);
static inline void rt_mutex_lock(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                 const void *object, uint64_t codeptr)
{
    if (RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED))
        rt_mutex_lock_told(th, word, as, object, codeptr, 0);
    else if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr);
}
/** Of a lock that a tool is not to hear of, or that it hears of otherwise. */
static inline void rt_mutex_lock_untold(struct rt_thread *th, _Atomic uint32_t *word, struct rt_wait_as as,
                                        const void *object, uint64_t codeptr)
{
    if (unlikely(!rt_mutex_try(th, word)))
        rt_mutex_lock_slow(th, word, as, object, codeptr);
}
/**
 * A critical's mutex, if the thread is known, it is free, and no tool wants to hear of it. Only who then
 * calls rt_critical_any asks for the caller: this way needs no frame, so there are fewer stores between two
 * locked instructions.
 */
static inline int rt_critical_quick(_Atomic uint32_t *word)
{
    struct rt_thread *th = rt_self;
    return likely(th != NULL) && !RT_WANTS(RT_ON_ACQUIRE | RT_ON_ACQUIRED) && likely(rt_mutex_try(th, word));
}
void rt_critical_any(_Atomic uint32_t *word, const void *object, uint64_t codeptr);
static inline void rt_mutex_unlock(_Atomic uint32_t *word)
{
    if (unlikely(atomic_exchange_explicit(word, 0, memory_order_release) & 1))
        rt_mutex_wake(word);
}
RT_COLD void rt_mutex_unlock_told(_Atomic uint32_t *word, uint32_t kind, const void *object,
                                  uint64_t codeptr);
/**
 * The same of a mutex of which tools hear; kind RT_WAIT_*. A macro, because the way without a tool has no use
 * for codeptr, and needs no frame of its own to find it.
 */
#define RT_MUTEX_UNLOCK(word, kind, object, codeptr)                 \
    do {                                                             \
        if (RT_WANTS(RT_ON_RELEASED))                                \
            rt_mutex_unlock_told((word), (kind), (object), codeptr); \
        else                                                         \
            rt_mutex_unlock(word);                                   \
    } while (0)

/* ---- loop.c -------------------------------------------------------------------------------------------- */
/** sched_type (docs/abi/kmpc.md 1.6); the ordered kinds are 32 more. */
enum {
    RT_SCHED_STATIC_CHUNKED = 33,
    RT_SCHED_STATIC = 34,
    RT_SCHED_DYNAMIC = 35,
    RT_SCHED_GUIDED = 36,
    RT_SCHED_RUNTIME = 37,
    RT_SCHED_AUTO = 38,
    RT_SCHED_ORDERED = 32,
    RT_SCHED_MONOTONIC = 0x20000000,
    RT_SCHED_NONMONOTONIC = 0x40000000,
    RT_SCHED_BY_CHUNK =
        0x10000000, /**< ours, with an ordered kind: the turn passes by chunks, as gcc wants it */
};
/**
 * Starts this thread's part of a loop of `trip` iterations, all in logical iterations 0 .. trip - 1. Every
 * thread of the team calls it. kind is a sched_type with modifiers; chunk 0 is the default. Without MONOTONIC
 * a dynamic loop may be stolen from if NONMONOTONIC is given.
 */
void rt_loop_begin(struct rt_thread *th, uint32_t kind, uint64_t trip, uint64_t chunk);
/** Next chunk in logical iterations [*first, *last]; 0 = none left, and the thread has left the loop. */
int rt_loop_next(struct rt_thread *th, uint64_t *first, uint64_t *last, int *is_last);
/** Leaves a loop before rt_loop_next has said 0 (cancellation); does nothing after that. */
void rt_loop_leave(struct rt_thread *th);
void rt_loop_iteration_done(struct rt_thread *th);
/** What a tool is told that the loop in hand is. */
static inline uint32_t rt_loop_work_kind(const struct rt_thread *th)
{
    switch (th->implicit->loop_kind) {
    case RT_SCHED_STATIC:
    case RT_SCHED_STATIC_CHUNKED:
        return ompt_work_loop_static;
    case RT_SCHED_DYNAMIC:
        return ompt_work_loop_dynamic;
    case RT_SCHED_GUIDED:
        return ompt_work_loop_guided;
    default:
        return ompt_work_loop_other;
    }
}
/** Room for the words of members' shares for the team's size; by the primary, before the region. */
void rt_loop_ranges(struct rt_team *team);
void rt_loop_next_tag(struct rt_loop *loop);
void rt_ordered_begin(struct rt_thread *th, struct rt_caller caller);
void rt_ordered_end(struct rt_thread *th, struct rt_caller caller);
/** The region is cancelled: nobody waits for a turn of this loop any more. */

/* ---- work.c: what all threads of a team share in one worksharing region -------------------------------- */
/**
 * The entry of the next worksharing region that the calling thread meets (loops take theirs in rt_loop_begin,
 * doacross nests in rt_doacross_begin). Works in teams of one too.
 */
struct rt_loop *rt_work_enter(struct rt_thread *th);
/**
 * Whether it is an entry that a thread of a cancelled region has for itself, because it would wait for ever.
 */
int rt_work_is_scrap(const struct rt_loop *work);
/** Frees those that the thread has not left. */
void rt_work_scraps_free(struct rt_task *implicit);
/**
 * 1 for the first thread, which sets the entry up and then calls rt_work_ready; others wait for that and get
 * 0.
 */
int rt_work_first(struct rt_loop *work);
/** Only whether it is the first: does not wait for the set-up. */
int rt_work_claim(struct rt_loop *work);
void rt_work_ready(struct rt_loop *work);
void rt_work_wait_ready(struct rt_loop *work);
/** The thread is through; the last one frees what the entry holds. */
void rt_work_leave(struct rt_thread *th, struct rt_loop *work);
/** Zeroed memory of the entry, aligned to 64; the first thread asks, and all may use it until they leave. */
void *rt_work_memory(struct rt_loop *work, size_t bytes);
/** Makes a team's entries; numbers them anew after a region that was left early (no thread is inside). */
void rt_work_ring(struct rt_team *team);
void rt_work_reset(struct rt_team *team);
void rt_work_clear(struct rt_loop *entry);
/** Zeroed pages and their return; ends the program when there are none. */
void *rt_memory_take(size_t bytes);
void rt_memory_give(void *memory, size_t bytes);

/**
 * Whether the calling thread is the one that runs the next single region. Behind others it knows of the ones
 * that they have claimed already, and leaves them the line.
 */
static inline int rt_single_claim(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_team *team = implicit->team;
    if (team->nthreads == 1)
        return 1;
    uint32_t number = implicit->single_seq++, claimed = number;
    if ((int32_t)(implicit->single_seen - number) > 0)
        return 0;
    int mine = atomic_compare_exchange_strong_explicit(&team->single_claimed, &claimed, number + 1,
                                                       memory_order_relaxed, memory_order_relaxed);
    implicit->single_seen =
        claimed; /* also of one's own: it may not fall behind by half the numbers there are */
    return mine;
}

/* ---- doacross.c ---------------------------------------------------------------------------------------- */
/**
 * A nest of `dims` loops of extents[] iterations each; vectors are logical iterations. Every thread calls
 * begin, end.
 */
void rt_doacross_begin(struct rt_thread *th, int dims, const int64_t *extents);
/** Vectors in the loops' own terms: low + k * step; NULL is 0 and 1. */
void rt_doacross_begin_at(struct rt_thread *th, int dims, const int64_t *extents, const int64_t *lows,
                          const int64_t *steps);
void rt_doacross_wait(struct rt_thread *th, const int64_t *vector, struct rt_caller caller);
void rt_doacross_post(struct rt_thread *th, const int64_t *vector);
/** The region is cancelled: nobody waits for an iteration of this entry's nest any more. */
/** Loops of the nest in hand, 0 when there is none. */
int rt_doacross_dims(struct rt_thread *th);
/** Does nothing when no nest is in hand. */
void rt_doacross_end(struct rt_thread *th);

/* ---- cancel.c ------------------------------------------------------------------------------------------ */
enum rt_cancel {
    RT_CANCEL_PARALLEL = 1,
    RT_CANCEL_LOOP = 2,
    RT_CANCEL_SECTIONS = 4,
    RT_CANCEL_TASKGROUP = 8
};
/** Asks for it (with OMP_CANCELLATION), and whether the calling thread is to leave the construct. */
int rt_cancel(struct rt_thread *th, enum rt_cancel what, struct rt_caller caller);
int rt_cancellation_point(struct rt_thread *th, enum rt_cancel what, struct rt_caller caller);
/** The same where the program has no cancellation point. */
int rt_cancel_pending(struct rt_thread *th, enum rt_cancel what);
/** Whether a task that has not started is to be dropped. */
int rt_task_cancelled(const struct rt_task *task);

/** clang's kmp_depend_info (docs/abi/kmpc.md 1.3). */
struct rt_dep {
    uint64_t address;
    uint64_t length;
    uint8_t type;
    uint8_t padding[7];
};

/* ---- task.c -------------------------------------------------------------------------------------------- */
struct rt_task *rt_task_create(struct rt_thread *th, uint32_t flags, size_t payload, uint64_t fn,
                               const struct rt_loc *loc, struct rt_caller caller);
/** The slot of a task with much private data. */
struct rt_task *rt_task_slot_large(struct rt_thread *th, size_t bytes);
/** Queues or runs a created task. `deps` is copied. */
void rt_task_submit(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);
/**
 * Runs a created task at once as undeferred (if clause false), behind what it depends on; waits for its
 * event.
 */
void rt_task_run_undeferred(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n,
                            struct rt_caller caller);
/** A task without unfulfilled dependences becomes available to the team. */
void rt_task_make_ready(struct rt_thread *th, struct rt_task *task);
/**
 * Makes it the current task / goes back to the task below; the caller keeps the thread's state word, and
 * calls the task's code by rt_task_call.
 */
void rt_task_switch_in(struct rt_thread *th, struct rt_task *task, uint64_t frame);
void rt_task_switch_out(struct rt_thread *th, struct rt_task *task);
/** The end of a task that nobody counts and that has something to undo; returns the task below. */
struct rt_task *rt_task_end_slow(struct rt_thread *th, struct rt_task *task);
/** The task counts from here on: for its parent, its taskgroup and the barrier. */
void rt_task_count(struct rt_thread *th, struct rt_task *task);
/** After the code of an undeferred or deferred task has ended: dependences, parent, taskgroup, slot. */
void rt_task_complete(struct rt_thread *th, struct rt_task *task);
void rt_task_deref(struct rt_thread *th, struct rt_task *task);
/** Runs one queued task of the team that is allowed; 0 = found none. */
int rt_task_help(struct rt_thread *th, struct rt_team *team, struct rt_help help);
/** With children that are not complete, or dependences to forget. */
void rt_taskwait_slow(struct rt_thread *th, struct rt_task *task, struct rt_caller caller);
/** The current task lets others run, if there are any that may. */
void rt_taskyield(struct rt_thread *th);
void rt_taskgroup_begin(struct rt_thread *th);
RT_COLD void rt_taskgroup_begin_told(struct rt_thread *th, struct rt_caller caller);
/** The same of a taskgroup construct, of which tools hear. */
static inline void rt_taskgroup_begin_at(struct rt_thread *th, struct rt_caller caller)
{
    if (RT_WANTS(RT_ON_SYNC))
        rt_taskgroup_begin_told(th, caller);
    else
        rt_taskgroup_begin(th);
}
void rt_taskgroup_end(struct rt_thread *th, struct rt_caller caller);
/** Ends the taskgroups that an implicit task leaves open at the end of its region. */
static inline void rt_taskgroups_close(struct rt_thread *th, struct rt_task *implicit)
{
    while (unlikely(implicit->taskgroup != NULL))
        rt_taskgroup_end(th, (struct rt_caller){0, 0});
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
static inline size_t rt_chunk_room(void)
{
    return RT_WANTS(RT_ON_DISPATCH) ? sizeof(struct rt_chunk) : 0;
}
static inline void rt_task_chunk_set(struct rt_task *task, size_t room, uint64_t first, uint64_t iterations)
{
    if (likely(room == 0))
        return;
    task->chunked = 1;
    *rt_task_chunk(task) = (struct rt_chunk){first, iterations};
}
static inline struct rt_task *rt_task_of(void *payload)
{
    return (struct rt_task *)((char *)payload - RT_TASK_PAYLOAD);
}

/* ---- detach.c ------------------------------------------------------------------------------------------ */
/**
 * The low bits of rt_task.event; the others name the slot's life (detach.c). A task without an event has 0
 * there.
 */
enum rt_event_state { RT_EVENT_NONE, RT_EVENT_PENDING, RT_EVENT_BODY_DONE, RT_EVENT_FULFILLED };
/** Makes the task detachable, before it is submitted; returns the event's handle. */
uintptr_t rt_event_create(struct rt_task *task);
uintptr_t rt_event_handle(const struct rt_task *task);
/** From any thread, also one that the runtime does not know. Of a cancelled task it does nothing. */
void rt_event_fulfil(uintptr_t handle);
/**
 * The task's code has ended: 1 when the event is still to come, and then who fulfils it completes the task.
 */
int rt_event_body_done(struct rt_task *task);

/* ---- reduction.c: clang's task reductions -------------------------------------------------------------- */
struct rt_reduction;
void rt_reduction_finish(struct rt_thread *th, struct rt_taskgroup *group, struct rt_caller caller);
void rt_reduction_task_done(struct rt_thread *th, struct rt_task *task);

/* ---- deque.c ------------------------------------------------------------------------------------------- */
struct rt_deque *rt_deque_create(void);
/** The deque at `place`, made on first use. */
struct rt_deque *rt_deque_at(struct rt_deque *_Atomic *place);
void rt_deque_push(struct rt_deque *deque, struct rt_task *task);
/** Behind all tasks of at least its priority. */
void rt_deque_insert(struct rt_deque *deque, struct rt_task *task);
/**
 * A task of the region `team_serial` below `ancestor` (any if NULL): from the tail, or from the head for a
 * thief.
 */
struct rt_task *rt_deque_take(struct rt_deque *deque, uint64_t team_serial, const struct rt_task *ancestor,
                              int thief);
/**
 * The oldest tasks of a region, at most half of all; returns how many. A single task that was not there at
 * the last look (*seen is its serial) is left to its owner, who may be about to wait for it; seen NULL: it is
 * taken too.
 */
uint32_t rt_deque_take_some(struct rt_deque *deque, uint64_t team_serial, struct rt_task **tasks,
                            uint32_t most, uint64_t *seen);

/* ---- depend.c ------------------------------------------------------------------------------------------ */
/** Orders `task` behind its siblings; returns 1 when it must wait. */
int rt_deps_register(struct rt_thread *th, struct rt_task *task, const struct rt_dep *deps, int n);
/** Waits until what the list depends on is complete. */
void rt_deps_wait(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller);
/** The same as `taskwait depend`, which is a task for a tool. */
void rt_taskwait_deps(struct rt_thread *th, const struct rt_dep *deps, int n, struct rt_caller caller);
void rt_deps_fulfil(struct rt_thread *th, struct rt_task *task);
void rt_deps_forget(struct rt_thread *th, struct rt_task *parent);

/* ---- places.c ------------------------------------------------------------------------------------------ */
/**
 * bind-var of a region's implicit tasks: OMP_PROC_BIND's item for the level, else what it is around the
 * region. With gcc's programs a proc_bind clause sets it too, for the regions inside, as in libgomp; in the
 * specification and libomp it does not.
 */
RT_COLD uint8_t rt_places_bind(const struct rt_icvs *outer, const struct rt_region *region, int level);
/**
 * Fills place and partition of the members of a region that begins, by the policy (OpenMP 5.2 section
 * 10.1.3).
 */
void rt_places_assign(struct rt_thread *th, struct rt_team *team, int n, int proc_bind);
/** The calling thread goes to its member's place. */
void rt_place_enter(struct rt_thread *th, const struct rt_member *member);

/* ---- display.c ----------------------------------------------------------------------------------------- */
/**
 * OMP_DISPLAY_AFFINITY: the primary thread, whose region this will be, finds out whether it is to be shown.
 */
RT_COLD void rt_display_decide(const struct rt_thread *th, struct rt_team *team);
/** The same: called by each member of a region that begins. */
RT_COLD void rt_display_affinity(struct rt_thread *th);

/* ---- threadprivate.c ----------------------------------------------------------------------------------- */
typedef void *(*rt_ctor)(void *);
typedef void *(*rt_cctor)(void *, void *);
typedef void (*rt_dtor)(void *);
/**
 * elements: an array's constructors and destructor take this number as a further argument; 0 for other
 * variables.
 */
void rt_threadprivate_register(void *data, rt_ctor ctor, rt_cctor cctor, rt_dtor dtor, size_t elements);
void *rt_threadprivate_get(struct rt_thread *th, void *data, size_t size);
int rt_threadprivate_has(const struct rt_thread *th);
/** Destroys the thread's copies; it is in a region, since destructors are user code. */
void rt_threadprivate_end(struct rt_thread *th);
/** In the child of fork(): entries of others in the compiler's arrays are gone; `self` may be NULL. */
void rt_threadprivate_after_fork(const struct rt_thread *self);
/** Entries of the compiler's cache array; a thread with a higher gtid takes the slow way each time. */
#define RT_CACHED_GTIDS 4096
/** Makes the compiler's array for a variable, if nobody else has. */
void **rt_threadprivate_cache(void *data, void ***array);

/* ---- debug.c ------------------------------------------------------------------------------------------- */
/**
 * An exported label for a debugger's breakpoint; each name in one place, in a function that is never copied.
 */
#define RT_BREAKPOINT(name)                                                                              \
    __asm__ volatile(".globl " #name "\n\t.type " #name ", @function\n" #name ":\n\tnop\n\t.size " #name \
                     ", 1" ::                                                                            \
                         : "memory")
void rt_bp_thread_begin(void);
void rt_bp_thread_end(void);
void rt_bp_parallel_begin(void);
void rt_bp_parallel_end(void);
void rt_bp_teams_begin(void);
void rt_bp_teams_end(void);
void rt_bp_target_begin(void);
void rt_bp_target_end(void);
void rt_debug_publish(void);

#endif
