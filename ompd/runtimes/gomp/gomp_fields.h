/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: members of its structures, of which a layout may lack some.
 */
#ifndef OMPD_GOMP_FIELDS_H
#define OMPD_GOMP_FIELDS_H

#include "runtimes/gomp/gomp.h"

/** The number in the field ID of the structure at ADDRESS. Codes: ok; unsupported: the layout lacks it;
 *  those of the read. */
WARN_UNUSED ompd_rc_t gomp_field(struct gomp *gomp, uint64_t address, unsigned id, uint64_t *ret);
/** Address of the implicit task NUMBER of a team. */
uint64_t gomp_implicit_address(const struct gomp *gomp, uint64_t team, uint64_t number);
/** Why what depends on the entry ID is not known; NULL: the layout has it. */
const char *gomp_missing(const struct gomp *gomp, unsigned id);
/** The same of the first of IDS (ended by 0) that the layout lacks. */
const char *gomp_missing_of(const struct gomp *gomp, const uint16_t *ids);

/** What tells that a thread was a member of a team before a target region. */
const char *gomp_no_target(const struct gomp *gomp);
/**
 * The thread waits for something that is not known from its address. Why it may be something of libgomp's
 * of which the layout does not tell where it lies; NULL: it is none of these. BY_PROGRAM: the program's own
 * code has called or jumped there, but not to begin a region.
 */
const char *gomp_hidden_wait(const struct gomp *gomp, const struct gomp_native *native, bool by_program);

#endif
