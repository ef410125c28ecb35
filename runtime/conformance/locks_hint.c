/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * omp_init_lock_with_hint and omp_init_nest_lock_with_hint (OpenMP 5.2, 18.9.2).
 */
#include "check.h"

static const omp_sync_hint_t hints[] = {
    omp_sync_hint_none,        omp_sync_hint_uncontended,    omp_sync_hint_contended,
    omp_sync_hint_speculative, omp_sync_hint_nonspeculative,
};

CASE("simple locks with each hint")
{
    for (unsigned h = 0; h < sizeof hints / sizeof hints[0]; h++) {
        omp_lock_t lock;
        int count = 0;
        omp_init_lock_with_hint(&lock, hints[h]);
#pragma omp parallel num_threads(4) shared(count)
        for (int i = 0; i < 100; i++) {
            omp_set_lock(&lock);
            count++;
            omp_unset_lock(&lock);
        }
        CHECK(count == 400);
        CHECK(omp_test_lock(&lock) != 0);
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
    }
}

CASE("nestable locks with each hint")
{
    for (unsigned h = 0; h < sizeof hints / sizeof hints[0]; h++) {
        omp_nest_lock_t lock;
        int count = 0;
        omp_init_nest_lock_with_hint(&lock, hints[h]);
#pragma omp parallel num_threads(4) shared(count)
        for (int i = 0; i < 100; i++) {
            omp_set_nest_lock(&lock);
            CHECK(omp_test_nest_lock(&lock) == 2);
            count++;
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
        }
        CHECK(count == 400);
        omp_destroy_nest_lock(&lock);
    }
}
