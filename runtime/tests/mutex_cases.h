/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Mutexes from inside: which are quiet, how often a thread asked for a fence everywhere. By mutex_test.cc.
 */
#ifndef RUNTIME_TESTS_MUTEX_CASES_H
#define RUNTIME_TESTS_MUTEX_CASES_H

#include <stdint.h>

/** All mutexes are quiet again, and nothing has been counted. No thread may wait for one. */
void mutex_forget(void);
/** Whether `lock` and all with its hash are released by a store. */
int mutex_is_quiet(const uint32_t *lock);
/** The kernel refuses membarrier(2) from now on, or does no more. */
void mutex_refuse(int on);
/** As at the runtime's start. */
void mutex_begin(void);
/** Calls of membarrier(2) since mutex_forget(). */
int mutex_fences(void);
/** Another thread sleeps for the lock until this one releases it. Returns whether it got it then. */
int mutex_sleep_once(uint32_t *lock);
/** Before what is released in single steps. */
enum mutex_state { MUTEX_ALL_QUIET, MUTEX_OTHERS_NOT_QUIET, MUTEX_CONTENDED };
/**
 * Releases a lock in single steps, again and again: before its first instruction, the second one, and
 * so on, another thread begins to wait, and goes on until it sleeps or has the lock. Returns how many
 * instructions there were; never, if the other thread is left asleep.
 */
int mutex_release_in_steps(uint32_t *lock, enum mutex_state state);
/** Whether the kernel has membarrier(2). */
int mutex_can_be_quiet(void);
/**
 * THREADS threads take a lock, ROUNDS times each, that was quiet before each round. Each does so some times,
 * and who does not get it wants to sleep at once. Returns how often two of them had it at once.
 */
int mutex_crowd(int threads, int rounds);

#endif
