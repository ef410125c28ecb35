/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran entry points of clang's own routines (docs/abi/omp-api.md 2.9), all in the node VERSION alone.
 * Those for memory stand with the allocators.
 */

#include "omp_fortran.h"
#include "omp_fortran_text.h"

/* Each ends in a declaration, for the semicolon behind it. */

#define KMP_DO(name)             \
    RT_EXPORT void name##_(void) \
    {                            \
        name();                  \
    }                            \
    void name##_(void)

#define KMP_GET(name)           \
    RT_EXPORT int name##_(void) \
    {                           \
        return name();          \
    }                           \
    int name##_(void)

#define KMP_SET(name, type)                   \
    RT_EXPORT void name##_(const type *value) \
    {                                         \
        name(*value);                         \
    }                                         \
    void name##_(const type *value)

KMP_GET(kmp_get_blocktime);
KMP_SET(kmp_set_blocktime, int32_t);
KMP_GET(kmp_get_stacksize);
KMP_SET(kmp_set_stacksize, int32_t);
KMP_SET(kmp_set_stacksize_s, size_t);
KMP_GET(kmp_get_library);
KMP_SET(kmp_set_library, int32_t);
KMP_DO(kmp_set_library_serial);
KMP_DO(kmp_set_library_turnaround);
KMP_DO(kmp_set_library_throughput);
KMP_SET(kmp_set_disp_num_buffers, int32_t);
KMP_DO(kmp_set_warnings_on);
KMP_DO(kmp_set_warnings_off);
KMP_GET(kmp_get_affinity_max_proc);
KMP_GET(kmp_get_num_known_threads);

RT_EXPORT size_t kmp_get_stacksize_s_(void)
{
    return kmp_get_stacksize_s();
}

RT_EXPORT void kmp_set_defaults_(const char *settings, size_t length)
{
    struct rt_fortran_text text;
    kmp_set_defaults(rt_fortran_name(&text, settings, length));
    rt_fortran_text_free(&text);
}

RT_EXPORT int kmp_get_cancellation_status_(const int32_t *kind)
{
    return kmp_get_cancellation_status(*kind) != 0;
}

/* A mask is a word in the program, which holds what kmp_create_affinity_mask stored there. */

RT_EXPORT void kmp_create_affinity_mask_(void **mask)
{
    kmp_create_affinity_mask(mask);
}

RT_EXPORT void kmp_destroy_affinity_mask_(void **mask)
{
    kmp_destroy_affinity_mask(mask);
}

RT_EXPORT int kmp_set_affinity_(void **mask)
{
    return kmp_set_affinity(mask);
}

RT_EXPORT int kmp_get_affinity_(void **mask)
{
    return kmp_get_affinity(mask);
}

RT_EXPORT int kmp_set_affinity_mask_proc_(const int32_t *proc, void **mask)
{
    return kmp_set_affinity_mask_proc(*proc, mask);
}

RT_EXPORT int kmp_unset_affinity_mask_proc_(const int32_t *proc, void **mask)
{
    return kmp_unset_affinity_mask_proc(*proc, mask);
}

RT_EXPORT int kmp_get_affinity_mask_proc_(const int32_t *proc, void **mask)
{
    return kmp_get_affinity_mask_proc(*proc, mask);
}
