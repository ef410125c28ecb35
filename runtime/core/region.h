/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions, teams of a league, target regions on the host, initial tasks.
 */
#ifndef RT_REGION_H
#define RT_REGION_H

#include "dock.h"
#include "task.h"

/** What a parallel region is to do. Zero means "none" in every member. */
struct rt_region {
    const struct rt_loc *loc; /**< clang's ident_t; gcc has none */
    void *fn;
    enum rt_call call;
    int argc;        /**< RT_CALL_KMPC: words in argv */
    void **argv;     /**< RT_CALL_KMPC: the words; RT_CALL_GOMP: the one argument, data */
    int num_threads; /**< num_threads clause; 1 serialises (if clause false) */
    int proc_bind;   /**< proc_bind clause, omp_proc_bind_t */
    int by_program;  /**< the program calls the region's code itself */
    void (*setup)(struct rt_thread *th, int threads, void *argument); /**< once, by the primary, size known */
    void (*prepare)(struct rt_thread *th,
                    void *argument); /**< each member inside the region before its code */
    void *argument;
};
/** Runs a whole region; returns the number of threads that it had. */
int rt_fork(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
/**
 * The same in two parts: on return of the first the caller is thread 0 inside the region and runs the code
 * itself.
 */
int rt_fork_begin(struct rt_thread *th, const struct rt_region *region, struct rt_caller caller);
void rt_fork_end(struct rt_thread *th);
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
/** What a worker does for its team, until it is undocked. */
void rt_team_serve(struct rt_thread *th, struct rt_docking docking);
void rt_team_disband(struct rt_team *team);
void rt_initial_begin(struct rt_thread *th);
void rt_initial_end(struct rt_thread *th);
void rt_initial_disband(struct rt_thread *th);
/** A thread ends: the teams that it kept for serialised regions, with their threads. */
void rt_serial_teams_end(struct rt_thread *th);

#endif
