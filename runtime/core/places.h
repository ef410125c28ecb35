/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Binding threads to places.
 */
#ifndef RT_PLACES_H
#define RT_PLACES_H

#include "task.h"
#include "team.h"
#include "thread.h"
#include "place_list.h"

/**
 * bind-var of a region's implicit tasks: OMP_PROC_BIND's item for the level, else what it is around the
 * region. With gcc's programs a proc_bind clause sets it too, for the regions inside, as in libgomp; in the
 * specification and libomp it does not.
 */
RT_COLD uint8_t rt_places_bind(const struct rt_icvs *outer, enum rt_call call, int proc_bind, int level);
/**
 * Fills place and partition of the members of a region that begins, by the policy (OpenMP 5.2 section
 * 10.1.3). Returns 1 when they are not those of the team's last region.
 */
int rt_places_assign(struct rt_thread *th, struct rt_team *team, int n, int proc_bind);
/** The calling thread goes to its member's place. */
void rt_place_enter(struct rt_thread *th, const struct rt_member *member);

/** The processors of the process, before anything is bound. */
void rt_places_start(void);
/** place-partition-var and binding from the variables; after all of them are read. */
void rt_places_setup(void);
/** An initial thread is bound to the first place, if threads are bound. */
void rt_place_initial(struct rt_thread *th);
/**
 * The processors of a place; NULL: there is no such place. With no list at all, place 0 is the whole machine.
 */
const struct rt_cpus *rt_place_cpus(int place);
int rt_place_count(void);
/** Place of the calling thread, -1 unbound; its implicit task's place-partition-var. */
int rt_place_of(const struct rt_thread *th);
void rt_place_partition(const struct rt_thread *th, int *first, int *count);

#endif
