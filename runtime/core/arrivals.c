/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Counters of arrivals in a team that is wider than a cache: built from what the machine says.
 *
 * How many share a counter is what runtime/tests/mesi counts best: eight threads at one cache, where the
 * counter's line passes quickly; four counters above, between caches. All look at one word for their release:
 * of each cache one thread fetches it from another one. In a team of many counters there are copies of that
 * word, each for the threads of a few caches.
 */
#include <pthread.h>

#include "arrivals.h"
#include "env.h"
#include "places.h"
#include "root.h"
#include "slab.h"

enum { LEAF = 8, FAN_IN = 4 };

/** Threads that share a cache, by the user or the machine; INT32_MAX: all do. */
static int cluster = INT32_MAX;

/** Counters of threads that share a copy; few if the user makes clusters small. */
static int leaves_a_copy = LEAF;

/* ---- counting ------------------------------------------------------------------------------------------ */

/**
 * Who completes a counter has seen what all of it have done before, by its release sequence, and passes that
 * on with the next one's (litmus: arrivals). It clears the counter for the next barrier, to which the others
 * come only behind this one's release. What a counter is like is read before it is counted at: behind that
 * the region may be over, and the counters another one's.
 */
int rt_arrivals_count(struct rt_team *team, struct rt_arrivals *counter)
{
    uint32_t threads, all = (uint32_t)team->nthreads;
    do {
        uint32_t expected = counter->expected;
        struct rt_arrivals *up = counter->up;
        threads = counter->threads;
        if (atomic_fetch_add_explicit(&counter->arrived, 1, memory_order_acq_rel) + 1 != expected)
            return 0;
        rt_store(counter->arrived, 0);
        counter = up;
    } while (counter != NULL);
    return atomic_fetch_add_explicit(&team->arrived, threads, memory_order_acq_rel) + threads == all;
}

/* ---- letting go ---------------------------------------------------------------------------------------- */

/**
 * A copy passes on what bar_gen does: the same thread has acquired the arrivals. Who acquires the copy finds
 * bar_gen changed as well, which was stored before it (litmus: barrier_copy).
 */
void rt_arrivals_release(struct rt_team *team, uint32_t gen)
{
    for (int i = 0; i < team->leaves; i += leaves_a_copy)
        rt_publish(team->counters[i].bar_gen, gen);
}

void rt_arrivals_tasks(struct rt_team *team, uint32_t used)
{
    for (int i = 0; i < team->leaves; i += leaves_a_copy)
        rt_publish(team->counters[i].tasks_used, used);
}

/* ---- the machine --------------------------------------------------------------------------------------- */

static void cluster_find(void)
{
    if (rt_env.barrier_cluster >= 0) {
        if (rt_env.barrier_cluster > 0)
            cluster = rt_env.barrier_cluster;
        if (cluster < LEAF)
            leaves_a_copy = cluster;
        return;
    }
    struct rt_machine *machine = &rt_env.machine;
    int n = rt_machine_cluster(machine);
    if (n > 0 && n < rt_cpus_count(&machine->allowed))
        cluster = n;
    if (rt_root.binding)
        rt_machine_read(machine);
}

/** Of a cluster's threads those of one counter: as many in each, and not more than LEAF. */
static int leaf_size(void)
{
    int leaves = (cluster + LEAF - 1) / LEAF;
    return (cluster + leaves - 1) / leaves;
}

/** A number of the cache that the place is at; places unknown are all at one. */
static int cache_of(int place)
{
    const struct rt_cpus *cpus = rt_place_cpus(place);
    int first = cpus != NULL ? rt_cpus_next(cpus, 0) : -1;
    for (int i = 0; first >= 0 && i < rt_env.machine.count; i++)
        if (rt_env.machine.cpus[i].id == first)
            return rt_env.machine.cpus[i].group[RT_LAYER_CACHE];
    return -1;
}

/* ---- building ------------------------------------------------------------------------------------------ */

/** The members' counters, in their order: neighbours are at neighbouring places. Returns how many. */
static int build_leaves(struct rt_team *team, int n)
{
    int leaves = 0, room = 0, cache = -1, most = leaf_size();
    for (int i = 0; i < n; i++) {
        int its_cache = rt_root.binding ? cache_of(team->members[i].place) : -1;
        if (room == 0 || its_cache != cache) {
            team->counters[leaves++] = (struct rt_arrivals){.bar_gen = rt_load(team->bar_gen)};
            room = most;
        }
        cache = its_cache;
        room--;
        struct rt_arrivals *leaf = &team->counters[leaves - 1];
        leaf->expected++;
        leaf->threads++;
        team->members[i].counter = leaf;
    }
    return leaves;
}

/** Where the threads of each leaf look; with few leaves the team's own words are the quickest. */
static void build_copies(struct rt_team *team, int leaves)
{
    team->leaves = leaves > leaves_a_copy ? leaves : 0;
    for (int i = 0; i < leaves; i++) {
        struct rt_arrivals *copy = &team->counters[i - i % leaves_a_copy];
        team->counters[i].release = team->leaves > 0 ? &copy->bar_gen : &team->bar_gen;
        team->counters[i].tasks = team->leaves > 0 ? &copy->tasks_used : &team->tasks_used;
    }
}

/** Counters of counters, until a few are left, which count in rt_team.arrived. */
static void build_upwards(struct rt_arrivals *level, int count)
{
    while (count > FAN_IN) {
        struct rt_arrivals *next = level + count;
        int more = (count + FAN_IN - 1) / FAN_IN;
        for (int i = 0; i < more; i++)
            next[i] = (struct rt_arrivals){0};
        for (int i = 0; i < count; i++) {
            struct rt_arrivals *up = &next[i / FAN_IN];
            level[i].up = up;
            up->expected++;
            up->threads += level[i].threads;
        }
        level = next;
        count = more;
    }
}

/** Room for n leaves and what is above them, less than n / 2; 0: there is no memory. */
static int reserve(struct rt_team *team, int n)
{
    int room = n + n / 2 + 1;
    if (room <= team->counters_room)
        return 1;
    if (room < 2 * team->counters_room)
        room = 2 * team->counters_room;
    struct rt_arrivals *counters = rt_arena_try((size_t)room * sizeof *counters);
    if (counters == NULL)
        return 0;
    team->counters = counters;
    team->counters_room = room;
    return 1;
}

void rt_arrivals_fit(struct rt_team *team, int n, int moved)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (likely(n == team->counters_for && !moved))
        return;
    pthread_once(&once, cluster_find);
    team->counters_for = n;
    team->ways = rt_root.cancellation ? RT_WAY_CANCELLABLE : 0;
    team->leaves = 0;
    /* A pair counts its arrivals on and on (barrier.c): it has no use for counters that are cleared. */
    if (n <= 2 || n <= cluster || !reserve(team, n))
        return;
    int leaves = build_leaves(team, n);
    build_copies(team, leaves);
    build_upwards(team->counters, leaves);
    team->ways |= RT_WAY_TREE;
}

void rt_arrivals_cancellation(void)
{
    rt_lock(&rt_root.lock);
    for (struct rt_team *team = rt_root.hot_teams; team != NULL; team = team->next_hot)
        if (rt_root.cancellation)
            team->ways |= RT_WAY_CANCELLABLE;
        else
            team->ways &= (uint8_t)~RT_WAY_CANCELLABLE;
    rt_unlock(&rt_root.lock);
}
