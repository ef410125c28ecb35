/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran entry points of routines that are new in OpenMP 6.0, in the node VERSION alone: libgomp has none of
 * them, and libomp from 20 on has those for memory spaces.
 */

#include "omp_fortran.h"

RT_EXPORT int omp_is_free_agent_(void)
{
    return omp_is_free_agent() != 0;
}

RT_EXPORT int omp_ancestor_is_free_agent_(const int32_t *level)
{
    return omp_ancestor_is_free_agent(*level) != 0;
}

RT_EXPORT int omp_get_device_num_teams_(const int32_t *device)
{
    return omp_get_device_num_teams(*device);
}

RT_EXPORT void omp_set_device_num_teams_(const int32_t *teams, const int32_t *device)
{
    omp_set_device_num_teams(*teams, *device);
}

RT_EXPORT int omp_get_device_teams_thread_limit_(const int32_t *device)
{
    return omp_get_device_teams_thread_limit(*device);
}

RT_EXPORT void omp_set_device_teams_thread_limit_(const int32_t *limit, const int32_t *device)
{
    omp_set_device_teams_thread_limit(*limit, *device);
}

RT_EXPORT int omp_get_max_progress_width_(const int32_t *device)
{
    return omp_get_max_progress_width(*device);
}

/* ---- memory spaces and allocators of devices: handles are words, device numbers an array of INTEGER ---- */

/* `what` is memspace or allocator; both give a handle. */
#define FORTRAN_SPACES(what)                                                                                \
    RT_EXPORT uintptr_t omp_get_devices_##what##_(const int32_t *n, const int32_t *devices,                 \
                                                  const uintptr_t *memspace)                                \
    {                                                                                                       \
        return omp_get_devices_##what(*n, devices, *memspace);                                              \
    }                                                                                                       \
    RT_EXPORT uintptr_t omp_get_device_##what##_(const int32_t *device, const uintptr_t *memspace)          \
    {                                                                                                       \
        return omp_get_device_##what(*device, *memspace);                                                   \
    }                                                                                                       \
    RT_EXPORT uintptr_t omp_get_devices_and_host_##what##_(const int32_t *n, const int32_t *devices,        \
                                                           const uintptr_t *memspace)                       \
    {                                                                                                       \
        return omp_get_devices_and_host_##what(*n, devices, *memspace);                                     \
    }                                                                                                       \
    RT_EXPORT uintptr_t omp_get_device_and_host_##what##_(const int32_t *device, const uintptr_t *memspace) \
    {                                                                                                       \
        return omp_get_device_and_host_##what(*device, *memspace);                                          \
    }                                                                                                       \
    RT_EXPORT uintptr_t omp_get_devices_all_##what##_(const uintptr_t *memspace)                            \
    {                                                                                                       \
        return omp_get_devices_all_##what(*memspace);                                                       \
    }                                                                                                       \
    uintptr_t omp_get_devices_all_##what##_(const uintptr_t *memspace)

FORTRAN_SPACES(memspace);
FORTRAN_SPACES(allocator);

RT_EXPORT int omp_get_memspace_num_resources_(const uintptr_t *memspace)
{
    return omp_get_memspace_num_resources(*memspace);
}

RT_EXPORT size_t omp_get_memspace_pagesize_(const uintptr_t *memspace)
{
    return omp_get_memspace_pagesize(*memspace);
}

RT_EXPORT uintptr_t omp_get_submemspace_(const uintptr_t *memspace, const int32_t *n,
                                         const int32_t *resources)
{
    return omp_get_submemspace(*memspace, *n, resources);
}
