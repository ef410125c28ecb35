/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Allocators: the routines (OpenMP 5.2, 18.13).
 */
#include "check.h"

static int aligned(const void *p, size_t to)
{
    return (uintptr_t)p % to == 0;
}

CASE("omp_alloc and omp_free with each predefined allocator")
{
    static const omp_allocator_handle_t all[] = {
        omp_null_allocator,   omp_default_mem_alloc, omp_large_cap_mem_alloc,
        omp_const_mem_alloc,  omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
        omp_cgroup_mem_alloc, omp_pteam_mem_alloc,   omp_thread_mem_alloc,
    };
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        for (size_t n = 1; n < 100000; n = n * 7 + 1) {
            unsigned char *p = (unsigned char *)omp_alloc(n, all[i]);
            if (!p) { /* a memory space may be missing */
                CHECK(all[i] != omp_null_allocator && all[i] != omp_default_mem_alloc);
                continue;
            }
            memset(p, 0x5a, n);
            CHECK(p[0] == 0x5a && p[n - 1] == 0x5a);
            omp_free(p, all[i]);
        }
}

CASE("size 0, and freeing NULL")
{
    CHECK(omp_alloc(0, omp_default_mem_alloc) == NULL);
    omp_free(NULL, omp_default_mem_alloc);
    omp_free(NULL, omp_null_allocator);
}

CASE("free with the null allocator finds the allocator by itself")
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
    void *p = omp_alloc(100, mine);
    CHECK(p != NULL && aligned(p, 128));
    omp_free(p, omp_null_allocator);
    omp_destroy_allocator(mine);
}

CASE("the alignment trait")
{
    for (size_t a = 1; a <= 4096; a *= 2) {
        omp_alloctrait_t traits[] = {{omp_atk_alignment, a}};
        omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
        CHECK(mine != omp_null_allocator);
        void *p[10];
        for (int i = 0; i < 10; i++) {
            p[i] = omp_alloc(1 + (size_t)i * 13, mine);
            CHECK(p[i] != NULL && aligned(p[i], a));
            memset(p[i], i, 1 + (size_t)i * 13);
        }
        for (int i = 0; i < 10; i++)
            omp_free(p[i], mine);
        omp_destroy_allocator(mine);
    }
}

CASE("pool_size with null_fb: no more than the pool")
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(mine != omp_null_allocator);
    CHECK(omp_alloc(8192, mine) == NULL);
    void *p = omp_alloc(2000, mine);
    CHECK(p != NULL);
    CHECK(omp_alloc(4000, mine) == NULL);
    omp_free(p, mine);
    p = omp_alloc(2000, mine); /* what was freed counts no more */
    CHECK(p != NULL);
    omp_free(p, mine);
    omp_destroy_allocator(mine);
}

CASE("pool_size with default_mem_fb and allocator_fb")
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1024}, {omp_atk_fallback, omp_atv_default_mem_fb}};
    omp_allocator_handle_t first = omp_init_allocator(omp_default_mem_space, 2, traits);
    void *p = omp_alloc(100000, first);
    CHECK(p != NULL);
    memset(p, 1, 100000);
    omp_free(p, first);
    omp_alloctrait_t other[] = {{omp_atk_pool_size, 1024},
                                {omp_atk_fallback, omp_atv_allocator_fb},
                                {omp_atk_fb_data, (uintptr_t)first}};
    omp_allocator_handle_t second = omp_init_allocator(omp_default_mem_space, 3, other);
    CHECK(second != omp_null_allocator);
    p = omp_alloc(500, second);
    void *q = omp_alloc(900, second); /* from the first, or from the default memory behind it */
    CHECK(p != NULL && q != NULL);
    memset(p, 1, 500);
    memset(q, 2, 900);
    omp_free(p, second);
    omp_free(q, second);
    omp_destroy_allocator(second);
    omp_destroy_allocator(first);
}

CASE("other traits are taken or refused, never fatal")
{
    omp_alloctrait_t traits[] = {{omp_atk_sync_hint, omp_atv_contended},
                                 {omp_atk_access, omp_atv_all},
                                 {omp_atk_partition, omp_atv_environment}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 3, traits);
    if (mine != omp_null_allocator) {
        void *p = omp_alloc(64, mine);
        CHECK(p != NULL);
        omp_free(p, mine);
        omp_destroy_allocator(mine);
    }
    omp_allocator_handle_t plain = omp_init_allocator(omp_default_mem_space, 0, NULL);
    CHECK(plain != omp_null_allocator);
    void *p = omp_alloc(64, plain);
    CHECK(p != NULL);
    omp_free(p, plain);
    omp_destroy_allocator(plain);
}

CASE("the default allocator is the task's own")
{
    CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 512}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 1, traits);
    omp_set_default_allocator(mine);
    CHECK(omp_get_default_allocator() == mine);
    void *p = omp_alloc(10, omp_null_allocator);
    CHECK(p != NULL && aligned(p, 512));
    omp_free(p, omp_null_allocator);
#pragma omp parallel num_threads(3)
    {
        CHECK(omp_get_default_allocator() == mine);
        omp_set_default_allocator(omp_large_cap_mem_alloc);
        CHECK(omp_get_default_allocator() == omp_large_cap_mem_alloc);
    }
    omp_set_default_allocator(omp_default_mem_alloc);
    CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
    omp_destroy_allocator(mine);
}

CASE("threads allocate and free each other's memory")
{
    static char *blocks[MAX_THREADS][20];
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < 20; i++) {
                size_t size = (size_t)(i * 37 + round + 1);
                blocks[me][i] = (char *)omp_alloc(size, omp_default_mem_alloc);
                memset(blocks[me][i], me, size);
            }
#pragma omp barrier
            int other = (me + 1) % n;
            for (int i = 0; i < 20; i++) {
                CHECK(blocks[other][i][i * 37 + round] == (char)other);
                omp_free(blocks[other][i], omp_default_mem_alloc);
            }
#pragma omp barrier
        }
    }
}

CASE("a pool is shared by the threads and never exceeded")
{
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 64 * 1024}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
    int held = 0, refused = 0;
#pragma omp parallel num_threads(4) shared(held, refused)
    {
        void *p[100];
        for (int i = 0; i < 100; i++) {
            p[i] = omp_alloc(1000, mine);
            if (p[i])
                ADD(held, 1000);
            else
                ADD(refused, 1);
        }
#pragma omp barrier
        CHECK(LOAD(held) <= 64 * 1024);
#pragma omp barrier
        for (int i = 0; i < 100; i++)
            omp_free(p[i], mine);
    }
    CHECK(held > 0 && refused > 0);
    void *p = omp_alloc(32 * 1024, mine);
    CHECK(p != NULL);
    omp_free(p, mine);
    omp_destroy_allocator(mine);
}
