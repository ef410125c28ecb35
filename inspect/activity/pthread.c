/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/activity/pthread.h"

#include <stddef.h>
#include <string.h>

#include "inspect/target/hostcall.h"
#include "inspect/target/still.h"

/* The beginning of pthread_mutex_t: the same on x86-64 and aarch64. */
struct glibc_mutex {
    uint32_t lock, count;
    int32_t owner;
    uint32_t users;
    int32_t kind;
};

/* glibc's numbers of a mutex' kind: nptl/pthreadP.h. */
enum {
    KIND_ROBUST = 0x10,
    KIND_INHERIT = 0x20,
    KIND_PROTECT = 0x40,
    KIND_SHARED = 0x80,
    KIND_ALL = 0x3f3 /* with the four types and the two bits of lock elision */
};
/* The word of a robust or a priority-inheriting mutex, which the kernel knows: linux/futex.h. */
enum { WORD_OWNER = 0x3fffffff, WORD_OWNER_DIED = 0x40000000 };
/* The lock of a mutex with a priority ceiling, below the ceiling: 0 free, 1 taken, 2 taken with waiters. */
enum { PROTECT_LOCK = 0x7ffff };

/* The beginning of pthread_rwlock_t. */
struct glibc_rwlock {
    uint32_t readers, writers, wrphase_futex, writers_futex, pad3, pad4;
    int32_t cur_writer, shared;
};
enum {
    RWLOCK_WRITE_LOCKED = 2, /* in readers; above its three lowest bits is how many readers there are */
    RWLOCK_READERS_SHIFT = 3,
    RWLOCK_FUTEX_MOST = 3 /* of the two futex words */
};

static const char unreadable[] = "its memory cannot be read";
static const char senseless[] = "what lies in its memory is no such object of glibc's";

static void judge_mutex(const struct glibc_mutex *m, struct lock_word *ret)
{
    const uint32_t word = m->kind & KIND_PROTECT ? m->lock & (uint32_t)PROTECT_LOCK : m->lock;
    const bool kernels = m->kind & (KIND_ROBUST | KIND_INHERIT);

    ret->shared = m->kind & KIND_SHARED;
    ret->why = senseless;
    if (m->kind & ~KIND_ALL || (!kernels && word > 2))
        return;
    ret->by_kernel = m->kind & KIND_INHERIT;
    ret->dead = kernels && word & WORD_OWNER_DIED;
    ret->free = kernels ? !(word & WORD_OWNER) && !ret->dead : !word;
    ret->tid = kernels ? (int64_t)(word & WORD_OWNER) : ret->free ? 0 : m->owner;
    if (ret->dead && !owner_is_tid(ret->tid))
        ret->tid = owner_is_tid(m->owner) ? m->owner : 0;
    if (ret->tid && !owner_is_tid(ret->tid)) {
        *ret = (struct lock_word){.why = senseless};
        return;
    }
    ret->why = ret->free  ? "nobody holds it: the thread is about to have it"
               : ret->tid ? NULL
                          : "its owner has just taken it, or gives it back";
}

static struct lock_word *remember(struct lock_words *known, uint64_t addr, bool *asked)
{
    uint64_t *at = hash_add(&known->by_address, addr, NULL);
    struct lock_word *word;

    *asked = at && *at;
    if (*asked)
        return (struct lock_word *)(uintptr_t)*at;
    word = at ? arena_alloc(known->arena, sizeof(*word)) : NULL;
    if (word)
        *at = (uintptr_t)word;
    return word;
}

const struct lock_word *lock_of_mutex(insp_session *s, struct lock_words *known, uint64_t addr)
{
    struct glibc_mutex mutex;
    bool asked;
    struct lock_word *word = remember(known, addr, &asked);

    if (!word || asked)
        return word;
    word->why = unreadable;
    if (still_read(s, addr, &mutex, sizeof(mutex)))
        return word;
    word->start = addr;
    judge_mutex(&mutex, word);
    if (word->why == senseless)
        word->start = 0;
    return word;
}

static void judge_rwlock(const struct glibc_rwlock *l, struct lock_word *ret)
{
    const bool written = l->readers & RWLOCK_WRITE_LOCKED;

    ret->why = senseless;
    if ((l->shared != 0 && l->shared != 1) || l->wrphase_futex > RWLOCK_FUTEX_MOST ||
        l->writers_futex > RWLOCK_FUTEX_MOST || (l->cur_writer && !owner_is_tid(l->cur_writer)))
        return;
    ret->shared = l->shared;
    if (written && l->cur_writer) {
        ret->tid = l->cur_writer;
        ret->why = NULL;
    } else if (l->readers >> RWLOCK_READERS_SHIFT) {
        ret->why = "it is locked for reading, and does not note by whom";
    } else {
        ret->free = !written;
        ret->why = written ? "its writer has just taken it, or gives it back"
                           : "nobody holds it: the thread is about to have it";
    }
}

/*
 * Readers wait for wrphase_futex, a writer for that or for writers_futex, and with preference for writers
 * readers wait for the word `readers`. A lock is aligned to 8 bytes, and the values of the futexes are small:
 * those of `readers` have its third bit set at least.
 */
static uint64_t rwlock_start(uint64_t addr, uint32_t expected)
{
    if (expected > RWLOCK_FUTEX_MOST)
        return addr;
    return addr - (addr % 8 == 4 ? offsetof(struct glibc_rwlock, writers_futex)
                                 : offsetof(struct glibc_rwlock, wrphase_futex));
}

const struct lock_word *lock_of_rwlock(insp_session *s, struct lock_words *known, uint64_t addr,
                                       uint32_t expected)
{
    const uint64_t start = rwlock_start(addr, expected);
    struct glibc_rwlock lock;
    bool asked;
    struct lock_word *word;

    word = remember(known, start, &asked);
    if (!word || asked)
        return word;
    word->why = unreadable;
    if (start > addr || start % 8 || still_read(s, start, &lock, sizeof(lock)))
        return word;
    judge_rwlock(&lock, word);
    word->start = word->why == senseless ? 0 : start;
    return word;
}
