/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: what is recorded of loops.
 */
#ifndef OMPD_KMP_LOOP_RECORDS_H
#define OMPD_KMP_LOOP_RECORDS_H

#include "runtimes/kmp/kmp.h"

/** enum sched_type of libomp, which compilers use too; of these a record may be. */
enum kmp_schedule {
    KMP_SCHED_STATIC_CHUNKED = 33,
    KMP_SCHED_DYNAMIC = 35,
    KMP_SCHED_TRAPEZOIDAL = 39,
    KMP_SCHED_STATIC_GREEDY = 40,
    KMP_SCHED_STATIC_BALANCED = 41,
    KMP_SCHED_GUIDED_ITERATIVE = 42,
    KMP_SCHED_GUIDED_ANALYTICAL = 43,
    KMP_SCHED_STEAL = 44,
    KMP_SCHED_GUIDED_SIMD = 46
};

/** Chunks that a member has not begun, and the first one that it was dealt. */
struct kmp_share {
    uint64_t next, end, dealt;
};

/** What is recorded of one member's loop. */
struct kmp_loop {
    uint64_t record, shared; /**< addresses; record 0: only a doacross nest is recorded */
    uint64_t schedule, ordered, sections, sequence;
    int64_t lb, ub, st;
    uint64_t trip, count, chunk, lower, upper; /**< as in kmp.def: tc, count, parm1, ordered_* */
    uint64_t iteration, turn;
    uint64_t nproc, tid;
    uint64_t doacross;        /**< address of its flags, 0: it is none */
    bool waits;               /**< the thread waits for another iteration of the nest */
    struct kmp_share *shares; /**< of each member; NULL: not known */
};

/** Codes: ok; unavailable: the task is in no loop that is recorded; unsupported: the layout does not tell. */
WARN_UNUSED ompd_rc_t kmp_read_loop(struct kmp *kmp, const struct world_task *task, struct kmp_loop *ret);

#endif
