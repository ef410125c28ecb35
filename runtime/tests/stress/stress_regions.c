/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Parallel regions: nests of all shapes, with other scenarios inside; ICVs; teams; target regions on the
 * host.
 */
#include "stress.h"

/* ---- nests --------------------------------------------------------------------------------------------- */

/** What the members of a region check of themselves. */
struct region {
    int n, level, active_level, outer_thread, count;
};

static void member(struct region *region, struct run *r, int levels);

/** A region with the clauses that are drawn, then nests inside, as deep as `levels` says. */
static void nest_of(struct run *r, int levels)
{
    int n = team_size(r), form = pick(r, 9), again = 1 + pick(r, 3), old = omp_get_max_threads();
    for (int i = 0; i < again; i++) {
        struct region region = {.n = n,
                                .level = omp_get_level(),
                                .active_level = omp_get_active_level(),
                                .outer_thread = omp_get_thread_num()};
        struct run inside = branch(r, i, n);
        switch (form) {
        case 0:
            region.n = 1;
#pragma omp parallel if (n < 0) num_threads(n)
            member(&region, &inside, levels);
            break;
        case 1:
#pragma omp parallel num_threads(n) proc_bind(close)
            member(&region, &inside, levels);
            break;
        case 2:
#pragma omp parallel num_threads(n) proc_bind(spread)
            member(&region, &inside, levels);
            break;
        case 3:
#pragma omp parallel num_threads(n) proc_bind(master)
            member(&region, &inside, levels);
            break;
        case 4:
            omp_set_num_threads(n);
#pragma omp parallel
            member(&region, &inside, levels);
            break;
        default:
#pragma omp parallel num_threads(n) if (n > 0)
            member(&region, &inside, levels);
        }
        CHECK_EQ(region.count, region.n);
        CHECK_EQ(omp_get_level(), region.level);
        CHECK_EQ(omp_get_active_level(), region.active_level);
        CHECK_EQ(omp_get_thread_num(), region.outer_thread);
        /* The next time with a size that is no larger than the budget allows. */
        n = form == 4 ? n : 1 + pick(r, n);
    }
    omp_set_num_threads(old);
}

static void member(struct region *region, struct run *r, int levels)
{
    int me = omp_get_thread_num();
    struct run mine = branch(r, me, 1);
    mine.top = 0;
    ADD(region->count, 1);
    CHECK_EQ(omp_get_num_threads(), region->n);
    CHECK(me >= 0 && me < region->n);
    CHECK_EQ(omp_get_level(), region->level + 1);
    CHECK_EQ(omp_get_active_level(), region->active_level + (region->n > 1));
    CHECK_EQ(omp_get_ancestor_thread_num(region->level), region->outer_thread);
    CHECK_EQ(omp_get_ancestor_thread_num(region->level + 1), me);
    CHECK_EQ(omp_get_team_size(region->level + 1), region->n);
    CHECK_EQ(omp_in_parallel(), omp_get_active_level() > 0);
    disturb(&mine);
    if (levels > 1 && chance(&mine, 80))
        nest_of(&mine, levels - 1);
    if (levels == 1 && chance(&mine, 30))
        run_some(&mine, 1);
    CHECK_EQ(omp_get_thread_num(), me);
    CHECK_EQ(omp_get_num_threads(), region->n);
    if (region->outer_thread % 2) {
#pragma omp barrier
        CHECK_EQ(LOAD(region->count), region->n);
    }
}

static void nest(struct run *r)
{
    nest_of(r, 1 + pick(r, 3));
}

/** Two teams inside each other that change sizes all the time: threads come and go. */
static void resize(struct run *r)
{
    int rounds = 5 + pick(r, 30), count = 0, wanted = 0;
    for (int i = 0; i < rounds; i++) {
        int n = team_size(r), sizes[8];
        for (int k = 0; k < n; k++) {
            struct run inside = branch(r, 100 * i + k, n);
            sizes[k] = team_size(&inside);
            wanted += sizes[k];
        }
#pragma omp parallel num_threads(n)
        {
#pragma omp parallel num_threads(sizes[omp_get_thread_num()])
            ADD(count, 1);
        }
    }
    CHECK_EQ(count, wanted);
}

