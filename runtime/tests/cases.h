/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Self-checking OpenMP programs, one function each: compiled by clang, called by runtime_test.cc.
 */
#ifndef RUNTIME_TESTS_CASES_H
#define RUNTIME_TESTS_CASES_H

#ifdef __cplusplus
extern "C" {
#endif

struct omp_case {
    const char *name;
    /**
     * Runs with teams of `threads`; 0 when all held, else the source line of the first check that did not.
     */
    int (*run)(int threads);
};
extern const struct omp_case omp_cases[];
extern const int omp_case_count;
extern const struct omp_case alloc_cases[];
extern const int alloc_case_count;
extern const struct omp_case edge_cases[];
extern const int edge_case_count;
extern const struct omp_case numbers_cases[];
extern const int numbers_case_count;

#ifdef __cplusplus
}
#endif
#endif
