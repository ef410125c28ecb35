/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Docking: which hot team a worker belongs to.
 */
#ifndef RT_DOCK_H
#define RT_DOCK_H

#include "team.h"
#include "thread.h"

/**
 * th, which leads the team, has it for a region of n threads: `capacity` becomes that, or as many as can be
 * had. There is room for them.
 */
void rt_dock(struct rt_thread *th, struct rt_team *team, int n);
/** A nested region has ended: until its leader forks again, others may take the team's workers. */
void rt_dock_idle(struct rt_team *team);
/** All workers go to the pool; returns when they have left, so that the team can be another's. */
void rt_dock_disband(struct rt_team *team);
/** Wakes the members that sleep, for the region that has begun. */
void rt_dock_call(struct rt_team *team);
/** So many of a team's threads are busy from now on: as its region begins, and 0 when it is over. */
void rt_dock_count(struct rt_team *team, int threads);
/** A thread of the program has become an OpenMP thread; the lock is not held. */
void rt_dock_root_comes(void);
/** Where a worker is docked. */
struct rt_docking {
    struct rt_team *team; /**< NULL: the thread is to end */
    int index;
    uint32_t turn;
    uint64_t fork;
};
/** Waits until the calling worker, which is in no team, is docked. */
struct rt_docking rt_dock_wait(struct rt_thread *th);
/** A worker of the pool is to end; 0: there is none. */
int rt_dock_dismiss(void);
/** In the child of fork() no team has workers. */
void rt_dock_after_fork(void);

#endif
