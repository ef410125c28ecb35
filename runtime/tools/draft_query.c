/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The inquiry functions of OMPT of 2016. As those of today's (ompt_query.c) they read what a debugger reads,
 * take no lock and make nothing, so they are safe in a signal handler of any thread.
 */
#include <string.h>

#include "draft.h"

enum { UNDEFINED = 0x70, FIRST };

/** States by their number here, and the runtime's. */
static const struct {
    int number;
    const char *name;
    uint32_t states[4]; /**< of enum rt_state; work_serial, which is 0, fills the rest */
} states[] = {
    {0x00, "ompt_state_work_serial", {RT_WORK_SERIAL}},
    {0x01, "ompt_state_work_parallel", {RT_WORK_PARALLEL}},
    {0x02, "ompt_state_work_reduction", {RT_WORK_REDUCTION}},
    {0x10, "ompt_state_idle", {RT_STATE_IDLE}},
    {0x20, "ompt_state_overhead", {RT_STATE_OVERHEAD}},
    {0x40, "ompt_state_wait_barrier", {RT_WAIT_BARRIER_ANY, RT_WAIT_BARRIER_IMPLEMENTATION}},
    {0x41,
     "ompt_state_wait_barrier_implicit",
     {RT_WAIT_BARRIER_IMPLICIT_PARALLEL, RT_WAIT_BARRIER_IMPLICIT_WORKSHARE}},
    {0x42, "ompt_state_wait_barrier_explicit", {RT_WAIT_BARRIER_EXPLICIT}},
    {0x50, "ompt_state_wait_taskwait", {RT_STATE_TASKWAIT}},
    {0x51, "ompt_state_wait_taskgroup", {RT_STATE_TASKGROUP}},
    {0x60, "ompt_state_wait_lock", {RT_STATE_LOCK, RT_STATE_MUTEX}},
    {0x61, "ompt_state_wait_nest_lock", {RT_STATE_LOCK}}, /* told apart by what is waited for */
    {0x62, "ompt_state_wait_critical", {RT_STATE_CRITICAL}},
    {0x63, "ompt_state_wait_atomic", {RT_STATE_ATOMIC}},
    {0x64, "ompt_state_wait_ordered", {RT_STATE_ORDERED}},
    {UNDEFINED, "ompt_state_undefined", {RT_WORK_SERIAL}},
};
enum { STATES = sizeof states / sizeof *states };

static int enumerate_state(int current_state, int *next_state, const char **next_state_name)
{
    int at = 0;
    if (current_state != FIRST) {
        while (at < STATES && states[at].number != current_state)
            at++;
        at++;
    }
    if (at >= STATES)
        return 0;
    *next_state = states[at].number;
    *next_state_name = states[at].name;
    return 1;
}

static int number_of(uint32_t word)
{
    uint32_t state = word & 0xffff;
    if (state == RT_STATE_LOCK && word >> 16 == RT_WAIT_NEST_LOCK)
        return 0x61;
    for (int i = 0; i < STATES; i++)
        for (int k = 0; k < 4; k++)
            if (states[i].states[k] == state && (state != RT_WORK_SERIAL || i == 0))
                return states[i].number;
    return UNDEFINED;
}

/* ---- where the calling thread is -------------------- */

static struct rt_task *task_at(int depth)
{
    struct rt_task *task = depth >= 0 ? where_task() : NULL;
    for (; task != NULL && depth > 0; depth--)
        task = where_below(task);
    return task;
}

/** A task of the region that is so many levels out; level 0 is the current one. */
static struct rt_task *in_region_at(int level)
{
    struct rt_task *task = level >= 0 ? where_task() : NULL;
    for (; task != NULL && level > 0; level--)
        task = where_encountering(task);
    return task;
}

/* ---- the entry points -------------------- */

static uint64_t get_thread_id(void)
{
    struct rt_thread *th = rt_self;
    return th != NULL ? rt_load(th->serial) : 0;
}

static int get_state(uint64_t *wait_id)
{
    const struct rt_thread *th = rt_self;
    uint64_t id = 0;
    int number = UNDEFINED;
    if (th != NULL) {
        uint32_t word = rt_acquire(th->state);
        const struct rt_task *task = rt_acquire(th->cur_task);
        number = number_of(task != NULL && where_is_over(task) ? RT_STATE_IDLE : word);
        if (number >= 0x40)
            id = rt_load(th->wait_id);
    }
    if (wait_id != NULL)
        *wait_id = id;
    return number;
}

