/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory routines (OpenMP 5.2 section 18.13, 6.0 chapter 27). core/alloc.c does the work.
 *
 * The memory-space routines of 6.0 name devices; the only one here is the host, which is device -1 and device
 * 0 = omp_get_num_devices().
 */
#include <unistd.h>

#include "../core/alloc.h"
#include "../core/attach.h"
#include "versions.h"

/*
 * In some versions of clang, omp.h declares handles as variables. libomp has no such variables for handles
 * that the 5.0 specification does not name.
 */
#define HANDLE(name, value) RT_EXPORT const uint64_t name = value
HANDLE(omp_null_allocator, RT_ALLOC_NULL);
HANDLE(omp_default_mem_alloc, RT_ALLOC_DEFAULT);
HANDLE(omp_large_cap_mem_alloc, RT_ALLOC_LARGE_CAP);
HANDLE(omp_const_mem_alloc, RT_ALLOC_CONST);
HANDLE(omp_high_bw_mem_alloc, RT_ALLOC_HIGH_BW);
HANDLE(omp_low_lat_mem_alloc, RT_ALLOC_LOW_LAT);
HANDLE(omp_cgroup_mem_alloc, RT_ALLOC_CGROUP);
HANDLE(omp_pteam_mem_alloc, RT_ALLOC_PTEAM);
HANDLE(omp_thread_mem_alloc, RT_ALLOC_THREAD);
HANDLE(omp_default_mem_space, 0);
HANDLE(omp_large_cap_mem_space, 1);
HANDLE(omp_const_mem_space, 2);
HANDLE(omp_high_bw_mem_space, 3);
HANDLE(omp_low_lat_mem_space, 4);

RT_EXPORT uint64_t omp_init_allocator(uint64_t memspace, int ntraits, const struct rt_alloctrait *traits)
{
    return rt_alloc_init(memspace, ntraits, traits);
}
RT_NODE(omp_init_allocator, "OMP_5.0.1");

RT_EXPORT void omp_destroy_allocator(uint64_t allocator)
{
    rt_alloc_destroy(allocator);
}
RT_NODE(omp_destroy_allocator, "OMP_5.0.1");

RT_EXPORT void omp_set_default_allocator(uint64_t allocator)
{
    rt_alloc_set_default(rt_me(), allocator);
}
RT_NODE(omp_set_default_allocator, "OMP_5.0.1");

RT_EXPORT uint64_t omp_get_default_allocator(void)
{
    return rt_alloc_default();
}
RT_NODE(omp_get_default_allocator, "OMP_5.0.1");

RT_EXPORT void *omp_alloc(size_t size, uint64_t allocator)
{
    return rt_alloc(allocator, 0, size);
}
RT_NODE(omp_alloc, "OMP_5.0.1");

RT_EXPORT void *omp_aligned_alloc(size_t alignment, size_t size, uint64_t allocator)
{
    return rt_alloc(allocator, alignment, size);
}
RT_NODE(omp_aligned_alloc, "OMP_5.0.2");

RT_EXPORT void *omp_calloc(size_t n, size_t size, uint64_t allocator)
{
    return rt_alloc_zeroed(allocator, 0, n, size);
}
RT_NODE(omp_calloc, "OMP_5.0.2");

RT_EXPORT void *omp_aligned_calloc(size_t alignment, size_t n, size_t size, uint64_t allocator)
{
    return rt_alloc_zeroed(allocator, alignment, n, size);
}
RT_NODE(omp_aligned_calloc, "OMP_5.0.2");

RT_EXPORT void *omp_realloc(void *pointer, size_t size, uint64_t allocator, uint64_t free_allocator)
{
    (void)free_allocator; /* it is noted in the block */
    return rt_realloc(pointer, size, allocator);
}
RT_NODE(omp_realloc, "OMP_5.0.2");

RT_EXPORT void omp_free(void *pointer, uint64_t allocator)
{
    (void)allocator;
    rt_free(pointer);
}
RT_NODE(omp_free, "OMP_5.0.1");

/* ---- 6.0: memory spaces and allocators of devices (chapter 27) ----------------------------------------- */

/** Whether a list of devices is the host, once or several times. */
static int only_host(int ndevs, const int *devs)
{
    if (ndevs <= 0 || devs == NULL)
        return 0;
    for (int i = 0; i < ndevs; i++)
        if (devs[i] != 0 && devs[i] != -1)
            return 0;
    return 1;
}

/** MEMSPACE if the condition holds, else 0: omp_null_mem_space of 6.0. */
static uint64_t space_if(int condition, uint64_t memspace)
{
    return condition && rt_alloc_of_memspace(memspace) != RT_ALLOC_NULL ? memspace : 0;
}

static uint64_t allocator_if(int condition, uint64_t memspace)
{
    return condition ? rt_alloc_of_memspace(memspace) : RT_ALLOC_NULL;
}

RT_EXPORT uint64_t omp_get_devices_memspace(int ndevs, const int *devs, uint64_t memspace)
{
    return space_if(only_host(ndevs, devs), memspace);
}

RT_EXPORT uint64_t omp_get_device_memspace(int dev, uint64_t memspace)
{
    return space_if(only_host(1, &dev), memspace);
}

RT_EXPORT uint64_t omp_get_devices_and_host_memspace(int ndevs, const int *devs, uint64_t memspace)
{
    return space_if(ndevs == 0 || only_host(ndevs, devs), memspace);
}

RT_EXPORT uint64_t omp_get_device_and_host_memspace(int dev, uint64_t memspace)
{
    return space_if(only_host(1, &dev), memspace);
}

RT_EXPORT uint64_t omp_get_devices_all_memspace(uint64_t memspace)
{
    return space_if(1, memspace);
}

RT_EXPORT uint64_t omp_get_devices_allocator(int ndevs, const int *devs, uint64_t memspace)
{
    return allocator_if(only_host(ndevs, devs), memspace);
}

RT_EXPORT uint64_t omp_get_device_allocator(int dev, uint64_t memspace)
{
    return allocator_if(only_host(1, &dev), memspace);
}

RT_EXPORT uint64_t omp_get_devices_and_host_allocator(int ndevs, const int *devs, uint64_t memspace)
{
    return allocator_if(ndevs == 0 || only_host(ndevs, devs), memspace);
}

RT_EXPORT uint64_t omp_get_device_and_host_allocator(int dev, uint64_t memspace)
{
    return allocator_if(only_host(1, &dev), memspace);
}

RT_EXPORT uint64_t omp_get_devices_all_allocator(uint64_t memspace)
{
    return allocator_if(1, memspace);
}

/* Each space of the host is one resource: the heap. */
RT_EXPORT int omp_get_memspace_num_resources(uint64_t memspace)
{
    return rt_alloc_of_memspace(memspace) != RT_ALLOC_NULL;
}

RT_EXPORT uint64_t omp_get_submemspace(uint64_t memspace, int num_resources, const int *resources)
{
    return space_if(num_resources == 1 && resources != NULL && resources[0] == 0, memspace);
}

RT_EXPORT size_t omp_get_memspace_pagesize(uint64_t memspace)
{
    return rt_alloc_of_memspace(memspace) != RT_ALLOC_NULL ? (size_t)sysconf(_SC_PAGESIZE) : 0;
}
