/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Fortran entry points of the lock routines (OpenMP 5.2 section 18.9).
 *
 * The argument is the address of an integer that holds the lock: of 4 bytes for gfortran's simple lock and
 * of 8 for its nestable one, of 8 for both with flang. The C routines keep to 4 and 8, and libgomp's OMP_1.0
 * flavour of the locks, one word and two, is the same to them.
 *
 * Nothing is done behind the call, so the compiler makes it a jump, and the C routine sees the caller's
 * return address: that is where a debugger shows the wait.
 */

#include "omp_fortran.h"

/* A routine that exists in both of libgomp's flavours. */
#define LOCK_NODES(name)      \
    RT_NODE(name, "OMP_1.0"); \
    RT_NODE(name, "OMP_3.0")

#define LOCK_CALL(name)                \
    RT_EXPORT void name##_(void *lock) \
    {                                  \
        name(lock);                    \
    }                                  \
    LOCK_NODES(name##_)

#define LOCK_TEST(name)               \
    RT_EXPORT int name##_(void *lock) \
    {                                 \
        return name(lock);            \
    }                                 \
    LOCK_NODES(name##_)

#define LOCK_HINT(name)                                     \
    RT_EXPORT void name##_(void *lock, const int32_t *hint) \
    {                                                       \
        name(lock, *hint);                                  \
    }                                                       \
    RT_NODE(name##_, "OMP_4.5")

LOCK_CALL(omp_init_lock);
LOCK_HINT(omp_init_lock_with_hint);
LOCK_CALL(omp_destroy_lock);
LOCK_CALL(omp_set_lock);
LOCK_CALL(omp_unset_lock);
LOCK_TEST(omp_test_lock); /* LOGICAL: 0 or 1 */

LOCK_CALL(omp_init_nest_lock);
LOCK_HINT(omp_init_nest_lock_with_hint);
LOCK_CALL(omp_destroy_nest_lock);
LOCK_CALL(omp_set_nest_lock);
LOCK_CALL(omp_unset_nest_lock);
LOCK_TEST(omp_test_nest_lock); /* INTEGER: the new nesting count */
