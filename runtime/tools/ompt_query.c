/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * OMPT's inquiry functions (OpenMP 5.2 section 19.6.1). They read the words that a debugger reads, take no
 * lock, make nothing, and are safe in a signal handler at any instant, also of a thread that the runtime
 * does not know (where.h).
 */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

#include "../core/offload.h"
#include "../core/places.h"
#include "../core/state.h"
#include "ompt.h"
#include "where.h"

static _Atomic uint64_t unique;

static ompt_data_t *get_thread_data(void)
{
    struct rt_thread *th = rt_self;
    return th != NULL ? (ompt_data_t *)(void *)&th->tool_data : NULL;
}

static int get_state(ompt_wait_id_t *wait_id)
{
    const struct rt_thread *th = rt_self;
    if (th == NULL) {
        if (wait_id != NULL)
            *wait_id = 0;
        return ompt_state_undefined;
    }
    uint32_t state = rt_acquire(th->state) & 0xffff;
    const struct rt_task *task = rt_acquire(th->cur_task);
    if (task != NULL && where_is_over(task))
        state = RT_STATE_IDLE;
    if (wait_id != NULL) /* in other states the word has what was waited for last */
        *wait_id = where_waits(state) ? rt_load(th->wait_id) : 0;
    return (int)state;
}

static int get_parallel_info(int ancestor_level, ompt_data_t **parallel_data, int *team_size)
{
    struct rt_task *task = ancestor_level >= 0 ? where_task() : NULL;
    for (; task != NULL && ancestor_level > 0; ancestor_level--)
        task = where_encountering(task);
    if (task == NULL)
        return 0;
    struct rt_team *team = where_team(task);
    int n = __atomic_load_n(&team->nthreads, __ATOMIC_RELAXED);
    if (where_is_over(task))
        return 0;
    if (parallel_data != NULL)
        *parallel_data = (ompt_data_t *)(void *)&team->tool_data;
    if (team_size != NULL)
        *team_size = n;
    return 2;
}

static int get_task_info(int ancestor_level, int *flags, ompt_data_t **data, ompt_frame_t **frame,
                         ompt_data_t **parallel_data, int *thread_num)
{
    struct rt_task *task = where_task();
    for (; task != NULL && ancestor_level > 0; ancestor_level--)
        task = where_below(task);
    if (task == NULL || ancestor_level < 0)
        return 0;
    if (flags != NULL)
        *flags = (int)(where_flags(task) & ~(uint32_t)RT_TASK_OURS);
    if (data != NULL) {
        *data = (ompt_data_t *)(void *)&task->icvs.tool_data;
        rt_store(task->stamp, 0); /* the tool may store there */
    }
    if (frame != NULL)
        *frame = (ompt_frame_t *)(void *)&task->exit_frame;
    if (parallel_data != NULL)
        *parallel_data = (ompt_data_t *)(void *)&where_team(task)
                             ->tool_data; /* the initial task's too: the implicit region */
    if (thread_num != NULL)
        *thread_num = rt_load(task->thread_num);
    return 2;
}

/**
 * What the compiler has put into the task: its descriptor and private variables, and gcc's block (OpenMP
 * 5.2, 19.6.1.16).
 */
static int get_task_memory(void **address, size_t *size, int block)
{
    struct rt_task *task = where_task();
    *address = NULL;
    *size = 0;
    if (task != NULL && task->flags & RT_TASK_EXPLICIT && block == 0) {
        *address = rt_task_payload(task);
        *size = rt_task_payload_room(task);
    }
    return 0;
}

/* ---- the machine -------------------- */

static int get_num_procs(void)
{
    return (int)rt_root.procs;
}

static int get_num_places(void)
{
    return rt_place_count();
}

static int get_place_proc_ids(int place_num, int ids_size, int *ids)
{
    const struct rt_cpus *cpus = rt_place_cpus(place_num);
    int count = 0;
    if (cpus == NULL)
        return 0;
    for (int id = rt_cpus_next(cpus, 0); id >= 0; id = rt_cpus_next(cpus, id + 1), count++)
        if (count < ids_size && ids != NULL)
            ids[count] = id;
    return count;
}

static int get_place_num(void)
{
    const struct rt_thread *th = rt_self;
    return th != NULL ? rt_place_of(th) : -1;
}

static int get_partition_place_nums(int size, int *place_nums)
{
    const struct rt_thread *th = rt_self;
    int first = 0, count = 0;
    if (th == NULL || where_task() == NULL)
        return 0;
    rt_place_partition(th, &first, &count);
    for (int i = 0; i < count && i < size && place_nums != NULL; i++)
        place_nums[i] = first + i;
    return count;
}

static int get_proc_id(void)
{
    return rt_self != NULL ? sched_getcpu() : -1;
}

/* The host is the only device, and a target region on it no region of a device. */
static int get_target_info(uint64_t *device_num, ompt_id_t *target_id, ompt_id_t *host_op_id)
{
    (void)device_num, (void)target_id, (void)host_op_id;
    return 0;
}

static int get_num_devices(void)
{
    return rt_offload_devices();
}

static uint64_t get_unique_id(void)
{
    return atomic_fetch_add_explicit(&unique, 1, memory_order_relaxed) + 1;
}

#define ENTRY(name)                                               \
    {                                                             \
        "ompt_" #name, (ompt_interface_fn_t)(ompt_##name##_t)name \
    }
static const struct ompt_entry entries[] = {
    ENTRY(get_thread_data),
    ENTRY(get_state),
    ENTRY(get_parallel_info),
    ENTRY(get_task_info),
    ENTRY(get_task_memory),
    ENTRY(get_num_procs),
    ENTRY(get_num_places),
    ENTRY(get_place_proc_ids),
    ENTRY(get_place_num),
    ENTRY(get_partition_place_nums),
    ENTRY(get_proc_id),
    ENTRY(get_target_info),
    ENTRY(get_num_devices),
    ENTRY(get_unique_id),
    {NULL, NULL},
};

ompt_interface_fn_t ompt_lookup_query(const char *name)
{
    for (const struct ompt_entry *entry = entries; entry->name != NULL; entry++)
        if (strcmp(name, entry->name) == 0)
            return entry->function;
    return NULL;
}
