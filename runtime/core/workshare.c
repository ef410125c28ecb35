/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the threads of a team share in one worksharing region: loops, sections, scope, doacross nests; where
 * regions can be cancelled, gcc's single copyprivate too (copyprivate.c).
 *
 * A team has a ring of RT_WORKSHARES regions in flight. Region number s uses entry s modulo RT_WORKSHARES
 * once that entry's `seq` is s, which the last thread to leave region s - RT_WORKSHARES stores. Each thread
 * counts the regions that it meets; that all threads of a team meet the same ones in the same order is a rule
 * of the language (OpenMP 5.2 section 11).
 */
#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "memory.h"
#include "message.h"
#include "slab.h"
#include "wait.h"
#include "workshare.h"

/** Entries of a team of one are made when it first needs them. */
static struct rt_workshare *workshare_ring(struct rt_team *team)
{
    if (unlikely(team->workshares == NULL))
        rt_workshare_ring(team);
    return team->workshares;
}

void rt_workshare_ring(struct rt_team *team)
{
    if (team->workshares == NULL)
        team->workshares = rt_arena_take(RT_WORKSHARES * sizeof *team->workshares);
    for (uint32_t i = 0; i < RT_WORKSHARES; i++)
        team->workshares[i].team = team;
    rt_workshare_reset(team);
}

void rt_workshare_reset(struct rt_team *team)
{
    struct rt_task *first = team->members[0].task;
    for (uint32_t i = 0; i < RT_WORKSHARES; i++) {
        struct rt_workshare *entry = &team->workshares[i];
        rt_workshare_clear(entry);
        rt_store(entry->done, 0);
        rt_store(entry->seq, i);
    }
    first->workshare_seq = 0;
    rt_store(team->single_claimed, first->single_seq);
}

/**
 * The last thread has left a loop that was stolen from: the next such loop has the next tag. A word keeps its
 * tag until its member takes part in such a loop again, so before the tags start anew no word may have one.
 */
static void next_tag(struct rt_workshare *loop)
{
    rt_store(loop->stealing, 0);
    if (++loop->tag != RT_TAG_STALE)
        return;
    loop->tag = 0;
    for (int k = 0; k < loop->team->ring_threads; k++)
        rt_store(loop->ranges[k].word, rt_range_word(RT_TAG_STALE, 0, 0));
}

void rt_workshare_clear(struct rt_workshare *entry)
{
    rt_store(entry->next, 0);
    rt_store(entry->ordered_next, 0);
    rt_store(entry->claim, 0);
    entry->data = NULL;
    if (rt_load(entry->stealing))
        next_tag(entry);
    if (unlikely(entry->memory_size != 0)) {
        rt_memory_give(entry->memory, entry->memory_size);
        entry->memory = NULL;
        entry->memory_size = 0;
    }
}

/* ---- entries of a cancelled region --------------------------------------------------------------------- */

/*
 * A thread would never stop waiting if others have left the region and will not free the ring's next
 * entry, gets an entry of its own and is the first there. It may have several in hand, and may leave the
 * region without leaving them.
 */

int rt_workshare_is_private(const struct rt_workshare *work)
{
    return work->is_private;
}

static struct rt_workshare *private_take(struct rt_task *implicit)
{
    struct rt_workshare *work = aligned_alloc(RT_LINE, sizeof *work);
    if (work == NULL)
        rt_fatal("no memory for a worksharing region");
    memset((void *)work, 0, sizeof *work);
    work->team = implicit->team;
    work->is_private = 1;
    work->next_private = implicit->private_workshares;
    implicit->private_workshares = work;
    return work;
}

static void private_free(struct rt_task *implicit, struct rt_workshare *work)
{
    struct rt_workshare **link = &implicit->private_workshares;
    while (*link != work)
        link = &(*link)->next_private;
    *link = work->next_private;
    rt_workshare_clear(work);
    free(work);
}

