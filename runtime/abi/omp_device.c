/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Device routines and device memory routines (OpenMP 5.2 sections 18.7 and 18.8; 6.0 chapters 24 and 25) of a
 * runtime whose only device is the host. Where libomptarget is in the process, it answers what it can answer.
 *
 * The host is device -1 (omp_initial_device) and device omp_get_num_devices(), which is 0 without
 * libomptarget. All memory is the host's: a pointer is its own device pointer, and a copy is a copy. The
 * getters that take no argument are in omp_api.c.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../core/alloc.h"
#include "../core/attach.h"
#include "../core/message.h"
#include "../core/offload.h"
#include "../core/taskwait.h"
#include "omp_c.h"
#include "versions.h"

static int is_host(int device)
{
    return device == -1 || device == omp_get_initial_device();
}

/* ---- memory -------------------------------------------------------------------------------------------- */

RT_EXPORT void *omp_target_alloc(size_t size, int device)
{
    RT_FORWARD(omp_target_alloc, size, device);
    return is_host(device) ? malloc(size) : NULL;
}
RT_NODE(omp_target_alloc, "OMP_4.5");

RT_EXPORT void omp_target_free(void *pointer, int device)
{
    RT_FORWARD(omp_target_free, pointer, device);
    if (is_host(device))
        free(pointer);
}
RT_NODE(omp_target_free, "OMP_4.5");

RT_EXPORT int omp_target_is_present(const void *pointer, int device)
{
    RT_FORWARD(omp_target_is_present, pointer, device);
    (void)pointer;
    return is_host(device);
}
RT_NODE(omp_target_is_present, "OMP_4.5");

RT_EXPORT int omp_target_is_accessible(const void *pointer, size_t size, int device)
{
    RT_FORWARD(omp_target_is_accessible, pointer, size, device);
    (void)pointer;
    (void)size;
    return is_host(device);
}
RT_NODE(omp_target_is_accessible, "OMP_5.1.1");

RT_EXPORT void *omp_get_mapped_ptr(const void *pointer, int device)
{
    RT_FORWARD(omp_get_mapped_ptr, pointer, device);
    return is_host(device) ? (void *)(uintptr_t)pointer : NULL;
}
RT_NODE(omp_get_mapped_ptr, "OMP_5.1.1");

/* The host has no device memory that could be associated with its own (5.2 section 18.8.9). */
RT_EXPORT int omp_target_associate_ptr(const void *host, const void *device_pointer, size_t size,
                                       size_t offset, int device)
{
    RT_FORWARD(omp_target_associate_ptr, host, device_pointer, size, offset, device);
    (void)host, (void)device_pointer, (void)size, (void)offset, (void)device;
    return EINVAL;
}
RT_NODE(omp_target_associate_ptr, "OMP_4.5");

RT_EXPORT int omp_target_disassociate_ptr(const void *pointer, int device)
{
    RT_FORWARD(omp_target_disassociate_ptr, pointer, device);
    (void)pointer, (void)device;
    return EINVAL;
}
RT_NODE(omp_target_disassociate_ptr, "OMP_4.5");

/* ---- copies -------------------------------------------------------------------------------------------- */

static int copy(void *dst, const void *src, size_t length, size_t dst_offset, size_t src_offset,
                int dst_device, int src_device)
{
    if (!is_host(dst_device) || !is_host(src_device))
        return EINVAL;
    if (length == 0)
        return 0;
    if (dst == NULL || src == NULL)
        return EINVAL;
    memmove((char *)dst + dst_offset, (const char *)src + src_offset, length);
    return 0;
}

/** A box in two arrays; slices in bytes of what lies below the dimension in hand. */
struct box {
    const size_t *volume, *dst_offsets, *src_offsets, *dst_dims, *src_dims;
    size_t element, dims;
};

static void box_copy(const struct box *box, size_t dim, char *dst, const char *src, size_t dst_slice,
                     size_t src_slice)
{
    /*
     * Only a dimension with several slices costs a call: their product is a size_t, so that there are 64 at
     * most.
     */
    for (;;) {
        dst += dst_slice * box->dst_offsets[dim];
        src += src_slice * box->src_offsets[dim];
        if (dim + 1 == box->dims) {
            memmove(dst, src, box->element * box->volume[dim]);
            return;
        }
        size_t dst_inner = dst_slice / box->dst_dims[dim + 1];
        size_t src_inner = src_slice / box->src_dims[dim + 1];
        if (box->volume[dim] != 1) {
            for (size_t i = 0; i < box->volume[dim]; i++)
                box_copy(box, dim + 1, dst + i * dst_slice, src + i * src_slice, dst_inner, src_inner);
            return;
        }
        dim++;
        dst_slice = dst_inner;
        src_slice = src_inner;
    }
}

