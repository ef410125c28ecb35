/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What glibc's mutexes and read-write locks say of their owners. Their layout is public: it is compiled into
 * programs (bits/struct_mutex.h, bits/struct_rwlock.h), and has not changed since glibc 2.25.
 */
#ifndef INSPECT_PTHREAD_H
#define INSPECT_PTHREAD_H

#include "inspect/activity/owner.h"
#include "inspect/activity/system_call.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What one object says. */
struct lock_word {
    uint64_t start;  /**< of the object; 0: it could not be read, or is no such object */
    int64_t tid;     /**< who holds it; 0 nobody, or not known */
    bool free;       /**< nobody holds it now: a waiter is about to take it */
    bool dead;       /**< its owner has ended: the kernel has noted that */
    bool shared;     /**< between processes */
    bool by_kernel;  /**< the kernel looks after the owner (priority inheritance) */
    const char *why; /**< tid == 0: the reason */
};

/** Each object is read once. {.arena = ...} is empty. */
struct lock_words {
    struct arena *arena;
    struct hash by_address; /**< struct lock_word */
};

/** The mutex at whose word a thread waits. */
const struct lock_word *lock_of_mutex(insp_session *s, struct lock_words *known, uint64_t addr);
/** The read-write lock one of whose words is at ADDR; EXPECTED: what the waiter has read there. */
const struct lock_word *lock_of_rwlock(insp_session *s, struct lock_words *known, uint64_t addr,
                                       uint32_t expected);

#ifdef __cplusplus
}
#endif
#endif
