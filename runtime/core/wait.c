/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Waiting: how long to spin, and how to sleep in the kernel without losing a wake-up.
 *
 * A waiter spins a while, since most waits are short, and then sleeps: it neither burns a core for ever nor
 * pays two system calls for a wait of 100 ns. With more threads than processors spinning only delays whoever
 * is waited for, so a waiter gives its time slice away instead, as long as that is cheap.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <limits.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

/**
 * Rounds between two looks at others' queues: a thief that comes for each task alone slows their owner down,
 * who makes the next ones; so it comes for several.
 */
#define STEAL_EVERY 16
#define YIELD_EVERY 256 /**< rounds of spinning */
#define YIELDS      40  /**< slices given away before sleeping, when there are more threads than processors */
#define YIELD_LONG  250 /**< microseconds: longer than any wait that it pays to stay awake for */
#define YIELD_REST  8   /**< times as long as a long slice, during which none is given away */

static long futex(_Atomic uint32_t *word, int op, uint32_t value, uint32_t bits)
{
    return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, NULL, NULL, bits);
}

void rt_futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    futex(word, FUTEX_WAIT, value, 0);
}

void rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits)
{
    futex(word, FUTEX_WAIT_BITSET, value, bits);
}

void rt_futex_wake(_Atomic uint32_t *word, int count)
{
    futex(word, FUTEX_WAKE, (uint32_t)count, 0);
}

void rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits)
{
    futex(word, FUTEX_WAKE_BITSET, (uint32_t)count, bits);
}

/**
 * When slices may be given away again, in microseconds. Giving one away is cheap while the team has the
 * processors for itself: the others are back at once. With another program on them it costs that program's
 * whole slice, some milliseconds at each barrier, while a sleeper is woken before that slice ends. A slice
 * that was long is therefore followed by eight times as long without any: yields in vain cost a ninth of the
 * time at most. All threads share the word, as they share the processors; a lost update changes nothing that
 * matters.
 */
static _Atomic int64_t yields_from;

static int64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/** Gives a slice away. Returns 1 when the caller should sleep instead, never if it `always` stays awake. */
static int give_slice(int always)
{
    if (always) {
        sched_yield();
        return 0;
    }
    int64_t before = microseconds();
    if (before < rt_load(yields_from))
        return 1;
    sched_yield();
    int64_t after = microseconds();
    if (unlikely(after - before > YIELD_LONG))
        rt_store(yields_from, after + (after - before) * YIELD_REST);
    return 0;
}

int rt_patience_spent(struct rt_patience *patience)
{
    uint32_t spin = rt_root.spin; /* 0 passive, UINT32_MAX active */
    if (spin == 0)
        return 1;
    int always = spin == UINT32_MAX;
    if (unlikely(rt_load(rt_root.busy) > (int32_t)rt_root.procs)) {
        if (patience->yields >= YIELDS && !always)
            return 1;
        patience->yields++;
        return give_slice(always);
    }
    rt_pause();
    if (patience->rounds >= spin && !always)
        return 1;
    /*
     * Whoever is waited for may have been put on the same processor, or another program's thread is on his.
     */
    if (unlikely(++patience->rounds % YIELD_EVERY == 0))
        return give_slice(always);
    return 0;
}

/**
 * Whether a lock can be taken: nobody has it, or somebody in another process, from which this one was forked.
 */
static int is_free(uint32_t word)
{
    return word == 0 || ((word ^ rt_lock_taken) & ~3U) != 0;
}

void rt_lock_slow(rt_lock_t *lock)
{
    uint32_t taken = rt_lock_taken, waited_for = taken + 1;
    for (int spins = 0; spins < 200; spins++) {
        uint32_t now = rt_load(lock->word);
        if (is_free(now) && atomic_compare_exchange_weak_explicit(&lock->word, &now, taken,
                                                                  memory_order_acquire, memory_order_relaxed))
            return;
        rt_pause();
    }
    /* Others may sleep still: whoever has slept must assume so. */
    for (;;) {
        uint32_t now = rt_load(lock->word);
        int free = is_free(now);
        if (now != waited_for &&
            !atomic_compare_exchange_weak_explicit(&lock->word, &now, waited_for, memory_order_acquire,
                                                   memory_order_relaxed))
            continue;
        if (free)
            return;
        rt_futex_wait(&lock->word, waited_for);
    }
}

void rt_unlock_wake(rt_lock_t *lock)
{
    rt_futex_wake(&lock->word, 1);
}

void rt_notify_slow(struct rt_team *team, uint32_t bits, int count)
{
    atomic_fetch_add_explicit(&team->event, 1, memory_order_seq_cst);
    rt_futex_wake_bits(&team->event, count, bits);
}

void rt_notify_work_slow(struct rt_team *team)
{
    rt_store(team->called, 1);
    atomic_fetch_add_explicit(&team->event, 1, memory_order_seq_cst);
    /* Whoever is woken answers. Nobody: those who were about to sleep see the event. */
    if (futex(&team->event, FUTEX_WAKE_BITSET, 1, RT_EV_WORK) <= 0)
        rt_store(team->called, 0);
}