/** Bytes of one slice of the outermost dimension; 0 when a dimension is, or the size overflows. */
static size_t slice_of(const size_t *dimensions, size_t dims, size_t element)
{
    size_t slice = element;
    for (size_t i = 1; i < dims; i++)
        if (__builtin_mul_overflow(slice, dimensions[i], &slice))
            return 0;
    return slice;
}

static int copy_rect(void *dst, const void *src, size_t element, int dims, const struct box *given,
                     int dst_device, int src_device)
{
    /* With no arrays it is a question: how many dimensions can there be (5.2 section 18.8.6)? */
    if (dst == NULL && src == NULL)
        return INT_MAX;
    if (!is_host(dst_device) || !is_host(src_device) || dims < 1 || dst == NULL || src == NULL)
        return EINVAL;
    struct box box = *given;
    box.element = element;
    box.dims = (size_t)dims;
    size_t all = element;
    for (int i = 0; i < dims; i++)
        if (box.volume[i] == 0)
            return 0;
        else if (__builtin_mul_overflow(all, box.volume[i], &all))
            return EINVAL;
    size_t dst_slice = slice_of(box.dst_dims, box.dims, element);
    size_t src_slice = slice_of(box.src_dims, box.dims, element);
    if (element != 0 && (dst_slice == 0 || src_slice == 0))
        return EINVAL;
    if (element != 0)
        box_copy(&box, 0, dst, src, dst_slice, src_slice);
    return 0;
}

RT_EXPORT int omp_target_memcpy(void *dst, const void *src, size_t length, size_t dst_offset,
                                size_t src_offset, int dst_device, int src_device)
{
    RT_FORWARD(omp_target_memcpy, dst, src, length, dst_offset, src_offset, dst_device, src_device);
    return copy(dst, src, length, dst_offset, src_offset, dst_device, src_device);
}
RT_NODE(omp_target_memcpy, "OMP_4.5");

RT_EXPORT int omp_target_memcpy_rect(void *dst, const void *src, size_t element, int dims,
                                     const size_t *volume, const size_t *dst_offsets,
                                     const size_t *src_offsets, const size_t *dst_dims,
                                     const size_t *src_dims, int dst_device, int src_device)
{
    RT_FORWARD(omp_target_memcpy_rect, dst, src, element, dims, volume, dst_offsets, src_offsets, dst_dims,
               src_dims, dst_device, src_device);
    struct box box = {volume, dst_offsets, src_offsets, dst_dims, src_dims, 0, 0};
    return copy_rect(dst, src, element, dims, &box, dst_device, src_device);
}
RT_NODE(omp_target_memcpy_rect, "OMP_4.5");

RT_EXPORT void *omp_target_memset(void *pointer, int value, size_t count, int device)
{
    RT_FORWARD(omp_target_memset, pointer, value, count, device);
    if (!is_host(device))
        return NULL;
    return count != 0 && pointer != NULL ? memset(pointer, value, count) : pointer;
}
RT_NODE(omp_target_memset, "GOMP_6.0.1");

/* ---- asynchronous forms -------------------------------------------------------------------------------- */

/**
 * omp_depend_t of gcc; what clang's points to, behind a head whose address is the number of them
 * (docs/abi/kmpc.md 1.3).
 */
struct gcc_depend {
    uint64_t address, kind;
};
_Static_assert(sizeof(struct rt_dep) == 24, "clang's kmp_depend_info");

static uint8_t dep_type(uint64_t gcc_kind)
{
    static const uint8_t types[] = {3, 1, 3, 3, 4, 8}; /* none, in, out, inout, mutexinoutset, inoutset */
    return gcc_kind < sizeof types ? types[gcc_kind] : 3;
}

/**
 * clang's depend objects are blocks of __kmpc_alloc(), so one can be told from the address that gcc's begins
 * with, whichever node the program names and whichever header it was compiled with.
 */
static const struct rt_dep *clang_depend(const void *object)
{
    const struct rt_dep *head = *(const struct rt_dep *const *)object;
    return head != NULL && rt_alloc_is_block((const char *)head - sizeof *head) ? head : NULL;
}

/**
 * Writes to deps[], unless that is NULL, what a list of depend objects says; returns the number of
 * dependences.
 */
static size_t deps_of(int count, const void *list, struct rt_dep *deps)
{
    const struct gcc_depend *of_gcc = list;
    const struct rt_dep *const *of_clang = list;
    size_t n = 0;
    if (clang_depend(list) == NULL) {
        for (int i = 0; i < count && deps != NULL; i++)
            deps[i] = (struct rt_dep){.address = of_gcc[i].address,
                                      .type = of_gcc[i].address != 0 ? dep_type(of_gcc[i].kind) : 0x80};
        return (size_t)count;
    }
    for (int i = 0; i < count; i++) {
        const struct rt_dep *object = of_clang[i];
        size_t more = (size_t)object[-1].address;
        if (deps != NULL)
            memcpy(deps + n, object, more * sizeof *deps);
        n += more;
    }
    return n;
}

