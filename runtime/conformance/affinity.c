/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Places and thread affinity (OpenMP 5.2, 10.1.3 and 18.3). Runs bound and unbound: see the manifest.
 */
#define _GNU_SOURCE
#include "check.h"

static int bound(void)
{
    const char *b = getenv("OMP_PROC_BIND");
    return b && strcmp(b, "false") != 0;
}

CASE("the initial thread is bound by the first active region at the latest")
{
#pragma omp parallel num_threads(2)
    CHECK(!bound() || omp_get_place_num() >= 0);
    CHECK(!bound() || omp_get_place_num() >= 0);
}

CASE("the places and their processors")
{
    int places = omp_get_num_places();
    CHECK(places >= 0 && (!bound() || places >= 1));
    for (int p = 0; p < places; p++) {
        int n = omp_get_place_num_procs(p);
        CHECK(n >= 1 && n <= 4096);
        int *ids = (int *)calloc((size_t)n + 1, sizeof *ids);
        ids[n] = -77;
        omp_get_place_proc_ids(p, ids);
        CHECK(ids[n] == -77);
        for (int i = 0; i < n; i++) {
            CHECK(ids[i] >= 0);
            for (int j = 0; j < i; j++)
                CHECK(ids[i] != ids[j]);
        }
        free(ids);
    }
    CHECK(omp_get_place_num_procs(-1) == 0 && omp_get_place_num_procs(places) == 0);
}

CASE("the place and the partition of each thread")
{
    int places = omp_get_num_places();
#pragma omp parallel
    {
        int mine = omp_get_place_num(), n = omp_get_partition_num_places();
        CHECK(mine >= -1 && mine < (places > 0 ? places : 1));
        CHECK(!bound() || mine >= 0);
        CHECK(n >= 0 && n <= places);
        int *nums = (int *)calloc((size_t)n + 1, sizeof *nums);
        nums[n] = -77;
        omp_get_partition_place_nums(nums);
        CHECK(nums[n] == -77);
        int inside = mine < 0 || n == 0;
        for (int i = 0; i < n; i++) {
            CHECK(nums[i] >= 0 && nums[i] < places);
            inside |= nums[i] == mine;
        }
        CHECK(inside);
        free(nums);
    }
}

CASE("a bound thread may run on its place's processors only")
{
#ifdef CPU_SETSIZE
    if (bound()) {
#pragma omp parallel
        {
            cpu_set_t mask;
            CPU_ZERO(&mask);
            CHECK(sched_getaffinity(0, sizeof mask, &mask) == 0);
            int place = omp_get_place_num(), n = omp_get_place_num_procs(place);
            int *ids = (int *)calloc((size_t)n + 1, sizeof *ids);
            omp_get_place_proc_ids(place, ids);
            CHECK(CPU_COUNT(&mask) <= n);
            int inside = 0;
            for (int i = 0; i < n; i++)
                inside += CPU_ISSET(ids[i], &mask) != 0;
            CHECK(inside == CPU_COUNT(&mask));
            free(ids);
        }
    }
#endif
    CHECK(1);
}

CASE("omp_get_proc_bind tells the policy of the next region")
{
    omp_proc_bind_t b = omp_get_proc_bind();
    CHECK(b == omp_proc_bind_false || b == omp_proc_bind_true || b == omp_proc_bind_close ||
          b == omp_proc_bind_spread || b == omp_proc_bind_master);
    CHECK((b != omp_proc_bind_false) == bound());
}

CASE("proc_bind(close): the threads take neighbouring places from the primary thread's on")
{
    int places = omp_get_num_places();
    if (bound() && places > 1) {
        static int place_of[MAX_THREADS];
#pragma omp parallel num_threads(places) proc_bind(close)
        place_of[omp_get_thread_num()] = omp_get_place_num();
        for (int i = 1; i < places; i++)
            CHECK(place_of[i] == (place_of[i - 1] + 1) % places);
    }
    CHECK(1);
}

CASE("proc_bind(spread): each thread has a partition of its own, of all places together")
{
    int places = omp_get_num_places();
    if (bound() && places > 1) {
        static int sizes[MAX_THREADS];
#pragma omp parallel num_threads(2) proc_bind(spread)
        sizes[omp_get_thread_num()] = omp_get_partition_num_places();
        CHECK(sizes[0] + sizes[1] == places);
    }
    CHECK(1);
}

CASE("proc_bind(primary): all in the primary thread's place")
{
    if (bound()) {
        int primary = omp_get_place_num();
#pragma omp parallel num_threads(3) proc_bind(master)
        CHECK(omp_get_place_num() == primary);
    }
    CHECK(1);
}
