/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libomp: is it this lock that a thread waits for? A queuing lock has a queue of threads; of other sorts, and
 * where the lock is not known, the thread's stack inside of the runtime tells.
 */
#include "runtimes/kmp/kmp.h"

#define STACK_BYTES_MAX 4096u

/** The queuing lock at ADDRESS. unavailable: there is none. */
static ompd_rc_t read_queuing(struct kmp *kmp, uint64_t address, struct kmp_lock *ret)
{
    TRY(kmp_read_lock(kmp, address, ret));
    return ret->sort == KMP_LOCK_QUEUING ? ompd_rc_ok : ompd_rc_unavailable;
}

/** Is THREAD in the lock's queue? Threads are linked by the number of the next one. */
static bool is_queued(const struct kmp *kmp, const struct kmp_lock *lock, const struct kmp_thread *thread)
{
    uint64_t id = lock->head;
    if (lock->tail == thread->gtid + 1 || lock->head == thread->gtid + 1)
        return true;
    for (int32_t steps = 0; steps < kmp->thread_count && id != 0 && id <= KMP_THREADS_MAX; steps++) {
        const int32_t at = kmp_thread_of_gtid(kmp, id - 1);
        if (at == WORLD_NONE)
            return false;
        if (&kmp->threads[at] == thread)
            return true;
        id = kmp->threads[at].next_waiting;
    }
    return false;
}

/** nomem alone is worth an error: whatever else fails only means that this is no such lock. */
static ompd_rc_t try_queuing(struct kmp *kmp, const struct kmp_thread *thread, uint64_t address,
                             struct kmp_lock *lock, bool *found)
{
    ompd_rc_t rc = read_queuing(kmp, address, lock);
    *found = rc == ompd_rc_ok && is_queued(kmp, lock, thread);
    return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
}

/** What is looked for in a thread's stack inside of the runtime: a lock of a known address; or, if that is 0,
 * the queuing lock in whose queue the thread is. */
struct sought {
    uint64_t address, bytes;
    struct kmp_lock lock;
};

static ompd_rc_t is_sought(struct kmp *kmp, const struct kmp_thread *thread, uint64_t word,
                           struct sought *sought, bool *found)
{
    if (sought->address == 0)
        return try_queuing(kmp, thread, word, &sought->lock, found);
    *found = word >= sought->address && word - sought->address < sought->bytes;
    return ompd_rc_ok;
}

static ompd_rc_t search_stack(struct kmp *kmp, const struct kmp_thread *thread, struct sought *sought,
                              bool *found)
{
    const struct kmp_stack *stack = &thread->stack;
    ompdx_frame_t frame;
    uint64_t word;
    *found = false;
    for (uint32_t i = 0; i < 4 && !*found; i++) {
        if (stock_frame(kmp->aspace, thread->native, i, &frame) != ompd_rc_ok)
            break;
        const uint64_t kept[] = {frame.rbx, frame.rbp, frame.r12, frame.r13, frame.r14, frame.r15};
        for (size_t j = 0; j < sizeof kept / sizeof kept[0] && !*found; j++)
            TRY(is_sought(kmp, thread, kept[j], sought, found));
    }
    for (uint64_t at = stack->low; !*found && at < stack->high && at - stack->low < STACK_BYTES_MAX;
         at += 8) {
        ompd_rc_t rc = pages_number(kmp->aspace, &kmp->world->pages, at, 8, &word);
        if (rc != ompd_rc_ok)
            return rc == ompd_rc_nomem ? rc : ompd_rc_ok;
        TRY(is_sought(kmp, thread, word, sought, found));
    }
    return ompd_rc_ok;
}

ompd_rc_t kmp_find_queuing(struct kmp *kmp, const struct kmp_thread *thread, uint64_t id,
                           struct kmp_lock *lock, bool *found)
{
    struct kmp_lock_hint *hint = &kmp->hints[id / 8 % KMP_LOCK_HINTS];
    struct sought sought = {0};
    *found = false;
    if (hint->id == id)
        TRY(try_queuing(kmp, thread, hint->lock, lock, found));
    if (*found)
        return ompd_rc_ok;
    TRY(search_stack(kmp, thread, &sought, found));
    *lock = sought.lock;
    if (*found)
        *hint = (struct kmp_lock_hint){id, lock->address};
    return ompd_rc_ok;
}

ompd_rc_t kmp_points_to(struct kmp *kmp, const struct kmp_thread *thread, uint64_t address, uint32_t bytes,
                        bool *ret)
{
    struct sought sought = {.address = address, .bytes = bytes};
    return search_stack(kmp, thread, &sought, ret);
}

ompd_rc_t kmp_waits_for(struct kmp *kmp, const struct kmp_thread *thread, const struct kmp_lock *lock,
                        bool *ret)
{
    if (lock->sort != KMP_LOCK_QUEUING)
        return kmp_points_to(kmp, thread, lock->address, kmp_lock_bytes(kmp, lock), ret);
    *ret = is_queued(kmp, lock, thread);
    return ompd_rc_ok;
}
