/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What cannot be known where a layout lacks an entry (gomp_needs.def, kmp_needs.def). The adapters ask here
 * for the reason that they give instead of a value.
 */
#ifndef OMPD_NEEDS_H
#define OMPD_NEEDS_H

#include "layout.h"

/** Entries that a layout may lack. */
enum { NEEDS_MAX = 64 };

struct need {
    uint16_t id;
    uint16_t abilities; /**< bits by ompdx_ability_t: refused as a whole */
    const char *fact;   /**< "where a taskgroup's semaphore lies" */
    const char *cost;   /**< "who waits at the end of a taskgroup is not known" */
    const char *reason; /**< FACT and "is not known" */
};

/** The next need after BEFORE that LAY does not meet; NULL: there is none. BEFORE is NULL at first. */
const struct need *need_unmet(const struct lay *lay, const struct need *before);
/** Is WHY such a reason? */
bool need_is_reason(const struct lay *lay, const char *why);
/** Why what depends on the entry ID is not known; NULL: LAY has the entry. */
const char *need_reason(const struct lay *lay, unsigned id);

#endif
