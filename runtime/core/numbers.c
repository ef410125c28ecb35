/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Numbers of threads: the gtid that compiled code knows, and the lock number that mutex words hold.
 *
 * A gtid is the smallest one that no living thread has, so that arrays with an entry a thread stay small.
 * Lock numbers have 30 bits, for the word is the user's. They go up once through all numbers, as the serials
 * do; after that they go round. A number is never a living thread's, but from the second round on it no
 * longer says which thread it was, and rt_root.lock_numbers_reused says so.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "numbers.h"
#include "slab.h"

/* ---- gtids --------------------------------------------------------------------------------------------- */

#define FIRST_WORDS 64
static uint64_t first_words[FIRST_WORDS];
static uint64_t *taken = first_words; /**< a bit a number; guarded by the root's lock, like all below */
static uint32_t words = FIRST_WORDS, lowest; /**< no word before `lowest` has a free number */

int32_t rt_gtid_take(void)
{
    while (lowest < words && taken[lowest] == UINT64_MAX)
        lowest++;
    if (lowest == words) {
        uint64_t *more = rt_arena_take_locked((size_t)words * 2 * sizeof *more);
        memcpy(more, taken, words * sizeof *more);
        taken = more;
        words *= 2;
    }
    int bit = __builtin_ctzll(~taken[lowest]);
    taken[lowest] |= 1ULL << bit;
    return (int32_t)(lowest * 64) + bit;
}

void rt_gtid_give(int32_t gtid)
{
    /*
     * Threadprivate variables themselves are number 0's copies, and stay those of the thread that came first.
     */
    if (gtid == 0)
        return;
    uint32_t word = (uint32_t)gtid / 64;
    taken[word] &= ~(1ULL << (gtid % 64));
    if (word < lowest)
        lowest = word;
}

/* ---- lock numbers -------------------------------------------------------------------------------------- */

#define LAST ((uint32_t)RT_LOCK_NUMBER_LAST)

/** A round after the first: what living threads had when it began is left out. */
static struct {
    uint32_t *living; /**< ascending */
    uint32_t count, at;
    size_t bytes;
} round;

static void each_of(const struct rt_slab *slabs, uint32_t count, void (*visit)(struct rt_thread *, void *),
                    void *argument)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; slabs[i].kind == RT_KIND_THREAD && k < rt_load(slabs[i].used); k++)
            visit((void *)((char *)slabs[i].base + (size_t)slabs[i].slot_size * k), argument);
}

/** All slots of threads that were ever used. */
static void each_thread(void (*visit)(struct rt_thread *, void *), void *argument)
{
    each_of(rt_root.slabs, rt_acquire(rt_root.slab_count), visit, argument);
    for (const struct rt_slab_block *block = rt_acquire(rt_root.more_slabs); block != NULL;
         block = rt_acquire(block->next))
        each_of(block->slabs, rt_acquire(block->count), visit, argument);
}

static void count_one(struct rt_thread *th, void *count)
{
    (void)th;
    ++*(uint32_t *)count;
}

static void add_number(struct rt_thread *th, void *unused)
{
    (void)unused;
    if (th->lock_number != 0)
        round.living[round.count++] = th->lock_number;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void begin_round(void)
{
    uint32_t slots = 0;
    if (round.living != NULL)
        rt_memory_give(round.living, round.bytes);
    each_thread(count_one, &slots);
    round.bytes = (size_t)slots * sizeof *round.living;
    round.living = rt_memory_take(round.bytes);
    round.count = round.at = 0;
    each_thread(add_number, NULL);
    qsort(round.living, round.count, sizeof *round.living, by_number);
    rt_root.next_lock_number = 1;
    atomic_fetch_or_explicit(&rt_root.lock_numbers_reused, RT_NUMBERS_REUSED, memory_order_release);
}

uint32_t rt_lock_number_take(uint64_t serial)
{
    if (likely(serial <= LAST))
        return (uint32_t)serial;
    for (;;) {
        if (rt_root.next_lock_number == 0 || rt_root.next_lock_number > LAST)
            begin_round();
        uint32_t number = (uint32_t)rt_root.next_lock_number++;
        while (round.at < round.count && round.living[round.at] < number)
            round.at++;
        if (round.at == round.count || round.living[round.at] != number)
            return number;
    }
}

/* ---- fork() -------------------------------------------------------------------------------------------- */

static void mark_gone(struct rt_thread *th, void *self)
{
    if (th != self && th->lock_number != 0)
        th->gone = 1;
}

void rt_numbers_after_fork(const struct rt_thread *self)
{
    each_thread(mark_gone, (void *)(uintptr_t)self);
    uint64_t first = taken[0] & 1; /* stays taken once a thread had it: see rt_gtid_give */
    memset(taken, 0, words * sizeof *taken);
    lowest = 0;
    taken[0] = first;
    if (self != NULL)
        taken[self->gtid / 64] |= 1ULL << (self->gtid % 64);
}

struct search {
    uint32_t number;
    int found;
};

static void find_gone(struct rt_thread *th, void *argument)
{
    struct search *search = argument;
    search->found |= th->gone && th->lock_number == search->number;
}

int rt_lock_number_is_gone(uint32_t number)
{
    struct search search = {number, 0};
    if (rt_root.forked_at != 0)
        each_thread(find_gone, &search);
    return search.found;
}
