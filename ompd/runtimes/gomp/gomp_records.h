/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: the threads of the process, their records and where they are in the library's code.
 */
#ifndef OMPD_GOMP_RECORDS_H
#define OMPD_GOMP_RECORDS_H

#include "runtimes/gomp/gomp.h"

/**
 * Fills gomp->natives and gomp->pools. Codes: ok; unavailable: the tool does not tell of threads; error
 * (after a sentence): the runtime's thread-local storage is not where the layout says; nomem; those of
 * tgt_read.
 */
WARN_UNUSED ompd_rc_t gomp_read_records(struct gomp *gomp);
/** Which threads are idle, and whose records are not believed; after gomp_find_creators. */
void gomp_find_idle(struct gomp *gomp);

/** The set of the bracket's spots in which the threads' records are. */
#define GOMP_SPOTS_RECORDS 0
/** So much of a stack is read as a whole. */
#define GOMP_STACK_BYTES_MAX 65536u
/**
 * How long the thread's stack is from its stack pointer to its descriptor, where glibc's stacks end. 0: it is
 * the first thread's, or another one, or longer than that.
 */
uint64_t gomp_stack_bytes(const struct gomp_native *native);
/** These bytes. A short one of a thread outside of libgomp was read with its record. Codes of tgt_read. */
WARN_UNUSED ompd_rc_t gomp_read_stack(const struct gomp *gomp, const struct gomp_native *native, void *ret);

/** The pool at ADDRESS, NULL: it was not read. */
const struct gomp_pool *gomp_pool_at(const struct gomp *gomp, uint64_t address);
/**
 * Does the record of the thread that the pool belongs to tell in which regions it is? In a target region on
 * the host it has another one.
 */
bool gomp_tells_regions(const struct gomp_pool *pool);

/**
 * What the thread's loop tests, of a thread that sleeps or spins: OMPDX_WAIT_LASTS, OMPDX_WAIT_OVER, 0 not
 * known. ADDRESS: of the word that it waits on.
 */
uint64_t gomp_wait_flags(struct gomp *gomp, const struct gomp_native *native, uint64_t address);
/** The same of a thread that waits on a semaphore, which it alone waits on. */
uint64_t gomp_semaphore_flags(struct gomp *gomp, const struct gomp_native *native);
/** Does the thread wait at the barrier of TEAM (0: none)? */
bool gomp_at_barrier_of(const struct gomp *gomp, const struct gomp_native *native, uint64_t team);
/** The same of its own team. */
bool gomp_at_barrier(const struct gomp *gomp, const struct gomp_native *native);
/** Does the region's cancellation end the wait? */
enum gomp_cancels { GOMP_CANCELS_NO, GOMP_CANCELS_YES, GOMP_CANCELS_UNKNOWN };
/** As gomp_wait_flags, of a thread at its team's barrier. */
uint64_t gomp_barrier_flags(struct gomp *gomp, const struct gomp_native *native, enum gomp_cancels cancels);
/** Is it known that the region of the thread's team has not been cancelled? That lasts until its end. */
bool gomp_is_not_cancelled(struct gomp *gomp, const struct gomp_native *native);
/** Does the word that the thread waits on look as a barrier's that has been passed once since? */
bool gomp_next_generation(struct gomp *gomp, const struct gomp_native *native);
/** The team around TEAM and the thread's number there. false: it cannot be read. */
bool gomp_enclosing(struct gomp *gomp, uint64_t team, uint64_t *outer, uint64_t *number);
/** Is RECORD in TEAM, or in a team inside it? Yes, too, where what would tell cannot be read. */
bool gomp_is_around(struct gomp *gomp, const struct gomp_record *record, uint64_t team);

/** Does the thread wait at the dock of its pool? */
bool gomp_at_dock(const struct gomp *gomp, const struct gomp_native *native);
/** As gomp_wait_flags, of a thread at the dock. */
uint64_t gomp_dock_flags(struct gomp *gomp, const struct gomp_native *native);
/**
 * Is the word at ADDRESS what the thread waits on? The register of a loop that spins may hold the address of
 * the barrier: the word is BEHIND bytes behind that (0 where there is no barrier).
 */
bool gomp_waits_on(const struct gomp_native *native, uint64_t address, uint64_t behind);

#endif
