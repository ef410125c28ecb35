/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran entry points of the routines for places and for the affinity format (OpenMP 5.2 section 18.3).
 */
#include <string.h>

#include "omp_fortran.h"
#include "omp_fortran_text.h"

FORTRAN_GET(omp_get_proc_bind, "OMP_4.0");
FORTRAN_GET(omp_get_num_places, "OMP_4.5");
FORTRAN_GET_AT(omp_get_place_num_procs, "OMP_4.5");
FORTRAN_GET(omp_get_place_num, "OMP_4.5");
FORTRAN_GET(omp_get_partition_num_places, "OMP_4.5");

RT_EXPORT void omp_get_place_proc_ids_(const int32_t *place, int32_t *ids)
{
    omp_get_place_proc_ids(*place, ids);
}
RT_NODE(omp_get_place_proc_ids_, "OMP_4.5");

RT_EXPORT void omp_get_partition_place_nums_(int32_t *places)
{
    omp_get_partition_place_nums(places);
}
RT_NODE(omp_get_partition_place_nums_, "OMP_4.5");

/** n numbers of 4 bytes at the start of the array become 8 bytes each; from the end, so that none is lost. */
static void widen(int64_t *numbers, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        int32_t narrow;
        memcpy(&narrow, (char *)numbers + (size_t)i * sizeof narrow, sizeof narrow);
        numbers[i] = narrow;
    }
}

RT_EXPORT void omp_get_place_proc_ids_8_(const int64_t *place, int64_t *ids)
{
    int number = rt_fortran_int(*place);
    omp_get_place_proc_ids(number, (int *)ids);
    widen(ids, omp_get_place_num_procs(number));
}
RT_NODE(omp_get_place_proc_ids_8_, "OMP_4.5");

RT_EXPORT void omp_get_partition_place_nums_8_(int64_t *places)
{
    omp_get_partition_place_nums((int *)places);
    widen(places, omp_get_partition_num_places());
}
RT_NODE(omp_get_partition_place_nums_8_, "OMP_4.5");

RT_EXPORT void omp_set_affinity_format_(const char *format, size_t length)
{
    struct rt_fortran_text text;
    ompc_set_affinity_format(rt_fortran_text(&text, format, length));
    rt_fortran_text_free(&text);
}
RT_NODE(omp_set_affinity_format_, "OMP_5.0");

/** The result is the length that the whole text has: a longer buffer is filled up with blanks. */
RT_EXPORT size_t omp_get_affinity_format_(char *buffer, size_t length)
{
    struct rt_fortran_text text;
    size_t full = ompc_get_affinity_format(rt_fortran_room(&text, length), length + 1);
    rt_fortran_give(buffer, length, text.c, full);
    rt_fortran_text_free(&text);
    return full;
}
RT_NODE(omp_get_affinity_format_, "OMP_5.0");

RT_EXPORT void omp_display_affinity_(const char *format, size_t length)
{
    struct rt_fortran_text text;
    ompc_display_affinity(rt_fortran_text(&text, format, length));
    rt_fortran_text_free(&text);
}
RT_NODE(omp_display_affinity_, "OMP_5.0");

RT_EXPORT size_t omp_capture_affinity_(char *buffer, const char *format, size_t length, size_t format_length)
{
    struct rt_fortran_text text, in;
    size_t full = ompc_capture_affinity(rt_fortran_room(&text, length), length + 1,
                                        rt_fortran_text(&in, format, format_length));
    rt_fortran_give(buffer, length, text.c, full);
    rt_fortran_text_free(&in);
    rt_fortran_text_free(&text);
    return full;
}
RT_NODE(omp_capture_affinity_, "OMP_5.0");
