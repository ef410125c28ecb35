/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Cancellation of parallel, for, sections and taskgroup; and that it leaves nothing behind for what follows.
 * Where it is not in force, each `cancel` is passed over and everything is done.
 */
#include "stress.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Wsign-compare" /* of what it makes itself of a taskloop */
#endif

/* ---- loops and sections -------------------------------------------------------------------------------- */

/** Whether what is cancelled `here` ends. */
static int cancels(int here)
{
    return here && omp_get_cancellation();
}

/** A construct that may be cancelled, by the iteration `canceller` (-1: by nobody). */
struct victim {
    int *hits;
    int trip, canceller, chunk, kind, cancelled;
};

static void iteration(struct victim *victim, int i, struct run *mine)
{
    CHECK_EQ(ADD(victim->hits[i], 1), 1);
    disturb(mine);
}

#define CANCELLABLE(function, ...)                                \
    static void function(struct victim *victim, struct run *mine) \
    {                                                             \
        int chunk = victim->chunk, trip = victim->trip;           \
        (void)chunk;                                              \
        PRAGMA(omp for __VA_ARGS__)                               \
        for (int i = 0; i < trip; i++) {                          \
            PRAGMA(omp cancellation point for)                    \
            iteration(victim, i, mine);                           \
            PRAGMA(omp cancel for if (i == victim->canceller))    \
            CHECK(!cancels(i == victim->canceller));              \
        }                                                         \
    }
CANCELLABLE(cancel_plain, )
CANCELLABLE(cancel_chunk, schedule(static, chunk))
CANCELLABLE(cancel_dynamic, schedule(dynamic, chunk))
CANCELLABLE(cancel_guided, schedule(guided))
CANCELLABLE(cancel_monotonic, schedule(monotonic : dynamic, chunk))

static void cancel_sections(struct victim *victim, struct run *mine)
{
#define SECTION(i)                                              \
    PRAGMA(omp section)                                         \
    {                                                           \
        PRAGMA(omp cancellation point sections)                 \
        iteration(victim, i, mine);                             \
        PRAGMA(omp cancel sections if (i == victim->canceller)) \
        CHECK(!cancels(i == victim->canceller));                \
    }
#pragma omp sections
    {
        SECTION(0)
        SECTION(1)
        SECTION(2)
        SECTION(3)
        SECTION(4)
        SECTION(5)
    }
}

static void cancel_one(struct victim *victim, struct run *mine)
{
    static void (*const kinds[])(struct victim *, struct run *) = {
        cancel_plain, cancel_chunk, cancel_dynamic, cancel_guided, cancel_monotonic, cancel_sections,
    };
    kinds[victim->kind](victim, mine);
}

static void plan(struct victim *victim, struct run *r)
{
    *victim = (struct victim){.kind = pick(r, 6), .chunk = 1 + pick(r, 5)};
    victim->trip = victim->kind == 5 ? 6 : 1 + pick(r, 80);
    victim->canceller = chance(r, 60) ? pick(r, victim->trip) : -1;
    victim->hits = take((size_t)victim->trip, sizeof *victim->hits);
}

static void check(struct victim *victim)
{
    if (!cancels(victim->canceller >= 0))
        CHECK_ONCE(victim->hits, victim->trip);
    for (int i = 0; i < victim->trip; i++)
        CHECK(victim->hits[i] <= 1);
    free(victim->hits);
}

/** Cancelled and other constructs one after the other in a team: the ones behind are not disturbed. */
static void cancel_work(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 30);
    struct victim *victims = take((size_t)count, sizeof *victims);
    struct loop *loops = take((size_t)count, sizeof *loops);
    int *passed = take((size_t)count, sizeof *passed);
    for (int i = 0; i < count; i++) {
        plan(&victims[i], r);
        loop_plan(&loops[i], r);
    }
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), n);
        for (int i = 0; i < count; i++) {
            cancel_one(&victims[i], &mine);
            if (victims[i].canceller % 2)
                loop_run(&loops[i], &mine);
            ADD(passed[i], 1);
            if (victims[i].chunk == 1) {
#pragma omp barrier
                CHECK_EQ(LOAD(passed[i]), n);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        CHECK_EQ(passed[i], n);
        if (victims[i].canceller % 2)
            loop_check(&loops[i]);
        else
            free(loops[i].hits);
        check(&victims[i]);
    }
    free(passed);
    free(loops);
    free(victims);
}

/* ---- parallel ------------------------------------------------------------------------------------------ */

/**
 * Threads in a region until one of them cancels it; whoever comes to a barrier or a cancellation point
 * leaves.
 */
