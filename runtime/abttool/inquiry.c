/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What Argobots' tools ask besides: is it there, who am I, which rank, what time.
 */
#include <stddef.h>
#include <time.h>

#include "abttool.h"

ABTTOOL_EXPORT int ABT_initialized(void)
{
    return abttool_units() != NULL ? ABT_SUCCESS : ABT_ERR_UNINITIALIZED;
}

ABTTOOL_EXPORT int ABT_info_query_config(ABT_info_query_kind query_kind, void *val)
{
    if (abttool_units() == NULL)
        return ABT_ERR_UNINITIALIZED;
    if (query_kind != ABT_INFO_QUERY_KIND_ENABLED_TOOL)
        return ABT_ERR_INV_QUERY_KIND;
    *(ABT_bool *)val = ABT_TRUE;
    return ABT_SUCCESS;
}

ABTTOOL_EXPORT double ABT_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

ABTTOOL_EXPORT int ABT_thread_self(ABT_thread *thread)
{
    const struct ompc_units *units = abttool_units();
    if (units == NULL)
        return ABT_ERR_UNINITIALIZED;
    *thread = units->self_unit();
    return *thread != ABT_THREAD_NULL ? ABT_SUCCESS : ABT_ERR_INV_THREAD;
}

ABTTOOL_EXPORT int ABT_xstream_self(ABT_xstream *xstream)
{
    const struct ompc_units *units = abttool_units();
    if (units == NULL)
        return ABT_ERR_UNINITIALIZED;
    *xstream = units->self_thread();
    return *xstream != ABT_XSTREAM_NULL ? ABT_SUCCESS : ABT_ERR_INV_XSTREAM;
}

ABTTOOL_EXPORT int ABT_xstream_get_rank(ABT_xstream xstream, int *rank)
{
    const struct ompc_units *units = abttool_units();
    if (units == NULL)
        return ABT_ERR_UNINITIALIZED;
    if (xstream == ABT_XSTREAM_NULL)
        return ABT_ERR_INV_XSTREAM;
    *rank = units->rank(xstream);
    return ABT_SUCCESS;
}

ABTTOOL_EXPORT int ABT_thread_is_unnamed(ABT_thread thread, ABT_bool *flag)
{
    const struct ompc_units *units = abttool_units();
    if (units == NULL)
        return ABT_ERR_UNINITIALIZED;
    if (thread == ABT_THREAD_NULL)
        return ABT_ERR_INV_THREAD;
    *flag = units->unnamed(thread) ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
