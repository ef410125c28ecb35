/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a test target knows about itself, by other means than the code under
 * test: omp_get_* routines, gettid, pthread_self, the addresses of its own
 * locks, and who waits where by construction of the program.
 *
 * Each OpenMP thread says what it is about to do (truth_works, truth_waits)
 * right before it does it. An observer, which is a plain pthread and never
 * calls OpenMP, waits until all have spoken and sleep in the kernel, prints one
 * line `TRUTH {json}`, and calls held(), where a debugger may stop the process.
 *
 * Environment:
 *   TRUTH_HOLD_SECONDS  how long held() stays (600); the process then exits with 0
 *   TRUTH_CORE=1        held() aborts, so that the kernel writes a core
 *   TRUTH_TIMEOUT       seconds after which a target that does not come to rest
 *                       says so on stderr and exits with 3 (120)
 *   TRUTH_RELAX=1       for runtimes whose waiting threads never sleep: stable
 *                       records are enough
 */
#ifndef TRUTH_H
#define TRUTH_H

#ifdef __cplusplus
extern "C" {
#endif

#define TRUTH_MAX_LEVEL 8

/*
 * Internal control variables of the current task that a routine gives. ICV(name, value); the order is
 * f_truth.F90's too. A negative value: this target cannot ask.
 */
#define TRUTH_ICVS(ICV)                                       \
    ICV("nthreads-var", omp_get_max_threads())                \
    ICV("dyn-var", omp_get_dynamic() != 0)                    \
    ICV("max-active-levels-var", omp_get_max_active_levels()) \
    ICV("thread-limit-var", omp_get_thread_limit())           \
    ICV("num-procs-var", omp_get_num_procs())                 \
    ICV("default-device-var", omp_get_default_device())       \
    ICV("bind-var", (int)omp_get_proc_bind())                 \
    ICV("cancel-var", omp_get_cancellation() != 0)            \
    ICV("max-task-priority-var", omp_get_max_task_priority()) \
    ICV("run-sched-var", truth_schedule(0))                   \
    ICV("run-sched-chunk", truth_schedule(1))                 \
    ICV("num-devices-var", omp_get_num_devices())             \
    ICV("league-size-var", omp_get_num_teams())               \
    ICV("team-num-var", omp_get_team_num())
#define TRUTH_ICV_COUNT 14

/* A thread's place in OpenMP, as the omp_get_* routines give it. */
struct truth_place {
    int thread_num, team_size, level, active_level, in_parallel, in_final;
    int ancestor[TRUTH_MAX_LEVEL][2]; /* level -> thread number, team size */
    int icv[TRUTH_ICV_COUNT];
};

/* The breakpoint: every thread is in its final state. Does not return. */
void held(void);

/* User code in which a working thread stays: asleep, but not in the runtime. Does not return. */
void busy_here(void);

/*
 * First call of main, before any OpenMP. `threads` threads will say that they
 * work or wait, `idle` threads have only met, and there will be `events` words
 * from tasks or from threads that take back an earlier word.
 */
void truth_start(const char *target, int threads, int idle, int events);

/* The explicit tasks there will be, by state; -1: the target cannot know. */
void truth_tasks(int total, int running, int ready, int blocked, int suspended, int completing);

/* The task whose construct stands on `line` waits for the one on `on_line`. */
void truth_task_edge(int line, int on_line);

/* Regions are told apart by their ancestors; a foreign pthread's by this number too. */
void truth_root(int root);

/* This pthread is no OpenMP thread, and lives on. */
void truth_not_openmp(void);

/* This thread belongs to the pool: idle, unless it says something else later. */
void truth_meet(void);

/* Names the signal by which the process ends after the line is printed, in place of held(). */
void truth_will_crash(const char *signal_name);

/* A task that crashes waits here until the line is printed. */
void truth_printed(void);

/* Hand-shakes between threads in user code. */
int truth_tid(void);
void truth_set(int *word, int value);
int truth_get(const int *word);
void truth_await(const int *word, int value);       /* until *word >= value */
int truth_spins(int tid, unsigned long long *from); /* waits actively */

/* The observer ends once it has printed: then only OpenMP threads are left. TRUTH_HOLD_SECONDS end the
 * process all the same. */
void truth_alone(void);

/* What the macros below call. */
void truth_put(const struct truth_place *place, const char *state, int in_task, const char *function,
               int line);
void truth_put_wait(const struct truth_place *place, const char *state, int in_task, const char *kind,
                    const volatile void *id, int owner_tid, int owner_ended, const char *name,
                    const char *function, int line);

#ifdef __cplusplus
}
#endif

