/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: threads in target regions that the host executes. libgomp puts the thread's record away on the
 * stack, empties it for the region, and restores it at the end. So in the region the routines tell of a new
 * initial thread, and the team outside has a member whose record does not say so. What was put away is in no
 * order there that one could rely on, but the team's address is one of the words, and the team lists its
 * members.
 */
#ifndef OMPD_GOMP_TARGETS_H
#define OMPD_GOMP_TARGETS_H

#include "runtimes/gomp/gomp.h"

/** Fills `before` of the threads, after gomp_find_teams. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_find_targets(struct gomp *gomp);

#endif
