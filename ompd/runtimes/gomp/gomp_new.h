/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: teams whose threads are being made, or end: members that pthread_create has made, and that have
 * not got so far yet that they have a record; creators of teams that are not complete.
 */
#ifndef OMPD_GOMP_NEW_H
#define OMPD_GOMP_NEW_H

#include "runtimes/gomp/gomp.h"

/**
 * A thread that makes the members of a team, or that comes back from one whose members have ended, is in the
 * region around: puts that into its record. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_find_creators(struct gomp *gomp);
/**
 * Adds the threads that are made for a member that a team still lacks, as what they are going to be. Codes:
 * ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_find_new(struct gomp *gomp);

#endif
