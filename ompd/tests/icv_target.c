/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What icv_live_test.cc looks at: two nesting levels with control variables set by the environment, by
 * clauses and by routines. Each thread of the inner region says what omp_get_* tell it, one line "TRUTH
 * pthread where name value", and the primary says the same of the initial task before it opens a region. Then
 * all stay where they are.
 *
 *   icv_target            as the environment has it
 *   icv_target routines   omp_set_* with other values at each level
 *   icv_target clauses    num_threads, proc_bind, thread_limit of the constructs, a final task
 *
 * With ICV_TARGET_TOOL in the environment it has an OMPT tool, which stores a number of its own with each
 * thread, region and task; these are told as tool-thread, tool-parallel and tool-task.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum mode { ENVIRONMENT, ROUTINES, CLAUSES };
static enum mode mode;
static pthread_mutex_t lines = PTHREAD_MUTEX_INITIALIZER;
static int told;

static void tell(const char *where, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("TRUTH %lu %s %s ", (unsigned long)pthread_self(), where, name);
    vprintf(format, args);
    printf("\n");
    va_end(args);
}

static void tell_places(const char *where)
{
    char text[4096];
    int numbers[256], n = omp_get_partition_num_places(), used = 0;
    omp_get_partition_place_nums(numbers);
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        int ids[1024], procs = omp_get_place_num_procs(numbers[i]);
        omp_get_place_proc_ids(numbers[i], ids);
        for (int k = 0; k < procs; k++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%d", k ? "+" : i ? ";" : "", ids[k]);
    }
    tell(where, "place-partition-var", "%d/%d/%s", n, numbers[0], text);
}

static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;

static int tool_begins(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    return 1;
}

static void tool_ends(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t tool = {tool_begins, tool_ends, {0}};
    (void)version, (void)runtime;
    return getenv("ICV_TARGET_TOOL") != NULL ? &tool : NULL;
}

static void tell_stored(const char *where, const char *name, ompt_data_t *data)
{
    static unsigned long numbers = 0x1234567800000000;
    if (data == NULL)
        return;
    if (data->value == 0)
        data->value = ++numbers;
    tell(where, name, "%lu", (unsigned long)data->value);
}

static void tell_tool(const char *where)
{
    ompt_data_t *task = NULL, *region = NULL;
    if (get_task_info == NULL)
        return;
    tell_stored(where, "tool-thread", get_thread_data());
    if (get_task_info(0, NULL, &task, NULL, NULL, NULL) == 2)
        tell_stored(where, "tool-task", task);
    if (get_parallel_info(0, &region, NULL) == 2)
        tell_stored(where, "tool-parallel", region);
}

static void tell_all(const char *where)
{
    omp_sched_t kind;
    int chunk;
    char format[256];
    pthread_mutex_lock(&lines);
    omp_get_schedule(&kind, &chunk);
    omp_get_affinity_format(format, sizeof format);
    tell(where, "active-levels-var", "%d", omp_get_active_level());
    tell(where, "affinity-format-var", "%s", format);
    tell(where, "bind-var", "%d", (int)omp_get_proc_bind());
    tell(where, "cancel-var", "%d", omp_get_cancellation());
    tell(where, "def-allocator-var", "%lu", (unsigned long)omp_get_default_allocator());
    tell(where, "default-device-var", "%d", omp_get_default_device());
    tell(where, "device-num-var", "%d", omp_get_device_num());
    tell(where, "dyn-var", "%d", omp_get_dynamic());
    tell(where, "explicit-task-var", "%d", strstr(where, "task") != NULL);
    tell(where, "final-task-var", "%d", omp_in_final());
    tell(where, "league-size-var", "%d", omp_get_num_teams());
    tell(where, "levels-var", "%d", omp_get_level());
    tell(where, "max-active-levels-var", "%d", omp_get_max_active_levels());
    tell(where, "max-task-priority-var", "%d", omp_get_max_task_priority());
    tell(where, "nteams-var", "%d", omp_get_max_teams());
    tell(where, "nthreads-var", "%d", omp_get_max_threads());
    tell(where, "num-devices-var", "%d", omp_get_num_devices());
    tell(where, "num-procs-var", "%d", omp_get_num_procs());
    tell(where, "run-sched-var", "%u/%d", (unsigned)kind, chunk);
    tell(where, "team-num-var", "%d", omp_get_team_num());
    tell(where, "team-size-var", "%d", omp_get_num_threads());
    tell(where, "teams-thread-limit-var", "%d", omp_get_teams_thread_limit());
    tell(where, "thread-limit-var", "%d", omp_get_thread_limit());
    tell(where, "thread-num-var", "%d", omp_get_thread_num());
    if (strstr(where, "task") == NULL)
        tell_places(where);
    tell_tool(where);
    pthread_mutex_unlock(&lines);
}

/** The last one says that all is told; nobody goes on. */
static void stay(int threads)
{
    if (__atomic_add_fetch(&told, 1, __ATOMIC_SEQ_CST) == threads) {
        void *table = dlsym(RTLD_DEFAULT, "rt_layout_table");
        printf("HELD %lu\n", (unsigned long)table);
        fflush(stdout);
    }
    for (;;)
        pause();
}

static void routines(int level)
{
    if (mode != ROUTINES)
        return;
    omp_set_num_threads(3 - level);
    omp_set_dynamic(level == 1);
    omp_set_max_active_levels(5 + level);
    omp_set_schedule(level == 0   ? omp_sched_guided
                     : level == 1 ? (omp_sched_t)(omp_sched_static | omp_sched_monotonic)
                                  : omp_sched_auto,
                     7 * level);
    omp_set_default_device(level + 10);
    omp_set_default_allocator(level == 2 ? omp_low_lat_mem_alloc : omp_const_mem_alloc);
    omp_set_num_teams(6);
    omp_set_teams_thread_limit(9);
    omp_set_affinity_format("set %n of %N");
}

static void inner(void)
{
    routines(2);
    tell_all(omp_get_thread_num() == 0 ? "primary" : "member");
    if (omp_get_thread_num() == 0)
        stay(4);
#pragma omp task if (0) final(mode == CLAUSES)
    {
        if (mode == ROUTINES)
            omp_set_num_threads(17);
        tell_all("task");
        stay(4);
    }
}

static void outer(void)
{
    routines(1);
    if (mode == CLAUSES) {
#pragma omp parallel num_threads(2) proc_bind(close)
        inner();
    } else {
#pragma omp parallel
        inner();
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    mode = strcmp(what, "routines") == 0 ? ROUTINES : strcmp(what, "clauses") == 0 ? CLAUSES : ENVIRONMENT;
    routines(0);
    if (mode == ROUTINES)
        omp_set_num_threads(2);
    tell_all("initial");
    if (mode == CLAUSES) {
#pragma omp parallel num_threads(2) proc_bind(spread)
        outer();
    } else {
#pragma omp parallel
        outer();
    }
    return 1;
}
