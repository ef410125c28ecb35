/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the threads of a team share in one worksharing region.
 */
#ifndef RT_WORKSHARE_H
#define RT_WORKSHARE_H

#include "turns.h"
#include "team.h"
#include "task.h"
#include "thread.h"

/**
 * A worksharing region in flight (loop.c): loop, sections, scope, doacross nest, and what workshare.c names.
 * All threads of a team meet the same ones in the same order; the ring lets nowait ones run ahead of slow
 * threads.
 */
#define RT_WORKSHARES 8
struct rt_workshare {
    RT_ALIGNED _Atomic uint64_t next; /**< next logical iteration to hand out */
    RT_ALIGNED _Atomic uint32_t done; /**< threads that have finished with this entry */
    _Atomic uint32_t claim; /**< 0 nobody has come, 1 the first thread sets it up, 2 set up; futex */
    _Atomic uint32_t claim_sleepers;
    void *data;   /**< what the first thread made for all: reductions, copyprivate's struct */
    void *memory; /**< from rt_memory_take(), given back when all have left */
    size_t memory_size;
    RT_ALIGNED _Atomic uint64_t ordered_next;
    struct rt_turns
        turns; /**< threads that wait for an iteration: for its turn, or for it to be posted (doacross) */
    RT_ALIGNED _Atomic uint32_t seq; /**< number of the region that may use this entry */
    _Atomic uint32_t seq_sleepers;
    struct rt_team *team;
    uint32_t tag;                      /**< of the next loop that is stolen from; see loop.c */
    _Atomic uint32_t stealing;         /**< this loop is one */
    struct rt_range *ranges;           /**< one a member: what it has left of a nonmonotonic dynamic loop */
    _Atomic uint32_t exclusive;        /**< mutex of ordered regions, if regions can be cancelled (loop.c) */
    uint8_t is_private;                /**< an entry of one thread alone, in a cancelled region */
    struct rt_workshare *next_private; /**< in rt_task.private_workshares */
};

/**
 * A member's share of a loop, in chunks: tag << 48 | next << 24 | end. The tag tells a stale word (loop.c).
 */
struct rt_range {
    RT_ALIGNED _Atomic uint64_t word;
};

#define RT_RANGE_MASK ((1ULL << RT_RANGE_BITS) - 1)
#define RT_TAG_STALE  0xffffu /**< of words that no loop has used */

static inline uint64_t rt_range_word(uint32_t tag, uint64_t next, uint64_t end)
{
    return (uint64_t)tag << 2 * RT_RANGE_BITS | next << RT_RANGE_BITS | end;
}

/**
 * What a member knows of its own range: 0 it has none; whether the word may still have an earlier loop's tag.
 */
enum rt_share { RT_SHARE_NEW = 1, RT_SHARE_TAGGED };

/**
 * The entry of the next worksharing region that the calling thread meets (loops take theirs in rt_loop_begin,
 * doacross nests in rt_doacross_begin). Works in teams of one too.
 */
struct rt_workshare *rt_workshare_enter(struct rt_thread *th);
/**
 * Whether it is an entry of one thread alone, in a cancelled region, where it would wait in vain for a shared
 * one.
 */
int rt_workshare_is_private(const struct rt_workshare *work);
/** Frees those that the thread has not left. */
void rt_workshare_private_free(struct rt_task *implicit);
/**
 * 1 for the first thread, which sets the entry up and then calls rt_workshare_ready; others wait for that and
 * get 0.
 */
int rt_workshare_first(struct rt_workshare *work);
/** Only whether it is the first: does not wait for the set-up. */
int rt_workshare_claim(struct rt_workshare *work);
void rt_workshare_ready(struct rt_workshare *work);
static inline int rt_workshare_is_ready(const struct rt_workshare *work)
{
    return rt_acquire(work->claim) == 2;
}
void rt_workshare_wait_ready(struct rt_workshare *work);
/** The thread is through; the last one frees what the entry holds. */
void rt_workshare_leave(struct rt_thread *th, struct rt_workshare *work);
/** Zeroed memory of the entry, aligned to 64; the first thread asks, and all may use it until they leave. */
void *rt_workshare_memory(struct rt_workshare *work, size_t bytes);
/** Makes a team's entries; numbers them anew after a region that was left early (no thread is inside). */
void rt_workshare_ring(struct rt_team *team);
void rt_workshare_reset(struct rt_team *team);
void rt_workshare_clear(struct rt_workshare *entry);

#endif
