/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: who the members of teams are, and initial regions. Whatever two records say of the same thing is
 * compared; a thread that contradicts is refused with its reason and has no place in the world's teams.
 */
#ifndef OMPD_GOMP_TEAMS_H
#define OMPD_GOMP_TEAMS_H

#include "runtimes/gomp/gomp.h"

/**
 * Adds the OpenMP threads, their regions and implicit tasks to the world, after gomp_read_records. Codes: ok,
 * nomem.
 */
WARN_UNUSED ompd_rc_t gomp_find_teams(struct gomp *gomp);
/** Then: makes the threads members of regions, also of those in which target regions are. Codes as above. */
WARN_UNUSED ompd_rc_t gomp_enter_members(struct gomp *gomp);
/** At last, after gomp_find_new: those that no record of a thread tells of, and what each row says. */
WARN_UNUSED ompd_rc_t gomp_enter_threads(struct gomp *gomp);

/** The row of a thread. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_add_thread(struct gomp *gomp, struct gomp_native *native);
/**
 * Is the word TEAM, from the stack of a thread, the address of a team that the thread works in? Then the team
 * is entered, and RET has it and the thread's number; else RET->team is 0. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_was_member(struct gomp *gomp, const struct gomp_native *native, uint64_t team,
                                      struct gomp_record *ret);

#endif
