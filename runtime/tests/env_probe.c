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
 *   env_probe libomp A   libomp's routines and flavours, found by name and version; A is a processor of the
 *   process env_probe regions    four regions of 2, 2, 3, 3 threads, for OMP_DISPLAY_AFFINITY
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

/** The routine of libomp's node; ends the program when there is none. */
static void *version(const char *name)
{
    void *routine = dlvsym(RTLD_DEFAULT, name, "VERSION");
    if (routine == NULL) {
        fprintf(stderr, "there is no %s@VERSION\n", name);
        exit(1);
    }
    return routine;
}
#define CALL(type, name) ((type)version(#name))

static void print_mask(void **mask)
{
    int max = CALL(int (*)(void), kmp_get_affinity_max_proc)();
    for (int proc = 0; proc < max; proc++)
        if (CALL(int (*)(int, void **), kmp_get_affinity_mask_proc)(proc, mask) == 1)
            printf(" %d", proc);
    printf("\n");
}

static void print_libomp(int proc)
{
    char text[12] = "", wide[13] = "";
    void *mask;
    int chunk;
    omp_sched_t kind;
    typedef void (*set)(const char *, size_t);
    typedef size_t (*get)(char *, size_t);
    CALL(set, omp_set_affinity_format)("as %n   more", 7);
    CALL(get, omp_get_affinity_format)(wide, 12);
    printf("fortran [%s] c %zu", wide, CALL(get, ompc_get_affinity_format)(text, sizeof text));
    printf(" [%s]\n", text);
    CALL(void (*)(const char *), ompc_set_affinity_format)("of %N");
    printf("capture %zu ",
           CALL(size_t(*)(char *, const char *, size_t, size_t), omp_capture_affinity)(wide, "%n?", 12, 2));
    printf("[%s] ", wide);
    printf("%zu ",
           CALL(size_t(*)(char *, size_t, const char *), ompc_capture_affinity)(text, sizeof text, NULL));
    printf("[%s]\n", text);
    fflush(stdout);
    CALL(set, omp_display_affinity)("shown %n!", 8);
    CALL(void (*)(const char *), ompc_display_affinity)("");
    CALL(void (*)(void **), kmp_create_affinity_mask)(&mask);
    printf("mask is");
    CALL(int (*)(void **), kmp_get_affinity)(&mask);
    print_mask(&mask);
    for (int other = 0; other < CALL(int (*)(void), kmp_get_affinity_max_proc)(); other++)
        if (other != proc)
            CALL(int (*)(int, void **), kmp_unset_affinity_mask_proc)(other, &mask);
    printf("set %d", CALL(int (*)(void **), kmp_set_affinity)(&mask));
    CALL(int (*)(void **), kmp_get_affinity)(&mask);
    print_mask(&mask);
    printf("back %d", CALL(int (*)(void), kmp_set_thread_affinity_mask_initial)());
    CALL(int (*)(void **), kmp_get_affinity)(&mask);
    print_mask(&mask);
    printf("bad %d %d\n", CALL(int (*)(int, void **), kmpc_set_affinity_mask_proc)(-1, &mask),
           CALL(int (*)(int, void **), kmp_set_affinity_mask_proc)(1 << 20, &mask));
    CALL(void (*)(void **), kmp_destroy_affinity_mask)(&mask);
    printf("known %d cancelled %d\n", CALL(int (*)(void), kmp_get_num_known_threads)(),
           CALL(int (*)(int), kmp_get_cancellation_status)(1));
    CALL(void (*)(const char *), kmp_set_defaults)
    ("OMP_NUM_THREADS=7|OMP_SCHEDULE=guided,3|KMP_BLOCKTIME=11");
    omp_get_schedule(&kind, &chunk);
    printf("defaults %d %d,%d %d\n", omp_get_max_threads(), (int)kind, chunk,
           CALL(int (*)(void), kmp_get_blocktime)());
    CALL(void (*)(int), kmp_set_blocktime)(5);
    CALL(void (*)(int), kmp_set_stacksize)(1 << 20);
    printf("set %d %d", CALL(int (*)(void), kmp_get_blocktime)(), CALL(int (*)(void), kmp_get_stacksize)());
    CALL(void (*)(size_t), kmpc_set_stacksize_s)((size_t)1 << 32);
    printf(" %d %zu\n", CALL(int (*)(void), kmp_get_stacksize)(),
           CALL(size_t(*)(void), kmp_get_stacksize_s)());
    CALL(void (*)(void), kmp_set_library_serial)();
    printf("serial %d %d\n", CALL(int (*)(void), kmp_get_library)(), omp_get_max_threads());
    CALL(void (*)(void), kmp_set_library_throughput)();
    printf("throughput %d %d\n", CALL(int (*)(void), kmp_get_library)(), omp_get_max_threads());
    CALL(void (*)(void), kmp_set_warnings_off)();
    CALL(void (*)(int), kmp_set_stacksize)(1);
    CALL(void (*)(void), kmp_set_warnings_on)();
    CALL(void (*)(int), kmp_set_stacksize)(2);
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
    } else if (strcmp(what, "libomp") == 0) {
        print_libomp(n);
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
    } else if (strcmp(what, "policies") == 0) {
        omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) proc_bind(spread)
#pragma omp single
        {
            printf("clause %d\n", omp_get_proc_bind());
#pragma omp parallel num_threads(2)
#pragma omp single
            printf("inside %d\n", omp_get_proc_bind());
        }
#pragma omp parallel if (0) proc_bind(close)
        printf("alone %d\n", omp_get_proc_bind());
#pragma omp parallel num_threads(2)
#pragma omp single
        printf("plain %d\n", omp_get_proc_bind());
    } else if (strcmp(what, "nests") == 0) {
        omp_set_max_active_levels(2);
        for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(2)
            for (int k = 0; k < 2; k++) {
#pragma omp parallel num_threads(3)
                sched_yield();
            }
        }
#pragma omp parallel num_threads(2)
        sched_yield();
        omp_set_affinity_format("as before"); /* and so nothing is shown again */
#pragma omp parallel num_threads(2)
        sched_yield();
    } else if (strcmp(what, "target") == 0) {
        /* n: 0 the default device, 1 if(false), 2 the host's number, 3 the host as the default device */
        int host = omp_get_initial_device(), ran = 0;
        if (n == 3)
            omp_set_default_device(host);
        if (n == 2) {
#pragma omp target device(host) map(tofrom : ran)
            ran = 1;
        } else {
#pragma omp target if (n != 1) map(tofrom : ran)
            ran = 1;
        }
        printf("target %d\n", ran);
    } else {
        print_icvs();
    }
    return 0;
}
