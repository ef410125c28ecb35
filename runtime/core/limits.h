/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * How many threads the system can ever give this process, and a reserve of address space for when it gives
 * fewer than were asked for.
 */
#ifndef RT_LIMITS_H
#define RT_LIMITS_H

#ifdef __cplusplus
extern "C" {
#endif

struct rt_limit {
    long threads;     /**< the limit's value: never more threads than this in the process; at least 1 */
    const char *what; /**< what says so, as an administrator knows it: "kernel.pid_max", "RLIMIT_NPROC" */
};

/** Reads the limits that there are. `root` stands before /proc and /sys; it is "" but in tests. */
struct rt_limit rt_limits_read(const char *root);

/**
 * Before n further threads are created: keeps some address space aside for what they will need of the
 * runtime's memory. 0: there is none, and no thread should be created. The root's lock is not held.
 */
int rt_headroom_keep(int n);
/** Gives it back: no more threads are created now. */
void rt_headroom_free(void);
/**
 * The runtime's memory is used up: gives the reserve back, and none is kept till rt_headroom_free(). 0: there
 * was none. The root's lock is held.
 */
int rt_headroom_use(void);

#ifdef __cplusplus
}
#endif
#endif