/** Many threads at once, now and then. */
static void wide(struct run *r)
{
    int n = 9 + pick(r, 56), count = 0, ones = 0, rounds = 1 + pick(r, 5);
#pragma omp parallel num_threads(n)
    {
        CHECK_EQ(omp_get_num_threads(), n);
        for (int i = 0; i < rounds; i++) {
            ADD(count, 1);
#pragma omp barrier
            CHECK_EQ(LOAD(count) >= n * (i + 1), 1);
#pragma omp single
            ADD(ones, 1);
        }
    }
    CHECK_EQ(count, n * rounds);
    CHECK_EQ(ones, rounds);
}

/** Other scenarios in all threads of a team at the same time, once or several times. */
static void members(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 3);
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), n);
        mine.top = 0;
        for (int i = 0; i < rounds; i++) {
            run_some(&mine, 1);
            if (rounds == 2) {
#pragma omp barrier
            }
        }
    }
}

/* ---- ICVs ---------------------------------------------------------------------------------------------- */

static void icvs(struct run *r)
{
    int n = team_size(r), asked = 1 + pick(r, 8), chunk = 1 + pick(r, 50),
        levels = omp_get_max_active_levels();
    int outside = omp_get_max_threads(), dynamic = omp_get_dynamic(), chunk_now;
    omp_sched_t kind;
    omp_set_num_threads(asked);
    omp_set_schedule(omp_sched_guided, chunk);
#pragma omp parallel num_threads(n) private(kind, chunk_now)
    {
        int me = omp_get_thread_num();
        CHECK_EQ(omp_get_max_threads(), asked);
        omp_get_schedule(&kind, &chunk_now);
        CHECK_EQ(kind & ~omp_sched_monotonic, omp_sched_guided);
        CHECK_EQ(chunk_now, chunk);
        /* Each implicit task has its own; a task inherits them and gives nothing back. */
        omp_set_num_threads(1 + me);
        omp_set_schedule(omp_sched_dynamic, 1 + me);
        omp_set_dynamic(me % 2);
        int *told = take(4, sizeof *told);
#pragma omp task firstprivate(me) shared(told)
        {
            omp_sched_t task_kind;
            int task_chunk;
            omp_get_schedule(&task_kind, &task_chunk);
            told[0] = omp_get_max_threads() == 1 + me;
            told[1] = (task_kind & ~omp_sched_monotonic) == omp_sched_dynamic && task_chunk == 1 + me;
            told[2] = omp_get_dynamic() == me % 2;
            told[3] = 1;
            omp_set_num_threads(3);
            omp_set_dynamic(1 - me % 2);
            omp_set_schedule(omp_sched_static, 99);
        }
#pragma omp taskwait
        CHECK_ONCE(told, 4);
        free(told);
        CHECK_EQ(omp_get_max_threads(), 1 + me);
        CHECK_EQ(omp_get_dynamic(), me % 2);
        omp_get_schedule(&kind, &chunk_now);
        CHECK_EQ(chunk_now, 1 + me);
        CHECK_EQ(omp_get_max_active_levels(), levels);
    }
    CHECK_EQ(omp_get_max_threads(), asked);
    CHECK_EQ(omp_get_dynamic(), dynamic);
    omp_get_schedule(&kind, &chunk_now);
    CHECK_EQ(chunk_now, chunk);
    omp_set_num_threads(outside);
}

/** dyn-var: fewer threads than asked for are right, the work is the same. */
static void dynamic(struct run *r)
{
    int n = team_size(r), trip = pick(r, 200), threads = 0;
    int *hits = take((size_t)trip, sizeof *hits);
    omp_set_dynamic(1);
#pragma omp parallel num_threads(n)
    {
#pragma omp single
        threads = omp_get_num_threads();
        CHECK_EQ(omp_get_num_threads(), threads);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < trip; i++)
            ADD(hits[i], 1);
    }
    omp_set_dynamic(0);
    CHECK(threads >= 1 && threads <= n);
    CHECK_ONCE(hits, trip);
    free(hits);
}

static int copied;
#pragma omp threadprivate(copied)

static void copyin(struct run *r)
{
    int rounds = 1 + pick(r, 5);
    for (int i = 0; i < rounds; i++) {
        int n = team_size(r), value = pick(r, 100000);
        copied = value;
#pragma omp parallel num_threads(n) copyin(copied)
        {
            CHECK_EQ(copied, value);
            copied += omp_get_thread_num();
        }
    }
}