/**
 * Waits for what the list depends on; the operation then runs at once, which is when a target task may run.
 */
static void wait_for(int count, const void *list, struct rt_caller caller)
{
    struct rt_dep few[16], *deps = few;
    if (count <= 0 || list == NULL)
        return;
    size_t n = deps_of(count, list, NULL);
    if (n == 0 || n > INT_MAX)
        return;
    if (n > sizeof few / sizeof *few && (deps = malloc(n * sizeof *deps)) == NULL)
        rt_fatal("no memory for %zu dependences", n);
    deps_of(count, list, deps);
    rt_deps_wait(rt_me(), deps, (int)n, caller);
    if (deps != few)
        free(deps);
}

RT_EXPORT int omp_target_memcpy_async(void *dst, const void *src, size_t length, size_t dst_offset,
                                      size_t src_offset, int dst_device, int src_device, int depobj_count,
                                      const void *depobj_list)
{
    RT_FORWARD(omp_target_memcpy_async, dst, src, length, dst_offset, src_offset, dst_device, src_device,
               depobj_count, depobj_list);
    if (!is_host(dst_device) || !is_host(src_device))
        return EINVAL;
    wait_for(depobj_count, depobj_list, RT_CALLER());
    return copy(dst, src, length, dst_offset, src_offset, dst_device, src_device);
}
RT_NODE(omp_target_memcpy_async, "OMP_5.1.1");

RT_EXPORT int omp_target_memcpy_rect_async(void *dst, const void *src, size_t element, int dims,
                                           const size_t *volume, const size_t *dst_offsets,
                                           const size_t *src_offsets, const size_t *dst_dims,
                                           const size_t *src_dims, int dst_device, int src_device,
                                           int depobj_count, const void *depobj_list)
{
    RT_FORWARD(omp_target_memcpy_rect_async, dst, src, element, dims, volume, dst_offsets, src_offsets,
               dst_dims, src_dims, dst_device, src_device, depobj_count, depobj_list);
    struct box box = {volume, dst_offsets, src_offsets, dst_dims, src_dims, 0, 0};
    if ((dst != NULL || src != NULL) && is_host(dst_device) && is_host(src_device))
        wait_for(depobj_count, depobj_list, RT_CALLER());
    return copy_rect(dst, src, element, dims, &box, dst_device, src_device);
}
RT_NODE(omp_target_memcpy_rect_async, "OMP_5.1.1");

RT_EXPORT void *omp_target_memset_async(void *pointer, int value, size_t count, int device, int depobj_count,
                                        const void *depobj_list)
{
    RT_FORWARD(omp_target_memset_async, pointer, value, count, device, depobj_count, depobj_list);
    if (!is_host(device))
        return NULL;
    wait_for(depobj_count, depobj_list, RT_CALLER());
    return count != 0 && pointer != NULL ? memset(pointer, value, count) : pointer;
}
RT_NODE(omp_target_memset_async, "GOMP_6.0.1");

/* ---- what a device is ---------------------------------------------------------------------------------- */

static const char host_uid[] = "OMP_INITIAL_DEVICE";

/** omp_invalid_device differs: -2 for clang's programs, -4 for gcc's. */
RT_EXPORT int omp_get_device_from_uid(const char *uid)
{
    RT_FORWARD(omp_get_device_from_uid, uid);
    return uid != NULL && strcmp(uid, host_uid) == 0 ? -1 : -2;
}

RT_EXPORT int rt_gcc_get_device_from_uid(const char *uid)
{
    int device = omp_get_device_from_uid(uid);
    return device < -1 ? -4 : device;
}
RT_NODE_ONLY(rt_gcc_get_device_from_uid, omp_get_device_from_uid, "GOMP_6.0");

RT_EXPORT const char *omp_get_uid_from_device(int device)
{
    RT_FORWARD(omp_get_uid_from_device, device);
    return is_host(device) ? host_uid : NULL;
}
RT_NODE(omp_get_uid_from_device, "GOMP_6.0");

/* nteams-var and teams-thread-limit-var of the host; 0: not set. */

RT_EXPORT int omp_get_device_num_teams(int device)
{
    return is_host(device) ? rt_root.nteams : 0;
}

RT_EXPORT void omp_set_device_num_teams(int teams, int device)
{
    if (is_host(device) && teams >= 0)
        rt_root.nteams = teams;
}

RT_EXPORT int omp_get_device_teams_thread_limit(int device)
{
    return is_host(device) ? rt_root.teams_thread_limit : 0;
}

RT_EXPORT void omp_set_device_teams_thread_limit(int limit, int device)
{
    if (is_host(device) && limit >= 0)
        rt_root.teams_thread_limit = limit;
}

/* Each hardware thread of a CPU makes progress on its own: a progress unit is one thread wide. */
RT_EXPORT int omp_get_max_progress_width(int device)
{
    return is_host(device);
}