void rt_call_answered(struct rt_thread *th, struct rt_team *team)
{
    th->called = 0;
    /* Whoever makes a task ready afterwards sees the 0; what was made ready before is seen here. */
    atomic_exchange_explicit(&team->called, 0, memory_order_seq_cst);
    if (rt_task_queued(team))
        rt_notify_work(team);
}

/** The called thread found nothing that it may run, and will sleep again. */
static void call_in_vain(struct rt_thread *th, struct rt_team *team, const struct rt_help *help)
{
    th->called = 0;
    atomic_exchange_explicit(&team->called, 0, memory_order_seq_cst);
    /* Tasks that are not for it (task scheduling constraint): the others look, once, and call nobody. */
    if (help->on && help->ancestor != NULL && rt_task_queued(team))
        rt_notify_slow(team, RT_EV_WORK, INT32_MAX);
}

void rt_team_wait(struct rt_thread *th, struct rt_team *team, uint32_t bits, struct rt_help help,
                  int (*ready)(void *), void *arg)
{
    struct rt_patience patience = {0};
    th->at_once = 0; /* the queue will be empty when this thread goes on */
    for (;;) {
        if (ready(arg)) {
            if (unlikely(th->called))
                rt_call_answered(th, team);
            return;
        }
        help.steal =
            (patience.rounds + patience.yields) % (STEAL_EVERY << th->shy) == 0 ? RT_STEAL_LEFT : RT_STEAL_NO;
        if (help.on && rt_load(team->tasks_used) && rt_task_help(th, team, help)) {
            patience.rounds = 1;
            patience.yields = 0;
            continue;
        }
        if (!rt_patience_spent(&patience))
            continue;
        rt_give_back_flush(th);
        if (unlikely(th->called))
            call_in_vain(th, team, &help);
        /*
         * Whoever changes what ready() looks at does so before it reads `sleepers`; this counts itself before
         * it looks again. One of the two sees the other.
         */
        uint32_t event = rt_acquire(team->event);
        uint64_t one = bits & RT_EV_DONE ? 1 | 1ULL << 32 : 1;
        atomic_fetch_add_explicit(&team->sleepers, one, memory_order_seq_cst);
        help.steal = RT_STEAL_ANY;
        if (!ready(arg) && !(help.on && rt_load(team->tasks_used) && rt_task_help(th, team, help)))
            rt_futex_wait_bits(&team->event, event, bits);
        atomic_fetch_sub_explicit(&team->sleepers, one, memory_order_relaxed);
        if (rt_load(team->called)) {
            th->called = 1;
            patience = (struct rt_patience){0};
        }
    }
}

void rt_word_wait(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers)
{
    struct rt_patience patience = {0};
    while (rt_acquire(*word) == value) {
        if (!rt_patience_spent(&patience))
            continue;
        atomic_fetch_add_explicit(sleepers, 1, memory_order_seq_cst);
        if (atomic_load_explicit(word, memory_order_seq_cst) == value)
            rt_futex_wait(word, value);
        atomic_fetch_sub_explicit(sleepers, 1, memory_order_relaxed);
    }
}

/* ---- turns --------------------------------------------------------------------------------------------- */

/** By Fibonacci hashing (Knuth 6.4), which keeps neighbours apart, and what is a power of two apart. */
static uint32_t turn_of(uint64_t iteration)
{
    return (uint32_t)(iteration * 0x9e3779b97f4a7c15ULL >> 56);
}
_Static_assert(RT_TURN_WORDS * 32 == 1 << 8, "the word and the bit of an iteration");

void rt_turn_sleep(struct rt_turns *turns, uint64_t iteration, int (*ready)(void *), void *arg)
{
    uint32_t turn = turn_of(iteration);
    _Atomic uint32_t *word = &turns->words[turn / 32];
    /*
     * Whoever passes the turn on has stored what ready() looks at before it reads `sleepers`; this counts
     * itself before it looks. So it sees that, or the other one changes the word after it was read here.
     */
    atomic_fetch_add_explicit(&turns->sleepers, 1, memory_order_seq_cst);
    uint32_t now = atomic_load_explicit(word, memory_order_seq_cst);
    if (!ready(arg))
        rt_futex_wait_bits(word, now, 1U << turn % 32);
    atomic_fetch_sub_explicit(&turns->sleepers, 1, memory_order_relaxed);
}

void rt_turn_pass_slow(struct rt_turns *turns, uint64_t iteration)
{
    uint32_t turn = turn_of(iteration);
    _Atomic uint32_t *word = &turns->words[turn / 32];
    atomic_fetch_add_explicit(word, 1, memory_order_seq_cst);
    rt_futex_wake_bits(word, INT32_MAX, 1U << turn % 32);
}

void rt_turns_void(struct rt_turns *turns)
{
    /* Who is about to sleep sees another number than before, and who sleeps is woken. */
    for (int i = 0; i < RT_TURN_WORDS; i++)
        atomic_fetch_add_explicit(&turns->words[i], 1, memory_order_seq_cst);
    for (int i = 0; i < RT_TURN_WORDS; i++)
        if (atomic_load_explicit(&turns->sleepers, memory_order_seq_cst) != 0)
            rt_futex_wake(&turns->words[i], INT32_MAX);
}
