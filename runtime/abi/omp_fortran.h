/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the files of the Fortran entry points share (docs/abi/omp-api.md section 1, docs/abi/kmpc.md section
 * 16).
 *
 * A Fortran program calls `omp_xxx_`, with the address of each argument; gfortran's module sends a call with
 * 8-byte arguments to `omp_xxx_8_`. LOGICAL results are 0 or 1 and nothing else: gfortran negates them by
 * flipping one bit.
 */
#ifndef RT_ABI_OMP_FORTRAN_H
#define RT_ABI_OMP_FORTRAN_H

#include <limits.h>

#include "../core/base.h"
#include "omp_c.h"
#include "versions.h"

/** An 8-byte argument for a routine that takes an int: the nearest one. */
static inline int rt_fortran_int(int64_t value)
{
    return value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : (int)value;
}

/* A name without underscore is the C routine, `node` is libgomp's node for the Fortran one. */

/** INTEGER function without arguments. */
#define FORTRAN_GET(name, node) \
    RT_EXPORT int name##_(void) \
    {                           \
        return name();          \
    }                           \
    RT_NODE(name##_, node)

/** LOGICAL function without arguments. */
#define FORTRAN_ASK(name, node) \
    RT_EXPORT int name##_(void) \
    {                           \
        return name() != 0;     \
    }                           \
    RT_NODE(name##_, node)

/** Subroutine of one INTEGER, in both widths. */
#define FORTRAN_SET(name, node)                    \
    RT_EXPORT void name##_(const int32_t *value)   \
    {                                              \
        name(*value);                              \
    }                                              \
    RT_NODE(name##_, node);                        \
    RT_EXPORT void name##_8_(const int64_t *value) \
    {                                              \
        name(rt_fortran_int(*value));              \
    }                                              \
    RT_NODE(name##_8_, node)

/** Subroutine of one LOGICAL, in both widths. */
#define FORTRAN_SWITCH(name, node)              \
    RT_EXPORT void name##_(const int32_t *on)   \
    {                                           \
        name(*on != 0);                         \
    }                                           \
    RT_NODE(name##_, node);                     \
    RT_EXPORT void name##_8_(const int64_t *on) \
    {                                           \
        name(*on != 0);                         \
    }                                           \
    RT_NODE(name##_8_, node)

/** INTEGER function of one INTEGER, in both widths. */
#define FORTRAN_GET_AT(name, node)             \
    RT_EXPORT int name##_(const int32_t *at)   \
    {                                          \
        return name(*at);                      \
    }                                          \
    RT_NODE(name##_, node);                    \
    RT_EXPORT int name##_8_(const int64_t *at) \
    {                                          \
        return name(rt_fortran_int(*at));      \
    }                                          \
    RT_NODE(name##_8_, node)

#endif
