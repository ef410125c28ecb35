/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * gcc's entry points for target constructs (docs/abi/gomp.md section 9). There is no device but the host: a
 * target region is run by the encountering thread, or by a task, as an initial region, and the data are used
 * where they are.
 */
#include <string.h>

#include "../core/attach.h"
#include "../core/env.h"
#include "../core/memory.h"
#include "../core/message.h"
#include "../core/region.h"
#include "gomp.h"

enum { FLAG_NOWAIT = 1 };
enum { MAP_FIRSTPRIVATE = 0x0c, MAP_ATTACH = 0x50 };
enum { DEVICE_ICV = -1, DEVICE_HOST = -2, DEVICE_INVALID = -4, DEVICE_DEFAULT = -5 };

/**
 * Every device number means the host, except omp_invalid_device. When a device is mandatory, the host has to
 * be asked for: by if(false), by its number, or by a default-device-var that the program has set to it (5.2:
 * that ICV begins as omp_invalid_device then).
 */
static void check_device(int device)
{
    bool mandatory = rt_env_target_offload() == RT_OFFLOAD_MANDATORY;
    if (device == DEVICE_ICV || device == DEVICE_DEFAULT)
        device = rt_load(rt_me()->cur_task)->icvs.default_device;
    if (unlikely(mandatory) && device != DEVICE_HOST && device != 0)
        rt_fatal("OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available");
    if (unlikely(device == DEVICE_INVALID))
        rt_fatal("omp_invalid_device encountered");
}

/* ---- firstprivate -------------------------------------------------------------------------------------- */

static size_t alignment_of(unsigned short kind)
{
    return (size_t)1 << (kind >> 8);
}

static bool is_firstprivate(void *address, unsigned short kind)
{
    return (kind & 0xff) == MAP_FIRSTPRIVATE && address != NULL;
}

/** Bytes for all private copies, wherever they begin. */
static size_t firstprivate_bytes(size_t n, void **addresses, const size_t *sizes, const unsigned short *kinds)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        if (is_firstprivate(addresses[i], kinds[i]))
            bytes += sizes[i] + alignment_of(kinds[i]) - 1;
    return bytes;
}

/** Makes the copies at `to` and puts them into `addresses`. */
static void firstprivate_copy(size_t n, void **addresses, const size_t *sizes, const unsigned short *kinds,
                              char *to)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_firstprivate(addresses[i], kinds[i]))
            continue;
        uintptr_t mask = alignment_of(kinds[i]) - 1;
        to = (char *)(((uintptr_t)to + mask) & ~mask);
        memcpy(to, addresses[i], sizes[i]);
        addresses[i] = to;
        to += sizes[i];
        if (i + 1 < n && (kinds[i + 1] & 0xff) == MAP_ATTACH) /* a pointer elsewhere follows the copy */
            *(void **)(*(char **)addresses[i + 1] + sizes[i + 1]) = addresses[i];
    }
}

/* ---- target -------------------------------------------------------------------------------------------- */

/**
 * The thread_limit among the words behind the map arrays; 0 = none (docs/abi/gomp.md section 9, "args
 * words").
 */
static int thread_limit_of(void **args)
{
    int limit = 0;
    for (; args != NULL && *args != NULL; args++) {
        intptr_t word = (intptr_t)*args;
        intptr_t value = word >> 16;
        if (word & 0x80)
            value = (intptr_t) * ++args;
        if ((word & 0x7f) == 0 && (word & 0xff00) == 0x200)
            limit = value > INT32_MAX ? INT32_MAX : value > 0 ? (int)value : 0;
    }
    return limit;
}

static void gomp_target_run(struct rt_thread *th, gomp_fn *fn, void **addresses, int thread_limit,
                            struct rt_caller caller)
{
    struct rt_initial_region region = {.kind = RT_TEAM_INITIAL,
                                       .fn = (void *)fn,
                                       .num_teams = 1,
                                       .team_num = 0,
                                       .thread_limit = thread_limit};
    rt_initial_region_begin(th, &region, caller);
    struct rt_task *implicit = th->implicit;
    gomp_invoke(fn, addresses, &implicit->exit_frame);
    RT_TRACK(rt_store(implicit->exit_frame, 0));
    rt_initial_region_end(th);
}

/** A target region that waits as a task: the copies of firstprivate variables follow the addresses. */
struct deferred {
    gomp_fn *fn;
    int thread_limit;
    void *addresses[];
};

static void run_deferred(void *data)
{
    struct rt_caller caller = RT_CALLER();
    struct deferred *deferred = data;
    gomp_target_run(rt_me(), deferred->fn, deferred->addresses, deferred->thread_limit, caller);
}

static void defer(struct rt_thread *th, gomp_fn *fn, size_t n, void **addresses, const size_t *sizes,
                  const unsigned short *kinds, void **depend, int thread_limit, struct rt_caller caller)
{
    size_t head = sizeof(struct deferred) + n * sizeof *addresses;
    void *room;
    struct rt_task *task =
        gomp_task_create(th, gomp_task_flags(th, 0) | RT_TASK_TARGET, run_deferred,
                         head + firstprivate_bytes(n, addresses, sizes, kinds), 0, &room, caller);
    struct deferred *deferred = room;
    deferred->fn = fn;
    deferred->thread_limit = thread_limit;
    if (n != 0)
        memcpy(deferred->addresses, addresses, n * sizeof *addresses);
    firstprivate_copy(n, deferred->addresses, sizes, kinds, (char *)room + head);
    gomp_task_submit(th, task, depend, true, caller);
}