#ifndef TRUTH_WITHOUT_OPENMP
#include <omp.h>

/* Kind (without the modifier) or chunk of run-sched-var; a chunk below 1 is the default one, 0 here. */
static inline int truth_schedule(int chunk)
{
    omp_sched_t kind;
    int size;
    omp_get_schedule(&kind, &size);
    return chunk ? (size > 0 ? size : 0) : (int)((unsigned)kind & 0x7fffffff);
}

static inline struct truth_place truth_look(void)
{
    struct truth_place p;
    int icvs = 0;
    p.thread_num = omp_get_thread_num();
    p.team_size = omp_get_num_threads();
    p.level = omp_get_level();
    p.active_level = omp_get_active_level();
    p.in_parallel = omp_in_parallel() != 0;
    p.in_final = omp_in_final() != 0;
    for (int i = 0; i <= p.level && i < TRUTH_MAX_LEVEL; i++) {
        p.ancestor[i][0] = omp_get_ancestor_thread_num(i);
        p.ancestor[i][1] = omp_get_team_size(i);
    }
#define TRUTH_TAKE(name, value) p.icv[icvs++] = (value);
    TRUTH_ICVS(TRUTH_TAKE)
#undef TRUTH_TAKE
    return p;
}

/*
 * The state at a barrier that the user wrote; gcc calls one routine for those and others, so there the answer
 * is the general one. And at the end of the last worksharing construct of a region: gcc leaves its barrier to
 * the region's.
 */
#ifdef __clang__
#define TRUTH_EXPLICIT_BARRIER "wait_barrier_explicit"
#define TRUTH_LAST_WORKSHARE   "wait_barrier_implicit_workshare"
#else
#define TRUTH_EXPLICIT_BARRIER "wait_barrier"
#define TRUTH_LAST_WORKSHARE   "wait_barrier_implicit_parallel"
#endif

/*
 * A line that clang's debugging information gives to the runtime call of a construct. gcc's gives another one
 * of the construct around it (seen in 12.2), so there the target claims none.
 */
#ifdef __clang__
#define TRUTH_CLANG_LINE(line) (line)
#else
#define TRUTH_CLANG_LINE(line) 0
#endif

#define TRUTH_WORKS_(in_task)                                                                         \
    do {                                                                                              \
        struct truth_place truth_p_ = truth_look();                                                   \
        truth_put(&truth_p_, truth_p_.level ? "work_parallel" : "work_serial", in_task, __func__, 0); \
    } while (0)
#define TRUTH_WAITS_(in_task, state, kind, id, owner, ended, name, line)                         \
    do {                                                                                         \
        struct truth_place truth_p_ = truth_look();                                              \
        truth_put_wait(&truth_p_, state, in_task, kind, id, owner, ended, name, __func__, line); \
    } while (0)

/* The thread goes on in user code: next call is busy_here(). */
#define truth_works() TRUTH_WORKS_(0)
/* The same in an explicit task; counts as an event. */
#define truth_task_works() TRUTH_WORKS_(1)
/*
 * The next call waits in the runtime. id: address of what the user named, or
 * NULL; owner: tid or 0; name: how a person writes the object, or NULL; line:
 * where the wait stands, or 0.
 */
#define truth_waits(state, kind, id, owner, name, line) TRUTH_WAITS_(0, state, kind, id, owner, 0, name, line)
#define truth_waits_for_ended(state, kind, id, owner, name, line) \
    TRUTH_WAITS_(0, state, kind, id, owner, 1, name, line)
#define truth_task_waits(state, kind, id, owner, name, line) \
    TRUTH_WAITS_(1, state, kind, id, owner, 0, name, line)
/* A barrier: who has arrived and who is missing is worked out from all threads' words. */
#define truth_barrier(state, line) TRUTH_WAITS_(0, state, "barrier", 0, 0, 0, 0, line)
#endif /* TRUTH_WITHOUT_OPENMP */

#endif /* TRUTH_H */
