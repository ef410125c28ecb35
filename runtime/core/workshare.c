/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the threads of a team share in one worksharing region: loops, sections, single copyprivate, scope,
 * doacross nests.
 *
 * A team has a ring of RT_LOOPS regions in flight. Region number s uses entry s modulo RT_LOOPS once that
 * entry's `seq` is s, which the last thread to leave region s - RT_LOOPS stores. Each thread counts the
 * regions that it meets; that all threads of a team meet the same ones in the same order is a rule of the
 * language (OpenMP 5.2 section 11).
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
static struct rt_loop *ring(struct rt_team *team)
{
    if (unlikely(team->loops == NULL))
        rt_work_ring(team);
    return team->loops;
}

void rt_work_ring(struct rt_team *team)
{
    if (team->loops == NULL)
        team->loops = rt_arena_take(RT_LOOPS * sizeof *team->loops);
    for (uint32_t i = 0; i < RT_LOOPS; i++)
        team->loops[i].team = team;
    rt_work_reset(team);
}

void rt_work_reset(struct rt_team *team)
{
    struct rt_task *first = team->members[0].task;
    for (uint32_t i = 0; i < RT_LOOPS; i++) {
        struct rt_loop *entry = &team->loops[i];
        rt_work_clear(entry);
        rt_store(entry->done, 0);
        rt_store(entry->seq, i);
    }
    first->loop_seq = 0;
    rt_store(team->single_claimed, first->single_seq);
}

/**
 * The last thread has left a loop that was stolen from: the next such loop has the next tag. A word keeps its
 * tag until its member takes part in such a loop again, so before the tags start anew no word may have one.
 */
static void next_tag(struct rt_loop *loop)
{
    rt_store(loop->stealing, 0);
    if (++loop->tag != RT_TAG_STALE)
        return;
    loop->tag = 0;
    for (int k = 0; k < loop->team->ring_threads; k++)
        rt_store(loop->ranges[k].word, rt_range_word(RT_TAG_STALE, 0, 0));
}

void rt_work_clear(struct rt_loop *entry)
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
 * A thread that would wait for ever, since others have left the region and will never free the ring's next
 * entry, gets an entry of its own and is the first there. It may have several in hand, and may leave the
 * region without leaving them.
 */

int rt_work_is_scrap(const struct rt_loop *work)
{
    return work->scrap;
}

static struct rt_loop *scrap_take(struct rt_task *implicit)
{
    struct rt_loop *work = aligned_alloc(RT_LINE, sizeof *work);
    if (work == NULL)
        rt_fatal("no memory for a worksharing region");
    memset((void *)work, 0, sizeof *work);
    work->team = implicit->team;
    work->scrap = 1;
    work->next_scrap = implicit->scraps;
    implicit->scraps = work;
    return work;
}

static void scrap_free(struct rt_task *implicit, struct rt_loop *work)
{
    struct rt_loop **link = &implicit->scraps;
    while (*link != work)
        link = &(*link)->next_scrap;
    *link = work->next_scrap;
    rt_work_clear(work);
    free(work);
}

void rt_work_scraps_free(struct rt_task *implicit)
{
    while (implicit->scraps != NULL)
        scrap_free(implicit, implicit->scraps);
}

/* ---- entering and leaving ------------------------------------------------------------------------------ */

struct entry_wait {
    struct rt_team *team;
    struct rt_loop *entry;
    uint32_t number;
};

static int entry_ready(void *argument)
{
    const struct entry_wait *wait = argument;
    return rt_acquire(wait->entry->seq) == wait->number ||
           (rt_acquire(wait->team->cancel) & RT_CANCEL_PARALLEL) != 0;
}

/** A slow thread is RT_LOOPS regions behind. 0 = it will never come: the region is cancelled. */
static RT_NOINLINE int wait_for_entry(struct rt_thread *th, struct rt_team *team, struct rt_loop *entry,
                                      uint32_t number)
{
    struct entry_wait wait = {team, entry, number};
    atomic_fetch_add_explicit(&entry->seq_sleepers, 1, memory_order_seq_cst);
    rt_team_wait(th, team, RT_EV_RELEASE, (struct rt_help){0}, entry_ready, &wait);
    atomic_fetch_sub_explicit(&entry->seq_sleepers, 1, memory_order_relaxed);
    return rt_acquire(entry->seq) == number;
}

struct rt_loop *rt_work_enter(struct rt_thread *th)
{
    struct rt_task *implicit = th->implicit;
    struct rt_loop *entries = ring(implicit->team);
    uint32_t number = implicit->loop_seq++;
    struct rt_loop *entry = &entries[number % RT_LOOPS];
    if (likely(rt_acquire(entry->seq) == number) || wait_for_entry(th, implicit->team, entry, number))
        return entry;
    return scrap_take(implicit);
}

void rt_work_leave(struct rt_thread *th, struct rt_loop *entry)
{
    uint32_t n = (uint32_t)th->implicit->team->nthreads;
    if (unlikely(rt_work_is_scrap(entry))) {
        scrap_free(th->implicit, entry);
        return;
    }
    if (n > 1 && atomic_fetch_add_explicit(&entry->done, 1, memory_order_acq_rel) + 1 != n)
        return;
    rt_store(entry->done, 0);
    rt_work_clear(entry);
    uint32_t seq = rt_load(entry->seq);
    atomic_store_explicit(&entry->seq, seq + RT_LOOPS, memory_order_seq_cst);
    if (unlikely(atomic_load_explicit(&entry->seq_sleepers, memory_order_seq_cst) != 0))
        rt_notify(entry->team, RT_EV_RELEASE, INT32_MAX);
}

int rt_work_claim(struct rt_loop *work)
{
    uint32_t none = 0;
    if (unlikely(rt_work_is_scrap(work)))
        return 1; /* each thread alone goes to the end of the region */
    return rt_load(work->claim) == 0 &&
           atomic_compare_exchange_strong_explicit(&work->claim, &none, 1, memory_order_acquire,
                                                   memory_order_acquire);
}

void rt_work_ready(struct rt_loop *work)
{
    atomic_store_explicit(&work->claim, 2, memory_order_seq_cst);
    if (unlikely(atomic_load_explicit(&work->claim_sleepers, memory_order_seq_cst) != 0))
        rt_futex_wake(&work->claim, INT32_MAX);
}

void rt_work_wait_ready(struct rt_loop *work)
{
    uint32_t now;
    while ((now = rt_acquire(work->claim)) != 2)
        rt_word_wait(&work->claim, now, &work->claim_sleepers);
}

int rt_work_first(struct rt_loop *work)
{
    if (rt_work_claim(work))
        return 1;
    rt_work_wait_ready(work);
    return 0;
}

void *rt_work_memory(struct rt_loop *work, size_t bytes)
{
    if (bytes == 0)
        bytes = 1;
    work->memory = rt_memory_take(bytes);
    work->memory_size = bytes;
    return work->memory;
}
