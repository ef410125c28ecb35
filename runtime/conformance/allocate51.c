/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Allocators: the routines of OpenMP 5.1 (5.2, 18.13.8 to 18.13.11).
 */
#include <stddef.h>
#include "check.h"

static int aligned(const void *p, size_t to)
{
    return (uintptr_t)p % to == 0;
}

CASE("omp_alloc aligns as malloc does at least")
{
    for (size_t n = 16; n < 100000; n = n * 3 + 1) {
        void *p = omp_alloc(n, omp_default_mem_alloc);
        CHECK(p != NULL && aligned(p, _Alignof(max_align_t)));
        omp_free(p, omp_default_mem_alloc);
    }
}

CASE("omp_aligned_alloc")
{
    for (size_t a = 8; a <= 8192; a *= 2) {
        char *p = (char *)omp_aligned_alloc(a, a * 3, omp_default_mem_alloc);
        CHECK(p != NULL && aligned(p, a));
        memset(p, 1, a * 3);
        omp_free(p, omp_default_mem_alloc);
    }
    CHECK(omp_aligned_alloc(64, 0, omp_default_mem_alloc) == NULL);
}

CASE("the larger of trait and argument")
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
    void *p = omp_aligned_alloc(32, 64, mine), *q = omp_aligned_alloc(1024, 1024, mine);
    CHECK(p != NULL && aligned(p, 256) && q != NULL && aligned(q, 1024));
    omp_free(p, mine);
    omp_free(q, mine);
    omp_destroy_allocator(mine);
}

CASE("omp_calloc and omp_aligned_calloc give zeros")
{
    for (size_t n = 1; n < 5000; n = n * 3 + 1) {
        char *d = (char *)omp_alloc(n * 7, omp_default_mem_alloc);
        memset(d, 0xff, n * 7);
        omp_free(d, omp_default_mem_alloc);
        unsigned char *p = (unsigned char *)omp_calloc(n, 7, omp_default_mem_alloc);
        unsigned char *q = (unsigned char *)omp_aligned_calloc(64, n, 64, omp_default_mem_alloc);
        CHECK(p != NULL && q != NULL && aligned(q, 64));
        int sum = 0;
        for (size_t i = 0; i < n * 7; i++)
            sum += p[i];
        for (size_t i = 0; i < n * 64; i++)
            sum += q[i];
        CHECK(sum == 0);
        omp_free(p, omp_default_mem_alloc);
        omp_free(q, omp_default_mem_alloc);
    }
    CHECK(omp_calloc(0, 5, omp_default_mem_alloc) == NULL && omp_calloc(5, 0, omp_default_mem_alloc) == NULL);
    volatile size_t huge = SIZE_MAX / 2;
    CHECK(omp_calloc(huge, 4, omp_default_mem_alloc) == NULL);
}

CASE("omp_realloc keeps the contents")
{
    unsigned char *p = (unsigned char *)omp_alloc(10, omp_default_mem_alloc);
    for (int i = 0; i < 10; i++)
        p[i] = (unsigned char)i;
    size_t sizes[] = {100, 5000, 50, 10, 200000, 10};
    for (int s = 0; s < 6; s++) {
        p = (unsigned char *)omp_realloc(p, sizes[s], omp_default_mem_alloc, omp_default_mem_alloc);
        CHECK(p != NULL);
        for (int i = 0; i < 10; i++)
            CHECK(p[i] == i);
    }
    CHECK(omp_realloc(p, 0, omp_default_mem_alloc, omp_default_mem_alloc) == NULL);
    p = (unsigned char *)omp_realloc(NULL, 30, omp_default_mem_alloc, omp_null_allocator);
    CHECK(p != NULL);
    omp_free(p, omp_default_mem_alloc);
}

CASE("omp_realloc from one allocator to another")
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 512}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
    char *p = (char *)omp_alloc(40, omp_default_mem_alloc);
    strcpy(p, "carried over");
    p = (char *)omp_realloc(p, 400, mine, omp_default_mem_alloc);
    CHECK(p != NULL && aligned(p, 512) && strcmp(p, "carried over") == 0);
    p = (char *)omp_realloc(p, 20, omp_null_allocator, omp_null_allocator);
    CHECK(p != NULL && strcmp(p, "carried over") == 0);
    omp_free(p, omp_null_allocator);
    omp_destroy_allocator(mine);
}

CASE("omp_realloc in a full pool leaves the old block")
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
    char *p = (char *)omp_alloc(100, mine);
    strcpy(p, "old");
    CHECK(omp_realloc(p, 100000, mine, mine) == NULL);
    CHECK(strcmp(p, "old") == 0);
    omp_free(p, mine);
    omp_destroy_allocator(mine);
}
