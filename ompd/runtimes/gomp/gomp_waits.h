/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: what threads do and what they wait for. Evidence is the address a thread sleeps or spins on: one
 * of its team, of its task or of its pool says what the wait is for; any other is a mutex, and the call says
 * which.
 */
#ifndef OMPD_GOMP_WAITS_H
#define OMPD_GOMP_WAITS_H

#include "runtimes/gomp/gomp.h"

/** Fills the states and waits of the world's threads, after gomp_relate_tasks. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_find_waits(struct gomp *gomp);

#endif
