/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * futex(2), private to the process.
 */
#ifndef RT_FUTEX_H
#define RT_FUTEX_H

#include "base.h"

void rt_futex_wait(_Atomic uint32_t *word, uint32_t value);
void rt_futex_wait_bits(_Atomic uint32_t *word, uint32_t value, uint32_t bits);
/** The same for at most so long, less than a second. */
void rt_futex_wait_bits_for(_Atomic uint32_t *word, uint32_t value, uint32_t bits, uint32_t ns);
/** Wakes up to `count`; returns how many were woken, or -1. */
int rt_futex_wake(_Atomic uint32_t *word, int count);
int rt_futex_wake_bits(_Atomic uint32_t *word, int count, uint32_t bits);

#endif