/** Phases: what a thread wrote before a barrier, its neighbours read behind it. */
static void phases(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 200);
    int *grid = take((size_t)n, sizeof *grid);
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num();
        struct run mine = branch(r, me, n);
        for (int i = 1; i <= rounds; i++) {
            grid[me] = i;
            if (rounds < 40)
                disturb(&mine);
#pragma omp barrier
            CHECK_EQ(grid[(me + 1) % n], i);
            CHECK_EQ(grid[(me + n - 1) % n], i);
#pragma omp barrier
        }
    }
    free(grid);
}

/* ---- teams and target ---------------------------------------------------------------------------------- */

static void teams(struct run *r)
{
    int league = 1 + pick(r, 5), limit = team_size(r), trip = pick(r, 300), chunk = 1 + pick(r, 20),
        kind = pick(r, 4);
    int *hits = take((size_t)trip, sizeof *hits), *seen = take((size_t)league, sizeof *seen), told = 0;
    long long sum = 0;
    uint64_t state = r->state;
#pragma omp teams num_teams(league) thread_limit(limit) reduction(+ : sum)
    {
        struct run mine = {.state = stress_mix(state, (uint64_t)omp_get_team_num())};
        int teams_here = omp_get_num_teams(), me = omp_get_team_num();
        CHECK(teams_here >= 1 && teams_here <= league);
        CHECK(me >= 0 && me < teams_here);
        ADD(seen[me], 1);
        STORE(told, teams_here);
        disturb(&mine);
        int size = 0;
#pragma omp parallel num_threads(8) reduction(+ : size)
        size++;
        CHECK(size >= 1 && size <= limit);
        switch (kind) {
        case 0:
#pragma omp distribute
            for (int i = 0; i < trip; i++) {
                ADD(hits[i], 1);
                sum += i;
            }
            break;
        case 1:
#pragma omp distribute dist_schedule(static, chunk)
            for (int i = 0; i < trip; i++) {
                ADD(hits[i], 1);
                sum += i;
            }
            break;
        case 2:
#pragma omp distribute parallel for num_threads(limit) schedule(dynamic, 2) reduction(+ : sum)
            for (int i = 0; i < trip; i++) {
                ADD(hits[i], 1);
                sum += i;
            }
            break;
        default:
#pragma omp distribute parallel for dist_schedule(static, chunk) reduction(+ : sum)
            for (int i = 0; i < trip; i++) {
                ADD(hits[i], 1);
                sum += i;
            }
        }
    }
    CHECK_ONCE(seen, told);
    CHECK_ONCE(hits, trip);
    CHECK_EQ(sum, (long long)trip * (trip - 1) / 2);
    free(seen);
    free(hits);
}

/** Without a device the host runs them. */
static void target(struct run *r)
{
    int n = team_size(r), trip = 1 + pick(r, 200), later = 0;
    int *hits = take((size_t)trip, sizeof *hits);
#pragma omp target map(tofrom : hits [0:trip]) firstprivate(n)
    {
#pragma omp parallel for num_threads(n) schedule(dynamic, 5)
        for (int i = 0; i < trip; i++)
            hits[i]++;
    }
    CHECK_ONCE(hits, trip);
#pragma omp target teams distribute parallel for map(tofrom : hits [0:trip]) num_teams(2)
    for (int i = 0; i < trip; i++)
        hits[i]++;
    for (int i = 0; i < trip; i++)
        CHECK_EQ(hits[i], 2);
#pragma omp target nowait depend(out : later) map(tofrom : later)
    later = 1;
#pragma omp task depend(inout : later) shared(later)
    later += later == 1 ? 10 : 1000;
#pragma omp taskwait
    CHECK_EQ(later, 11);
    free(hits);
}

/** Resources go and come back. */
static void pause_resources(struct run *r)
{
    CHECK_EQ(omp_pause_resource_all(pick(r, 2) ? omp_pause_hard : omp_pause_soft), 0);
}

const struct scenario scenarios_regions[] = {
    {"nest", nest, RUN_OUTER, 10},
    {"resize", resize, 0, 3},
    {"wide", wide, RUN_MAIN, 2},
    {"members", members, RUN_OUTER, 5},
    {"icvs", icvs, 0, 3},
    {"dynamic", dynamic, 0, 2},
    {"copyin", copyin, 0, 2},
    {"phases", phases, 0, 3},
    {"teams", teams, RUN_TOP, 3},
    {"target", target, 0, 3},
    {"pause", pause_resources, RUN_MAIN, 1},
    {NULL, NULL, 0, 0},
};
