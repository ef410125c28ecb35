/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran entry points of the routines for threads, teams, tasks, schedules and time (OpenMP 5.2 sections
 * 18.2, 18.4, 18.5, 18.10, 18.11).
 */

#include "omp_fortran.h"

FORTRAN_SET(omp_set_num_threads, "OMP_1.0");
FORTRAN_GET(omp_get_num_threads, "OMP_1.0");
FORTRAN_GET(omp_get_max_threads, "OMP_1.0");
FORTRAN_GET(omp_get_thread_num, "OMP_1.0");
FORTRAN_GET(omp_get_num_procs, "OMP_1.0");
FORTRAN_ASK(omp_in_parallel, "OMP_1.0");
FORTRAN_SWITCH(omp_set_dynamic, "OMP_1.0");
FORTRAN_ASK(omp_get_dynamic, "OMP_1.0");
FORTRAN_SWITCH(omp_set_nested, "OMP_1.0");
FORTRAN_ASK(omp_get_nested, "OMP_1.0");
FORTRAN_GET(omp_get_thread_limit, "OMP_3.0");
FORTRAN_SET(omp_set_max_active_levels, "OMP_3.0");
FORTRAN_GET(omp_get_max_active_levels, "OMP_3.0");
FORTRAN_GET(omp_get_supported_active_levels, "OMP_5.0.1");
FORTRAN_GET(omp_get_level, "OMP_3.0");
FORTRAN_GET(omp_get_active_level, "OMP_3.0");
FORTRAN_GET_AT(omp_get_ancestor_thread_num, "OMP_3.0");
FORTRAN_GET_AT(omp_get_team_size, "OMP_3.0");
FORTRAN_ASK(omp_in_final, "OMP_3.1");
FORTRAN_ASK(omp_in_explicit_task, "OMP_5.2");
FORTRAN_ASK(omp_get_cancellation, "OMP_4.0");
FORTRAN_GET(omp_get_num_teams, "OMP_4.0");
FORTRAN_GET(omp_get_team_num, "OMP_4.0");
FORTRAN_SET(omp_set_num_teams, "OMP_5.1");
FORTRAN_GET(omp_get_max_teams, "OMP_5.1");
FORTRAN_SET(omp_set_teams_thread_limit, "OMP_5.1");
FORTRAN_GET(omp_get_teams_thread_limit, "OMP_5.1");
FORTRAN_GET(omp_get_max_task_priority, "OMP_4.5");

/* The kind is of 4 bytes in every module; only the chunk has two widths. */
RT_EXPORT void omp_set_schedule_(const int32_t *kind, const int32_t *chunk)
{
    omp_set_schedule((uint32_t)*kind, *chunk);
}
RT_NODE(omp_set_schedule_, "OMP_3.0");

RT_EXPORT void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk)
{
    omp_set_schedule((uint32_t)*kind, rt_fortran_int(*chunk));
}
RT_NODE(omp_set_schedule_8_, "OMP_3.0");

RT_EXPORT void omp_get_schedule_(int32_t *kind, int32_t *chunk)
{
    omp_get_schedule((uint32_t *)kind, chunk);
}
RT_NODE(omp_get_schedule_, "OMP_3.0");

RT_EXPORT void omp_get_schedule_8_(int32_t *kind, int64_t *chunk)
{
    int narrow;
    omp_get_schedule((uint32_t *)kind, &narrow);
    *chunk = narrow;
}
RT_NODE(omp_get_schedule_8_, "OMP_3.0");

/** The one routine whose argument comes by value, in libgomp and in libomp. */
RT_EXPORT void omp_fulfill_event_(uintptr_t event)
{
    omp_fulfill_event(event);
}
RT_NODE(omp_fulfill_event_, "OMP_5.0.1");

RT_EXPORT double omp_get_wtime_(void)
{
    return omp_get_wtime();
}
RT_NODE(omp_get_wtime_, "OMP_2.0");

RT_EXPORT double omp_get_wtick_(void)
{
    return omp_get_wtick();
}
RT_NODE(omp_get_wtick_, "OMP_2.0");