RT_EXPORT void GOMP_target_ext(int device, gomp_fn *fn, size_t n, void **addresses, size_t *sizes,
                               unsigned short *kinds, unsigned flags, void **depend, void **args)
{
    struct rt_caller caller = RT_CALLER();
    struct rt_thread *th = rt_me();
    check_device(device);
    if (flags & FLAG_NOWAIT) {
        if (!gomp_task_dropped(th))
            defer(th, fn, n, addresses, sizes, kinds, depend, thread_limit_of(args), caller);
        return;
    }
    /* The copies are taken when the construct is met, not when the predecessors are through. */
    size_t bytes = firstprivate_bytes(n, addresses, sizes, kinds);
    char few[512] __attribute__((aligned(16)));
    size_t by_map = bytes > sizeof few ? bytes : 0;
    char *copies = by_map != 0 ? rt_memory_take(by_map) : few;
    firstprivate_copy(n, addresses, sizes, kinds, copies);
    gomp_deps_wait(th, depend, caller);
    gomp_target_run(th, fn, addresses, thread_limit_of(args), caller);
    if (by_map != 0)
        rt_memory_give(copies, by_map);
}

/** gcc before 6. */
RT_EXPORT void GOMP_target(int device, gomp_fn *fn, const void *unused, size_t n, void **addresses,
                           size_t *sizes, unsigned char *kinds)
{
    struct rt_caller caller = RT_CALLER();
    (void)unused, (void)n, (void)sizes, (void)kinds;
    check_device(device);
    gomp_target_run(rt_me(), fn, addresses, 0, caller);
}

/* ---- data: nothing moves, so only the order of what has dependences is left ---------------------------- */

RT_EXPORT void GOMP_target_data_ext(int device, size_t n, void **addresses, size_t *sizes,
                                    unsigned short *kinds)
{
    (void)n, (void)addresses, (void)sizes, (void)kinds;
    check_device(device);
}

RT_EXPORT void GOMP_target_data(int device, const void *unused, size_t n, void **addresses, size_t *sizes,
                                unsigned char *kinds)
{
    (void)unused, (void)n, (void)addresses, (void)sizes, (void)kinds;
    check_device(device);
}

RT_EXPORT void GOMP_target_end_data(void) {}

static void data_in_order(int device, unsigned flags, void **depend, struct rt_caller caller)
{
    struct rt_thread *th = rt_me();
    check_device(device);
    if (depend == NULL || gomp_task_dropped(th))
        return;
    if (flags & FLAG_NOWAIT)
        gomp_task_empty(th, RT_TASK_TARGET, depend, caller);
    else
        gomp_deps_wait(th, depend, caller);
}

RT_EXPORT void GOMP_target_update_ext(int device, size_t n, void **addresses, size_t *sizes,
                                      unsigned short *kinds, unsigned flags, void **depend)
{
    struct rt_caller caller = RT_CALLER();
    (void)n, (void)addresses, (void)sizes, (void)kinds;
    data_in_order(device, flags, depend, caller);
}

RT_EXPORT void GOMP_target_update(int device, const void *unused, size_t n, void **addresses, size_t *sizes,
                                  unsigned char *kinds)
{
    (void)unused, (void)n, (void)addresses, (void)sizes, (void)kinds;
    check_device(device);
}

RT_EXPORT void GOMP_target_enter_exit_data(int device, size_t n, void **addresses, size_t *sizes,
                                           unsigned short *kinds, unsigned flags, void **depend)
{
    struct rt_caller caller = RT_CALLER();
    (void)n, (void)addresses, (void)sizes, (void)kinds;
    data_in_order(device, flags, depend, caller);
}

/** Interoperability objects of the host are omp_interop_none (OpenMP 5.2 section 14.1). */
RT_EXPORT void GOMP_interop(int device, int n_init, void ***init, const int *targetsync,
                            const char **prefer_type, int n_use, void **use, int n_destroy, void ***destroy,
                            unsigned flags, void **depend)
{
    struct rt_caller caller = RT_CALLER();
    (void)targetsync, (void)prefer_type, (void)n_use, (void)use;
    data_in_order(device, flags, depend, caller);
    for (int i = 0; i < n_init; i++)
        *init[i] = NULL;
    for (int i = 0; i < n_destroy; i++)
        *destroy[i] = NULL;
}

/* ---- what only offload compilers' objects call --------------------------------------------------------- */

RT_EXPORT void GOMP_offload_register_ver(unsigned version, const void *host_table, int target_type,
                                         const void *target_data)
{
    (void)version, (void)host_table, (void)target_type, (void)target_data;
}

RT_EXPORT void GOMP_offload_register(const void *host_table, int target_type, const void *target_data)
{
    (void)host_table, (void)target_type, (void)target_data;
}

RT_EXPORT void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target_type,
                                           const void *target_data)
{
    (void)version, (void)host_table, (void)target_type, (void)target_data;
}

RT_EXPORT void GOMP_offload_unregister(const void *host_table, int target_type, const void *target_data)
{
    (void)host_table, (void)target_type, (void)target_data;
}

RT_EXPORT void *GOMP_target_map_indirect_ptr(void *pointer)
{
    return pointer;
}

RT_ALSO_VERSION(GOMP_target);
RT_ALSO_VERSION(GOMP_target_data);
RT_ALSO_VERSION(GOMP_target_end_data);
RT_ALSO_VERSION(GOMP_target_update);