static void cancel_parallel(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 5);
    for (int round = 0; round < rounds; round++) {
        int canceller = pick(r, n), at = pick(r, 20), with_tasks = pick(r, 2), started = 0, beyond = 0,
            ended = 0;
        int steps = 21 + pick(r, 20), trip = 1 + pick(r, 40), kind = pick(r, 4);
#pragma omp parallel num_threads(n)
        {
            int me = omp_get_thread_num();
            struct run mine = branch(r, 100 * round + me, n);
            for (int i = 0; i < steps; i++) {
                ADD(started, 1);
                if (with_tasks) {
#pragma omp task shared(ended)
                    ADD(ended, 1);
                }
#pragma omp cancel parallel if (me == canceller && i == at)
                CHECK(!cancels(me == canceller && i == at));
                switch (pick(&mine, 4)) {
                case 0:
                    disturb(&mine);
                    break;
                case 1:
#pragma omp critical(stress_cancel)
                    started += 0;
                    break;
                default:
                    break;
                }
                if (kind == 0) {
#pragma omp barrier
                } else if (kind == 1) {
#pragma omp cancellation point parallel
                } else if (kind == 2) { /* who has left takes no turn: the others do not wait for it */
#pragma omp for ordered schedule(static, 1)
                    for (int k = 0; k < trip; k++) {
#pragma omp ordered
                        disturb(&mine);
                    }
                } else {
#pragma omp for schedule(dynamic)
                    for (int k = 0; k < trip; k++)
                        disturb(&mine);
                }
            }
            /*
             * The canceller has left; with a barrier in each step nobody can pass the one that it has not
             * reached.
             */
            if (me == canceller || kind != 1)
                ADD(beyond, 1);
        }
        CHECK_EQ(beyond, cancels(1) ? 0 : kind != 1 ? n : 1);
        CHECK(started >= (cancels(1) ? at + 1 : n * steps) && started <= n * steps);
        CHECK(ended <= started);
        if (!cancels(1))
            CHECK_EQ(ended, with_tasks ? started : 0);
        /* The next region has no memory of it. */
        int whole = 0;
#pragma omp parallel num_threads(n) reduction(+ : whole)
        {
#pragma omp barrier
#pragma omp cancellation point parallel
            whole++;
        }
        CHECK_EQ(whole, n);
    }
}

/* ---- taskgroup ----------------------------------------------------------------------------------------- */

/** Tasks below a cancelled task, and those outside of the group. */
static void cancel_group(struct run *r)
{
    int n = team_size(r), count = 1 + pick(r, 40), canceller = chance(r, 70) ? pick(r, count) : -1;
    int outside = 0, started = 0, ended = 0, below = 0, second = 0;
#pragma omp parallel num_threads(n)
#pragma omp single
    {
        struct run base = branch(r, 0, n);
#pragma omp task shared(outside)
        ADD(outside, 1);
#pragma omp taskgroup
        {
            for (int i = 0; i < count; i++) {
                struct run mine = branch(&base, i, 1);
#pragma omp task shared(started, ended, below) firstprivate(mine)
                {
                    ADD(started, 1);
                    if (i % 4 == 0) {
#pragma omp task shared(below)
                        ADD(below, 1);
                    }
                    disturb(&mine);
                    ADD(ended, 1);
                    if (i % 2) {
#pragma omp cancellation point taskgroup
                    }
#pragma omp cancel taskgroup if (i == canceller)
                    CHECK(!cancels(i == canceller));
                }
            }
        }
        /* All that has begun is over. */
        int began = LOAD(started);
        CHECK_EQ(LOAD(ended), began);
        CHECK(began <= count && LOAD(below) <= (count + 3) / 4);
        if (!cancels(canceller >= 0)) {
            CHECK_EQ(began, count);
            CHECK_EQ(LOAD(below), (count + 3) / 4);
        } else {
            CHECK(began >= 1);
        }
        /* A second group is not cancelled. */
#pragma omp taskgroup
        for (int i = 0; i < 5; i++) {
#pragma omp task shared(second)
            {
#pragma omp cancellation point taskgroup
                ADD(second, 1);
            }
        }
        CHECK_EQ(LOAD(second), 5);
    }
    CHECK_EQ(outside, 1);
}

/** A taskloop's implicit group. */
static void cancel_taskloop(struct run *r)
{
    int n = team_size(r), trip = 1 + pick(r, 100), canceller = chance(r, 70) ? pick(r, trip) : -1;
    int *hits = take((size_t)trip, sizeof *hits);
    struct run base = branch(r, 0, n);
#pragma omp parallel num_threads(n)
#pragma omp single
    {
#pragma omp taskloop grainsize(2)
        for (int i = 0; i < trip; i++) {
            struct run mine = branch(&base, i, 1);
            ADD(hits[i], 1);
            disturb(&mine);
#pragma omp cancel taskgroup if (i == canceller)
            CHECK(!cancels(i == canceller));
        }
    }
    if (!cancels(canceller >= 0)) {
        CHECK_ONCE(hits, trip);
    } else {
        CHECK_EQ(hits[canceller], 1);
        for (int i = 0; i < trip; i++)
            CHECK(hits[i] <= 1);
    }
    free(hits);
}

const struct scenario scenarios_cancel[] = {
    {"cancel_work", cancel_work, 0, 5},
    {"cancel_parallel", cancel_parallel, RUN_NAMES, 5},
    {"cancel_group", cancel_group, 0, 5},
    {"cancel_taskloop", cancel_taskloop, 0, 2},
    {NULL, NULL, 0, 0},
};
