/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran entry points of the routines for devices, resources, interoperability, allocators and tools
 * (OpenMP 5.2 sections 18.6, 18.7, 18.12 to 18.15). The memory routines have C's names in Fortran too.
 */
#include <string.h>

#include "omp_fortran.h"
#include "omp_fortran_text.h"

FORTRAN_SET(omp_set_default_device, "OMP_4.0");
FORTRAN_GET(omp_get_default_device, "OMP_4.0");
FORTRAN_GET(omp_get_num_devices, "OMP_4.0");
FORTRAN_GET(omp_get_device_num, "OMP_5.0.2");
FORTRAN_GET(omp_get_initial_device, "OMP_4.5");
FORTRAN_ASK(omp_is_initial_device, "OMP_4.0");
FORTRAN_SWITCH(omp_display_env, "OMP_5.1");

RT_EXPORT int omp_pause_resource_(const int32_t *kind, const int32_t *device)
{
    return omp_pause_resource(*kind, *device);
}
RT_NODE(omp_pause_resource_, "OMP_5.0");

RT_EXPORT int omp_pause_resource_all_(const int32_t *kind)
{
    return omp_pause_resource_all(*kind);
}
RT_NODE(omp_pause_resource_all_, "OMP_5.0");

/** Command and modifier by value, as libomp has it; its module names the C routine. */
RT_EXPORT int omp_control_tool_(int command, int modifier, void *argument)
{
    return omp_control_tool(command, modifier, argument);
}

/* ---- CHARACTER(:), POINTER functions: address and length of the text go to the first two arguments ---- */

static void point_to(const char **result, size_t *length, const char *text)
{
    *result = text;
    *length = text == NULL ? 0 : strlen(text);
}

/** As in C (omp_device.c): omp_invalid_device is -2 in flang's module and -4 in gfortran's. */
static int device_from_uid(const char *uid, size_t length, int invalid)
{
    struct rt_fortran_text text;
    int device = omp_get_device_from_uid(rt_fortran_name(&text, uid, length));
    rt_fortran_text_free(&text);
    return device < -1 ? invalid : device;
}

RT_EXPORT int omp_get_device_from_uid_(const char *uid, size_t length)
{
    return device_from_uid(uid, length, -2);
}

RT_EXPORT int rt_gfortran_get_device_from_uid(const char *uid, size_t length)
{
    return device_from_uid(uid, length, -4);
}
RT_NODE_ONLY(rt_gfortran_get_device_from_uid, omp_get_device_from_uid_, "GOMP_6.0");

RT_EXPORT void omp_get_uid_from_device_(const char **result, size_t *length, const int32_t *device)
{
    point_to(result, length, omp_get_uid_from_device(*device));
}
RT_NODE(omp_get_uid_from_device_, "GOMP_6.0");

RT_EXPORT void omp_get_uid_from_device_8_(const char **result, size_t *length, const int64_t *device)
{
    point_to(result, length, omp_get_uid_from_device(rt_fortran_int(*device)));
}
RT_NODE(omp_get_uid_from_device_8_, "GOMP_6.0");

/* An interop object is a word, NULL where there is none; the return code is OPTIONAL, so it may be NULL. */

RT_EXPORT void omp_get_interop_str_(const char **result, size_t *length, void *const *interop,
                                    const int32_t *property, int *rc)
{
    point_to(result, length, omp_get_interop_str(*interop, *property, rc));
}
RT_NODE(omp_get_interop_str_, "GOMP_5.1.3");

RT_EXPORT void omp_get_interop_name_(const char **result, size_t *length, void *const *interop,
                                     const int32_t *property)
{
    point_to(result, length, omp_get_interop_name(*interop, *property));
}
RT_NODE(omp_get_interop_name_, "GOMP_5.1.3");

RT_EXPORT void omp_get_interop_type_desc_(const char **result, size_t *length, void *const *interop,
                                          const int32_t *property)
{
    point_to(result, length, omp_get_interop_type_desc(*interop, *property));
}
RT_NODE(omp_get_interop_type_desc_, "GOMP_5.1.3");

RT_EXPORT void omp_get_interop_rc_desc_(const char **result, size_t *length, void *const *interop,
                                        const int32_t *rc)
{
    point_to(result, length, omp_get_interop_rc_desc(*interop, *rc));
}
RT_NODE(omp_get_interop_rc_desc_, "GOMP_5.1.3");

RT_EXPORT int omp_get_num_interop_properties_(void *const *interop)
{
    return omp_get_num_interop_properties(*interop);
}

RT_EXPORT intptr_t omp_get_interop_int_(void *const *interop, const int32_t *property, int *rc)
{
    return omp_get_interop_int(*interop, *property, rc);
}

RT_EXPORT void *omp_get_interop_ptr_(void *const *interop, const int32_t *property, int *rc)
{
    return omp_get_interop_ptr(*interop, *property, rc);
}

/* ---- allocators: handles are integers of a word's size, a trait has the same layout as in C ---- */

RT_EXPORT uintptr_t omp_init_allocator_(const uintptr_t *memspace, const int32_t *ntraits, const void *traits)
{
    return omp_init_allocator(*memspace, *ntraits, traits);
}
RT_NODE(omp_init_allocator_, "OMP_5.0.1");

RT_EXPORT uintptr_t omp_init_allocator_8_(const uintptr_t *memspace, const int64_t *ntraits,
                                          const void *traits)
{
    return omp_init_allocator(*memspace, rt_fortran_int(*ntraits), traits);
}
RT_NODE(omp_init_allocator_8_, "OMP_5.0.1");

RT_EXPORT void omp_destroy_allocator_(const uintptr_t *allocator)
{
    omp_destroy_allocator(*allocator);
}
RT_NODE(omp_destroy_allocator_, "OMP_5.0.1");

RT_EXPORT void omp_set_default_allocator_(const uintptr_t *allocator)
{
    omp_set_default_allocator(*allocator);
}
RT_NODE(omp_set_default_allocator_, "OMP_5.0.1");

RT_EXPORT uintptr_t omp_get_default_allocator_(void)
{
    return omp_get_default_allocator();
}
RT_NODE(omp_get_default_allocator_, "OMP_5.0.1");
