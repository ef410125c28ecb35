/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Regions of one thread: serialised ones, teams of a league, target regions on the host, initial tasks.
 */
#ifndef RT_REGION_SERIAL_H
#define RT_REGION_SERIAL_H

#include "region_call.h"

void rt_serial_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
void rt_serial_end(struct rt_thread *th);
/**
 * One team of a league, or a target region on the host: the thread becomes an initial thread, level 0, alone
 * in its team, its own contention group. Regions nest like serialised ones.
 */
struct rt_initial_region {
    uint32_t kind; /**< RT_TEAM_TEAMS; RT_TEAM_INITIAL for a target region, whose ICVs are the initial ones */
    const struct rt_loc *loc;
    void *fn;
    int num_teams, team_num, thread_limit; /**< thread_limit 0: as outside */
};
void rt_initial_region_begin(struct rt_thread *th, const struct rt_initial_region *region,
                             struct rt_caller caller);
void rt_initial_region_end(struct rt_thread *th);
void rt_team_disband(struct rt_team *team);
void rt_initial_begin(struct rt_thread *th);
void rt_initial_end(struct rt_thread *th);
void rt_initial_disband(struct rt_thread *th);
/** A thread ends: the teams that it kept for serialised regions, with their threads. */
void rt_serial_teams_end(struct rt_thread *th);

#endif
