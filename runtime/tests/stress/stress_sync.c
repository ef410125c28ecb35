/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Locks, nestable locks, critical regions and atomics: plain variables that only these protect.
 */
#include <pthread.h>

#include "stress.h"

/* ---- locks --------------------------------------------------------------------------------------------- */

#define ACCOUNTS 8

/** Money moves between accounts, whose locks are taken in order; the sum stays. */
static void locks(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 300), in_tasks = pick(r, 3) == 0;
    struct {
        omp_lock_t lock;
        long money, moves;
    } accounts[ACCOUNTS] = {{.money = 0}};
    for (int i = 0; i < ACCOUNTS; i++) {
        omp_init_lock(&accounts[i].lock);
        accounts[i].money = 1000;
    }
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), n);
        for (int i = 0; i < rounds; i++) {
            int from = pick(&mine, ACCOUNTS), to = pick(&mine, ACCOUNTS), low = from < to ? from : to;
            struct run inside = branch(&mine, i, 1);
            if (from == to)
                continue;
#pragma omp task if (in_tasks) firstprivate(inside) shared(accounts)
            {
                int high = from + to - low;
                if (chance(&inside, 30))
                    while (!omp_test_lock(&accounts[low].lock))
                        disturb(&inside);
                else
                    omp_set_lock(&accounts[low].lock);
                omp_set_lock(&accounts[high].lock);
                accounts[from].money -= 3;
                accounts[to].money += 3;
                accounts[from].moves++;
                if (i % 16 == 0)
                    disturb(&inside);
                omp_unset_lock(&accounts[low].lock);
                omp_unset_lock(&accounts[high].lock);
            }
        }
    }
    long money = 0, moves = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        CHECK(omp_test_lock(&accounts[i].lock));
        money += accounts[i].money;
        moves += accounts[i].moves;
        omp_unset_lock(&accounts[i].lock);
        omp_destroy_lock(&accounts[i].lock);
    }
    long true_moves = 0;
    for (int t = 0; t < n; t++) {
        struct run mine = branch(r, t, n);
        for (int i = 0; i < rounds; i++) {
            int from = pick(&mine, ACCOUNTS);
            true_moves += from != pick(&mine, ACCOUNTS);
        }
    }
    CHECK_EQ(money, 1000 * ACCOUNTS);
    CHECK_EQ(moves, true_moves);
}

static int nested(omp_nest_lock_t *lock, long *counter, int depth, struct run *mine)
{
    if (chance(mine, 30)) {
        int count;
        while ((count = omp_test_nest_lock(lock)) == 0)
            disturb(mine);
        CHECK(count >= 1);
    } else {
        omp_set_nest_lock(lock);
    }
    ++*counter;
    if (depth > 0)
        nested(lock, counter, depth - 1, mine);
    else
        disturb(mine);
    omp_unset_nest_lock(lock);
    return 0;
}

static void nest_locks(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 60), depth = pick(r, 6), in_tasks = pick(r, 3) == 0;
    omp_nest_lock_t lock;
    long counter = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), n);
        for (int i = 0; i < rounds; i++) {
            struct run inside = branch(&mine, i, 1);
            /* A lock is its task's: each task takes and gives it wholly. */
#pragma omp task if (in_tasks) firstprivate(inside) shared(lock, counter)
            nested(&lock, &counter, depth, &inside);
        }
    }
    CHECK_EQ(counter, (long)n * rounds * (depth + 1));
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
}

/* ---- critical regions ---------------------------------------------------------------------------------- */

/** The names are the program's: teams that run at the same time share them. */
static long shared_by_all, shared_by_hint;

static void criticals(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 200);
    long mine_only = 0, named = 0;
#pragma omp parallel num_threads(n)
    {
        struct run mine = branch(r, omp_get_thread_num(), n);
        for (int i = 0; i < rounds; i++) {
#pragma omp critical
            {
                long before = ++shared_by_all;
                mine_only++;
                if (i % 16 == 0)
                    disturb(&mine);
                CHECK_EQ(before, shared_by_all);
            }
#pragma omp critical(stress_hint) hint(omp_sync_hint_contended)
            {
                shared_by_hint++;
                named++;
            }
            if (i % 32 == 0) {
#pragma omp critical(stress_outer)
#pragma omp critical(stress_inner)
                named += 0 * named;
            }
        }
    }
    CHECK_EQ(mine_only, (long)n * rounds);
    CHECK_EQ(named, (long)n * rounds);
}

/* ---- atomics ------------------------------------------------------------------------------------------- */

static void atomics(struct run *r)
{
    int n = team_size(r), rounds = 1 + pick(r, 300), total = n * rounds;
    int counter = 0, turned = 0;
    long long big = 0;
    unsigned char small = 0;
    unsigned bits = 0;
    double real = 0;
    float single = 0;
    long double wide = 0; /* gcc asks the runtime for its lock, clang would ask libatomic */
    int *seen = take((size_t)total, sizeof *seen);
#pragma omp parallel num_threads(n)
    {
        int me = omp_get_thread_num();
        struct run mine = branch(r, me, n);
        for (int i = 0; i < rounds; i++) {
            int ticket, old;
#pragma omp atomic capture
            ticket = counter++;
            CHECK(ticket >= 0 && ticket < total);
            ADD(seen[ticket], 1);
#pragma omp atomic
            big += 1000000007;
#pragma omp atomic update seq_cst
            small = small + 1;
#pragma omp atomic
            bits |= 1u << (ticket % 32);
#pragma omp atomic
            real += 0.5;
#pragma omp atomic
            single += 1;
#ifndef __clang__
#pragma omp atomic
            wide += 1;
#endif
#pragma omp atomic capture acq_rel
            {
                old = turned;
                turned = 3 - turned;
            }
            CHECK(old == 0 || old == 3);
#pragma omp atomic read acquire
            old = counter;
            CHECK(old > ticket);
            if (i % 64 == 0)
                disturb(&mine);
        }
    }
    CHECK_ONCE(seen, total);
    CHECK_EQ(counter, total);
    CHECK_EQ(big, 1000000007ll * total);
    CHECK_EQ(small, (unsigned char)total);
    CHECK_EQ(bits, total >= 32 ? ~0u : (1u << total) - 1);
    CHECK_EQ(2 * real, total);
    CHECK_EQ(single, total);
#ifdef __clang__
    wide = total;
#endif
    CHECK_EQ(wide, total);
    CHECK_EQ(turned, total % 2 ? 3 : 0);
    free(seen);
}

const struct scenario scenarios_sync[] = {
    {"locks", locks, 0, 4},
    {"nest_locks", nest_locks, 0, 4},
    {"criticals", criticals, RUN_NAMES, 3},
    {"atomics", atomics, 0, 3},
    {NULL, NULL, 0, 0},
};
