/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: the records of teams. One that contradicts itself, or the team around it, is refused with its
 * reason; the others become regions of the world.
 */
#ifndef OMPD_GOMP_REGIONS_H
#define OMPD_GOMP_REGIONS_H

#include "runtimes/gomp/gomp.h"

/**
 * Enters the team at ADDRESS and those around it, as far as the world does not have them. *WHY: it was
 * refused, NULL: it was not. Codes: ok, nomem.
 */
WARN_UNUSED ompd_rc_t gomp_load_team(struct gomp *gomp, uint64_t address, const char **why);
/** A row for a region with the id ADDRESS, with room for its members. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_add_region(struct gomp *gomp, uint64_t address, const struct gomp_team *team);

/**
 * Entry NUMBER of the team's ordered_release: libgomp has it behind the implicit tasks. false: it cannot be
 * read.
 */
bool gomp_release_of(struct gomp *gomp, uint64_t address, const struct gomp_team *team, uint64_t number,
                     uint64_t *ret);

/** The bytes of the implicit task NUMBER of a team: lay_size(LAY_S_gomp_task). */
const uint8_t *gomp_implicit_bytes(const struct gomp *gomp, const struct gomp_team *team, uint64_t number);

#endif
