/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: the threads of the process, their records and where they are in the library's code.
 */
#ifndef OMPD_GOMP_RECORDS_H
#define OMPD_GOMP_RECORDS_H

#include "runtimes/gomp.h"

/**
 * Fills gomp->natives and gomp->pools. Codes: ok; unavailable: the tool does not tell of threads; error
 * (after a sentence): the runtime's thread-local storage is not where the layout says; nomem; those of
 * tgt_read.
 */
WARN_UNUSED ompd_rc_t gomp_read_records(struct gomp *gomp);

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

/** Does the thread wait at the dock of its pool? */
bool gomp_at_dock(const struct gomp *gomp, const struct gomp_native *native);
/**
 * Is the word at ADDRESS what the thread waits on? The register of a loop that spins may hold the address of
 * the barrier: the word is BEHIND bytes behind that (0 where there is no barrier).
 */
bool gomp_waits_on(const struct gomp_native *native, uint64_t address, uint64_t behind);

#endif
