/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The routines for places and for the affinity format (OpenMP 5.2 sections 18.3.2 to 18.3.15),
 * omp_display_env, and libomp's affinity masks (docs/abi/omp-api.md 2.9). Fortran's names stand in
 * omp_fortran_places.c and omp_fortran_kmp.c.
 *
 * The four routines of the affinity format come in three flavours: omp_* of OMP_5.0 and ompc_* for C, and
 * omp_* of VERSION with Fortran's lengths behind the arguments, as libomp has it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/attach.h"
#include "../core/display.h"
#include "../core/display_env.h"
#include "../core/env.h"
#include "../core/message.h"
#include "../core/places.h"
#include "omp_c.h"
#include "omp_fortran_text.h"
#include "versions.h"

/* ---- places -------------------------------------------------------------------------------------------- */

RT_EXPORT int omp_get_num_places(void)
{
    (void)rt_me();
    return rt_place_count();
}
RT_NODE(omp_get_num_places, "OMP_4.5");

RT_EXPORT int omp_get_place_num_procs(int place)
{
    (void)rt_me();
    const struct rt_cpus *cpus = rt_place_cpus(place);
    return cpus != NULL ? rt_cpus_count(cpus) : 0;
}
RT_NODE(omp_get_place_num_procs, "OMP_4.5");

RT_EXPORT void omp_get_place_proc_ids(int place, int *ids)
{
    (void)rt_me();
    const struct rt_cpus *cpus = rt_place_cpus(place);
    if (cpus == NULL)
        return;
    for (int id = rt_cpus_next(cpus, 0); id >= 0; id = rt_cpus_next(cpus, id + 1))
        *ids++ = id;
}
RT_NODE(omp_get_place_proc_ids, "OMP_4.5");

RT_EXPORT int omp_get_place_num(void)
{
    return rt_place_of(rt_me());
}
RT_NODE(omp_get_place_num, "OMP_4.5");

RT_EXPORT int omp_get_partition_num_places(void)
{
    int first, count;
    rt_place_partition(rt_me(), &first, &count);
    return count;
}
RT_NODE(omp_get_partition_num_places, "OMP_4.5");

RT_EXPORT void omp_get_partition_place_nums(int *places)
{
    int first, count;
    rt_place_partition(rt_me(), &first, &count);
    for (int i = 0; i < count; i++)
        places[i] = first + i;
}
RT_NODE(omp_get_partition_place_nums, "OMP_4.5");

/* ---- affinity format ----------------------------------------------------------------------------------- */

static void set_format(const char *format)
{
    char *copy = strdup(format);
    if (copy == NULL)
        rt_fatal("no memory for the affinity format");
    (void)rt_me();
    rt_lock(&rt_env.format_lock);
    char *old = rt_env.format_memory;
    rt_env.affinity_format = rt_env.format_memory = copy;
    rt_unlock(&rt_env.format_lock);
    free(old);
}

static size_t get_format(char *buffer, size_t size)
{
    (void)rt_me();
    rt_lock(&rt_env.format_lock);
    size_t length = strlen(rt_env.affinity_format);
    if (size > 0) {
        size_t n = length < size ? length : size - 1;
        memcpy(buffer, rt_env.affinity_format, n);
        buffer[n] = '\0';
    }
    rt_unlock(&rt_env.format_lock);
    return length;
}

RT_EXPORT void ompc_set_affinity_format(const char *format)
{
    set_format(format);
}

RT_EXPORT size_t ompc_get_affinity_format(char *buffer, size_t size)
{
    return get_format(buffer, size);
}

RT_EXPORT void ompc_display_affinity(const char *format)
{
    rt_affinity_print(rt_me(), format, stdout); /* libomp's stream */
}

RT_EXPORT size_t ompc_capture_affinity(char *buffer, size_t size, const char *format)
{
    return rt_affinity_text(rt_me(), format, buffer, size);
}

RT_EXPORT void omp_set_affinity_format(const char *format)
{
    set_format(format);
}
RT_NODE_MAIN(omp_set_affinity_format, "OMP_5.0");

RT_EXPORT size_t omp_get_affinity_format(char *buffer, size_t size)
{
    return get_format(buffer, size);
}
RT_NODE_MAIN(omp_get_affinity_format, "OMP_5.0");

RT_EXPORT void omp_display_affinity(const char *format)
{
    rt_affinity_print(rt_me(), format, stderr); /* libgomp's stream */
}
RT_NODE_MAIN(omp_display_affinity, "OMP_5.0");

RT_EXPORT size_t omp_capture_affinity(char *buffer, size_t size, const char *format)
{
    return rt_affinity_text(rt_me(), format, buffer, size);
}
RT_NODE_MAIN(omp_capture_affinity, "OMP_5.0");

/* Fortran's way under C's names, in VERSION alone. The result is the length of the whole text. */

static size_t give(char *buffer, size_t length, struct rt_fortran_text *text, size_t full)
{
    rt_fortran_give(buffer, length, text->c, full);
    rt_fortran_text_free(text);
    return full;
}

