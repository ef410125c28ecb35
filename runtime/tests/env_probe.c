/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Tells what an OpenMP runtime has made of its environment, a line for each fact. env_test.py compares.
 *
 *   env_probe            the ICVs and the places
 *   env_probe team N     the threads of a region of N threads (0: as the ICVs say), with their processors
 *   env_probe spread N M the same of regions of M threads inside one of N threads, proc_bind(spread) outside
 *   env_probe format F   omp_capture_affinity of the format, alone and in a team of two
 *   env_probe display    omp_display_affinity, omp_display_env
 *   env_probe regions    four regions of 2, 2, 3, 3 threads, for OMP_DISPLAY_AFFINITY
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_places(void)
{
    printf("places");
    for (int place = 0; place < omp_get_num_places(); place++) {
        int ids[1024], n = omp_get_place_num_procs(place);
        omp_get_place_proc_ids(place, ids);
        printf(" ");
        for (int i = 0; i < n; i++)
            printf("%s%d", i ? "," : "", ids[i]);
    }
    printf("\n");
}

static void print_icvs(void)
{
    omp_sched_t kind;
    int chunk, outer, inner = 0;
    char format[256];
    /* In libomp's ABI alone. */
    size_t (*stacksize)(void) = (size_t(*)(void))dlsym(RTLD_DEFAULT, "kmp_get_stacksize_s");
    int (*blocktime)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "kmp_get_blocktime");
    omp_get_schedule(&kind, &chunk);
    omp_get_affinity_format(format, sizeof format);
    printf("max_threads %d\n", omp_get_max_threads());
    printf("dynamic %d\n", omp_get_dynamic());
    printf("max_active_levels %d\n", omp_get_max_active_levels());
    printf("schedule %d%s,%d\n", (int)(kind & 0x7fffffff), (unsigned)kind & 0x80000000u ? " monotonic" : "",
           chunk);
    printf("thread_limit %d\n", omp_get_thread_limit());
    printf("proc_bind %d\n", omp_get_proc_bind());
    printf("cancellation %d\n", omp_get_cancellation());
    printf("max_task_priority %d\n", omp_get_max_task_priority());
    printf("default_device %d\n", omp_get_default_device());
    printf("max_teams %d\n", omp_get_max_teams());
    printf("teams_thread_limit %d\n", omp_get_teams_thread_limit());
    printf("num_procs %d\n", omp_get_num_procs());
    printf("place_num %d\n", omp_get_place_num());
    printf("allocator %d\n", (int)omp_get_default_allocator());
    printf("affinity_format %s\n", format);
    if (stacksize != NULL)
        printf("stacksize %zu\n", stacksize());
    if (blocktime != NULL)
        printf("blocktime %d\n", blocktime());
    print_places();
    outer = omp_get_max_threads();
    if (outer > 8)
        return;
#pragma omp parallel
#pragma omp single
    {
        printf("level1 %d %d\n", omp_get_max_threads(), omp_get_proc_bind());
#pragma omp parallel
#pragma omp single
        inner = omp_get_max_threads();
        printf("level2 %d\n", inner);
    }
}

static void print_thread(void)
{
    cpu_set_t set;
    char cpus[256] = "";
    int first = -1, count = omp_get_partition_num_places();
    int *places = malloc(sizeof(int) * (size_t)(count + 1));
    omp_get_partition_place_nums(places);
    if (count > 0)
        first = places[0];
    free(places);
    sched_getaffinity(0, sizeof set, &set);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set) && strlen(cpus) < sizeof cpus - 8)
            sprintf(cpus + strlen(cpus), "%s%d", *cpus ? "," : "", cpu);
#pragma omp critical
    printf("thread %d.%d place %d partition %d+%d cpus %s\n", omp_get_ancestor_thread_num(1),
           omp_get_thread_num(), omp_get_place_num(), first, count, cpus);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int n = argc > 2 ? atoi(argv[2]) : 0, m = argc > 3 ? atoi(argv[3]) : 1;
    if (strcmp(what, "team") == 0) {
#pragma omp parallel num_threads(n > 0 ? n : omp_get_max_threads())
        print_thread();
    } else if (strcmp(what, "spread") == 0) {
#pragma omp parallel num_threads(n) proc_bind(spread)
#pragma omp parallel num_threads(m)
        print_thread();
    } else if (strcmp(what, "format") == 0) {
        char text[512];
        size_t full = omp_capture_affinity(text, sizeof text, argv[2]);
        printf("alone %zu %s\n", full, text);
        full = omp_capture_affinity(text, 4, argv[2]);
        printf("cut %zu %s\n", full, text);
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
            omp_capture_affinity(text, sizeof text, argv[2]);
            printf("team %s\n", text);
        }
    } else if (strcmp(what, "display") == 0) {
        omp_set_affinity_format("set %n");
        omp_display_affinity(NULL);
        omp_display_affinity("own %N");
        omp_display_env(0);
    } else if (strcmp(what, "regions") == 0) {
        for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(2 + i / 2)
            sched_yield();
        }
    } else {
        print_icvs();
    }
    return 0;
}
