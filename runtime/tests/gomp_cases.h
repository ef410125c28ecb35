/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Self-checking OpenMP programs for gcc's ABI, one function each, compiled by gcc: gomp_cases.c has
 * constructs that the compiler translates, gomp_calls.c calls entry points by hand, also those that today's
 * gcc does not emit.
 */
#ifndef RUNTIME_TESTS_GOMP_CASES_H
#define RUNTIME_TESTS_GOMP_CASES_H

#include "cases.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct omp_case gomp_cases[];
extern const int gomp_case_count;
extern const struct omp_case gomp_calls[];
extern const int gomp_call_count;

#ifdef __cplusplus
}
#endif
#endif