RT_EXPORT void rt_version_set_affinity_format(const char *format, size_t length)
{
    struct rt_fortran_text text;
    set_format(rt_fortran_text(&text, format, length));
    rt_fortran_text_free(&text);
}
RT_NODE_ONLY(rt_version_set_affinity_format, omp_set_affinity_format, "VERSION");

RT_EXPORT size_t rt_version_get_affinity_format(char *buffer, size_t length)
{
    struct rt_fortran_text text;
    size_t full = get_format(rt_fortran_room(&text, length), length + 1);
    return give(buffer, length, &text, full);
}
RT_NODE_ONLY(rt_version_get_affinity_format, omp_get_affinity_format, "VERSION");

RT_EXPORT void rt_version_display_affinity(const char *format, size_t length)
{
    struct rt_fortran_text text;
    rt_affinity_print(rt_me(), rt_fortran_text(&text, format, length), stdout);
    rt_fortran_text_free(&text);
}
RT_NODE_ONLY(rt_version_display_affinity, omp_display_affinity, "VERSION");

RT_EXPORT size_t rt_version_capture_affinity(char *buffer, const char *format, size_t length,
                                             size_t format_length)
{
    struct rt_fortran_text text, in;
    size_t full = rt_affinity_text(rt_me(), rt_fortran_text(&in, format, format_length),
                                   rt_fortran_room(&text, length), length + 1);
    rt_fortran_text_free(&in);
    return give(buffer, length, &text, full);
}
RT_NODE_ONLY(rt_version_capture_affinity, omp_capture_affinity, "VERSION");

RT_EXPORT void omp_display_env(int verbose)
{
    (void)rt_me();
    rt_env_display(verbose != 0);
}
RT_NODE(omp_display_env, "OMP_5.1");

/* ---- libomp's masks: a kmp_affinity_mask_t is a pointer to a set --------------------------------------- */

RT_EXPORT void kmp_create_affinity_mask(void **mask)
{
    *mask = calloc(1, sizeof(struct rt_cpus));
    if (*mask == NULL)
        rt_fatal("no memory for an affinity mask");
}

RT_EXPORT void kmp_destroy_affinity_mask(void **mask)
{
    free(*mask);
    *mask = NULL;
}

/** 0, or the error's number. */
RT_EXPORT int kmp_set_affinity(void **mask)
{
    struct rt_thread *th = rt_me();
    if (*mask == NULL)
        return EINVAL;
    int failed = rt_cpus_bind_thread(*mask);
    if (failed)
        return failed;
    th->place = -1; /* at no place of the list; the next region that binds moves it there */
    return 0;
}

RT_EXPORT int kmp_get_affinity(void **mask)
{
    if (*mask == NULL)
        return EINVAL;
    return rt_cpus_of_thread(*mask);
}

/** Back to what the process started with; libomp has it for threads that a program creates itself. */
RT_EXPORT int kmp_set_thread_affinity_mask_initial(void)
{
    struct rt_thread *th = rt_me();
    if (rt_cpus_bind_thread(&rt_env.initial) != 0)
        return 0;
    th->place = -1;
    return 1;
}

/** One above the largest number that a processor of the process has. */
RT_EXPORT int kmp_get_affinity_max_proc(void)
{
    int highest = -1;
    (void)rt_me();
    for (int id = rt_cpus_next(&rt_env.initial, 0); id >= 0; id = rt_cpus_next(&rt_env.initial, id + 1))
        highest = id;
    return highest + 1;
}

/** 0 for a processor that there is; -1 no such number, -2 the process may not use it. */
static int check_proc(int proc, void *const *mask)
{
    (void)rt_me();
    if (*mask == NULL || proc < 0 || proc >= RT_CPU_MAX)
        return -1;
    return rt_cpus_has(&rt_env.initial, proc) ? 0 : proc < kmp_get_affinity_max_proc() ? -2 : -1;
}

RT_EXPORT int kmp_set_affinity_mask_proc(int proc, void **mask)
{
    int wrong = check_proc(proc, mask);
    if (wrong == 0)
        rt_cpus_add(*mask, proc);
    return wrong;
}

RT_EXPORT int kmp_unset_affinity_mask_proc(int proc, void **mask)
{
    int wrong = check_proc(proc, mask);
    if (wrong == 0)
        rt_cpus_remove(*mask, proc);
    return wrong;
}

RT_EXPORT int kmp_get_affinity_mask_proc(int proc, void **mask)
{
    int wrong = check_proc(proc, mask);
    return wrong == 0 ? rt_cpus_has(*mask, proc) : wrong == -2 ? 0 : -1;
}

RT_EXPORT int kmpc_set_affinity_mask_proc(int proc, void **mask)
{
    return kmp_set_affinity_mask_proc(proc, mask);
}

RT_EXPORT int kmpc_unset_affinity_mask_proc(int proc, void **mask)
{
    return kmp_unset_affinity_mask_proc(proc, mask);
}

RT_EXPORT int kmpc_get_affinity_mask_proc(int proc, void **mask)
{
    return kmp_get_affinity_mask_proc(proc, mask);
}