/** Where a worker came from that idles now: the frame below everything that it ever does. */
static void *get_idle_frame(void)
{
    const struct rt_thread *th = rt_self;
    return th != NULL && where_task() == NULL ? (void *)(uintptr_t)th->base_frame : NULL;
}

static uint64_t get_parallel_id(int ancestor_level)
{
    const struct rt_task *task = in_region_at(ancestor_level);
    return task != NULL ? draft_region(task) : 0;
}

static int get_parallel_team_size(int ancestor_level)
{
    const struct rt_task *task = in_region_at(ancestor_level);
    return task != NULL ? __atomic_load_n(&where_team(task)->nthreads, __ATOMIC_RELAXED) : -1;
}

static int get_parallel_info(int ancestor_level, uint64_t *parallel_id, int *team_size)
{
    const struct rt_task *task = in_region_at(ancestor_level);
    uint64_t id = task != NULL ? draft_region(task) : 0;
    if (id == 0)
        return 0;
    if (parallel_id != NULL)
        *parallel_id = id;
    if (team_size != NULL)
        *team_size = __atomic_load_n(&where_team(task)->nthreads, __ATOMIC_RELAXED);
    return 1;
}

static uint64_t get_task_id(int depth)
{
    struct rt_task *task = task_at(depth);
    return task != NULL ? rt_load(task->serial) : 0;
}

static ompt_frame_t *get_task_frame(int depth)
{
    struct rt_task *task = task_at(depth);
    return task != NULL ? (ompt_frame_t *)(void *)&task->exit_frame : NULL;
}

static int get_task_info(int ancestor_level, int *type, uint64_t *task_id, ompt_frame_t **frame,
                         uint64_t *parallel_id, uint32_t *thread_num)
{
    struct rt_task *task = task_at(ancestor_level);
    if (task == NULL)
        return 0;
    if (type != NULL)
        *type = where_flags(task) & RT_TASK_EXPLICIT ? 3 : where_flags(task) & RT_TASK_IMPLICIT ? 2 : 1;
    if (task_id != NULL)
        *task_id = rt_load(task->serial);
    if (frame != NULL)
        *frame = (ompt_frame_t *)(void *)&task->exit_frame;
    if (parallel_id != NULL)
        *parallel_id = draft_region(task);
    if (thread_num != NULL)
        *thread_num = (uint32_t)rt_load(task->thread_num);
    return 1;
}

/* The host is the only device, and nothing is ever transferred. */
static int get_target_info(uint64_t *device_id, uint64_t *target_id, uint64_t *host_op_id)
{
    if (device_id != NULL)
        *device_id = 0;
    if (target_id != NULL)
        *target_id = ompt_target_id_none;
    if (host_op_id != NULL)
        *host_op_id = ompt_target_id_none;
    return 0;
}

/* Names for what a tool shows instead of the runtime's own frames; nobody calls them. */
#define PLACEHOLDER(name)                    \
    static void name(void)                   \
    {                                        \
        __asm__ volatile("/* " #name " */"); \
    }
PLACEHOLDER(idle)
PLACEHOLDER(overhead)
PLACEHOLDER(barrier_wait)
PLACEHOLDER(task_wait)
PLACEHOLDER(mutex_wait)

#define ENTRY(name)                                              \
    {                                                            \
        "ompt_" #name, (ompt_interface_fn_t)(void (*)(void))name \
    }
static const struct {
    const char *name;
    ompt_interface_fn_t function;
} entries[] = {
    ENTRY(enumerate_state), ENTRY(get_thread_id),          ENTRY(get_state),         ENTRY(get_idle_frame),
    ENTRY(get_parallel_id), ENTRY(get_parallel_team_size), ENTRY(get_parallel_info), ENTRY(get_task_id),
    ENTRY(get_task_frame),  ENTRY(get_task_info),          ENTRY(get_target_info),   ENTRY(idle),
    ENTRY(overhead),        ENTRY(barrier_wait),           ENTRY(task_wait),         ENTRY(mutex_wait),
};

ompt_interface_fn_t draft_lookup_query(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(name, entries[i].name) == 0)
            return entries[i].function;
    return NULL;
}
