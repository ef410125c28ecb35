/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * libgomp: in which worksharing construct a member of a team is. A record is made for loops and sections, but
 * also for a single construct with copyprivate, where nothing in it is set: what it is of has to be seen from
 * what the members do.
 */
#ifndef OMPD_GOMP_CONSTRUCTS_H
#define OMPD_GOMP_CONSTRUCTS_H

#include "runtimes/world/world.h"

/** Where a member of a team is among the worksharing constructs of its region. */
struct gomp_where {
    uint64_t work_share, last; /**< the record of the latest one; NULL unless it is in there now */
    int64_t trip;
};

enum gomp_construct {
    GOMP_CONSTRUCT_NONE,    /**< none that has a record */
    GOMP_CONSTRUCT_UNKNOWN, /**< not seen what it is */
    GOMP_CONSTRUCT_LOOP,    /**< a loop; sections look the same */
    GOMP_CONSTRUCT_SECTIONS
};

/** What was found of the construct that a team's member is in. */
struct gomp_found {
    enum gomp_construct what;
    bool combined; /**< the construct is the whole region */
    bool ordered, doacross;
};

/** Does the layout have what this needs? */
bool gomp_has_constructs(const aspace_t *aspace);

/**
 * Of the implicit task's thread. Codes: ok; unavailable: nobody executes the task, or it is of no parallel
 * region; those of a read.
 */
WARN_UNUSED ompd_rc_t gomp_place_of(aspace_t *aspace, const struct world *world,
                                    const struct world_task *task, struct gomp_where *ret);
/** What the task, which is at PLACE, is in. Codes: ok, nomem. */
WARN_UNUSED ompd_rc_t gomp_construct_of(aspace_t *aspace, struct world *world, const struct world_task *task,
                                        const struct gomp_where *place, struct gomp_found *ret);

#endif