void rt_workshare_private_free(struct rt_task *implicit)
{
    while (implicit->private_workshares != NULL)
        private_free(implicit, implicit->private_workshares);
}

/* ---- entering and leaving ------------------------------------------------------------------------------ */

struct entry_wait {
    struct rt_team *team;
    struct rt_workshare *entry;
    uint32_t number;
};

static int entry_ready(void *argument)
{
    const struct entry_wait *wait = argument;
    return rt_acquire(wait->entry->seq) == wait->number ||
           (rt_acquire(wait->team->cancel) & RT_CANCEL_PARALLEL) != 0;
}

/** A slow thread is RT_WORKSHARES regions behind. 0 = it will never come: the region is cancelled. */
static RT_NOINLINE int wait_for_entry(struct rt_thread *th, struct rt_team *team, struct rt_workshare *entry,
                                      uint32_t number)
{
    struct entry_wait wait = {team, entry, number};
    atomic_fetch_add_explicit(&entry->seq_sleepers, 1, memory_order_seq_cst);
    rt_team_wait(th, team, RT_WAKE_RELEASE, (struct rt_help){0}, entry_ready, &wait);
    atomic_fetch_sub_explicit(&entry->seq_sleepers, 1, memory_order_relaxed);
    return rt_acquire(entry->seq) == number;
}

struct rt_workshare *rt_workshare_enter(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_workshare *entries = workshare_ring(implicit->team);
    uint32_t number = implicit->workshare_seq++;
    struct rt_workshare *entry = &entries[number % RT_WORKSHARES];
    if (likely(rt_acquire(entry->seq) == number) || wait_for_entry(th, implicit->team, entry, number))
        return entry;
    return private_take(implicit);
}

void rt_workshare_leave(struct rt_thread *th, struct rt_workshare *entry)
{
    uint32_t n = (uint32_t)th->implicit->team->nthreads;
    if (unlikely(rt_workshare_is_private(entry))) {
        private_free(th->implicit, entry);
        return;
    }
    /* The last one has acquired what the others did with the entry (litmus: workshare_ring). */
    if (n > 1 && atomic_fetch_add_explicit(&entry->done, 1, memory_order_acq_rel) + 1 != n)
        return;
    rt_store(entry->done, 0);
    rt_workshare_clear(entry);
    uint32_t seq = rt_load(entry->seq);
    atomic_store_explicit(&entry->seq, seq + RT_WORKSHARES, memory_order_seq_cst);
    if (unlikely(atomic_load_explicit(&entry->seq_sleepers, memory_order_seq_cst) != 0))
        rt_notify(entry->team, RT_WAKE_RELEASE, INT32_MAX);
}

int rt_workshare_claim(struct rt_workshare *work)
{
    uint32_t none = 0;
    if (unlikely(rt_workshare_is_private(work)))
        return 1; /* each thread alone goes to the end of the region */
    return rt_load(work->claim) == 0 &&
           atomic_compare_exchange_strong_explicit(&work->claim, &none, 1, memory_order_acquire,
                                                   memory_order_acquire);
}

void rt_workshare_ready(struct rt_workshare *work)
{
    atomic_store_explicit(&work->claim, 2, memory_order_seq_cst);
    if (unlikely(atomic_load_explicit(&work->claim_sleepers, memory_order_seq_cst) != 0))
        rt_futex_wake(&work->claim, INT32_MAX);
}

void rt_workshare_wait_ready(struct rt_workshare *work)
{
    uint32_t now;
    while ((now = rt_acquire(work->claim)) != 2)
        rt_word_wait(&work->claim, now, &work->claim_sleepers);
}

int rt_workshare_first(struct rt_workshare *work)
{
    if (rt_workshare_claim(work))
        return 1;
    rt_workshare_wait_ready(work);
    return 0;
}

void *rt_workshare_memory(struct rt_workshare *work, size_t bytes)
{
    if (bytes == 0)
        bytes = 1;
    work->memory = rt_memory_take(bytes);
    work->memory_size = bytes;
    return work->memory;
}
