/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Statistics: how often each construct was met and how long it took, by thread and in all (KMP_STATS_FILE,
 * KMP_STATS_THREADS). A listener from the start of the runtime or never, so without
 * the variables it costs nothing.
 */
#ifndef RT_TOOLS_STATS_H
#define RT_TOOLS_STATS_H

#include "../core/lock.h"

/** Counters: name in the program, name in the output. */
#define STATS_COUNTERS(C)               \
    C(PARALLEL, "OMP_PARALLEL")         \
    C(NESTED, "OMP_NESTED_PARALLEL")    \
    C(TEAMS, "OMP_TEAMS")               \
    C(FOR_STATIC, "OMP_FOR_static")     \
    C(FOR_DYNAMIC, "OMP_FOR_dynamic")   \
    C(FOR_GUIDED, "OMP_FOR_guided")     \
    C(FOR_OTHER, "OMP_FOR_other")       \
    C(DISTRIBUTE, "OMP_DISTRIBUTE")     \
    C(SECTIONS, "OMP_SECTIONS")         \
    C(SINGLE, "OMP_SINGLE")             \
    C(SCOPE, "OMP_SCOPE")               \
    C(MASTER, "OMP_MASTER")             \
    C(BARRIER, "OMP_BARRIER")           \
    C(TASKWAIT, "OMP_TASKWAIT")         \
    C(TASKGROUP, "OMP_TASKGROUP")       \
    C(TASKYIELD, "OMP_TASKYIELD")       \
    C(TASKLOOP, "OMP_TASKLOOP")         \
    C(CRITICAL, "OMP_CRITICAL")         \
    C(ORDERED, "OMP_ORDERED")           \
    C(ATOMIC, "OMP_ATOMIC")             \
    C(SET_LOCK, "OMP_set_lock")         \
    C(TEST_LOCK, "OMP_test_lock")       \
    C(REDUCE, "OMP_REDUCE")             \
    C(CANCEL, "OMP_CANCEL")             \
    C(FLUSH, "OMP_FLUSH")               \
    C(TASK_CREATED, "TASK_created")     \
    C(TASK_EXECUTED, "TASK_executed")   \
    C(TASK_CANCELLED, "TASK_cancelled") \
    C(TASK_STOLEN, "TASK_stolen")

/** Timers. Each is of what lies between two events of one thread, with all that is inside. */
#define STATS_TIMERS(T)                   \
    T(PARALLEL, "OMP_parallel")           \
    T(IMPLICIT, "OMP_implicit_task")      \
    T(TASK, "OMP_task")                   \
    T(WORK, "OMP_worksharing")            \
    T(MASTER, "OMP_master")               \
    T(REDUCE, "OMP_reduce")               \
    T(BARRIER, "OMP_barrier_wait")        \
    T(TASKWAIT, "OMP_taskwait_wait")      \
    T(TASKGROUP, "OMP_taskgroup_wait")    \
    T(CRITICAL_WAIT, "OMP_critical_wait") \
    T(LOCK_WAIT, "OMP_lock_wait")         \
    T(ORDERED_WAIT, "OMP_ordered_wait")   \
    T(IDLE, "OMP_idle")

enum stats_counter {
#define C(name, text) STATS_##name,
    STATS_COUNTERS(C)
#undef C
        STATS_COUNTERS_END
};
enum stats_timer {
#define T(name, text) STATS_TIME_##name,
    STATS_TIMERS(T)
#undef T
        STATS_TIMERS_END
};

/** Samples of one timer, in seconds, or of one counter, over threads. */
struct stats_samples {
    uint64_t count;
    double min, max, sum, squares;
};

/** When what is open has begun, innermost last. */
struct stats_open {
    uint64_t *begins;
    uint32_t depth, room;
};

/** One thread's, from its first event to the end of the process. */
struct rt_stats {
    struct rt_stats *next; /**< under the list's lock */
    int32_t gtid;
    rt_lock_t lock; /**< guards the rest: the thread counts, and who prints reads */
    uint64_t counters[STATS_COUNTERS_END];
    struct stats_samples timers[STATS_TIMERS_END];
    struct stats_open open[STATS_TIMERS_END];
};

void stats_sample(struct stats_samples *samples, double value);
/** The whole text, to the file or stderr; threads are in the order of their numbers. */
void stats_print(struct rt_stats *threads);

#endif
